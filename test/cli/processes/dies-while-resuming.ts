// Resumes and is killed when the kill file is gone and the journal has not heard of it yet, as a power cut or `kill -9` would.

import { openKillFile } from "../../../src/app/kill-switch/kill-file.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { resume } from "../../../src/cli/command/resume.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

const [configFile = "", journal = ""] = process.argv.slice(2);
const killFile = openKillFile(journal);
/** The time of the record is asked for between the two. */
const now: typeof systemClock.now = () => {
  if (killFile.check() === undefined) process.kill(process.pid, "SIGKILL");
  return systemClock.now();
};
await resume(
  { ...recordedShell({ configFile }), clock: { ...systemClock, now } },
  { reason: "looked at it", yes: true },
);
