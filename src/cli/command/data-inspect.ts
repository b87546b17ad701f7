// `data inspect`: what is in a data file or a folder of them, with a plot.

import type { Command } from "commander";
import type { OpenedData } from "../../../backtest/data/open-data.ts";
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
const HEIGHT = 12;
/** What the scale beside the plot takes. */
const SCALE = 14;

async function inspect(shell: Shell, path: string, flags: InspectFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const opened = await openDataFiles(shell, path, flags);
  if (terminal.wantsJson)
    terminal.json(opened.map((file) => ({ file: file.path, sha256: file.digest, ...survey(file.source) })));
  else for (const [i, file] of opened.entries()) show(shell, file, flags.plot, i > 0);
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
  for (const line of plotLines(sketch(source, Math.max(20, width)), HEIGHT)) terminal.print(line);
}

type Outline = { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> };

const GAP = "  ";

/** `height` lines, the highest price first; columns without a price stay blank. Half a line is the finest that shows. */
export function plotLines({ low, high }: Outline, height: number): string[] {
  const bottom = extreme(low, Math.min);
  const top = extreme(high, Math.max);
  const step = (top - bottom) / height || Math.abs(top) * 1e-6 || 1;
  const halfOf = (price: number): number => Math.min(2 * height - 1, Math.floor(((top - price) / step) * 2));
  const scale = Array.from({ length: height }, (_, line) => label(top - (line + 0.5) * step, step));
  const width = Math.max(...scale.map((text) => text.length));
  return scale.map((text, line) => {
    let drawn = "";
    for (let column = 0; column < low.length; column++)
      drawn += glyph(halfOf(high[column] as number), halfOf(low[column] as number), line * 2);
    return `${text.padStart(width)}${GAP}${drawn}`.trimEnd();
  });
}

/** `first` and `last` are the halves that a price covered, NaN without one; `upper` is the upper half of the cell. */
function glyph(first: number, last: number, upper: number): string {
  const hasUpper = first <= upper && last >= upper;
  const hasLower = first <= upper + 1 && last >= upper + 1;
  if (hasUpper) return hasLower ? "█" : "▀";
  return hasLower ? "▄" : " ";
}

function extreme(values: ArrayLike<number>, pick: (one: number, other: number) => number): number {
  let found = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value)) found = Number.isNaN(found) ? value : pick(found, value);
  }
  return found;
}

/** As many decimals as tell two lines apart. */
function label(price: number, step: number): string {
  return price.toFixed(Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(step)))));
}
