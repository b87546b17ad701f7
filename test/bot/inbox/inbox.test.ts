// What waits for its turn: who goes first, and what takes whose place.

import { expect, test } from "vitest";
import { Inbox } from "../../../src/bot/inbox/inbox.ts";
import { type Input, TIME } from "../../../src/bot/trading-core/input.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";

const LEGS = { legs: ["GBP/USD", "USD/CHF"] as PairSymbol[] };

function price(symbol: string, bid: number, source = "kraken"): Input {
  const sizes = { bidSize: undefined, askSize: undefined };
  const times = { at: undefined, receivedAt: millis(0) };
  return {
    kind: "event",
    event: {
      kind: "quote",
      symbol: symbol as PairSymbol,
      bid,
      ask: bid,
      source,
      ...sizes,
      ...times,
      ...(symbol === "GBP/CHF" ? LEGS : {}),
    },
  };
}

function shown(input: Input | undefined): string {
  if (input?.kind !== "event" || input.event.kind !== "quote") return String(input?.kind);
  return `${input.event.symbol} ${input.event.bid}`;
}

function rest(inbox: Inbox): readonly string[] {
  return Array.from({ length: inbox.size }, () => shown(inbox.take()));
}

test("a price that is worked out from others comes after all of them, also in the place of an older one", () => {
  const inbox = new Inbox();
  inbox.put(price("GBP/USD", 1.33));
  inbox.put(price("GBP/CHF", Number.NaN));
  // The bot is at work on the first of them, and the source goes on.
  inbox.take();
  inbox.put(price("USD/CHF", 0.8));
  inbox.put(price("GBP/CHF", 1.064));
  inbox.put(price("EUR/CHF", 0.95, "bank"));
  expect(rest(inbox)).toEqual(["USD/CHF 0.8", "GBP/CHF 1.064", "EUR/CHF 0.95"]);
});

test("nor does it come before one of them when it has been told again and again", () => {
  const inbox = new Inbox();
  /** When each leg was last told before a round, and last taken. */
  const told: Record<string, number>[] = [{ "GBP/USD": 0, "USD/CHF": 0 }];
  const seen: Record<string, number> = {};
  let turns = 0;
  for (const symbol of ["GBP/USD", "USD/CHF", "GBP/CHF"]) inbox.put(price(symbol, 0));
  for (let round = 1; round <= 100; round++) {
    const [symbol = "", at] = shown(inbox.take()).split(" ");
    seen[symbol] = Number(at);
    if (symbol === "GBP/CHF") {
      turns++;
      for (const [leg, toldAt] of Object.entries(told[Number(at)] ?? {}))
        expect(seen[leg], `${leg} before round ${at}`).toBeGreaterThanOrEqual(toldAt);
    }
    // The source goes on with the pair that was just taken, and with what follows from it.
    const leg = symbol === "GBP/CHF" ? "USD/CHF" : symbol;
    told.push({ ...told.at(-1), [leg]: round });
    for (const each of [leg, "GBP/CHF"]) inbox.put(price(each, round));
    expect(inbox.size).toBeLessThanOrEqual(4);
  }
  expect(turns).toBeGreaterThan(5);
});

test("a price and the time have their turn however often others are told again", () => {
  const inbox = new Inbox();
  const taken: string[] = [];
  inbox.put(TIME);
  for (let round = 0; round < 100; round++) {
    for (const symbol of ["GBP/USD", "USD/CHF", "GBP/CHF"]) inbox.put(price(symbol, round));
    inbox.put(TIME);
    taken.push(shown(inbox.take()).split(" ")[0] as string);
  }
  for (const key of ["time", "GBP/USD", "USD/CHF", "GBP/CHF"])
    expect(taken.filter((one) => one === key).length, key).toBeGreaterThan(5);
  expect(inbox.size).toBeLessThanOrEqual(4);
});
