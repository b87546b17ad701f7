// Whether a file is still the one that was looked at: another file under its name, another size or another time of change
// make it another one. What is neither a file nor a link to one cannot be read twice, or at all.

import { type BigIntStats, statSync } from "node:fs";
import type { ProblemLog } from "../problem.ts";

export type FileIdentity = { readonly text: string; readonly changedNs: bigint };

export function identityOf(path: string, log: ProblemLog): FileIdentity {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return log.refuse("missing", "there is no such file");
  if (!found.isFile()) log.refuse("format", `it must be a file, was ${kindOf(found)}`);
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join("."), changedNs: mtimeNs > ctimeNs ? mtimeNs : ctimeNs };
}

/** What was read of a file that somebody writes is neither what it was nor what it is. */
export function requireSame(path: string, { text }: FileIdentity, log: ProblemLog): void {
  if (identityOf(path, log).text !== text)
    log.refuse("changed", "the file changed while it was read: start again when nobody writes to it");
}

function kindOf(found: BigIntStats): string {
  if (found.isDirectory()) return "a folder";
  return found.isFIFO() ? "a pipe: write what comes out of it to a file first" : "a device or a socket";
}
