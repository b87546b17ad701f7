// What becomes of quotes between a source and the bot: pairs derived, recordings played.

import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { createQuoteColumns } from "../../../src/market/column.ts";
import { withDerived } from "../../../src/market/feed/derived.ts";
import { playedFeed } from "../../../src/market/feed/played.ts";
import { handTime } from "../../support/hand-time.ts";

const symbols = new Set(["GBP/USD", "USD/CHF"] as PairSymbol[]);

function quote(symbol: string, bid: number, ask: number, receivedAt: number, at?: number): QuoteEvent {
  const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(receivedAt) };
  return { kind: "quote", symbol: symbol as PairSymbol, bid, ask, bidSize: 1, askSize: 2, source: "one", ...times };
}

describe("a derived pair", () => {
  function stage(derive: string, from: ReadonlySet<PairSymbol> = symbols) {
    const quotes$ = new Subject<QuoteEvent>();
    const told: QuoteEvent[] = [];
    withDerived(quotes$, from, [derive as PairSymbol]).subscribe((each) => {
      if (each.symbol === derive) told.push(each);
    });
    return { say: (...given: Parameters<typeof quote>) => quotes$.next(quote(...given)), told };
  }

  it("is as wide as its legs together and as old as the oldest, and turns legs over", () => {
    const { say, told } = stage("CHF/GBP");
    say("GBP/USD", 1.25, 1.2502, 1_000, 400);
    expect(told.at(-1)?.bid).toBeNaN();
    say("USD/CHF", 0.8, 0.8004, 2_000);
    const last = told.at(-1);
    expect(last).toMatchObject({ source: "one", at: 400, receivedAt: 2_000, bidSize: undefined });
    // 1 / 0.8004 / 1.2502, and 1 / 0.8 / 1.25.
    expect(last?.bid).toBeCloseTo(0.99934036, 8);
    expect(last?.ask).toBeCloseTo(1, 12);
  });

  it("is told as no price when a leg is bad, or was not told for a minute", () => {
    const { say, told } = stage("GBP/CHF");
    say("GBP/USD", 1.25, 1.2502, 1_000);
    say("USD/CHF", 0.8, 0.8004, 1_000);
    expect(told.at(-1)?.bid).toBeCloseTo(1, 12);
    say("USD/CHF", 0.9, 0.8, 2_000);
    expect(told.at(-1)?.bid).toBeNaN();
    say("USD/CHF", 0.8, 0.8004, 3_000);
    expect(told.at(-1)?.bid).toBeCloseTo(1, 12);
    say("USD/CHF", 0.8, 0.8004, 61_001);
    expect(told.at(-1)?.bid).toBeNaN();
  });
});

describe("a recording", () => {
  it("is played from now on, each row as much later as it was, and says when it is over", async () => {
    const columns = createQuoteColumns("GBP/CHF" as PairSymbol, 3);
    columns.time.set([1_000, 1_500, 9_000]);
    columns.bid.set([1.05, 1.051, 1.052]);
    columns.ask.set([1.06, 1.061, 1.062]);
    columns.bidSize.fill(Number.NaN);
    columns.askSize.fill(5);
    const time = handTime(Date.UTC(2026, 10, 13));
    const now = time.clock.now();
    const told: QuoteEvent[] = [];
    const troubles: (string | undefined)[] = [];
    const onTrouble = (_: string, reason: string | undefined): void => void troubles.push(reason);
    playedFeed("tape", () => [columns], { ...time, random: createRandom(1), onTrouble }).subscribe((each) =>
      told.push(each),
    );
    await time.pass(0);
    expect(told).toMatchObject([
      { bid: 1.05, bidSize: undefined, askSize: 5, receivedAt: now, at: undefined, source: "tape" },
    ]);
    await time.pass(499);
    expect(told).toHaveLength(1);
    await time.pass(1);
    expect(told.at(-1)).toMatchObject({ bid: 1.051, receivedAt: now + 500 });
    await time.pass(7_500);
    expect([told.length, troubles]).toEqual([3, ["the recording is over"]]);
    expect(time.waiting()).toEqual([]);
  });
});
