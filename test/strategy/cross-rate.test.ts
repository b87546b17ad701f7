import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { Limits } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { DEMO_MARKET, type PairParameters } from "../../src/simulator/market/parameters.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { crossRate } from "../../src/strategy/cross-rate.ts";
import { saveState } from "../../src/strategy/state.ts";
import { circlesOf } from "../../src/strategy/triangle.ts";
import { backtestOf, MINUTE } from "../backtest/stage.ts";
import { type StrategyBench, strategyBench } from "../support/strategy-bench.ts";

const PARAMS = { profitMin: 0, pauseMs: 0 };
const SYMBOLS = ["VCHF/CHF", "USDC/CHF", "VCHF/USDC"];
/** The rules on orders that come again are not what is tested here. */
const LIMITS = {
  offsetWindowMs: "off: a test",
  duplicateWindowMs: "off: a test",
  lossesMax: 1_000,
  rejectsMax: 1_000,
  rejectsPerSymbolMax: 1_000,
  ordersPerMinuteMax: "off: a test",
} as const;

function benchOf(
  params: Readonly<Record<string, unknown>> = {},
  usd = "50000",
  strategy = crossRate,
  limits: Partial<Limits> = {},
): StrategyBench {
  return strategyBench(strategy, {
    symbols: SYMBOLS,
    balances: { CHF: "50000", VCHF: "50000", USDC: usd },
    params: { ...PARAMS, ...params },
    fair: { "USDC/CHF": 0.8, "VCHF/USDC": 1.25 },
    limits: { ...LIMITS, ...limits },
  });
}

type Mids = { readonly peg?: number; readonly dollar?: number; readonly cross?: number };

/** One answer of the venue: all pairs at the same moment, a second after what was before. */
function look(bench: StrategyBench, { peg = 1, dollar = 0.8, cross = 1.25 }: Mids = {}): void {
  bench.pass(1_000);
  tell(bench, "VCHF/CHF", peg);
  tell(bench, "USDC/CHF", dollar);
  tell(bench, "VCHF/USDC", cross);
}

/** Two basis points to either side of the middle. */
function tell(bench: StrategyBench, symbol: string, mid: number): void {
  const sizes = { bidSize: undefined, askSize: undefined };
  const prices = { symbol: symbol as PairSymbol, bid: mid * 0.9998, ask: mid * 1.0002, ...sizes };
  bench.send({ kind: "quote", ...prices, source: "venue", at: undefined, receivedAt: bench.now });
}

/** The cross is 30 bp too dear: sell VCHF for USDC, USDC for CHF, and buy VCHF back with CHF. */
const DEAR = { cross: 1.25 * 1.003 };

describe("triangles over the graph of pairs", () => {
  it("are found in both directions, each leg beginning where the one before ended", () => {
    const circles = circlesOf(["VCHF/CHF", "USDC/CHF", "VCHF/USDC", "VGBP/VCHF", "VGBP/USDC", "VGBP/GBP"]);
    const texts = circles.map((circle) => circle.map(({ side, symbol }) => `${side} ${symbol}`).join(", "));
    expect(texts).toEqual([
      "sell VCHF/CHF, buy USDC/CHF, buy VCHF/USDC",
      "sell VCHF/USDC, sell USDC/CHF, buy VCHF/CHF",
      "sell VCHF/USDC, buy VGBP/USDC, sell VGBP/VCHF",
      "buy VGBP/VCHF, sell VGBP/USDC, buy VCHF/USDC",
    ]);
    for (const circle of circles)
      for (const [index, edge] of circle.entries()) expect(edge.to).toBe(circle[(index + 1) % 3]?.from);
  });

  it("are none where the pairs make no circle", () => {
    expect(circlesOf(["VCHF/CHF", "VGBP/GBP", "VGBP/VCHF"])).toEqual([]);
    expect(circlesOf(["VCHF/CHF", "VCHF/CHF", "VCHF/CHF"])).toEqual([]);
  });
});

