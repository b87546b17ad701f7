// The name beside its place under which a file is written until it is whole, and what became of files that never were: a
// process that was killed leaves its half, and the next one that writes the same file removes it.

import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { isRunning } from "./is-running.ts";
import { systemError } from "./new-file.ts";

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

/** What a disk without links says, as those of memory sticks. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Whole under its own name, where nothing is yet. A link where there are any: a rename takes the place of what came meanwhile. */
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
  const why = "was written by another process meanwhile, and is never overwritten: nothing was written here";
  return systemError(`${path} ${why}`, "link", "EEXIST");
}

/** As `freshPath` names them, of the file itself or of what was staged for it. */
const HALF = /^\.(?<pid>[0-9]{1,10})-[0-9]+\.(?:new|(?:part|text)(?:\.json|\.[0-9]+-[0-9]+\.new)?)$/;

export function removeLeftovers(path: string): void {
  removeHalves(path, (rest) => HALF.exec(rest)?.groups);
}

/**
 * Of any file that is named after this one, and not of the file itself: `pegbot.db.new-2` is a copy that a person made. And what
 * a self-test of the kill switch left, which is tried with files of its own; and a journal that was being made, whose maker has
 * a long name that no person writes, and no number.
 */
const HALF_BESIDE =
  /^\.[A-Za-z]+\.(?:(?:new|try)-(?<small>[0-9]{1,10})|(?<pid>[0-9]{1,10})-[0-9]+\.new)$|^\.self-test-(?<tested>[0-9]{1,10})\.KILL(?:\.new-[0-9]{1,10})?$|^\.new-[0-9a-f]{32}(?:-wal|-shm)?$/;
/** A process of another container has a number that is not known here, and may be writing at this moment. */
const QUIET_MS = 60_000;

/**
 * The same for all files that are named after this one: small ones are written often, by whoever comes, and so they are looked
 * for once, by who opens them. What cannot be removed is no failure.
 */
export function removeLeftoversBeside(path: string, now: number): void {
  const isQuiet = (file: string): boolean => now - (statSync(file, UNTHROWN)?.mtimeMs ?? now) >= QUIET_MS;
  try {
    removeHalves(path, (rest) => HALF_BESIDE.exec(rest)?.groups, isQuiet);
  } catch {
    // Said above.
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
