// How the bot itself stands, by the journal that is there: it may be stopped, or soon have no room to write, while everything
// that the other checks look at is in order. Where there is no journal, nothing is said.

import { dirname } from "node:path";
import { freeBytes } from "../../../disk/free-bytes.ts";
import { reserveOf, sizeOf } from "../../../journal/file/files.ts";
import { RESERVE_BYTES } from "../../../journal/file/reserve.ts";
import { joined, stopsOf } from "../../../risk/standing.ts";
import { peekJournal } from "../../journal/peek-journal.ts";
import { keptStop } from "../../latch/kept-stop.ts";
import { openLatch } from "../../latch/latch-file.ts";
import type { Shell } from "../../shell.ts";
import type { Finding } from "./finding.ts";

/** Of the latch, and of the place where a stop lies that could not be written there. */
export function checkBot(shell: Shell, path: string): readonly Finding[] {
  const standing = peekJournal(path, (reader) =>
    joined(openLatch(path, shell.clock, reader.head().sequence > 1).standing(), keptStop(shell, reader.opening)),
  );
  if (standing === undefined || standing.state === "ACTIVE") return [];
  const more = stopsOf(standing).length - 1;
  const others = more === 0 ? "" : `; and ${more} more`;
  return [
    {
      check: "bot",
      verdict: standing.state === "REDUCED" ? "warning" : "problem",
      cause: `${standing.state}: ${standing.reason}${others} (pegbot status)`,
      next: `way out: ${standing.wayOut}`,
    },
  ];
}

/** The reserve is room that is kept already; once it is spent, as much must be free before anything is decided again. */
export function checkRoom(path: string, free: (folder: string) => number | undefined = freeBytes): readonly Finding[] {
  const left = sizeOf(path) === undefined ? undefined : free(dirname(path));
  if (left === undefined || left >= RESERVE_BYTES) return [];
  const isKept = sizeOf(reserveOf(path)) !== undefined;
  const after = isKept ? "beside its reserve" : "its reserve is spent, and no bot decides or starts without one";
  return [
    {
      check: "disk",
      verdict: isKept ? "warning" : "problem",
      cause: `the disk of journal ${path} has ${mebibytes(left)} MiB left, less than ${mebibytes(RESERVE_BYTES)} MiB; ${after}`,
      next: "free some disk space there",
    },
  ];
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
