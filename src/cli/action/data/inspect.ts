// `data inspect`: what is in a data file or a folder of them, with a plot.

import type { OpenedData } from "../../../../backtest/data/open-data.ts";
import { sketch, survey } from "../../../../backtest/data/survey/survey.ts";
import { type OpenFlags, openDataFiles } from "../../data/open-data-files.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { plotLines } from "../../terminal/plot.ts";
import { printSurvey } from "./survey-lines.ts";

export type InspectFlags = OpenFlags & { readonly plot: boolean; readonly json?: true };

const WIDTH = 80;
const WIDTH_MAX = 160;
const HEIGHT = 12;
/** What the scale beside the plot takes. */
const SCALE = 14;

export async function inspect(shell: Shell, path: string, flags: InspectFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const opened = await openDataFiles(shell, path, flags);
  if (flags.json)
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
