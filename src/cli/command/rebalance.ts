// `rebalance` and `approve`: money between pots.

import type { Command } from "commander";
import type { RebalanceOptions } from "../action/rebalance.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const HELP = `
Shows where money lies against treasury.targets, the cheapest steps that bring
everything within its band, what else could be done, and from which size on a
mint or a rail is cheaper than orders.`;

export function registerRebalance(program: Command, run: Run): void {
  program
    .command("rebalance")
    .helpGroup(group.trading)
    .description("the cheapest way to bring every holding within its band")
    .option("--json", "print the plan as JSON")
    .addHelpText("after", HELP)
    .action((options: RebalanceOptions) =>
      run(async (shell) => (await import("../action/rebalance.ts")).rebalance(shell, options)),
    );
}
