// `npm run verify:node -- --keyring FILE [--from ADDRESS] [--packages FOLDER]`: is the Node that npm installed the one that
// the Node project released? For the person who releases: it downloads the release. The sums must be signed by a key of the
// keyring, the archive must have its sum, and the installed program must be that of the archive, byte by byte.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const PACKAGE = /^node-(?:bin-)?((linux|darwin|win)-(x64|arm64))$/;

const { keyring, from, packages } = parseArgs({
  options: {
    keyring: { type: "string" },
    from: { type: "string" },
    packages: { type: "string", default: "node_modules" },
  },
}).values;
if (keyring === undefined || !existsSync(keyring))
  fail(`--keyring must name a file with the release keys of the Node project, was ${keyring}`);

const bundled = readdirSync(packages).flatMap((name) => {
  const platform = PACKAGE.exec(name)?.[1];
  if (platform === undefined) return [];
  const { version } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  return [
    { platform, version, program: join(packages, name, "bin", platform.startsWith("win") ? "node.exe" : "node") },
  ];
});
if (bundled.length === 0) fail(`no Node was installed in ${packages}`);
for (const { platform, version, program } of bundled) {
  const address = from ?? `https://nodejs.org/dist/v${version}`;
  const sums = await download(address, "SHASUMS256.txt");
  requireSignature(sums, await download(address, "SHASUMS256.txt.sig"), keyring);
  const isWindows = platform.startsWith("win");
  const name = isWindows ? `${platform}/node.exe` : `node-v${version}-${platform}.tar.gz`;
  const released = await download(address, name);
  const sum = new RegExp(`^([0-9a-f]{64})  ${RegExp.escape(name)}$`, "m").exec(sums.toString())?.[1];
  if (sum === undefined) fail(`the signed sums do not list ${name}`);
  if (sha256(released) !== sum) fail(`${name} has not the sum that was signed`);
  const official = isWindows ? released : memberOf(released, `node-v${version}-${platform}/bin/node`);
  if (!official.equals(readFileSync(program))) fail(`${program} is not the Node ${version} that was released`);
  process.stdout.write(`${program} is the released Node ${version} for ${platform}, sha256 ${sha256(official)}\n`);
}

async function download(address: string, name: string): Promise<Buffer> {
  if (!/^https?:/.test(address)) return readFileSync(join(address, name));
  const answer = await fetch(`${address}/${name}`);
  if (!answer.ok) fail(`${address}/${name} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

function requireSignature(sums: Buffer, signature: Buffer, keys: string): void {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-verify-"));
  try {
    writeFileSync(join(folder, "sums"), sums);
    writeFileSync(join(folder, "sig"), signature);
    const args = ["--keyring", resolve(keys), join(folder, "sig"), join(folder, "sums")];
    const { status, stderr, error } = spawnSync("gpgv", args, { encoding: "utf8" });
    if (status !== 0) fail(`the sums are not signed by a key of ${keys}: ${error?.message ?? stderr.trim()}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function memberOf(archive: Buffer, member: string): Buffer {
  const options = { input: archive, maxBuffer: 1024 ** 3 };
  const { status, stdout, stderr, error } = spawnSync("tar", ["-xzOf", "-", member], options);
  if (status !== 0) fail(`the archive has no ${member}: ${error?.message ?? stderr.toString().trim()}`);
  return stdout;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function fail(reason: string): never {
  process.stderr.write(`verify-node: ${reason}\n`);
  process.exit(1);
}
