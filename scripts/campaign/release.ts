// `npm run campaign release [-- --debian]`: builds the package, packs it, and installs the file into empty folders on Node 24 and 26, as a
// user would: what it weighs, how long it takes to start and to fill an order on paper, what publint and attw find, and whether the
// examples run. With --debian also the README's two commands on a bare Debian, with Node 20 and with Node 24, as root. It needs a
// registry, so it is no part of the suite.

import { type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { packageFindings } from "./package-findings.ts";

const RUNTIMES = ["24.21.0", "26.10.0"];
const MEGABYTES_MAX = 60;
const FILL_MS_MAX = 180_000;

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "pegbot-release-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

run("npm", ["run", "build"], { cwd: root });
const tarball = join(folder, run("npm", ["pack", resolve("dist"), "--silent"], { cwd: folder }).trim());
const findings = await packageFindings(resolve("dist"), readFileSync(tarball));
say(`publint and attw: ${findings.length === 0 ? "nothing" : findings.join("; ")}`);
say(`tarball ${megabytes(statSync(tarball).size)} MB`);
for (const version of RUNTIMES) await onRuntime(version);
if (process.argv.includes("--debian")) for (const version of ["20.20.2", "24.21.0"]) await onDebian(version);
if (findings.length > 0) process.exitCode = 1;

async function onRuntime(version: string): Promise<void> {
  const bin = runtime(version);
  const user = join(folder, `user-${version}`);
  mkdirSync(user);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, XDG_STATE_HOME: join(user, "state") };
  writeFileSync(join(user, "package.json"), '{ "type": "module" }\n');
  run("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: user, env });
  const packages = readdirSync(join(user, "node_modules"), { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  );
  const weight = megabytes(weightOf(join(user, "node_modules")));
  say(`Node ${version}: ${weight} MB in ${packages.length} packages`);
  if (weight > MEGABYTES_MAX) fail(`the installed package weighs ${weight} MB, the limit is ${MEGABYTES_MAX}`);
  const began = performance.now();
  const printed = run(join(bin, "node"), ["node_modules/pegbot/bin/pegbot.js", "--version"], { cwd: user, env });
  say(`Node ${version}: ${printed.trim()} after ${Math.round(performance.now() - began)} ms`);
  const args = ["node_modules/pegbot/bin/pegbot.js", "start", "--port", "0"];
  say(
    `Node ${version}: the first fill of start after ${await firstFill(join(bin, "node"), args, { cwd: user, env })} s`,
  );
  const examples = existsSync("examples") ? readdirSync("examples").filter((file) => file.endsWith(".ts")) : [];
  for (const example of examples) cpSync(join("examples", example), join(user, example));
  for (const example of examples) {
    const test = example.endsWith(".test.ts") ? ["--test"] : [];
    run(join(bin, "node"), [...test, example], { cwd: user, env });
    say(`Node ${version}: examples/${example} ran`);
  }
}

/** The README's commands, from a clone of this tree's last commit. */
async function onDebian(version: string): Promise<void> {
  const debian = join(folder, "debian");
  if (!existsSync(debian)) {
    say("a bare Debian is made");
    run("debootstrap", ["--variant=minbase", "--include=git,ca-certificates,libatomic1", "bookworm", debian]);
    // As this machine reaches a registry, so does the bare one.
    for (const file of ["etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"])
      cpSync(`/${file}`, join(debian, file), { dereference: true });
    const settings = join(homedir(), ".npmrc");
    if (existsSync(settings)) cpSync(settings, join(debian, "root/.npmrc"));
    run("npm", ["install", "--prefix", join(debian, "opt/npm"), "--no-audit", "--no-fund", "npm@11"]);
    run("git", ["clone", "--quiet", root, join(debian, "opt/source")]);
  }
  cpSync(join(runtime(version), "node"), join(debian, "usr/local/bin/node"));
  const npm = '#!/bin/sh\nexec node /opt/npm/node_modules/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(join(debian, "usr/local/bin/npm"), npm, { mode: 0o755 });
  const clone = `git config --global --add safe.directory '*' && rm -rf /opt/pegbot && git clone --quiet /opt/source /opt/pegbot && cd /opt/pegbot`;
  const started = ["chroot", debian, "/bin/sh", "-c", `mount -t proc proc /proc; ${clone} && npm ci && npm start`];
  const seconds = await firstFill("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...started]);
  say(`bare Debian, Node ${version}: from clone to the first fill of npm ci && npm start: ${seconds} s`);
}

/** The folder with its `node`. */
function runtime(version: string): string {
  const home = join(folder, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  if (!existsSync(home)) run("npm", ["install", "--prefix", home, "--no-audit", "--no-fund", `${name}@${version}`]);
  return join(home, "node_modules", name, "bin");
}

async function firstFill(program: string, args: readonly string[], options: SpawnSyncOptions = {}): Promise<string> {
  const began = performance.now();
  const child = spawn(program, args, { ...(options as object), stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const isOver = Promise.withResolvers<boolean>();
  const limit = setTimeout(() => isOver.resolve(false), FILL_MS_MAX);
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes) => {
      printed += bytes;
      if (/ filled: (bought|sold) /.test(printed)) isOver.resolve(true);
    });
  child.on("exit", () => isOver.resolve(false));
  const isFilled = await isOver.promise;
  clearTimeout(limit);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  // unshare takes no other.
  child.kill("SIGKILL");
  if (child.exitCode === null) await new Promise((ended) => child.once("exit", ended));
  if (!isFilled) fail(`no order was filled within ${FILL_MS_MAX / 1_000} s: ${printed.slice(-2_000)}`);
  return seconds;
}

function weightOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1));
}

function run(program: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, ...options, encoding: "utf8" });
  if (status !== 0)
    fail(`${program} ${args.join(" ")} ended with ${status}: ${error ?? stdout.slice(-2_000) + stderr}`);
  return stdout;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(reason: string): never {
  process.stderr.write(`release: ${reason}\n`);
  process.exit(1);
}
