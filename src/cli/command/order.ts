// `order buy|sell`: one order of a person.

import { Argument, type Command } from "commander";
import type { OrderArguments, OrderOptions } from "../action/order.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const HELP = `
Fill-or-Kill: all of it at the price or better, or nothing. It passes the same
risk gate as the bot's own orders, and shares limits, journal and budget with a
running bot. Where a limit leaves less than <qty>, pegbot shows that size and
asks; with --yes it refuses, unless --cap is given. Ends with 0 filled, 1 not
sent though nothing refused it (nothing moved: try again), 3 refused by a rule
or rejected by the venue, 4 unknown (money may have moved; the bot resolves
it), 5 halted or killed.`;

export function registerOrder(program: Command, run: Run): void {
  program
    .command("order")
    .helpGroup(group.trading)
    .description("one order through risk, journal and protocol")
    .addArgument(new Argument("<side>", "buy or sell").choices(["buy", "sell"]))
    .argument("<pair>", "VCHF/CHF, for example")
    .argument("<qty>", "base units, a decimal")
    .requiredOption("--price <price>", "limit price, a decimal")
    .option("--reason <text>", "why, for the journal")
    .option("--yes", "confirm without a terminal")
    .option("--cap", "send what the limits leave of it, where that is less")
    .option("--off-peg", "sell a coin that is off its peg, by the venue's price")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", HELP)
    .action((side: OrderArguments["side"], symbol: string, quantity: string, options: OrderOptions) =>
      run(async (shell) => (await import("../action/order.ts")).order(shell, { side, symbol, quantity }, options)),
    );
}
