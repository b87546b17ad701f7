import { describe, expect, it } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { pegArbitrage } from "../../../src/strategy/peg-arbitrage.ts";
import { reachProblem, unreachable, watchReach } from "../../../src/watch/status/connectivity.ts";
import { createDecisionList } from "../../../src/watch/status/decision-list.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";

function traded() {
  const list = createDecisionList("CHF");
  const bench = strategyBench(pegArbitrage, { symbols: [SYMBOL], balances: { CHF: "50000", VCHF: "50000" } });
  return { list, bench };
}

describe("the last decisions", () => {
  it("follow an order from approval to its confirmation, newest first", () => {
    const { list, bench } = traded();
    list.take(bench.quote(SYMBOL, 0.9983, 0.999));
    expect(list.newestFirst).toMatchObject([{ side: "buy", size: "2500", outcome: "approved", times: 1 }]);
    list.take(bench.fill());
    expect(list.newestFirst).toMatchObject([{ outcome: "confirmed" }]);
    bench.pass(20_000);
    list.take(bench.quote(SYMBOL, 1.0012, 1.002));
    list.take(bench.reject("price-out-of-band"));
    expect(list.newestFirst).toMatchObject([
      { side: "sell", outcome: "rejected", note: "price-out-of-band: by the bench" },
      { side: "buy", outcome: "confirmed" },
    ]);
  });
});

describe("the last fills", () => {
  it("have each fill once, with its price, its value and how much better than fair value it was", () => {
    const { list, bench } = traded();
    list.take(bench.quote(SYMBOL, 0.9983, 0.999));
    const filled = bench.fill();
    list.take(filled);
    // History confirms it later: the same report again.
    list.take(filled);
    const limit = Number(/at ([\d.]+)/.exec(bench.lines().join("\n"))?.[1]);
    const [fill, ...others] = list.fills;
    expect(others).toEqual([]);
    expect(fill).toMatchObject({ symbol: SYMBOL, side: "buy", size: "2500", boughtAsset: "VCHF", fair: 1 });
    expect(fill?.price).toBeCloseTo(limit, 6);
    expect(Number(fill?.value)).toBeCloseTo(2_500 * limit, 6);
    // 2,500 at par for what was paid.
    expect(list.captured).toBeCloseTo(2_500 * (1 - limit), 1);
    // Fair value is par: 1 / price - 1.
    expect(fill?.edgeBps).toBeCloseTo((1 / limit - 1) * 1e4, 1);
    expect(list.newestFirst[0]?.trail.map(({ what }) => what)).toEqual(["confirmed", "confirmed"]);
  });
});

describe("a venue that does not answer", () => {
  it("holds new orders back while it lasts, and is told when it changes", () => {
    const exchange = { reachability: (): "good" | "reduced" | "auth-lost" => state, keyTrouble: () => undefined };
    let state: "good" | "reduced" | "auth-lost" = "good";
    const told: (string | undefined)[] = [];
    const due: (() => void)[] = [];
    const timers = {
      after(_: number, run: () => void) {
        due.push(run);
        return () => void due.splice(0);
      },
    };
    const end = watchReach(exchange, timers, (problem) => told.push(problem));
    const look = (): void => due.splice(0).forEach((run) => void run());
    for (const next of ["good", "reduced", "reduced", "auth-lost", "good"] as const) {
      state = next;
      expect(reachProblem(exchange) === undefined).toBe(next === "good");
      look();
    }
    expect(told).toEqual([
      expect.stringContaining("nothing new is sent until it answers"),
      expect.stringContaining("the venue refuses the key"),
      undefined,
    ]);
    end();
    expect(due).toEqual([]);
  });

  it("is told as silent after a minute without a usable answer, with how it fails; orders are not held back for that yet", () => {
    const venue = (ms: number, code = "timeout") => ({
      reachability: () => "good" as const,
      keyTrouble: () => undefined,
      silence: () => ({ since: millis(1_794_731_400_000), ms, code }),
    });
    expect(unreachable(venue(59_999))).toBeUndefined();
    expect(unreachable(venue(60_000))).toBe(
      "no usable answer of the venue since 2026-11-15T08:30:00Z (timeout): pegbot doctor says more",
    );
    expect(reachProblem(venue(60_000))).toBeUndefined();
  });
});
