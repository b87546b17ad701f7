// The program: one terminal, one stop, one handler for whatever goes wrong.

import { CommanderError } from "commander";
import { columnsWanted } from "../config/environment.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { leave } from "./leave.ts";
import { configWanted, createProgram } from "./program.ts";
import { explain, type Run } from "./shell.ts";
import { explainLoss, watchForStop } from "./stop.ts";
import { systemClock } from "./system-clock.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process.stdout, process.stderr, process.stdin.isTTY === true, columnsWanted());
const stop = watchForStop(systemClock);
// Nothing may go on after a bug, so this one does not wait for the output.
process.on("uncaughtException", (error) => leave(report(error)));

const run: Run = async (work) => {
  const { configFile, isConfigNamed } = configWanted(program);
  end(await work({ terminal, clock: systemClock, configFile, isConfigNamed, stopSignal: stop.signal }));
};
const program = createProgram(terminal, run);
await program.parseAsync(process.argv).catch((error) => end(report(error)));

function report(error: unknown): ExitCode {
  // Commander has printed its own message (or the help that was asked for).
  const usage = error instanceof CommanderError;
  const { lines, code } = usage ? { lines: [], code: usageCode(error) } : explain(error);
  for (const line of lines) terminal.note(line);
  return code;
}

function usageCode(error: CommanderError): ExitCode {
  return error.exitCode === 0 ? exitCode.done : exitCode.usage;
}

/** Ends when the last line is out: whatever a command left open must not keep the process. */
function end(code: ExitCode): void {
  process.stdout.write("", (error) => {
    // A result that could not be written is no success.
    const lost = error ? explainLoss(process.stdout.errored ?? error) : undefined;
    if (lost !== undefined) terminal.note(lost);
    leave(lost !== undefined && code === exitCode.done ? exitCode.failed : code);
  });
}
