// The program: one terminal, one stop, one handler for all errors.

import { CONFIG_FILE } from "../app/shell.ts";
import { leave } from "../app/system/leave.ts";
import { systemClock } from "../app/system/system-clock.ts";
import { createTerminal } from "../app/terminal/terminal.ts";
import { columnsWanted } from "../config/environment.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { createCommandLine } from "./command-line.ts";
import { watchForStop } from "./stop.ts";

const terminal = createTerminal(process.stdout, process.stderr, process.stdin.isTTY === true, columnsWanted());
const stop = watchForStop(systemClock);
const line = createCommandLine({
  terminal,
  clock: systemClock,
  configFile: CONFIG_FILE,
  isConfigNamed: false,
  stopSignal: stop.signal,
});
// Nothing may run after a bug, so this does not wait for the output.
process.on("uncaughtException", (error) => leave(line.report(error)));
await end(await line.run(process.argv.slice(2)));

/** Ends after the last line is written: resources that a command left open must not keep the process alive. */
async function end(code: ExitCode): Promise<never> {
  // The listener for a lost stdout would exit first, with a code other than the command's.
  process.stdout.removeAllListeners("error").on("error", () => undefined);
  // A result that could not be written is a failure.
  const lost = await terminal.lostResult();
  if (lost !== undefined) terminal.note(lost);
  return leave(lost !== undefined && code === exitCode.done ? exitCode.failed : code);
}
