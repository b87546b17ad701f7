// One simulator uses a state file at a time: the lock next to it names the process that does. A lock whose process is
// gone, for example by kill -9, is taken over.

import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { isRunning } from "../disk/is-running.ts";
import { writeNew } from "../disk/new-file.ts";

/** Containers give every life of a process the same id: when this one began tells them apart. */
const THIS_PROCESS = `${process.pid} ${performance.timeOrigin}`;

/** Throws a RangeError while another process holds the file; gives the function that lets it go. */
export function lockState(path: string): () => void {
  const lock = `${path}.lock`;
  const mine = `${lock}.${process.pid}`;
  writeNew(mine, THIS_PROCESS, 0o600);
  try {
    if (!tryLink(mine, lock)) {
      takeOver(lock, `${mine}.old`, path);
      if (!tryLink(mine, lock)) throw new RangeError(`${path} was taken by another process just now`);
    }
  } finally {
    rmSync(mine);
  }
  return () => rmSync(lock, { force: true });
}

/** Whether a simulator that runs writes to it. */
export function isStateInUse(path: string): boolean {
  const lock = `${path}.lock`;
  return existsSync(lock) && isAlive(readFileSync(lock, "utf8"));
}

/** Moves a dead lock away. Only one of several can move it, and who finds that he moved a live one puts it back. */
function takeOver(lock: string, aside: string, path: string): void {
  refuseIfHeld(lock, path);
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  const holder = readFileSync(aside, "utf8");
  if (isAlive(holder)) tryLink(aside, lock);
  rmSync(aside);
  refuseIfHeld(lock, path);
}

function refuseIfHeld(lock: string, path: string): void {
  const holder = existsSync(lock) ? readFileSync(lock, "utf8") : "";
  if (isAlive(holder))
    throw new RangeError(`${path} is in use by process ${holder.split(" ")[0]}; if it is not, remove ${lock}`);
}

/** A link is made whole or not at all, and never over another one. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

function isAlive(holder: string): boolean {
  const pid = Number(holder.split(" ")[0]);
  return pid === process.pid ? holder === THIS_PROCESS : isRunning(pid);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
