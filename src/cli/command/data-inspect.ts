// `data inspect`: the content of a data file, or of a folder of them, with a plot.

import type { Command } from "commander";
import type { OpenedData } from "../../../backtest/data/open-data.ts";
import { leadsOf, leadText } from "../../../backtest/data/survey/lead-lag.ts";
import { sketch, survey } from "../../../backtest/data/survey/survey.ts";
import { printSurvey } from "../../app/data/data-file.ts";
import { type OpenFlags, openDataFiles } from "../../app/data/open-data-files.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { declareData } from "../option/data-options.ts";

export function defineInspect(command: Command, run: Run): void {
  command
    .argument("<path>", "a .columns, .csv, .parquet or .arrow file, or a folder")
    .option("--no-plot", "figures only")
    .option("--no-cache", "read tables anew and keep nothing");
  declareData(command).action((path: string, flags: InspectFlags) => run((shell) => inspect(shell, path, flags)));
}

type InspectFlags = OpenFlags & { readonly plot: boolean };

const WIDTH = 80;
const WIDTH_MAX = 160;
/** The width of the scale before the plot. */
const SCALE = 22;

async function inspect(shell: Shell, path: string, flags: InspectFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const opened = await openDataFiles(shell, path, flags);
  const leads = leadsOf(opened.map((file) => ({ name: file.path, source: file.source })));
  if (terminal.wantsJson)
    terminal.json(
      opened.map((file) => ({
        file: file.path,
        sha256: file.digest,
        ...survey(file.source),
        leads: leads.filter(({ ahead }) => ahead === file.path),
      })),
    );
  else {
    for (const [i, file] of opened.entries()) show(shell, file, flags.plot, i > 0);
    for (const lead of leads) terminal.print(`\ncaution     ${leadText(lead)}`);
  }
  return exitCode.done;
}

function show({ terminal }: Shell, file: OpenedData, hasPlot: boolean, isNext: boolean): void {
  const { path, digest, manifest, source } = file;
  if (isNext) terminal.print();
  printSurvey(terminal, path, digest, survey(source));
  if (manifest?.source.kind === "import")
    terminal.print(`origin      ${manifest.source.origin}, licence: ${manifest.source.licence}`);
  if (manifest?.source.kind === "generated") terminal.print(`origin      generated, seed ${manifest.source.seed}`);
  if (!hasPlot) return;
  terminal.print();
  const width = Math.min(terminal.width ?? WIDTH, WIDTH_MAX) - SCALE;
  terminal.print(plotLine(sketch(source, Math.max(20, width))));
}

type Outline = { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> };

const BARS = "▁▂▃▄▅▆▇█";

/**
 * Each column's mid price, scaled between the lowest and the highest, which are printed before the plot; blank without
 * a price.
 */
export function plotLine({ low, high }: Outline): string {
  const middles = Array.from(low, (bottom, column) => (bottom + (high[column] as number)) / 2);
  const known = middles.filter((price) => !Number.isNaN(price));
  const [bottom, top] = [Math.min(...known), Math.max(...known)];
  const bar = (price: number): string =>
    BARS[Math.min(7, Math.floor(((price - bottom) / (top - bottom || 1)) * 8))] ?? " ";
  return `${Number(bottom.toPrecision(6))} to ${Number(top.toPrecision(6))}  ${middles.map(bar).join("")}`.trimEnd();
}
