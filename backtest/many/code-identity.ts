// Which code computes: version, hash of the sources, and the runtime with its processor, whose floats it uses: the same Node
// gives another last digit of Math.log, Math.sin and their like on arm64 than on x64. Results of two codes are not
// mixed, in a file of results or on a queue.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type CodeIdentity = {
  readonly version: string;
  /** SHA-256 over names and contents of the sources and what they depend on. */
  readonly sources: string;
  /** `v26.10.0-arm64`. */
  readonly runtime: string;
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where nothing that is computed can come from the rest: pages, command line, documents. */
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
