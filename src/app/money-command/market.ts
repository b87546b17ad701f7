// Takes a witness's answer into the accounts. If it may show money that enters or leaves the account, prices are read
// first: the bases of the loss limits shift by its value, and without a rate it is left to the running bot.

import { randomInt } from "node:crypto";
import type { Heard, Question } from "../../bot/effects/dispatch.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Asset } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Quote } from "../../domain/quote.ts";
import { createRandom } from "../../domain/random.ts";
import { millis } from "../../domain/time.ts";
import type { Reading, Want } from "../../exchange/port.ts";
import type { Answer } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import { venueAddress } from "../config/venue-address.ts";
import { referencesOf } from "../feeds/references.ts";
import type { MoneyCommand } from "./money-command.ts";

/** Newly opened feeds need a moment. */
const MOMENT_MS = 500;
const MOMENTS_MAX = 10;

/** Asks the witness and takes the answer into the accounts; a failure ends the command. */
export async function inquireInto(tool: MoneyCommand, question: Question): Promise<Answer> {
  const answer = await tool.ask(question);
  await hear(tool, { kind: "answer", answer });
  return answer;
}

export async function hear(tool: MoneyCommand, heard: Heard): Promise<Turn> {
  const crossing = heard.kind === "answer" ? crossingOf(tool, heard.answer) : [];
  if (crossing.length > 0) await seePricesOf(tool, crossing);
  return tool.take(heard);
}

/** The assets that may enter or leave the account with this answer. */
function crossingOf({ tradingCore: { executor } }: MoneyCommand, answer: Answer): readonly Asset[] {
  switch (answer.witness) {
    case "payments":
      return answer.rows.flatMap(({ railId, amount }) => {
        const isOurs = railId !== undefined && executor.treasury.ownerOf("rail", railId) !== undefined;
        return isOurs && amount !== undefined ? [amount.asset] : [];
      });
    case "balances":
    case "supply-changes":
      return [...executor.open()].flatMap((one) =>
        isMint(one) && one.request.destination !== undefined ? [one.request.asset] : [],
      );
    default:
      return [];
  }
}

function isMint(one: MoneyRequest): one is MoneyRequest<"mint"> {
  return one.kind === "mint";
}

/** Waits until each asset has a price, for a limited time. */
export async function seePricesOf(tool: MoneyCommand, assets: readonly Asset[]): Promise<void> {
  const { timers, tradingCore } = tool;
  const { pricing } = tradingCore.engine.books;
  const isPriced = (asset: Asset): boolean => asset === pricing.currency || pricing.rate(asset) !== undefined;
  const references = hearReferences(tool);
  try {
    await seePrices(tool, references);
    for (let moments = 0; moments < MOMENTS_MAX && !assets.every(isPriced); moments++) {
      await new Promise<void>((resolve) => {
        timers.after(MOMENT_MS, resolve);
      });
      for (const reference of references.newest()) await seeQuote(tool, reference);
    }
  } finally {
    references.close();
  }
}

// Takes a price into the books with its receive time, capped at the venue's clock.

/** `unless` as in `tool.take`. */
export function seeQuote(
  { take, clock }: Pick<MoneyCommand, "take" | "clock">,
  quote: QuoteEvent,
  unless?: Parameters<MoneyCommand["take"]>[1],
): Promise<Turn> {
  const receivedAt = millis(Math.min(quote.receivedAt, clock.now()));
  return take({ kind: "event", event: { ...quote, receivedAt } }, unless);
}

// Takes the current prices as the bot would have them, because an adopted amount shifts the bases of the loss limits by
// its value.

/** Without an answer of the venue fewer prices are known; that does not end a command that repairs the books. */
export async function seePrices(
  tool: MoneyCommand,
  references: Pick<HeardReferences, "newest">,
  unless?: Parameters<MoneyCommand["take"]>[1],
): Promise<void> {
  const quotes = await readQuotes(tool, { class: "other" });
  for (const reference of references.newest()) await seeQuote(tool, reference, unless);
  if (quotes.kind !== "read") return;
  tool.clock.heard(quotes.at);
  for (const quote of quotes.value) await seeQuote(tool, { kind: "quote", ...quote }, unless);
}

/** None of a venue that shows none: then prices come from elsewhere. */
export async function readQuotes(
  { exchange, tradingCore, clock }: MoneyCommand,
  want: Want,
): Promise<Reading<readonly Quote[]>> {
  const reading = await exchange.quotes(want);
  if (reading.kind !== "failed" || reading.failure.code !== "not-available") return reading;
  tradingCore.engine.books.hideQuotes();
  return { kind: "read", value: [], at: undefined, receivedAt: clock.now(), nonce: undefined };
}

// The current reference prices: the feeds run while the venue's reads take seconds, and the newest quote of each
// counts. They cost no request budget.

export interface HeardReferences {
  newest(): readonly QuoteEvent[];
  close(): void;
}

export function hearReferences({ config, clock }: Pick<MoneyCommand, "config" | "clock">): HeardReferences {
  const heard = new Map<string, QuoteEvent>();
  const parts = {
    base: venueAddress(config),
    random: createRandom(randomInt(2 ** 47)),
    clock,
    openRecord: () => Promise.reject(new Error("a recording has no price of this moment")),
  };
  const subscription = referencesOf(config, parts).subscribe((quote) => {
    heard.set(`${quote.source} ${quote.symbol}`, quote);
  });
  return { newest: () => [...heard.values()], close: () => subscription.unsubscribe() };
}
