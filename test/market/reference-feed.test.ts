import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { ratePairs } from "../../src/bot/core.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis, type Timers } from "../../src/domain/time.ts";
import { Pricing } from "../../src/market/pricing.ts";
import { type FeedParts, referenceFeed } from "../../src/market/reference-feed.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { DEFAULT_PAIRS } from "../../src/simulator/core/listing.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import { DEMO_MARKET, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { createReferenceFeed, DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";

const symbols = new Set(["GBP/CHF"] as PairSymbol[]);
const row = { symbol: "GBP/CHF", bid: 1.05, ask: 1.06, timestamp: "2026-11-15T04:30:00.000Z" };

/** Timers in the hands of the test: `next` runs the one that waits and tells how long it would have taken. */
function handTimers(): Timers & { next(): Promise<number>; waiting(): number } {
  const queue: { delayMs: number; run: () => void }[] = [];
  return {
    after(delayMs, run) {
      const entry = { delayMs, run };
      queue.push(entry);
      return () => void queue.splice(queue.indexOf(entry), queue.includes(entry) ? 1 : 0);
    },
    waiting: () => queue.length,
    async next() {
      const entry = queue.shift();
      if (entry === undefined) throw new Error("no timer waits");
      entry.run();
      await settled();
      return entry.delayMs;
    },
  };
}

/** Lets promises that are ready go on. */
const settled = () => sleep(0);

type Answered = (url: string, signal: AbortSignal) => Promise<unknown>;

function feed(read: Answered, timers: Timers = handTimers()) {
  const quotes: QuoteEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const parts: FeedParts = {
    clock: systemClock,
    timers,
    random: createRandom(3),
    read: async (url, signal) => JSON.stringify((await read(url, signal)) ?? null),
    onTrouble: (_, reason) => troubles.push(reason),
    settings: { everyMs: 1_000, restMsFirst: 1_000, restMsMax: 8_000 },
  };
  const source = { name: "one", url: "http://127.0.0.1:9/reference", symbols };
  const subscription = referenceFeed(source, parts).subscribe((quote) => quotes.push(quote));
  return { quotes, troubles, subscription };
}

describe("a reference feed", () => {
  it("gives the wanted pairs as quotes under its own name, with its time and ours", async () => {
    const other = { ...row, symbol: "BTC/USD" };
    const { quotes } = feed(async () => ({ rates: [other, row] }));
    await settled();
    expect(quotes).toEqual([
      {
        kind: "quote",
        symbol: "GBP/CHF",
        bid: 1.05,
        ask: 1.06,
        bidSize: undefined,
        askSize: undefined,
        source: "one",
        at: Date.UTC(2026, 10, 15, 4, 30),
        receivedAt: expect.any(Number),
      },
    ]);
  });

  it("takes no answer that is not a list of rates, and no price that it was not asked for", async () => {
    for (const body of [
      undefined,
      [],
      { rates: [{ ...row, bid: "1.05" }] },
      { rates: [{ ...row, timestamp: "now" }] },
    ]) {
      const { quotes, troubles } = feed(async () => body);
      await settled();
      expect([quotes, troubles]).toEqual([[], ["its answer is not a list of rates"]]);
    }
  });
});

describe("on paper", () => {
  it("every pair that the venue lists has a fair value: by par, by the simulator's feeds, or over both", () => {
    const seed = 3;
    const at = millis(Date.UTC(2026, 10, 11, 12));
    const market = syntheticMarket(seed, withoutEdge(DEMO_MARKET));
    const pricing = new Pricing({
      par: new Map(["VCHF/CHF", "VGBP/GBP"].map((symbol) => [symbol as PairSymbol, { bandBps: 500 }])),
      venueAgeMsMax: 5_000,
      referenceAgeMsMax: 5_000,
      sourcesMin: 2,
      disagreementBpsMax: 30,
    });
    pricing.moment.next(at);
    const symbols = DEFAULT_PAIRS.map(({ symbol }) => symbol);
    const served = DEFAULT_REFERENCES.flatMap((feed) => feed.symbols);
    expect(symbols).toEqual(expect.arrayContaining([...paperLimits.symbols, "VCHF/BTC", "VCHF/ETH"]));
    const top = emptyTop();
    const tell = (symbol: PairSymbol, source: string, { bid, ask }: { bid: number; ask: number }) =>
      pricing
        .pair(symbol)
        .observe({ symbol, source, bid, ask, bidSize: undefined, askSize: undefined, at, receivedAt: at });
    for (const symbol of symbols) if (market.read(symbol, at, top)) tell(symbol, "venue", top);
    for (const feed of DEFAULT_REFERENCES)
      for (const row of createReferenceFeed(market, seed, feed)
        .only(ratePairs({ ...paperLimits, symbols }, served))
        .read(at))
        tell(row.symbol, feed.name, row);
    const kinds = symbols.map((symbol) => [symbol, pricing.fair(pricing.pair(symbol)).kind]);
    expect(kinds).toEqual(symbols.map((symbol) => [symbol, "fair"]));
  });
});
