// The temporary name next to a file under which it is written until it is complete. A killed process leaves its partial
// file, and the next writer of the same file removes it.

import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { isRunning } from "./is-running.ts";
import { systemError } from "./new-file.ts";

export function freshPath(path: string): string {
  return `${path}.${process.pid}-${threadId}.new`;
}

/**
 * Removes this thread's temporary file. Failing to remove it is harmless: it could not be created either, or is removed
 * with the leftovers.
 */
export function removeFresh(path: string): void {
  try {
    rmSync(freshPath(path), { force: true });
  } catch {
    // Harmless, as explained above.
  }
}

/** The errors of file systems without links, such as those of memory sticks. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Gives a complete file its name, if nothing has it yet. By a link if possible: a rename would replace a file that
 * appeared in the meantime.
 */
export function placeNew(fresh: string, path: string, link: typeof linkSync = linkSync): void {
  try {
    link(fresh, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || existsSync(path)) throw taken(path);
    if (!WITHOUT_LINKS.has(code)) throw error;
    renameSync(fresh, path);
  }
  rmSync(fresh, { force: true });
}

function taken(path: string): Error {
  const why = "was written meanwhile, and is never overwritten: nothing was written here";
  return systemError(`${path} ${why}`, "link", "EEXIST");
}

/** Names made by `freshPath`. */
const HALF = /^\.(?<pid>[0-9]{1,10})-[0-9]+\.new$/;

export function removeLeftovers(path: string): void {
  removeHalves(path, (rest) => HALF.exec(rest)?.groups);
}

/**
 * Temporary files of any file named after this one, and not of the file itself: `pegbot.db.new-2` is a copy that a
 * person made. Includes the files of the kill switch's self-test, and a journal being created, whose temporary name has
 * 32 hex digits and no process id.
 */
const HALF_BESIDE =
  /^\.[A-Za-z]+\.(?:(?:new|try)-(?<small>[0-9]{1,10})|(?<pid>[0-9]{1,10})-[0-9]+\.new)$|^\.self-test-(?<tested>[0-9]{1,10})\.KILL(?:\.new-[0-9]{1,10})?$|^\.new-[0-9a-f]{32}(?:-wal|-shm)?$/;
/** A process in another container has an unknown process id, and may be writing at this moment. */
const QUIET_MS = 60_000;

/**
 * The same for all files named after this one: small ones are written often and by many processes, so leftovers are
 * removed once, when they are opened. Failing to remove one is harmless.
 */
export function removeLeftoversBeside(path: string, now: number): void {
  const isQuiet = (file: string): boolean => now - (statSync(file, UNTHROWN)?.mtimeMs ?? now) >= QUIET_MS;
  try {
    removeHalves(path, (rest) => HALF_BESIDE.exec(rest)?.groups, isQuiet);
  } catch {
    // Harmless, as explained above.
  }
}

const UNTHROWN = { throwIfNoEntry: false } as const;

type Groups = Readonly<Record<string, string | undefined>>;

function removeHalves(
  path: string,
  halfOf: (rest: string) => Groups | undefined,
  isOld: (file: string) => boolean = () => true,
): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const found of readdirSync(folder)) {
    const half = found.startsWith(name) ? halfOf(found.slice(name.length)) : undefined;
    const pid = Number(half?.pid ?? half?.small ?? half?.tested);
    if (half === undefined || pid === process.pid || isRunning(pid)) continue;
    const file = join(folder, found);
    if (isOld(file)) rmSync(file, { force: true });
  }
}
