// `backtest`: the bot over recorded or synthetic time.

import type { Command } from "commander";
import type { BacktestFlags } from "../action/backtest.ts";
import { group } from "../command-group.ts";
import { declarePlan } from "../plan-options.ts";
import type { Run } from "../shell.ts";

export function registerBacktest(program: Command, run: Run): void {
  const command = program
    .command("backtest")
    .helpGroup(group.research)
    .description("the bot over 30 synthetic days, or over recorded prices: a table, and a report as one HTML page")
    .option("--strategy <name>", "a built-in strategy or a .ts file; otherwise that of --config, or peg-arbitrage")
    .option("--out <file>", "the report, a name that ends in .html", "report.html")
    .option("--trades <file>", "all trades too, a name that ends in .csv")
    .option("--compare <journal>", "lay what a bot really did in the same time beside it")
    .option("--json", "print figures, equity and trades as JSON instead of the table");
  declarePlan(command).action((flags: BacktestFlags) =>
    run(async (shell) => (await import("../action/backtest.ts")).backtest(shell, flags)),
  );
}
