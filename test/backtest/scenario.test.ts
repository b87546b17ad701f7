// What must hold in each scenario of docs/guides/market.md.

import { describe, expect, it } from "vitest";
import { backtestTerms } from "../../backtest/options.ts";
import type { Backtest } from "../../backtest/run-backtest.ts";
import { replayedBooks } from "../../src/bot/bookkeeping/bookings.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { ScenarioName } from "../../src/domain/scenario.ts";
import { type Decision, isRecorded, type Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { step as stepCodec } from "../../src/journal/text/step-text.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { SCENARIOS } from "../../src/simulator/market/parameters.ts";
import { setParameters } from "../../src/simulator/market/scenario.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { backtestOf, pegArbitrage } from "./stage.ts";

const DAY = 86_400_000;
/** A Monday. */
const FROM = millis(Date.UTC(2026, 0, 5));
const LIVE = { ...backtestTerms, latencyMs: 90 };
const RARELY = { ...LIVE, quotesMs: 30_000 };

type Run = Backtest & {
  readonly approved: readonly (Decision & { readonly at: number })[];
  /** The steps that a journal keeps. */
  readonly recorded: readonly Step[];
};

function runOf(name: ScenarioName, days: number, { terms = RARELY, seed = 1 } = {}): Run {
  const approved: (Decision & { readonly at: number })[] = [];
  const recorded: Step[] = [];
  const backtest = backtestOf(pegArbitrage(), days * DAY, {
    seed,
    from: FROM,
    to: millis(FROM + days * DAY),
    limits: { ...paperLimits, referenceAgeMsMax: terms === RARELY ? 60_000 : paperLimits.referenceAgeMsMax },
    market: SCENARIOS[name],
    terms,
    watch: {
      step(step) {
        const { at, decisions } = step;
        if (isRecorded(step)) recorded.push(step);
        for (const one of decisions) if (one.verdict.kind === "approved") approved.push({ ...one, at });
      },
    },
  });
  return { ...backtest, approved, recorded };
}

/** Profit over holding, in basis points of equity, of each day. */
function daysOf({ record: { samples } }: Run): number[] {
  const ends = new Map<number, number>();
  const over = (i: number): number => (samples.equity[i] as number) - (samples.benchmark[i] as number);
  for (let i = 0; i < samples.length; i++) ends.set(Math.floor((samples.time[i] as number) / DAY), over(i));
  const rows = [...ends.values()];
  return rows.map((end, i) => ((end - (rows[i - 1] ?? over(0))) / (samples.equity[0] as number)) * 1e4);
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

describe("in the scenario", () => {
  it("calm, a week costs less than 1 bp", () => {
    expect(sum(daysOf(runOf("calm", 3)))).toBeGreaterThan(-3 / 7);
  });

  it("volatile, no day loses more than the daily limit", () => {
    const run = runOf("volatile", 1);
    expect(run.approved.length).toBeGreaterThan(100);
    expect(Math.min(...daysOf(run))).toBeGreaterThan(-Number(paperLimits.dailyLossBpsMax));
  });

  it("depeg, a coin costs at most 12 % of its cap, and the limit", () => {
    const run = runOf("depeg", 10, { seed: 6 });
    expect(run.standing.state).toBe("HALTED");
    const cap = Number(paperLimits.depegLossBpsMax);
    expect(Math.min(...daysOf(run))).toBeLessThan(-50);
    expect(Math.min(...daysOf(run))).toBeGreaterThan(-(cap + Number(paperLimits.dailyLossBpsMax)));
  });

  it("outage, no order rests on old prices", () => {
    const run = runOf("outage", 0.25, { terms: LIVE });
    const ages = run.approved.map(({ basis }) => basis.ageMs ?? Number.POSITIVE_INFINITY);
    expect(ages.length).toBeGreaterThan(50);
    expect(Math.max(...ages)).toBeLessThan(5_000);
  });

  it("one-sided, the dealer takes no more than its cap of a coin in a day", () => {
    const { fills } = runOf("one-sided", 1).record;
    expect(fills.length).toBeGreaterThan(50);
    const held = new Map<string, number>();
    for (let i = 0; i < fills.length; i++) {
      const { base, quote } = assetsOf(fills.symbol[i] as PairSymbol);
      const [bought, sold] = fills.side[i] === 0 ? [base, quote] : [quote, base];
      held.set(bought, (held.get(bought) ?? 0) + Number(fills.bought[i]));
      held.set(sold, (held.get(sold) ?? 0) - Number(fills.sold[i]));
      const coins = [...held].filter(([asset]) => asset.startsWith("V"));
      expect(Math.max(...coins.map(([, amount]) => Math.abs(amount)))).toBeLessThan(50_001);
    }
  });

  it.each([
    [1, RARELY],
    [2, LIVE],
  ])("toxic, the bot halts within 200 orders, from what is journaled alone (seed %i)", (seed, terms) => {
    const run = runOf("toxic", 0.25, { seed, terms });
    expect(run.standing.state).toBe("HALTED");
    expect(run.standing.reason).toContain("RC36: a minute after our last fills");
    expect(run.approved.length).toBeLessThan(200);
    expect(Math.min(...daysOf(run))).toBeGreaterThan(-20);
    const books = replayedBooks("CHF" as Asset);
    for (const step of run.recorded) books.replay(stepCodec.decode(JSON.parse(stepCodec.encode(step))));
    expect(books.counters.markouts.adverseBps).toBeGreaterThan(Number(paperLimits.adverseBpsMax));
  });

  it("blind, nothing is traded on quotes that are not there", () => {
    expect(runOf("blind", 1).approved).toEqual([]);
  });
});

/** A dealer whose rate is seconds old, at a narrow spread: an edge that ages (docs/guides/market.md has its figures). */
const AGEING = unwrap(
  setParameters(SCENARIOS.calibrated, [
    ...[
      "references.GBP.volatilityPerYear=0.4",
      "fx.clusterSigma=0",
      "fx.slowSigma=0",
      "fx.jumpsPerYear=0",
      "fx.crashesPerYear=0",
    ],
    ...["pegs.VGBP.deviationBps=0", "pegs.VCHF.deviationBps=0", "stress.lesserPerYear=0"],
    ...["dealing.withdrawBps=0", "dealing.waryBps=0", "dealing.holdMs=0", "dealing.impactBps=0"],
    ...["pairs.VGBP/VCHF.halfSpreadBps=0.5", "dealing.lagMinMs=1000", "dealing.lagMaxMs=5000"],
    ...["venue.errorShare=0", "venue.slowShare=0", "venue.outagesPerWeek=0"],
  ]),
);

/** Fills, and what they earned: each at the market's own rate when it filled, without later moves of the holdings. */
function earned(latencyMs: number, seed: number): { readonly fills: number; readonly chf: number } {
  const params = { symbols: ["VGBP/VCHF"], edgeBps: 0.3, sigmas: 0.3, noiseBps: 0.5, skewBps: 2, slackBps: 10 };
  const from = millis(FROM + 32 * 3_600_000);
  const { fills } = backtestOf(unwrap(prepareBuiltIn("reference-taker", params)), 0, {
    ...{ seed, from, to: millis(from + 4 * 3_600_000), market: AGEING, terms: { ...LIVE, latencyMs } },
    limits: { ...paperLimits, dailyLossBpsMax: "off: the holdings move by 2 %", drawdownBpsMax: "off: as the day" },
  }).record;
  const market = syntheticMarket(seed, AGEING);
  let chf = 0;
  for (let i = 0; i < fills.length; i++) {
    const rate = market.rate("GBP" as Asset, "CHF" as Asset, millis(fills.time[i] as number)) as number;
    const [bought, sold] = [Number(fills.bought[i]), Number(fills.sold[i])];
    chf += fills.side[i] === 0 ? bought * rate - sold : bought - sold * rate;
  }
  return { fills: fills.length, chf };
}

it("ten times the latency costs at least a fifth of what an ageing edge earns", () => {
  for (const seed of [1]) {
    const [near, far] = [earned(90, seed), earned(900, seed)];
    expect(near.fills, `seed ${seed}`).toBeGreaterThan(50);
    expect(near.chf, `seed ${seed}`).toBeGreaterThan(20);
    expect(far.chf, `seed ${seed}`).toBeLessThan(0.8 * near.chf);
  }
});
