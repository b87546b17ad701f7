// What waits for its turn: who goes first, and what takes whose place.

import { expect, test } from "vitest";
import { createInbox } from "../../src/bot/inbox.ts";
import { type Input, TIME } from "../../src/bot/input.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";

function price(symbol: string, bid: number, source = "kraken"): Input {
  const sizes = { bidSize: undefined, askSize: undefined };
  const times = { at: undefined, receivedAt: millis(0) };
  return {
    kind: "event",
    event: { kind: "quote", symbol: symbol as PairSymbol, bid, ask: bid, source, ...sizes, ...times },
  };
}

function shown(input: Input | undefined): string {
  if (input?.kind !== "event" || input.event.kind !== "quote") return String(input?.kind);
  return `${input.event.symbol} ${input.event.bid}`;
}

function rest(inbox: ReturnType<typeof createInbox>): readonly string[] {
  return Array.from({ length: inbox.size }, () => shown(inbox.take()));
}

test("a price that is worked out from others comes after all of them, also in the place of an older one", () => {
  const inbox = createInbox();
  inbox.put(price("GBP/USD", 1.33));
  inbox.put(price("GBP/CHF", Number.NaN));
  // The bot is at work on the first of them, and the source goes on.
  inbox.take();
  inbox.put(price("USD/CHF", 0.8));
  inbox.put(price("GBP/CHF", 1.064));
  inbox.put(price("EUR/CHF", 0.95, "bank"));
  expect(rest(inbox)).toEqual(["USD/CHF 0.8", "GBP/CHF 1.064", "EUR/CHF 0.95"]);
});

test("a price and the time have their turn however often others are told again", () => {
  const inbox = createInbox();
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
