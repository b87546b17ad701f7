// Secrets of the suite that are recognised wherever they turn up: private keys whose scalar begins with a mark, and texts with a
// stem. What programs and commands print is searched when it is printed, every folder when a test removes it, and what is left
// at the end of the run. A find fails the run, with the place and never the secret.

import { createECDH, createPrivateKey, hash, type KeyObject, randomBytes } from "node:crypto";
import fs, { appendFileSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const MARK = hash("sha256", "the private keys of the suite", "buffer").subarray(0, 12);
// In two parts, so that a copy of this file is no find.
const STEM = ["kq7canary", "2vx9"].join("");

/** For tests that need a passphrase, a token, a webhook address or a password. */
export function canary(name: string): string {
  return `${STEM}-${name}`;
}

export function canaryKey(): KeyObject {
  const pair = createECDH("prime256v1");
  const scalar = Buffer.concat([MARK, randomBytes(20)]);
  pair.setPrivateKey(scalar);
  const point = pair.getPublicKey();
  const [d = "", x = "", y = ""] = [scalar, point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  return createPrivateKey({ key: { kty: "EC", crv: "P-256", d, x, y }, format: "jwk" });
}

/** In base64 text looks different at each place within a group of three bytes. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((at) => bytes.subarray(at, at + Math.floor((bytes.length - at) / 3) * 3).toString("base64"));
}

const SPELLINGS: readonly (string | Buffer)[] = [
  MARK,
  MARK.toString("hex"),
  ...inBase64(MARK),
  // The base64 of a PEM, as an environment variable holds it.
  ...inBase64(MARK).flatMap((text) => inBase64(Buffer.from(text))),
  MARK.toString("hex").replace(/..(?=.)/g, "$& "),
  MARK.join(","),
  MARK.join(", "),
  STEM,
  Buffer.from(STEM).toString("hex"),
  ...inBase64(Buffer.from(STEM)),
];

/** Files in which a test or the bot keeps a secret on purpose. */
const KEPT = /\.(?:pem|ya?ml|token|key|age)$|^(?:hook|passphrase|password|secret)/;
/** Market data; no file of ours that could hold a secret is so large, but for a core, which is a find by itself. */
const SEARCHED_BYTES_MAX = 8_000_000;
const FINDS = "canary-finds";

export function holdsCanary(content: Buffer | string, others: readonly string[] = []): boolean {
  return [...SPELLINGS, ...others].some((spelling) => content.includes(spelling as string));
}

/** What a program or a command has printed. */
export function searchPrinted(text: string, what: string): void {
  if (holdsCanary(text)) appendFileSync(join(tmpdir(), FINDS), `what ${what} printed\n`);
}

/** Paths of files that hold a secret which does not belong there; the token of a bot must be in no file next to it either. */
export function findsIn(path: string): readonly string[] {
  const files = filesIn(path);
  const tokens = files.filter((file) => file.endsWith(".token")).map((file) => readFileSync(file, "utf8").trim());
  const own = tokens.filter((token) => /^[0-9a-f]{64}$/.test(token));
  return files.filter((file) => {
    if (/^core(?:\.\d+)?$/.test(basename(file))) return true;
    if (KEPT.test(basename(file)) || lstatSync(file).size > SEARCHED_BYTES_MAX) return false;
    return holdsCanary(readFileSync(file), own);
  });
}

function filesIn(path: string): readonly string[] {
  try {
    if (lstatSync(path).isFile()) return [path];
    // Not through links, which `recursive` follows: a removal does not either, and behind some is the whole checkout.
    const entries = readdirSync(path, { withFileTypes: true }).map((entry) => [entry, join(path, entry.name)] as const);
    return entries.flatMap(([entry, at]) => (entry.isDirectory() ? filesIn(at) : entry.isFile() ? [at] : []));
  } catch {
    // Gone already, or another user's.
    return [];
  }
}

/** From now on a folder of the run is searched before it is removed. */
export function searchRemoved(): void {
  const { rmSync } = fs;
  if (rmSync.name === "searchingRm") return;
  fs.rmSync = function searchingRm(path, options) {
    if (String(path).startsWith(tmpdir())) note(findsIn(String(path)));
    rmSync(path, options);
  };
  syncBuiltinESMExports();
}

function note(finds: readonly string[]): void {
  for (const file of finds) appendFileSync(join(tmpdir(), FINDS), `${file}\n`);
}

/** Before any test; at the end of the run it fails for what was found. */
export function setup(): () => void {
  return () => {
    const left = [...findsIn(tmpdir()), ...findsIn("reports")];
    const told = filesIn(join(tmpdir(), FINDS)).flatMap((file) => readFileSync(file, "utf8").trim().split("\n"));
    if (left.length + told.length > 0) throw new Error(`a secret of the suite is in ${[...told, ...left].join(", ")}`);
  };
}
