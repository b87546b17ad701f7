// What waits for its turn: who goes first, and what takes whose place.

import { expect, test } from "vitest";
import { Inbox } from "../../../src/bot/inbox/inbox.ts";
import { type Input, TIME } from "../../../src/bot/input.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";

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

test("a newer price takes the place of the older one", () => {
  const inbox = new Inbox();
  for (const [symbol, bid] of [
    ["GBP/USD", 1.33],
    ["USD/CHF", 0.8],
    ["GBP/USD", 1.34],
  ] as const)
    inbox.put(price(symbol, bid));
  expect(rest(inbox)).toEqual(["GBP/USD 1.34", "USD/CHF 0.8"]);
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
