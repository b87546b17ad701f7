// Runs a command line in this process, as src/cli/main.ts runs the only one of its own: a start costs several times what most
// commands do. What commander prints by itself is not in what was said.

import { createCommandLine } from "../../src/cli/command-line.ts";
import type { Finished } from "../cli/pegbot.ts";
import { type RecordedShell, recordedShell } from "./recorded-shell.ts";

export async function runHere(args: readonly string[], shell: RecordedShell = recordedShell()): Promise<Finished> {
  const code = await createCommandLine(shell).run(args);
  return { code, stdout: shell.stdout(), stderr: shell.stderr() };
}
