// `market fit`: estimates parameters of the simulated market from a recording and writes them as a market file.

import type { Command } from "commander";
import { fitOf } from "../../../backtest/data/fit.ts";
import { openDataFiles } from "../../app/data/data-file.ts";
import { requirePlace, writeResults } from "../../app/data/result-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import { DEFAULT_MARKET } from "../../simulator/market/parameters.ts";

export function defineMarketFit(command: Command, run: Run): void {
  command
    .argument("<path>", "a recording of quotes (data record), or a folder of them")
    .option("--out <file>", "the market file", "fitted.market")
    .action((path: string, flags: FitFlags) => run((shell) => marketFit(shell, path, flags)));
}

type FitFlags = { readonly out: string };

async function marketFit(shell: Shell, path: string, flags: FitFlags): Promise<ExitCode> {
  const { terminal } = shell;
  requirePlace("--out", flags.out, ".market");
  const opened = openDataFiles(shell, path);
  const fit = fitOf(opened.flatMap(({ source }) => (source.kind === "quotes" ? [source] : [])));
  const { parameters, laws, stressShare } = fit;
  if (parameters.length === 0)
    throw plainFailure(
      `${path} has no pair of the simulated market with quotes of a hundred minutes`,
      "pegbot data record keeps the venue's quotes and the references",
    );
  const files = opened.map((file) => `# ${file.path} (sha256 ${file.digest.slice(0, 12)})`);
  const settings = parameters.map(({ name, value }) => `${name}=${value}`);
  const lines = ["# fitted to", ...files, DEFAULT_MARKET.name, ...settings];
  const written = writeResults([{ what: "market", flag: "--out", path: flags.out, text: `${lines.join("\n")}\n` }]);
  if (terminal.wantsJson) terminal.json({ file: flags.out, scenario: DEFAULT_MARKET.name, settings, ...fit });
  else {
    for (const { name, value, low, high } of parameters)
      terminal.print(`${name}=${value}, with 95 % between ${low} and ${high}`);
    for (const { what, distance, fits } of laws)
      terminal.print(`${what}: ${fits ? "its law fits" : "its law does not fit"} (distance ${distance})`);
    terminal.print(`${(100 * stressShare).toFixed(1)} % of hours were set apart as stress`);
    terminal.print(`${flags.out}: everything else as in ${DEFAULT_MARKET.name}; --market ${flags.out} takes it`);
  }
  return written.tell(terminal);
}