describe("cross-rate", () => {
  it("does nothing while the pairs agree within spreads, leg risk and edge", () => {
    const bench = benchOf();
    look(bench);
    // 20 bp of disagreement less 6 bp of half spreads are 14. Wanted: 2, and a fifth of (4 + 2) and (4 + 4) for standing: 4.8.
    look(bench, { cross: 1.25 * 1.0005 });
    expect(bench.lines()).toEqual([]);
    look(bench, { cross: 1.25 * 1.002 });
    expect(bench.lines()).toHaveLength(1);
  });

  it("goes around one leg at a time, the coin against its own fiat first", () => {
    const bench = benchOf();
    look(bench, DEAR);
    expect(bench.lines()).toEqual([expect.stringMatching(/^buy \S+ VCHF\/CHF .*circle leaves 24\.\d bp, wanted 4\.8/)]);
    look(bench, DEAR);
    expect(bench.lines()).toEqual([]);
    bench.fill();
    expect(bench.lines()).toEqual([expect.stringMatching(/^sell \S+ (USDC\/CHF|VCHF\/USDC) .*goes on: leg 2 of 3/)]);
    bench.fill();
    expect(bench.lines()).toEqual([expect.stringMatching(/^sell \S+ (USDC\/CHF|VCHF\/USDC) .*goes on: leg 3 of 3/)]);
    bench.fill();
    look(bench);
    expect(bench.lines()).toEqual([]);
    expect(openLegs(bench)).toBe(0);
  });

  it("begins no circle of which the gate would refuse a leg: one beyond the collar, or of a pair that the limits do not list", () => {
    const bench = benchOf();
    for (let i = 0; i < 3; i++) look(bench, { cross: 1.25 * 1.0107 });
    expect([bench.lines(), openLegs(bench)]).toEqual([[], 0]);
    const symbols = ["VCHF/CHF", "USDC/CHF"] as PairSymbol[];
    const unlisted = benchOf({}, undefined, crossRate, { symbols });
    look(unlisted, DEAR);
    expect(unlisted.lines()).toEqual([]);
    // 48 bp are inside the collar of 50, and with what the price may do until the leg leaves they are not.
    look(bench, { cross: 1.25 * 1.005 });
    expect(bench.lines()).toEqual([]);
    look(bench, DEAR);
    expect(bench.lines()).toHaveLength(1);
  });

  it("leaves the pair of a leg alone for a while after the gate refused it", () => {
    const bench = benchOf({ refusedPauseMs: 60_000 });
    look(bench, DEAR);
    // What rests on them has no fair value while the second leg leaves.
    for (const symbol of ["USDC/CHF", "VCHF/USDC"]) bench.fair(symbol, undefined);
    bench.pass(6_000);
    look(bench, DEAR);
    bench.fill();
    expect(bench.lines().at(-1)).toMatch(/^refused sell .*RC0[78]/);
    for (const [symbol, price] of [
      ["USDC/CHF", 0.8],
      ["VCHF/USDC", 1.25],
    ] as const)
      bench.fair(symbol, price);
    for (let i = 0; i < 20 && openLegs(bench) > 0; i++) {
      look(bench);
      if (ordersOut(bench) > 0) bench.fill();
    }
    expect(openLegs(bench)).toBe(0);
    bench.lines();
    look(bench, DEAR);
    expect(bench.lines()).toEqual([]);
    bench.pass(60_000);
    look(bench, DEAR);
    expect(bench.lines()).toHaveLength(1);
  });

  it("gives the circle up when its first leg is killed: nothing stands", () => {
    const bench = benchOf();
    look(bench, DEAR);
    bench.kill();
    bench.lines();
    look(bench);
    expect([bench.lines(), openLegs(bench)]).toEqual([[], 0]);
  });

  it("goes back over the leg that stands when the rest of the circle has become dearer than that", () => {
    const bench = benchOf();
    look(bench, DEAR);
    bench.fill();
    bench.kill();
    bench.lines();
    look(bench, { cross: 1.25 * 0.99 });
    expect(bench.lines()).toEqual([expect.stringMatching(/^sell \S+ VCHF\/CHF .*goes back: .* bp better than around/)]);
    bench.fill();
    expect(openLegs(bench)).toBe(0);
  });

  it("has to go after three kills of a leg: the limit is wider, and it is tried until it is gone", () => {
    const bench = benchOf({ legMsMax: 600_000 });
    look(bench, DEAR);
    bench.fill();
    for (let kills = 0; kills < 3; kills++) {
      bench.kill();
      look(bench, DEAR);
    }
    const lines = bench.lines();
    expect(lines.at(-1)).toMatch(/goes on, it has to go: leg 2 of 3/);
    const limits = lines
      .filter((line) => line.includes("leg 2"))
      .map((line) => Number(/ at ([0-9.]+):/.exec(line)?.[1]));
    expect(limits.at(-1)).toBeLessThan(limits.at(-2) ?? 0);
  });

  it("goes back when the rest of the circle has no price any more", () => {
    const bench = benchOf();
    look(bench, DEAR);
    bench.fill();
    bench.kill();
    bench.lines();
    bench.pass(20_000);
    bench.quote("VCHF/CHF", 0.9998, 1.0002);
    expect(bench.lines()).toEqual([expect.stringContaining("goes back: there is no other way")]);
  });

  it("goes back, however good the rest of the circle looks, when that leads over a pair that its parameters name no more", () => {
    const leg = (side: "buy" | "sell", symbol: string) => ({ symbol, side, quantity: 1_000 });
    const standing = {
      ...crossRate,
      state: () => ({
        done: [leg("buy", "VCHF/CHF")],
        next: [leg("sell", "VCHF/USDC"), leg("sell", "USDC/CHF")],
        out: null,
        attempts: 0,
        since: 0,
        isUnwinding: false,
        isGoingBack: false,
        endedAt: 0,
      }),
    };
    const lines = (symbols: readonly string[]): readonly string[] => {
      const bench = benchOf({ symbols, legMsMax: 600_000 }, undefined, standing);
      bench.pass(1_000);
      tell(bench, "USDC/CHF", 0.8);
      tell(bench, "VCHF/USDC", DEAR.cross);
      tell(bench, "VCHF/CHF", 1);
      return bench.lines();
    };
    expect(lines(SYMBOLS)).toEqual([expect.stringMatching(/^sell \S+ VCHF\/USDC .*goes on/)]);
    expect(lines(["VCHF/CHF", "VCHF/USDC"])).toEqual([expect.stringMatching(/^sell \S+ VCHF\/CHF .*no other way/)]);
  });

  it("sends nothing while it is not known what became of a leg", () => {
    const bench = benchOf();
    look(bench, DEAR);
    bench.lines();
    for (let i = 0; i < 20; i++) look(bench, DEAR);
    expect(bench.lines()).toEqual([]);
  });

  it("takes nobody else's order for its own: what a person bought of the leg's pair fills no leg", () => {
    const bench = benchOf();
    look(bench, DEAR);
    bench.fill();
    const [leg = ""] = bench.lines().filter((line) => line.includes("leg 2"));
    const [, symbol] = /^sell \S+ (\S+)/.exec(leg) as unknown as [string, PairSymbol];
    bench.reject();
    const limit = symbol === "USDC/CHF" ? 0.7999 : 1.2535;
    const wish = { symbol, side: "sell", limit, size: 3_001, reason: "ordered by a person" } as const;
    bench.engine.wish({ ...wish, lifetimeMs: undefined }, millis(bench.now + 500));
    bench.fill();
    look(bench, DEAR);
    expect(bench.lines()).toEqual([expect.stringMatching(/^sell \S+ \S+ .*goes on: leg 2 of 3/)]);
    expect(openLegs(bench)).toBe(1);
  });

  it("makes the whole circle smaller when its first leg was made smaller", () => {
    const bench = strategyBench(crossRate, {
      symbols: SYMBOLS,
      balances: { CHF: "50000", VCHF: "50000", USDC: "50000" },
      params: PARAMS,
      fair: { "USDC/CHF": 0.8, "VCHF/USDC": 1.25 },
      limits: { ...LIMITS, assetExposureMax: Quantity.of("51000") },
    });
    look(bench, DEAR);
    expect(bench.lines()).toEqual([expect.stringMatching(/^buy (9\d\d|1000)(\.\d+)? VCHF\/CHF .*capped by/)]);
    bench.fill();
    const [line] = bench.lines();
    expect(Number(/^sell (\S+)/.exec(line ?? "")?.[1])).toBeLessThan(1_300);
  });

  it("begins nothing that it cannot pay on every leg, nothing too small, and nothing below its profit", () => {
    for (const bench of [benchOf({}, "5"), benchOf({ size: 9 }), benchOf({ profitMin: 100 })]) {
      look(bench, DEAR);
      expect(bench.lines()).toEqual([]);
    }
  });

  it("says of the next look what a circle would earn, and of a leg that stands what standing there may cost", () => {
    const bench = benchOf();
    look(bench);
    bench.pass(1_000);
    const idle = bench.worth() ?? 0;
    look(bench, { cross: 1.25 * 1.001 });
    bench.pass(1_000);
    expect(bench.worth()).toBeGreaterThan(idle);
    look(bench, DEAR);
    expect(bench.worth()).toBe(0);
    bench.fill();
    // About 2500 CHF in each of three pairs at 4 bp a minute.
    expect(bench.worth()).toBeGreaterThan(1.5);
  });
});

