// One simulator uses a state file at a time: the lock beside it names the process that does. A lock whose process is
// gone, for example by kill -9, is taken over.

import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Throws a RangeError while somebody else holds the file; gives the function that lets it go. */
export function lockState(path: string): () => void {
  const lock = `${path}.lock`;
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid), { mode: 0o600 });
  try {
    if (!tryLink(mine, lock)) {
      const holder = Number(readFileSync(lock, "utf8"));
      if (isAlive(holder)) throw new RangeError(`${path} is in use by process ${holder}; if it is not, remove ${lock}`);
      rmSync(lock, { force: true });
      if (!tryLink(mine, lock)) throw new RangeError(`${path} was taken by another process just now`);
    }
  } finally {
    rmSync(mine);
  }
  return () => rmSync(lock, { force: true });
}

/** A link is made whole or not at all, and never over another one. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
