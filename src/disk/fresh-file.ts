// The name beside its place under which a file is written until it is whole, and what became of files that never were: a
// process that was killed leaves its half, and the next one that writes the same file removes it.

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { isRunning } from "./is-running.ts";

export function freshPath(path: string): string {
  return `${path}.${process.pid}-${threadId}.new`;
}

/** What this thread has of it is no longer wanted. What cannot be removed is no failure: it could not be made either, or goes with the leftovers. */
export function removeFresh(path: string): void {
  try {
    rmSync(freshPath(path), { force: true });
  } catch {
    // Said above.
  }
}

/** As `freshPath` names them, of the file itself or of what was staged for it; and as small files are named, and checkpoints were. */
const HALF =
  /^\.(?:new-(?<small>[0-9]{1,10})|(?<pid>[0-9]{1,10})-[0-9]+\.(?:new|(?:part|text)(?:\.json|\.[0-9]+-[0-9]+\.new)?))$/;

export function removeLeftovers(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const found of readdirSync(folder)) {
    const half = found.startsWith(name) ? HALF.exec(found.slice(name.length))?.groups : undefined;
    const pid = Number(half?.pid ?? half?.small);
    if (half !== undefined && pid !== process.pid && !isRunning(pid)) rmSync(join(folder, found), { force: true });
  }
}
