// Runs commands one after the other in one process, each as src/cli/main.ts runs the only one of its process: a start costs
// several times what most commands do. It ends with whoever started it.

import { CommanderError } from "commander";
import { exitCode } from "../../../src/cli/exit-code.ts";
import { configWanted, createProgram } from "../../../src/cli/program.ts";
import { explain, type Run } from "../../../src/cli/shell.ts";
import { systemClock } from "../../../src/cli/system-clock.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import type { Finished } from "../pegbot.ts";

process.on("disconnect", () => process.exit());
process.on("message", async (args: readonly string[]) => process.send?.(await finished(args)));

async function finished(args: readonly string[]): Promise<Finished> {
  const shell = { ...recordedShell(), clock: systemClock };
  const run: Run = async (work) => {
    code = await work({ ...shell, ...configWanted(program) });
  };
  const program = createProgram(shell.terminal, run);
  let code: number = exitCode.done;
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const told = error instanceof CommanderError ? { lines: [], code: exitCode.usage } : explain(error);
    for (const line of told.lines) shell.terminal.note(line);
    code = told.code;
  }
  return { code, stdout: shell.stdout(), stderr: shell.stderr() };
}
