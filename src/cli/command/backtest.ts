// `backtest`: the bot over recorded or synthetic time.

import type { Command } from "commander";
import type { BacktestFlags } from "../action/backtest.ts";
import type { CheckFlags } from "../action/backtest-check.ts";
import { group } from "../command-group.ts";
import { declarePlan } from "../option/plan-options.ts";
import { wholeNumber } from "../option/whole-number.ts";
import type { Run } from "../shell.ts";

const CUTS = 6;
const CUTS_MAX = 1_000;

export function registerBacktest(program: Command, run: Run): void {
  const command = program
    .command("backtest")
    .helpGroup(group.research)
    .description("the bot over 30 synthetic days, or over recorded prices: a table, and a report as one HTML page")
    .option(
      "--strategy <name>",
      "a built-in strategy or a .ts or .js file; otherwise that of --config, or peg-arbitrage",
    )
    .option("--out <file>", "the report, a name that ends in .html", "report.html")
    .option("--trades <file>", "all trades too, a name that ends in .csv")
    .option("--compare <journal>", "lay what a bot really did in the same time beside it")
    .option("--json", "print figures, equity and trades as JSON instead of the table");
  declarePlan(command).action((flags: Omit<BacktestFlags, "isSeeded">) => {
    const isSeeded = command.getOptionValueSource("seed") === "cli";
    return run(async (shell) => (await import("../action/backtest.ts")).backtest(shell, { ...flags, isSeeded }));
  });
  registerCheck(command, run);
}

/** Flags of `backtest` that say where its own results go, or what `check` is told by its argument. */
const NOT_OF_CHECK = ["strategy", "out", "trades", "compare"];

/** The flags about runs are those of `backtest`, wherever they stand. */
function registerCheck(backtest: Command, run: Run): void {
  backtest
    .command("check")
    .description("does a strategy know anything but its view? runs it with the future changed; exit code 1 if it does")
    .argument("<strategy>", "a built-in strategy or a .ts or .js file")
    .option("--cuts <n>", "change the future at so many moments, in four ways each", wholeNumber(1, CUTS_MAX), CUTS)
    .option("--may-know-dates", "a schedule or a calendar is its business: other dates may change its answers")
    .action((strategy: string, _: unknown, command: Command) => {
      const foreign = NOT_OF_CHECK.find((name) => backtest.getOptionValueSource(name) === "cli");
      if (foreign !== undefined) command.error(`error: --${foreign} is not for check`);
      const flags = { ...command.optsWithGlobals<CheckFlags>(), strategy };
      return run(async (shell) => (await import("../action/backtest-check.ts")).backtestCheck(shell, flags));
    });
}
