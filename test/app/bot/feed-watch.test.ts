// What is wrong with the prices of a feed is said once, and the weekend too.

import { describe, expect, it } from "vitest";
import { feedWatch } from "../../../src/app/bot/watches.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { type Complaint, complaintsOf } from "../../../src/market/complaint.ts";
import { FxWeek } from "../../../src/market/fx-week.ts";
import { Pricing } from "../../../src/market/pricing.ts";
import type { StatusBoard } from "../../../src/watch/status/status-board.ts";

const about = (source: string, kind: string, text: string): Complaint => ({
  ...{ source, symbol: "GBP/CHF" as PairSymbol, kind, text },
});

function reported(said: string[]) {
  const warn = (text: string): void => void said.push(`warn ${text}`);
  return { warn, note: (text: string): void => void said.push(`info ${text}`) };
}

function stage() {
  const said: string[] = [];
  let found: readonly Complaint[] = [];
  const failing = new Set<string>();
  const closed = new Set<string>();
  const books = {
    doubtOf: (name: string, symbol: string) => (closed.has(`${name} ${symbol}`) ? "closed" : undefined),
    pricing: { fair: () => ({ kind: "fair", value: 1 }) },
  };
  const tradingCore = { engine: { books } };
  const board = { complaints: () => found, isFailing: (name: string) => failing.has(name), tradingCore };
  const look = feedWatch(board as unknown as StatusBoard, reported(said));
  const looks = (count: number, complaints: readonly Complaint[]): readonly string[] => {
    found = complaints;
    said.length = 0;
    for (let i = 0; i < count; i++) look();
    return [...said];
  };
  return { looks, failing, closed };
}

describe("what is wrong with the prices of a feed", () => {
  it("is said once when two looks in a row find it, and once when it is over", () => {
    const { looks } = stage();
    const crossed = about("kraken", "crossed", "USD/CHF is crossed");
    expect(looks(1, [crossed])).toEqual([]);
    expect(looks(5, [crossed])).toEqual(["warn reference kraken: USD/CHF is crossed"]);
    expect(looks(5, [])).toEqual(["info reference kraken: its prices are believed again"]);
    // For a moment.
    expect([...looks(1, [crossed]), ...looks(1, []), ...looks(1, [crossed]), ...looks(1, [])]).toEqual([]);
  });

  it("is said once, whatever figures, pairs and kinds come while anything is wrong", () => {
    const { looks } = stage();
    const old = (s: number): Complaint => about("bitstamp", "behind", `GBP/USD is ${s} s old`);
    const crossed = about("bitstamp", "crossed", "USD/CHF is crossed");
    expect(looks(2, [old(11), { ...old(11), text: "USD/CHF is 11 s old" }])).toEqual([
      "warn reference bitstamp: GBP/USD is 11 s old",
    ]);
    expect([...looks(3, [old(30)]), ...looks(3, [crossed, old(40)])]).toEqual([]);
    expect(looks(1, [])).toEqual(["info reference bitstamp: its prices are believed again"]);
  });

  it("is neither said nor over while the feed itself says why it fails", () => {
    const { looks, failing } = stage();
    const stale = about("kraken", "stale", "GBP/USD was last heard 12 s ago");
    failing.add("kraken");
    expect(looks(3, [stale])).toEqual([]);
    failing.delete("kraken");
    expect(looks(2, [stale])).toHaveLength(1);
    failing.add("kraken");
    expect(looks(2, [])).toEqual([]);
    failing.delete("kraken");
    expect(looks(2, [])).toEqual(["info reference kraken: its prices are believed again"]);
  });

  it("is kept in mind while the feed fails in between", () => {
    const { looks, failing } = stage();
    const stale = about("kraken", "stale", "GBP/USD was last heard 12 s ago");
    expect(looks(1, [stale])).toEqual([]);
    failing.add("kraken");
    expect(looks(1, [stale])).toEqual([]);
    failing.delete("kraken");
    expect(looks(1, [stale])).toEqual(["warn reference kraken: GBP/USD was last heard 12 s ago"]);
  });

  it("is over once for all of it, also where some of it was never said; and not while one of its markets is closed", () => {
    const { looks, closed } = stage();
    const frozen = about("kraken", "frozen", "GBP/CHF has stood still for 301 s");
    const stale = { ...about("kraken", "stale", "USDC/CHF was last heard 12 s ago"), symbol: "USDC/CHF" as PairSymbol };
    expect([looks(2, [frozen]).length, looks(1, [frozen, stale]).length]).toEqual([1, 0]);
    closed.add("kraken GBP/CHF");
    expect(looks(2, [])).toEqual([]);
    closed.clear();
    expect(looks(2, [])).toEqual(["info reference kraken: its prices are believed again"]);
  });

  it("is not over because its markets have closed, where nothing is said against it", () => {
    const { looks, closed } = stage();
    const frozen = about("kraken", "frozen", "GBP/CHF has stood still for 301 s");
    expect(looks(2, [frozen])).toHaveLength(1);
    closed.add("kraken GBP/CHF");
    expect(looks(3, [])).toEqual([]);
    closed.clear();
    expect(looks(3, [frozen])).toEqual([]);
    expect(looks(2, [])).toEqual(["info reference kraken: its prices are believed again"]);
  });
});

