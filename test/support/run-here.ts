// Runs a command line in this process, as src/cli/main.ts runs the only one of its own: a start costs several times what most
// commands do. What commander prints by itself is not in what was said.

import { CommanderError } from "commander";
import { exitCode } from "../../src/cli/exit-code.ts";
import { configWanted, createProgram } from "../../src/cli/program.ts";
import { explain } from "../../src/cli/shell.ts";
import type { Finished } from "../cli/pegbot.ts";
import { type RecordedShell, recordedShell } from "./recorded-shell.ts";

export async function runHere(args: readonly string[], shell: RecordedShell = recordedShell()): Promise<Finished> {
  let code: number = exitCode.done;
  const program = createProgram(shell.terminal, async (work) => {
    const wanted = configWanted(program);
    code = await work({ ...shell, ...(wanted.isConfigNamed ? wanted : {}) });
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const told = error instanceof CommanderError ? { lines: [], code: exitCode.usage } : explain(error);
    for (const line of told.lines) shell.terminal.note(line);
    code = told.code;
  }
  return { code, stdout: shell.stdout(), stderr: shell.stderr() };
}
