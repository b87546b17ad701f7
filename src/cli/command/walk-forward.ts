// `walk-forward`: parameters chosen over one time, judged over the next, again and again.

import { type Command, Option } from "commander";
import { OBJECTIVES } from "../../../backtest/many/sweep/objective.ts";
import { SEARCHES } from "../../../backtest/many/sweep/search.ts";
import type { WalkForwardFlags } from "../action/walk-forward.ts";
import { group } from "../command-group.ts";
import { duration } from "../data-options.ts";
import { declarePlan } from "../plan-options.ts";
import type { Run } from "../shell.ts";
import { wholeNumber } from "../whole-number.ts";

const RUNS_MAX = 100_000;
const WORKERS_MAX = 256;

export function registerWalkForward(program: Command, run: Run): void {
  const command = program
    .command("walk-forward")
    .helpGroup(group.research)
    .description("parameters chosen over one time (--param edgeBps=1..10:1) and judged over the next, window by window")
    .option("--strategy <name>", "a built-in strategy or a .ts file; otherwise that of --config, or peg-arbitrage")
    .option("--train <time>", "how long parameters are chosen over, for example 20d", duration, 86_400_000 * 10)
    .option("--test <time>", "how long each choice is judged, right after", duration, 86_400_000 * 5)
    .option("--purge <time>", "left out between the two", duration)
    .option("--anchored", "every choice is made over all the time from the beginning, instead of the last --train")
    .addOption(new Option("--search <how>", "which parameter sets are run").choices(SEARCHES).default("grid"))
    .option("--runs <n>", "parameter sets of a random search or of halving (100)", wholeNumber(1, RUNS_MAX))
    .option("--skip-refused", "leave out parameter sets that the strategy refuses, and say which")
    .addOption(
      new Option("--objective <figure>", "what is looked for").choices(OBJECTIVES).default("sharpe-over-holding"),
    )
    .option("--workers <n>", "processes; otherwise one for each core", wholeNumber(1, WORKERS_MAX))
    .option("--queue <address>", "run them on the workers of a queue: redis://host:6379, or rediss:// with TLS")
    .option("--insecure-queue <host>", "the host of a queue that may go without TLS and password")
    .option("--db <file>", "where results are kept, a name that ends in .db", "walk-forward.db")
    .option("--out <file>", "the report, a name that ends in .html", "walk-forward.html")
    .option("--json", "print windows and figures as JSON instead of the table");
  declarePlan(command).action((flags: WalkForwardFlags) =>
    run(async (shell) => (await import("../action/walk-forward.ts")).walkForward(shell, flags)),
  );
}
