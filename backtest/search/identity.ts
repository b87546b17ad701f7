// Identifies the basis of results as text and hash: a value has one canonical text on every machine, and code is
// identified by version, sources, runtime and processor (the last digit of Math.log differs between arm64 and x64).
// Results of two codes are never mixed.

import { createHash, hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { invariant } from "../../src/domain/invariant.ts";

export function canonicalText(value: unknown): string {
  return write(value, "$");
}

export function canonicalDigest(value: unknown): string {
  return hash("sha256", canonicalText(value), "hex");
}

function write(value: unknown, at: string): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    invariant(Number.isFinite(value), `${at} must be a finite number, was ${value}`);
    return JSON.stringify(value);
  }
  invariant(typeof value === "object", `${at} must be plain data, was ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map((item, i) => write(item, `${at}[${i}]`)).join(",")}]`;
  const prototype = Object.getPrototypeOf(value);
  invariant(prototype === Object.prototype || prototype === null, `${at} must be plain data, was an object of a class`);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, `${at}.${key}`)}`);
  return `{${members.join(",")}}`;
}

export type CodeIdentity = {
  readonly version: string;
  /** SHA-256 over names and contents of the sources and their dependencies. */
  readonly sources: string;
  /** `v26.10.0-arm64`. */
  readonly runtime: string;
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The folders that can affect results; pages, command line and documents are left out. */
const ROOMS = [
  "src/bot",
  "src/disk",
  "src/domain",
  "src/exchange",
  "src/execution",
  "src/journal",
  "src/market",
  "src/risk",
  "src/simulator",
  "src/strategy",
  "src/treasury",
  "backtest",
];
const SOURCE = /\.[jt]s$/;

export function codeIdentity(root: string = ROOT, processor: string = process.arch): CodeIdentity {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const digest = createHash("sha256").update(JSON.stringify(manifest.dependencies));
  for (const room of ROOMS)
    for (const file of (readdirSync(join(root, room), { recursive: true }) as string[])
      .filter((name) => SOURCE.test(name))
      .sort())
      digest.update(`\0${room}/${file}\0`).update(readFileSync(join(root, room, file)));
  return { version: manifest.version, sources: digest.digest("hex"), runtime: `${process.version}-${processor}` };
}

/** `0.1.0, sources 1a2b3c4d5e6f, v26.10.0-arm64`. */
export function identityText({ version, sources, runtime }: CodeIdentity): string {
  return `${version}, sources ${sources.slice(0, 12)}, ${runtime}`;
}

type Manifest = { readonly version: string; readonly dependencies: Readonly<Record<string, string>> };
