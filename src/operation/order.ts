// A person's order, through the same gate, journal and executor as the bot's.

import { z } from "zod";
import { type PairSymbol, parseSymbol } from "../domain/asset.ts";
import { usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import type { Instrument } from "../domain/instrument.ts";
import { Money, Price, Quantity } from "../domain/money/money.ts";
import { type Fill, legsText } from "../domain/order.ts";
import type { Proposal } from "../domain/step.ts";
import { RUN } from "../execution/remediation.ts";
import type { Preview } from "../risk/rule.ts";
import {
  type Asking,
  type Caveat,
  type Ended,
  moneyOperation,
  requireActive,
  ruledOut,
  ruleText,
  sentBy,
  type Trader,
} from "./money.ts";
import { reasonText } from "./person.ts";
import { whyOptional } from "./plan.ts";
import { requestEnd } from "./request-end.ts";

/** The time of the reads that are due 0, 5, 15, 30 and 60 s after the answer, each with its wait for a slot. */
const CONFIRM_MS_MAX = 75_000;

const decimal = (parse: (text: string) => { readonly ok: boolean }) =>
  z.string().refine((text) => parse(text).ok, "must be a positive decimal");

const orderInput = z.strictObject({
  side: z.enum(["buy", "sell"]).meta({ argument: "side" }),
  symbol: z
    .string()
    .refine((text) => parseSymbol(text).ok, "must look like VCHF/CHF")
    .meta({ argument: "pair", description: "VCHF/CHF, for example" }),
  quantity: decimal((text) => Quantity.parse(text, "positive")).meta({ argument: "qty", description: "base units" }),
  price: decimal((text) => Price.parse(text)).meta({ description: "limit price, a decimal" }),
  reason: whyOptional,
  confirmWithinMs: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ value: "time", description: "wait this long for the trade list; 75s unless set" }),
});
type OrderInput = z.output<typeof orderInput>;

export const order = moneyOperation<OrderInput>({
  name: "order",
  sentence: "Sends one Fill-or-Kill order: all of it at the price or better, or nothing",
  scope: "trade",
  input: orderInput,
  caveats: {
    "--cap": "send what the limits leave of it, where that is less",
    "--off-peg": "sell a coin that is off its peg, by the venue's price",
  },
  async act(trader, input, asking) {
    requireActive(trader);
    const wish = wishOf(input, asking.by);
    asking.tell(`${wish.side} ${input.quantity} ${wish.symbol} at ${input.price} or better, all of it or nothing`);
    const instrument = listed(trader, wish.symbol);
    requireOnGrid(input, instrument);
    const found = await judged(trader, wish);
    if (found.kind === "refused") throw ruledOut(found.refusal, ...found.others);
    const quantity = String(found.quantity);
    const { sent, asked } = await asking.agree({
      word: wish.side,
      sent: { side: wish.side, symbol: wish.symbol, quantity, price: input.price },
      worst: [worstOf(wish, found.quantity, instrument)],
      caveats: caveatsOf(input, found),
    });
    requireActive(trader);
    const proposal = { ...wish, size: sent.quantity ?? quantity };
    const unless = (now: Preview): string | undefined =>
      now.kind === "passes" && now.capped.length > 0 ? cutText(String(proposal.size), now) : undefined;
    const turn = await trader.take({ kind: "order", proposal, unless, asked });
    const verdict = turn.steps.flatMap(({ decisions }) => decisions)[0]?.verdict;
    if (verdict?.kind === "approved") for (const one of verdict.capped) asking.tell(`capped by ${ruleText(one)}`);
    return ended(trader, sentBy(trader, turn), input, asking);
  },
  ended,
});

function ended(trader: Trader, id: string, input: OrderInput, asking: Asking): Promise<Ended> {
  const text = `the venue answered that it filled, and its trade list does not confirm it yet. Do not send it again: a running bot confirms it, start one with ${RUN}; pegbot status shows how far it is`;
  const accepted = (fill: unknown): string => legsText(fill as Fill);
  return requestEnd(
    trader,
    id,
    {
      taken: "filled",
      accepted,
      restOf: (fill) => ({ name: "filled", code: exitCode.done, text: accepted(fill) }),
      wait: true,
      withinMs: input.confirmWithinMs ?? CONFIRM_MS_MAX,
      left: { name: "unconfirmed", code: exitCode.unknown, text },
    },
    asking,
  );
}

function wishOf({ side, symbol, quantity, price, reason }: OrderInput, by: string): Proposal {
  return {
    symbol: symbol as PairSymbol,
    side,
    limit: Number(price),
    size: quantity,
    reason: reasonText("ordered", by, reason),
    lifetimeMs: undefined,
  };
}

function listed(trader: Trader, symbol: PairSymbol): Instrument {
  const instrument = trader.core().books.instruments.get(symbol);
  if (instrument === undefined) throw usageFailure(`${symbol} is not listed`, "pegbot pairs shows what is");
  return instrument;
}

/** By prices that the gate can judge by; they are read if they are missing or too old. */
async function judged(trader: Trader, wish: Proposal): Promise<Preview> {
  const { review } = trader.core();
  if (review.unjudged(wish) !== undefined) await trader.quotes({ class: "order" });
  return review.preview(wish);
}

/** The most that the order may take from the account, fees apart. */
function worstOf({ side, limit }: Proposal, quantity: Quantity, { base, quote }: Instrument): Money {
  return side === "sell" ? quantity.of(base) : Price.of(String(limit)).times(quantity, quote, "up");
}

function caveatsOf({ side, quantity, price, symbol }: OrderInput, found: Extract<Preview, { kind: "passes" }>) {
  const caveats: Caveat[] = [];
  if (found.capped.length > 0)
    caveats.push({ flag: "--cap", text: cutText(quantity, found), word: `${side} ${found.quantity}` });
  if (found.isOffPeg) {
    const text = `${symbol} is off its peg and has no fair value: it would be sold at ${price} or better, by the venue's price alone`;
    caveats.push({ flag: "--off-peg", text, word: "sell off peg" });
  }
  return caveats;
}

function cutText(quantity: string, found: Extract<Preview, { kind: "passes" }>): string {
  return `the limits leave ${found.quantity} of ${quantity}: ${found.capped.map(ruleText).join("; ")}`;
}

function requireOnGrid(
  { quantity, price }: { readonly quantity: string; readonly price: string },
  instrument: Instrument,
): void {
  const { symbol, base, quote, quantityDecimals, priceDecimals } = instrument;
  const given = [
    { what: "price", amount: Money.of(price, quote), decimals: priceDecimals },
    { what: "quantity", amount: Money.of(quantity, base), decimals: quantityDecimals },
  ];
  for (const { what, amount, decimals } of given)
    if (!amount.fits(decimals))
      throw usageFailure(
        `${what} must have at most ${decimals} decimals on ${symbol}, was ${amount}; nothing was sent`,
      );
}
