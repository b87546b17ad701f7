// `sweep`: many backtests over parameters.

import { type Command, InvalidArgumentError, Option } from "commander";
import { OBJECTIVES } from "../../../backtest/many/sweep/objective.ts";
import { SEARCHES } from "../../../backtest/many/sweep/search.ts";
import { parseSplit, type Split } from "../../../backtest/many/sweep/split.ts";
import type { SweepFlags } from "../action/sweep.ts";
import { group } from "../command-group.ts";
import { declarePlan } from "../plan-options.ts";
import type { Run } from "../shell.ts";
import { wholeNumber } from "../whole-number.ts";

const RUNS_MAX = 100_000;
const WORKERS_MAX = 256;
const SPLIT = { kind: "time", share: 0.3 } as const satisfies Split;

export function registerSweep(program: Command, run: Run): void {
  const command = program
    .command("sweep")
    .helpGroup(group.research)
    .description("many backtests over parameters (--param edgeBps=1..10:1), ranked by what the choice has not seen")
    .option("--strategy <name>", "a built-in strategy or a .ts file; otherwise that of --config, or peg-arbitrage")
    .addOption(new Option("--search <how>", "which parameter sets are run").choices(SEARCHES).default("grid"))
    .option("--runs <n>", "parameter sets of a random search or of halving (100)", wholeNumber(1, RUNS_MAX))
    .option("--skip-refused", "leave out parameter sets that the strategy refuses, and say which")
    .addOption(
      new Option("--objective <figure>", "what is looked for").choices(OBJECTIVES).default("sharpe-over-holding"),
    )
    .addOption(
      new Option("--out-of-sample <what>", "the last part of the time, or other seeds (seeds:3)")
        .argParser(split)
        .default(SPLIT, String(SPLIT.share)),
    )
    .option("--workers <n>", "processes; otherwise one for each core", wholeNumber(1, WORKERS_MAX))
    .option("--queue <address>", "run them on the workers of a queue: redis://host:6379, or rediss:// with TLS")
    .option("--insecure-queue <host>", "the host of a queue that may go without TLS and password")
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
