// The kill switch is tried at every start, before anything can be sent: the switch in memory against a sender that only
// counts, and the files on the very disk that the real ones will be on.

import { rmSync } from "node:fs";
import type { Control } from "../../domain/event.ts";
import type { Clock } from "../../domain/time.ts";
import { selfTest } from "../../risk/kill-switch.ts";
import { FRESH, RESUME, transition } from "../../risk/standing.ts";
import { killFilePath, latchPath, openLatch } from "../kill-switch/latch-file.ts";

const HALT: Control = { kind: "halt", cause: "other", reason: "self-test", wayOut: RESUME };

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
    const made = latch.tighten(FRESH);
    if (!made.ok) return made.error;
    if (latch.check() !== undefined) return "a new latch must let requests out";
    const killed = latch.kill("self-test", "self-test");
    if (!killed.ok) return killed.error;
    if (latch.check() === undefined) return "a latch that was set must hold requests back";
    if (openLatch(scratch, clock, true).check() === undefined) return "a latch must stay set after a restart";
    const halted = latch.tighten(transition(FRESH, HALT, clock.now()));
    if (!halted.ok) return halted.error;
    for (const state of ["HALTED", "ACTIVE"]) {
      const resumed = latch.resume("self-test", "self-test", FRESH);
      if (!resumed.ok) return resumed.error;
      if (resumed.value.state !== state) return `a latch that was cleared must be ${state}, was ${resumed.value.state}`;
    }
    if (latch.check() !== undefined) return "a latch that was cleared must let requests out";
    rmSync(latchPath(scratch));
    return latch.check() === undefined ? "a latch that was taken away must hold requests back" : undefined;
  } finally {
    clear();
  }
}
