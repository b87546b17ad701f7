// The program: one terminal, one stop, one handler for whatever goes wrong.

import { CommanderError } from "commander";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { createProgram } from "./program.ts";
import { explain, type Run } from "./shell.ts";
import { watchForStop } from "./stop.ts";
import { systemClock } from "./system-clock.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process.stdout, process.stderr, process.stdin.isTTY === true);
const stop = watchForStop();
process.on("uncaughtException", fail);

const run: Run = async (work) => {
  const shell = { terminal, clock: systemClock, configFile: program.opts().config, stopSignal: stop.signal };
  end(await work(shell));
};
const program = createProgram(terminal, run);
await program.parseAsync(process.argv).catch(fail);

function fail(error: unknown): void {
  // Commander has printed its own message (or the help that was asked for).
  const usage = error instanceof CommanderError;
  const { lines, code } = usage ? { lines: [], code: usageCode(error) } : explain(error);
  for (const line of lines) terminal.note(line);
  end(code);
}

function usageCode(error: CommanderError): ExitCode {
  return error.exitCode === 0 ? exitCode.done : exitCode.usage;
}

/** Ends when the last line is out: whatever a command left open must not keep the process. */
function end(code: ExitCode): void {
  process.stdout.write("", () => process.exit(code));
}
