// `order buy|sell`: sends one order for a person through the same engine, gate, journal and protocol as the bot's, next
// to a running bot or without one. The exit code reports the outcome; an unknown outcome is left to the bot to resolve.

import { Argument, type Command } from "commander";
import { hearReferences, inquireInto, readQuotes, seeQuote } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireMaySend } from "../../app/money-command/money-command.ts";
import { carriedOut } from "../../app/money-command/own-trader.ts";
import { sayOutcome } from "../../app/money-command/send.ts";
import type { Run } from "../../app/shell.ts";
import type { Person } from "../../app/terminal/confirmation.ts";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { order, requireOnGrid } from "../../operation/order.ts";
import { personHere, reasonText } from "../../operation/person.ts";
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
      const { reason: _, ...wish } = wishOf({ side, symbol, quantity }, options);
      const input = { ...wish, price, reason, confirmWithinMs: confirmWithin };
      const flags = [...(cap ? ["--cap"] : []), ...(offPeg ? ["--off-peg"] : [])];
      return asking(run, { name: "order", input, flags }, options);
    });
}

export type OrderOptions = {
  readonly price: string;
  readonly reason?: string;
  readonly yes?: boolean;
  /** Sends the size that the limits allow without another prompt. */
  readonly cap?: boolean;
  /** Sells an off-peg coin without another prompt. */
  readonly offPeg?: boolean;
  /** How long the trade list may take to show the fill. */
  readonly confirmWithin?: number;
  /** For a step of a plan: an order that the limits cut is sent but counts as refused. */
  readonly isWhole?: boolean;
};
type OrderArguments = { readonly side: Side; readonly symbol: string; readonly quantity: string };

export function wishOf(
  { side, symbol, quantity }: OrderArguments,
  { price, reason }: Pick<OrderOptions, "price" | "reason">,
): Wish {
  return {
    symbol: orFail(parseSymbol(symbol)),
    side,
    quantity: String(orFail(Quantity.parse(quantity, "positive"), "<qty>")),
    price: String(orFail(Price.parse(price), "--price")),
    reason: reasonText("ordered", personHere(), reason),
  };
}

export async function orderWith(
  tool: MoneyCommand,
  person: Person,
  wish: Wish,
  { yes, cap, offPeg, confirmWithin, isWhole }: Omit<OrderOptions, "price" | "reason">,
): Promise<ExitCode> {
  requireMaySend(tool);
  const { symbol, side, quantity, price } = wish;
  await seeMarket(tool, wish, person.stop);
  const input = { symbol, side, quantity, price, ...(confirmWithin && { confirmWithinMs: confirmWithin }) };
  let sent: string | undefined;
  const { exit, id, outcome, text } = await carriedOut(
    tool,
    person,
    (trader, asking) => {
      const agree: typeof asking.agree = async (found) => {
        sent = found.sent.quantity;
        return asking.agree(found);
      };
      const take: typeof trader.take = (one) =>
        trader.take(one.kind === "order" ? { ...one, proposal: { ...one.proposal, reason: wish.reason } } : one);
      return order.act({ ...trader, take }, input, { ...asking, agree });
    },
    { yes, flags: [...(cap ? ["--cap"] : []), ...(offPeg ? ["--off-peg"] : [])] },
    personHere(),
  );
  sayOutcome(person.shell, outcome, id, text);
  if (exit !== exitCode.done || isWhole !== true || sent === quantity) return exit;
  person.shell.terminal.print(`smaller  ${sent} of ${quantity} were let through by the limits`);
  return exitCode.refused;
}

async function seeMarket(tool: MoneyCommand, wish: Wish, stop: AbortSignal): Promise<void> {
  const references = hearReferences(tool);
  try {
    requireOnGrid(wish, await seeAccount(tool, wish.symbol));
    const quotes = await tool.read("quotes", readQuotes(tool, { class: "order" }));
    if (stop.aborted) throw plainFailure("stopped, nothing was sent");
    for (const reference of references.newest()) await seeQuote(tool, reference);
    for (const quote of quotes) await seeQuote(tool, { kind: "quote", ...quote });
  } finally {
    references.close();
  }
}

export async function seeAccount(tool: MoneyCommand, wanted: PairSymbol): Promise<Instrument> {
  const { exchange, clock } = tool;
  const instruments = await tool.read("pairs", exchange.pairs({ class: "order" }));
  const instrument = instruments.find(({ symbol }) => symbol === wanted);
  if (instrument === undefined) throw usageFailure(`${wanted} is not listed`, "pegbot pairs shows what is");
  await tool.take({ kind: "event", event: { kind: "instruments", instruments, receivedAt: clock.now() } });
  // Also a witness: unexplained balances freeze their asset, even if no bot runs.
  await inquireInto(tool, { witness: "balances", asset: undefined, class: "order" });
  return instrument;
}

export type Wish = {
  readonly symbol: PairSymbol;
  readonly side: Side;
  /** Decimal texts, as typed. */
  readonly quantity: string;
  readonly price: string;
  readonly reason: string;
};