/** Legs of a circle that are filled and not matched. */
function openLegs({ engine }: StrategyBench): number {
  return (engine.strategy.state as { done: unknown[] }).done.length;
}

describe("whatever prices do and whatever becomes of orders", () => {
  const middle = fc.integer({ min: -60, max: 60 }).map((bps) => 1 + bps / 1e4);
  const happening = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("look"), peg: middle, dollar: middle, cross: middle }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("partial"), symbol: fc.constantFrom(...SYMBOLS), mid: middle }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("fill") }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("reject") }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.integer({ min: 100, max: 30_000 }) }) },
  );

  property.prop([fc.array(happening, { minLength: 5, maxLength: 60 })], { numRuns: 60 })(
    "one order is out at most, two legs stand at most, and no proposal rests on a missing or old price",
    (happenings) => {
      const bench = benchOf();
      const quotedAt = new Map<string, number>();
      const base = { "VCHF/CHF": 1, "USDC/CHF": 0.8, "VCHF/USDC": 1.25 } as Record<string, number>;
      const quote = (symbol: string, factor: number): void => {
        tell(bench, symbol, (base[symbol] as number) * factor);
        quotedAt.set(symbol, bench.now);
        checkLines();
      };
      const checkLines = (): void => {
        const proposed = bench.lines().filter((line) => /^(buy|sell|refused)/.test(line));
        expect(proposed.length).toBeLessThanOrEqual(1);
        for (const line of proposed) {
          const symbol = SYMBOLS.find((one) => line.includes(one)) as string;
          expect(bench.now - (quotedAt.get(symbol) ?? Number.NEGATIVE_INFINITY)).toBeLessThanOrEqual(3_000);
          if (!line.includes("circle leaves")) continue;
          for (const one of SYMBOLS)
            expect(bench.now - (quotedAt.get(one) ?? Number.NEGATIVE_INFINITY)).toBeLessThanOrEqual(3_000);
        }
        expect(ordersOut(bench)).toBeLessThanOrEqual(1);
        expect(openLegs(bench)).toBeLessThanOrEqual(2);
        expect(saveState(bench.engine.strategy.state).ok).toBe(true);
      };
      for (const one of happenings) {
        if (one.kind === "look") {
          bench.pass(1_000);
          quote("VCHF/CHF", one.peg);
          quote("USDC/CHF", one.dollar);
          quote("VCHF/USDC", one.cross);
        } else if (one.kind === "partial") quote(one.symbol, one.mid);
        else if (one.kind === "pass") bench.pass(one.ms);
        else if (ordersOut(bench) > 0) one.kind === "fill" ? bench.fill() : bench.kill();
        checkLines();
      }
    },
  );

  property.prop([fc.array(fc.boolean(), { maxLength: 12 }), fc.integer({ min: -80, max: 80 })], { numRuns: 60 })(
    "a circle that was begun ends with nothing standing, once orders fill again",
    (kills, bps) => {
      const bench = benchOf();
      look(bench, DEAR);
      bench.fill();
      const mids = { cross: 1.25 * (1 + bps / 1e4) };
      for (const isKilled of kills) {
        if (ordersOut(bench) > 0) isKilled ? bench.kill() : bench.fill();
        look(bench, mids);
      }
      // At prices that agree, so that no new circle begins.
      for (let i = 0; i < 20 && openLegs(bench) > 0; i++) {
        if (ordersOut(bench) > 0) bench.fill();
        look(bench);
      }
      expect(openLegs(bench)).toBe(0);
    },
  );
});

