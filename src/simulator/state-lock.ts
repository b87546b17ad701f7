// Only one simulator uses a state file at a time: the lock next to it names its process. A lock whose process has
// ended, for example by kill -9, is taken over.

import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { isRunning } from "../disk/is-running.ts";
import { writeNew } from "../disk/new-file.ts";

/** Containers reuse the same process id after a restart; the start time distinguishes the processes. */
const THIS_PROCESS = `${process.pid} ${performance.timeOrigin}`;

/** Throws a RangeError while another process holds the file; returns the function that releases it. */
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

/** Whether a running simulator uses the file. */
export function isStateInUse(path: string): boolean {
  const lock = `${path}.lock`;
  return existsSync(lock) && isAlive(readFileSync(lock, "utf8"));
}

/**
 * Moves a dead lock away. Only one of several processes can move it; a process that moved a live lock by mistake puts
 * it back.
 */
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

/** Creating a link is atomic and never replaces an existing one. */
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
