// `data columns`: what a kernel of `sweep --screen` sees, as one file for kernels elsewhere.

import { closeSync, fsyncSync, rmSync } from "node:fs";
import type { Command } from "commander";
import { columnsBytes, screenColumns, symbolsOf } from "../../../backtest/search/screen-columns.ts";
import { requireNew, writingTo } from "../../app/data/data-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { openNew, writeWhole } from "../../disk/new-file.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { declarePlan, type PlanFlags, planOf } from "../research/plan.ts";
import { openRecordings } from "../research/recordings.ts";

export function defineColumns(command: Command, run: Run): void {
  declarePlan(command)
    .requiredOption("--out <file>", "a new file that ends in .screen")
    .action((flags: ColumnsFlags) => run((shell) => columns(shell, flags)));
}

type ColumnsFlags = PlanFlags & { readonly out: string };

async function columns(shell: Shell, flags: ColumnsFlags): Promise<ExitCode> {
  const { out } = flags;
  if (!out.endsWith(".screen")) throw usageFailure(`--out must end in .screen, was ${out}`);
  requireNew(out);
  const options = await planOf(shell, flags, await openRecordings(shell, flags, "whole"));
  const made = screenColumns(options, symbolsOf(options));
  await writingTo(out, async () => {
    const file = openNew(out, 0o644);
    try {
      for (const bytes of columnsBytes(made)) writeWhole(file, bytes);
      fsyncSync(file);
    } catch (error) {
      rmSync(out, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  });
  const { length, stepMs, pairs } = made;
  const symbols = pairs.map(({ symbol }) => symbol);
  if (shell.terminal.wantsJson) shell.terminal.json({ file: out, rows: length, stepMs, pairs: symbols });
  else shell.terminal.print(`${out}: ${length} rows of ${symbols.join(", ")}, ${stepMs} ms apart`);
  return exitCode.done;
}
