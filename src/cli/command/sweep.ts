// `sweep`: many backtests over parameters.

import { type Command, InvalidArgumentError, Option } from "commander";
import { parseSplit, type Split } from "../../../backtest/search/search-terms.ts";
import type { SweepFlags } from "../action/sweep.ts";
import { group } from "../command-group.ts";
import { declarePlan } from "../option/plan-options.ts";
import { declareRunners, declareSearch } from "../option/search-options.ts";
import type { Run } from "../shell.ts";

const SPLIT = { kind: "time", share: 0.3 } as const satisfies Split;

export function registerSweep(program: Command, run: Run): void {
  const command = program
    .command("sweep")
    .helpGroup(group.research)
    .description("many backtests over parameters (--param edgeBps=1..10:1), ranked by what the choice has not seen")
    .option(
      "--strategy <name>",
      "a built-in strategy or a .ts or .js file; otherwise that of --config, or peg-arbitrage",
    );
  declareSearch(command).addOption(
    new Option("--out-of-sample <what>", "the last part of the time, or other seeds (seeds:3)")
      .argParser(split)
      .default(SPLIT, String(SPLIT.share)),
  );
  declareRunners(command)
    .option("--db <file>", "where results are kept, a name that ends in .db", "sweep.db")
    .option("--out <file>", "the report, a name that ends in .html", "sweep.html")
    .option("--json", "print the whole ranking as JSON instead of the table");
  declarePlan(command).action((flags: SweepFlags) =>
    run(async (shell) => (await import("../action/sweep.ts")).sweep(shell, flags)),
  );
}

function split(text: string): Split {
  const parsed = parseSplit(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.error);
  return parsed.value;
}
