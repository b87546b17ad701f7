// A run as the terminal shows it, line by line and without colours.

import type { Figures } from "../../backtest/metric/figures.ts";
import type { RunRecord } from "../../backtest/record/run-record.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import { tableLines } from "../../src/app/terminal/table.ts";
import { showReport } from "../../src/cli/research/show-report.ts";

export function shownRun(record: RunRecord, figures: Figures, width?: number): string[] {
  const lines: string[] = [];
  const screen = {
    width,
    print: (line = "") => void lines.push(line),
    style: (_: unknown, text: string) => text,
    table: (...table: Parameters<typeof tableLines>) => void lines.push(...tableLines(table[0], table[1])),
  };
  showReport(screen, runReport(record, figures));
  return lines;
}
