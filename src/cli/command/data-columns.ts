// `data columns`: what a kernel of `sweep --screen` sees, as one file for kernels elsewhere.

import type { Command } from "commander";
import { columnsFile, screenColumns } from "../../../backtest/search/screen-columns.ts";
import { requireNew, writingTo } from "../../app/data/data-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { createFile } from "../../disk/new-file.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { declarePlan, type PlanFlags, planOf } from "../research/plan.ts";
import { openRecordings } from "../research/recordings.ts";

export function defineColumns(command: Command, run: Run): void {
  declarePlan(command)
    .requiredOption("--out <file>", "a new file")
    .action((flags: ColumnsFlags) => run((shell) => columns(shell, flags)));
}

type ColumnsFlags = PlanFlags & { readonly out: string };

async function columns(shell: Shell, flags: ColumnsFlags): Promise<ExitCode> {
  const { out } = flags;
  requireNew(out);
  const made = screenColumns(await planOf(shell, flags, await openRecordings(shell, flags, "whole")));
  await writingTo(out, async () => createFile(out, columnsFile(made)));
  const { length: rows, stepMs } = made;
  if (shell.terminal.wantsJson) shell.terminal.json({ file: out, rows, stepMs });
  else shell.terminal.print(`${out}: ${rows} rows, ${stepMs} ms apart`);
  return exitCode.done;
}
