// Which process listens under an abstract name of the kernel's, by its lists of sockets and of open files (Linux). Those of other
// users cannot be looked into, except by root.

import { readFileSync, readlinkSync } from "node:fs";
import { namesIn } from "./names-in.ts";

/** `name` as the kernel lists it, with an @ in front. Undefined where it is nobody's whose files we may see. */
export function nameHolder(name: string): number | undefined {
  const inode = listening(name);
  if (inode === undefined) return undefined;
  const pids = namesIn("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).find((pid) => namesIn(`/proc/${pid}/fd`).some((fd) => isSocket(pid, fd, inode)));
}

/** Num RefCount Protocol Flags Type St Inode Path, where the flags say that it takes connections. */
function listening(name: string): string | undefined {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    const fields = lines.map((line) => line.trim().split(/\s+/));
    return fields.find(([, , , flags, , , , path]) => path === name && flags === "00010000")?.[6];
  } catch {
    return undefined;
  }
}

function isSocket(pid: number, fd: string, inode: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
  } catch {
    return false;
  }
}
