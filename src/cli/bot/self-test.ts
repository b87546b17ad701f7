// The kill switch is tried at every start, before anything can be sent: the switch in memory against a sender that only
// counts, and the files on the very disk that the real ones will be on.

import { rmSync } from "node:fs";
import type { Clock } from "../../domain/time.ts";
import { selfTest } from "../../risk/kill-switch.ts";
import { FRESH } from "../../risk/standing.ts";
import { killFilePath, latchPath, openLatch } from "../latch/latch-file.ts";

/** What is wrong with the switch, or undefined. */
export function testKillSwitch(journalPath: string, clock: Pick<Clock, "now">): string | undefined {
  const inMemory = selfTest((killSwitch, send) => {
    if (killSwitch.maySend) send();
  });
  // A name of its own: a command that starts at the same moment tries its own files.
  return inMemory ?? testFiles(`${journalPath}.self-test-${process.pid}`, clock);
}

function testFiles(scratch: string, clock: Pick<Clock, "now">): string | undefined {
  const files = [latchPath(scratch), killFilePath(scratch)];
  const clear = (): void => {
    for (const file of files) rmSync(file, { force: true });
  };
  try {
    clear();
    const latch = openLatch(scratch, clock, false);
    if (!latch.tighten(FRESH).ok || latch.check() !== undefined) return "a new latch must let requests out";
    const killed = latch.kill("self-test", "self-test");
    if (!killed.ok) return killed.error;
    if (latch.check() === undefined) return "a latch that was set must hold requests back";
    if (openLatch(scratch, clock, true).check() === undefined) return "a latch must stay set after a restart";
    const resumed = latch.resume("self-test", "self-test");
    if (!resumed.ok) return resumed.error;
    if (latch.check() !== undefined) return "a latch that was cleared must let requests out";
    rmSync(latchPath(scratch));
    return latch.check() === undefined ? "a latch that was taken away must hold requests back" : undefined;
  } finally {
    clear();
  }
}
