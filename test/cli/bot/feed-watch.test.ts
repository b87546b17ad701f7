// What is wrong with the prices of a feed is said once, and the weekend too.

import { describe, expect, it } from "vitest";
import { createClosedWeek } from "../../../src/cli/bot/closed-week.ts";
import { feedWatch } from "../../../src/cli/bot/feed-watch.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Complaint } from "../../../src/market/complaint.ts";

const about = (source: string, kind: string, text: string): Complaint => ({
  ...{ source, symbol: "GBP/CHF" as PairSymbol, kind, text },
});

function stage() {
  const said: string[] = [];
  let found: readonly Complaint[] = [];
  const failing = new Set<string>();
  const closed = new Set<PairSymbol>();
  const look = feedWatch(
    {
      measures: new Set(["ecb"]),
      complaints: () => found,
      isFailing: (name) => failing.has(name),
      isClosed: (symbol) => closed.has(symbol),
    },
    (level, text) => void said.push(`${level} ${text}`),
  );
  const looks = (count: number, complaints: readonly Complaint[]): readonly string[] => {
    found = complaints;
    said.length = 0;
    for (let i = 0; i < count; i++) look();
    return [...said];
  };
  return { looks, failing, closed };
}

describe("what is wrong with the prices of a feed", () => {
  const missing = {
    ...about("ecb", "no measure", "prices of GBP/CHF are measured with no daily rate"),
    isForOthers: true,
  } as const;

  it("is said once when two looks in a row find it, and once when it is over", () => {
    const { looks } = stage();
    const inverted = about("kraken", "inverted", "USD/CHF is inverted");
    expect(looks(1, [inverted, missing])).toEqual([]);
    expect(looks(5, [inverted, missing])).toEqual([
      "warn reference kraken: USD/CHF is inverted",
      "warn reference ecb: prices of GBP/CHF are measured with no daily rate",
    ]);
    expect(looks(5, [])).toEqual([
      "info reference kraken: its prices are believed again",
      "info reference ecb: prices are measured with it again",
    ]);
    // For a moment.
    expect([...looks(1, [inverted]), ...looks(1, []), ...looks(1, [inverted]), ...looks(1, [])]).toEqual([]);
  });

  it("is said once for each kind, whatever figures and pairs it has", () => {
    const { looks } = stage();
    const old = (s: number): Complaint => about("bitstamp", "behind", `GBP/USD is ${s} s old`);
    expect(looks(2, [old(11), { ...old(11), text: "USD/CHF is 11 s old" }])).toEqual([
      "warn reference bitstamp: GBP/USD is 11 s old",
    ]);
    expect(looks(3, [old(30)])).toEqual([]);
    expect(looks(3, [old(40), about("bitstamp", "frozen", "USD/CHF stands still")])).toEqual([
      "warn reference bitstamp: USD/CHF stands still",
    ]);
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

  it("is not over because its markets have closed, where nothing is said against it", () => {
    const { looks, closed } = stage();
    const frozen = about("kraken", "frozen", "GBP/CHF has stood still for 301 s");
    expect(looks(2, [frozen])).toHaveLength(1);
    closed.add(frozen.symbol);
    expect(looks(3, [])).toEqual([]);
    closed.clear();
    expect(looks(3, [frozen])).toEqual([]);
    expect(looks(2, [])).toEqual(["info reference kraken: its prices are believed again"]);
  });
});

it("a weekend is said once with its end, and a refusal once while it lasts", () => {
  const said: string[] = [];
  let until: number | undefined;
  const week = createClosedWeek(
    () => until,
    (text) => void said.push(text),
  );
  const refused = (symbol: string) => {
    const fields = { rule: "RC01", side: "sell", symbol };
    return week.hides({ level: "info", event: "decision.refused", text: "", fields });
  };
  const looks = () => {
    for (let i = 0; i < 3; i++) week.look();
  };
  looks();
  expect([refused("VGBP/GBP"), refused("VGBP/GBP"), ...said]).toEqual([false, false]);
  until = Date.UTC(2026, 10, 15, 22);
  looks();
  expect(said).toEqual([
    "the currency markets are closed until 2026-11-15 22:00 UTC (market.weekend); the same refusal is said once until then",
  ]);
  expect([refused("VGBP/GBP"), refused("VGBP/GBP"), refused("VGBP/VCHF"), refused("VGBP/GBP")]).toEqual([
    ...[false, true, false, true],
  ]);
  expect(week.hides({ level: "info", event: "decision.approved", text: "" })).toBe(false);
  until = undefined;
  looks();
  expect(said.slice(1)).toEqual(["the currency markets are open again; 2 refusals were not said again"]);
  expect(refused("VGBP/GBP")).toBe(false);
});
