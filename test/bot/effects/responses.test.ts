// What the venue quotes is held against its list of pairs: where that says that a pair is offline, or quotes of one end, the list may
// be old.

import { expect, it } from "vitest";
import { PollSchedule } from "../../../src/bot/effects/poll-schedule.ts";
import { createResponses } from "../../../src/bot/effects/responses.ts";
import { createVenueClock } from "../../../src/bot/inbox/venue-clock.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { Instrument } from "../../../src/domain/instrument.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Reading } from "../../../src/exchange/port.ts";

const AT = millis(1_794_731_400_000);

function stage() {
  const time = { elapsed: 0 };
  const polls = new PollSchedule();
  const clock = { now: () => millis(AT + time.elapsed), monotonic: () => mono(time.elapsed) };
  const now = () => ({ at: clock.now(), mono: clock.monotonic() });
  const post = createResponses({ polls, clock: createVenueClock(clock), now, onProblem: () => {} });
  return { time, polls, post };
}

function read<T>(value: T): Reading<T> {
  return { kind: "read", value, at: undefined, receivedAt: AT } as Reading<T>;
}

function listed(status: string): Reading<readonly Instrument[]> {
  const pair = (base: string, word: string): Instrument => ({
    symbol: `${base}/CHF` as PairSymbol,
    base: base as Asset,
    quote: "CHF" as Asset,
    status: word,
    quantityDecimals: 2,
    priceDecimals: 6,
    quantityMin: Quantity.of("1"),
  });
  return read([pair("VCHF", status), pair("USDC", "online")]);
}

function quoted(...bases: readonly string[]) {
  const price = { bid: 0.99, ask: 1, bidSize: undefined, askSize: undefined };
  const source = { source: "venue", at: undefined, receivedAt: AT };
  return read(bases.map((base) => ({ symbol: `${base}/CHF` as PairSymbol, ...price, ...source })));
}

function isWanted(polls: PollSchedule, at: number): boolean {
  return polls.due(mono(at), false).includes("pairs");
}

it.each(["quotes", "prices"] as const)(
  "wants the pairs again when %s have one that their list calls offline, and not for others",
  (call) => {
    const { time, polls, post } = stage();
    expect(isWanted(polls, 0)).toBe(true);
    post.pairs(listed("offline"));
    time.elapsed = 30_000;
    post[call](quoted("USDC"));
    expect(isWanted(polls, 30_000)).toBe(false);
    post[call](quoted("VCHF"));
    expect(isWanted(polls, 30_000)).toBe(true);
    post.pairs(listed("online"));
    time.elapsed = 90_000;
    post[call](quoted("VCHF"));
    expect(isWanted(polls, 90_000)).toBe(false);
  },
);

it("takes a first 403 for a venue without quotes, asks again within a minute, and takes none for it after quotes", () => {
  const { time, polls, post } = stage();
  const forbidden: Reading<never> = {
    kind: "failed",
    failure: { code: "not-available", status: 403, venueCode: undefined, message: "forbidden" },
  };
  const isDue = (at: number): boolean => polls.due(mono(at), false).includes("quotes");
  expect(isDue(0)).toBe(true);
  expect(post.quotes(forbidden)).toEqual([{ kind: "unquoted" }]);
  expect([isDue(59_999), isDue(60_000)]).toEqual([false, true]);
  time.elapsed = 60_000;
  expect(post.quotes(forbidden)).toEqual([]);
  expect([isDue(119_999), isDue(120_000)]).toEqual([false, true]);
  post.quotes(quoted("VCHF"));
  expect(post.quotes(forbidden)).toEqual([]);
});