function ordersOut({ engine }: StrategyBench): number {
  return (engine.context.accounts as unknown as { open: ReadonlyMap<string, unknown> }).open.size;
}

describe("a short backtest of cross-rate", () => {
  const funds = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000", USDC: "100000" };
  const run = (noiseBps: number) => {
    const pair = { ...(DEMO_MARKET.pairs["VCHF/USDC"] as PairParameters), noiseBps };
    const market = { ...DEMO_MARKET, pairs: { ...DEMO_MARKET.pairs, "VCHF/USDC": pair } };
    const strategy = unwrap(prepareBuiltIn("cross-rate", {}));
    return backtestOf(strategy, 15 * MINUTE, { seed: 2, market, funds, limits: paperLimits });
  };

  it("places no order where the pairs agree within their spreads", () => {
    const { record } = run(2);
    expect([record.fills.length, record.unfilled.length, record.refusals]).toEqual([0, 0, {}]);
  });

  it("goes around and not away: what is held ends within two legs of where it began", () => {
    const { record, standing } = run(25);
    expect(standing.state).toBe("ACTIVE");
    expect(record.fills.length).toBeGreaterThan(10);
    for (const { asset, amount } of record.books.closing)
      expect(Math.abs(Number(amount) - 100_000), asset).toBeLessThan(2 * 2_500 * 1.3);
  });
});
