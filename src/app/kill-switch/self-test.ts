// The kill switch is tried at every start, before anything can be sent: a scratch file on the disk of the real one, against a
// sender that only counts.

import { rmSync } from "node:fs";
import { killFilePath, openKillFile } from "./kill-file.ts";

/** What is wrong with the switch, or undefined. */
export function testKillSwitch(journalPath: string): string | undefined {
  // A name of its own: a command that starts at the same moment tries its own file.
  const scratch = `${journalPath}.self-test-${process.pid}`;
  let sent = 0;
  const goesOut = (): boolean => {
    const before = sent;
    if (openKillFile(scratch).check() === undefined) sent++;
    return sent !== before;
  };
  const clear = (): void => rmSync(killFilePath(scratch), { recursive: true, force: true });
  try {
    clear();
    const file = openKillFile(scratch);
    if (!goesOut()) return "a clear switch must let a request out";
    const written = file.write("self-test", "self-test");
    if (!written.ok) return written.error;
    if (goesOut()) return "a set switch must hold a request back";
    const removed = file.remove();
    if (!removed.ok) return removed.error;
    return goesOut() ? undefined : "a cleared switch must let a request out";
  } finally {
    clear();
  }
}
