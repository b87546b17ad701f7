// One folder for all that a run of the tests leaves in the temporary folder, whatever becomes of the tests: it goes at the end,
// and that of a run that was killed goes with a later one. Tests make their folders in `tmpdir()`, which is this one.

import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "../../src/disk/is-running.ts";

const NAME = /^pegbot-tests-([0-9]+)-/;
/** In a container of its own the process of another run may be out of sight: no run takes so long. */
const KILLED_MS_MIN = 3_600_000;

/** Before any test, in the process that starts all others. */
export function setup(): () => void {
  const outside = tmpdir();
  removeKilled(outside, Date.now());
  const folder = mkdtempSync(join(outside, `pegbot-tests-${process.pid}-`));
  // Some tests go on as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // Bots of this user that run here are none of a test's.
  process.env.XDG_RUNTIME_DIR = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // A run that is interrupted ends without its teardown.
  process.once("exit", remove);
  return remove;
}

export function removeKilled(outside: string, now: number): void {
  for (const name of readdirSync(outside)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid);
    const folder = join(outside, name);
    if (isRunning(pid) || now - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now) < KILLED_MS_MIN) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's: it is theirs to remove.
    }
  }
}
