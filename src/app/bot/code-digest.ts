// Which code folds a journal: a digest of its own files, because a checkout may differ from its commit. What was kept by other code
// is not used.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** The rooms that books, orders and plans are folded in. */
const ROOMS = ["bot", "domain", "exchange", "execution", "journal", "market", "risk", "strategy", "treasury"];

let known: string | undefined;

/** To be called first soon after the start: files may be exchanged under a process that runs. */
export function codeDigest(): string {
  known ??= digestOf();
  return known;
}

function digestOf(): string {
  const digest = createHash("sha256").update(process.version);
  for (const room of ROOMS)
    for (const name of readdirSync(join(source, room), { recursive: true, encoding: "utf8" }).sort())
      if (/\.[jt]s$/.test(name)) digest.update(`\n${room}/${name}\n`).update(readFileSync(join(source, room, name)));
  return digest.digest("hex");
}
