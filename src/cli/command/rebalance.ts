// `rebalance`, `approve` and `decline`: money between holdings.

import type { Command } from "commander";
import type { DeclineOptions } from "../action/decline.ts";
import type { AnswerOptions } from "../action/plan-answer.ts";
import type { RebalanceOptions } from "../action/rebalance.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const HELP = `
Shows where money lies against treasury.targets, the cheapest steps that bring
everything within its band, what else could be done, and from which size on a
mint or a rail is cheaper than orders. --execute goes through the same gates as
order, mint and rail, and ends at the first step that does not end well.`;

const APPROVE_HELP = `
Agrees to exactly the plan that is shown, before it expires; the running bot
carries it out once, when enough different people have. Someone whose public key
stands in treasury.approvals.people signs with --key.`;

const DECLINE_HELP = `
Ends a plan that is not begun, also one that was approved. Whoever may approve
may say no, and one no is enough. The running bot then leaves the steps of a
plan of its own alone: for an hour, longer after each further no.`;

export function registerRebalance(program: Command, run: Run): void {
  program
    .command("rebalance")
    .helpGroup(group.treasury)
    .description("the cheapest way to bring every holding within its band")
    .option("--execute", "carry it out, step by step")
    .option("--off-peg", "sell coins that are off their peg, too, by the venue's price")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the plan as JSON, or with --execute what became of it")
    .addHelpText("after", HELP)
    .action((options: RebalanceOptions) =>
      run(async (shell) => (await import("../action/rebalance.ts")).rebalance(shell, options)),
    );
  program
    .command("approve")
    .helpGroup(group.treasury)
    .description("agree to a plan that the bot, or another person, proposed")
    .argument("<id>", "id of the plan, R-...")
    .option("--key <file>", "private key to sign with, PEM")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", APPROVE_HELP)
    .action((id: string, options: AnswerOptions) =>
      run(async (shell) => (await import("../action/approve.ts")).approve(shell, id, options)),
    );
  program
    .command("decline")
    .helpGroup(group.treasury)
    .description("say no to a plan that the bot, or another person, proposed")
    .argument("<id>", "id of the plan, R-...")
    .option("--reason <text>", "why, for the journal")
    .option("--key <file>", "private key to sign with, PEM")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", DECLINE_HELP)
    .action((id: string, options: DeclineOptions) =>
      run(async (shell) => (await import("../action/decline.ts")).decline(shell, id, options)),
    );
}