it.each([
  [{ kind: "none", reason: "closed" }, undefined, 0],
  [{ kind: "fair", value: 1 }, "closed", 0],
  [{ kind: "none", reason: "stale" }, undefined, 1],
  [{ kind: "fair", value: 1 }, undefined, 1],
])("a feed whose pair has %o, and is doubted as %s, is good again in so many lines: %i", (fair, doubt, lines) => {
  const said: string[] = [];
  let found = [about("kraken", "frozen", "GBP/CHF stands still")];
  const engine = { books: { doubtOf: () => doubt, pricing: { fair: () => fair } } };
  const board = { complaints: () => found, isFailing: () => false, tradingCore: { engine } };
  const look = feedWatch(board as unknown as StatusBoard, reported(said));
  look();
  look();
  found = [];
  look();
  expect(said).toHaveLength(1 + lines);
});

it("a derived pair that was implausible and closes is not called good again, though another feed has the pair itself", () => {
  const pair = "USDC/CHF" as PairSymbol;
  const pricing = new Pricing({
    ...{ par: new Map(), venueAgeMsMax: 5_000, referenceAgeMsMax: 5_000, sourcesMin: 1 },
    ...{
      disagreementBpsMax: 30,
      weekly: new Set([`one ${pair}`]),
      weekend: { week: new FxWeek([]), collarBps: undefined },
    },
    bands: new Map([[pair, { low: 0.5, high: 0.85 }]]),
  });
  const said: string[] = [];
  const books = {
    complaints: () => complaintsOf(pricing),
    doubtOf: (name: string, symbol: PairSymbol) => pricing.doubtOf(pricing.pair(symbol), name),
    pricing: { fair: (symbol: PairSymbol) => pricing.fair(pricing.pair(symbol)) },
  };
  const board = {
    tradingCore: { engine: { books } },
    complaints: books.complaints,
    isFailing: () => false,
  } as unknown as StatusBoard;
  const look = feedWatch(board, reported(said));
  const told = (at: number) => {
    pricing.moment.next(at);
    for (const [source, mid] of [
      ["venue", 0.8],
      ["one", 0.9],
      ["two", 0.8 + at / 1e15],
    ] as const) {
      const sizes = { bidSize: undefined, askSize: undefined };
      const times = { at: undefined, receivedAt: millis(at) };
      pricing.pair(pair).observe({ symbol: pair, bid: mid * 0.9999, ask: mid * 1.0001, source, ...sizes, ...times });
    }
    look();
  };
  // Friday, 17:00 in New York.
  const close = Date.UTC(2026, 10, 13, 22);
  for (const seconds of [-30, -20, -10]) told(close + seconds * 1_000);
  const implausible = "warn reference one: USDC/CHF is outside its band";
  expect(said).toEqual([implausible]);
  for (const seconds of [10, 20, 30]) told(close + seconds * 1_000);
  expect([said, pricing.fair(pricing.pair(pair)).kind]).toEqual([[implausible], "fair"]);
});
