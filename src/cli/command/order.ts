// `order buy|sell`: sends one order for a person, through the owner of the key. The exit code reports the outcome; an
// unknown outcome is left to the owner to resolve.

import { Argument, type Command } from "commander";
import type { Run } from "../../app/shell.ts";
import { parseSymbol } from "../../domain/asset.ts";
import { orFail } from "../../domain/command-failure.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { type AskOptions, asking } from "../asking.ts";
import { runDuration } from "../option/values.ts";

const HELP = `
Fill-or-Kill: all of it at the price or better, or nothing. It passes the same
risk gate as the bot's own orders, and shares limits, journal and budget with a
running bot. Where a limit leaves less than <qty>, pegbot shows that size and
asks; with --yes it refuses, unless --cap is given. After the venue's answer it
stays until the venue's trade list shows the fill. Ends with 0 filled and
listed, 1 not sent though nothing refused it (nothing moved: try again), 3
refused by a rule or rejected by the venue, 4 unknown or not listed in time
(money may have moved, do not repeat it: the bot resolves it), 5 halted.`;

export function defineOrder(command: Command, run: Run): void {
  command
    .addArgument(new Argument("<side>", "buy or sell").choices(["buy", "sell"]))
    .argument("<pair>", "VCHF/CHF, for example")
    .argument("<qty>", "base units, a decimal")
    .requiredOption("--price <price>", "limit price, a decimal")
    .option("--reason <text>", "why, for the journal")
    .option("--yes", "confirm without a terminal")
    .option("--cap", "send what the limits leave of it, where that is less")
    .option("--off-peg", "sell a coin that is off its peg, by the venue's price")
    .option("--confirm-within <time>", "wait this long for the trade list; 75s unless set", runDuration)
    .addHelpText("after", HELP)
    .option("--preview", "show what would be sent, and send nothing")
    .option("--id <uuid>", "ask again: a known id sends nothing, and says what became of it")
    .action((side: OrderArguments["side"], symbol: string, quantity: string, options: OrderOptions & AskOptions) => {
      const { price, reason, confirmWithin, cap, offPeg } = options;
      const input = { ...wishOf({ side, symbol, quantity }, price), reason, confirmWithinMs: confirmWithin };
      const flags = [...(cap ? ["--cap"] : []), ...(offPeg ? ["--off-peg"] : [])];
      return asking(run, { name: "order", input, flags }, options);
    });
}

type OrderOptions = {
  readonly price: string;
  readonly reason?: string;
  /** Sends the size that the limits allow without another prompt. */
  readonly cap?: boolean;
  /** Sells an off-peg coin without another prompt. */
  readonly offPeg?: boolean;
  /** How long the trade list may take to show the fill. */
  readonly confirmWithin?: number;
};
type OrderArguments = { readonly side: Side; readonly symbol: string; readonly quantity: string };

function wishOf({ side, symbol, quantity }: OrderArguments, price: string) {
  return {
    symbol: orFail(parseSymbol(symbol)),
    side,
    quantity: String(orFail(Quantity.parse(quantity, "positive"), "<qty>")),
    price: String(orFail(Price.parse(price), "--price")),
  };
}
