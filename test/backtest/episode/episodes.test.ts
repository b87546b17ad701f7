import { describe, expect, test } from "vitest";
import {
  DAYS,
  daysOf,
  type EpisodeRun,
  episodesOf,
  type Kind,
  ratesOf,
  YEAR_DAYS,
  yearOf,
} from "../../../backtest/episode/episodes.ts";
import { heldThrough } from "../../../backtest/episode/offered.ts";
import { estimated } from "../../../backtest/metric/statistics.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { settingsIn } from "../../../src/simulator/core/settings.ts";
import { createVenue } from "../../../src/simulator/core/venue.ts";
import { emptyTop } from "../../../src/simulator/market/market.ts";
import { EVENT_KINDS, type MarketParameters, SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONDAY = millis(Date.UTC(2026, 0, 5));
const { calibrated } = SCENARIOS;

const base = {
  ...{ market: calibrated, seed: 1, from: MONDAY, to: MONDAY, limits: { currency: "CHF" } },
  funds: { CHF: "500000", VCHF: "500000", GBP: "500000", VGBP: "500000" },
} as unknown as Trial;

const top = emptyTop();
function middle(trial: Pick<Trial, "seed" | "market">, symbol: string, at: number): number {
  return syntheticMarket(trial.seed, trial.market).read(symbol as PairSymbol, millis(at), top)
    ? (top.bid + top.ask) / 2
    : Number.NaN;
}

describe("a run around an event", () => {
  const episodes = episodesOf(base, EVENT_KINDS, 3);
  const trialsOf = (kind: Kind): readonly Trial[] =>
    episodes.filter((one) => one.kind === kind).map(({ trial }) => trial);

  test("has the seed of its place, whatever its kind", () => {
    expect(episodes).toHaveLength(3 * 8);
    for (const { kind, place, trial } of episodes) {
      expect(trial.seed).toBe(1 + place);
      expect((trial.to - trial.from) / DAY).toBe(DAYS[kind]);
    }
  });

  test.each(["lesser", "flash", "bank-weekend", "end"] as const)(
    "%s: coins leave par three hours in, and in no other run",
    (kind) => {
      for (const trial of trialsOf(kind)) {
        const until = trial.from + 3 * HOUR;
        expect(Math.abs(middle(trial, "VCHF/CHF", until) - 1)).toBeLessThan(0.0015);
        const worst = Math.min(
          ...Array.from({ length: 24 }, (_, i) => middle(trial, "VCHF/CHF", until + (i + 1) * 0.5 * HOUR)),
        );
        expect(worst).toBeLessThan(0.998);
      }
      for (const trial of trialsOf("quiet"))
        for (let at: number = trial.from; at < trial.to; at += HOUR)
          expect(Math.abs(middle(trial, "VCHF/CHF", at) - 1)).toBeLessThan(0.0015);
    },
  );

  test("has the prices of its seed without the event", () => {
    const [trial] = trialsOf("lesser") as [Trial];
    const without = { ...trial, market: { ...trial.market, staged: { issuers: ["venue"] } } };
    expect(middle(trial, "VCHF/CHF", trial.from + 2 * HOUR)).toBe(middle(without, "VCHF/CHF", trial.from + 2 * HOUR));
    expect(middle(trial, "USDC/CHF", trial.from + 20 * HOUR)).toBe(middle(without, "USDC/CHF", trial.from + 20 * HOUR));
    expect(middle(trial, "VCHF/CHF", trial.from + 3.5 * HOUR)).not.toBe(
      middle(without, "VCHF/CHF", trial.from + 3.5 * HOUR),
    );
  });

  test("fx-jump: currencies move by 80 to 150 bp at once, fx-crash: by 500 or more", () => {
    for (const [kind, least, most] of [
      ["fx-jump", 70, 160],
      ["fx-crash", 480, 5_000],
    ] as const)
      for (const { seed, market, from } of trialsOf(kind)) {
        const rates = syntheticMarket(seed, market);
        const moved = (name: string): number => {
          const [before, after] = [-1_000, 1_000].map((ms) =>
            rates.rate(name as never, "CHF" as never, millis(from + 3 * HOUR + ms)),
          );
          return Math.abs(Math.log((after as number) / (before as number))) * 1e4;
        };
        const largest = Math.max(moved("GBP"), moved("USD"));
        expect(largest).toBeGreaterThan(least);
        expect(largest).toBeLessThan(most);
      }
  });

  test("outage: the venue answers nothing for 2 to 10 minutes", () => {
    const [{ seed, market, from }] = trialsOf("outage") as [Trial];
    const quiet: MarketParameters = { ...market, venue: { ...market.venue, errorShare: 0 } };
    const venue = createVenue({ market: syntheticMarket(seed, quiet), settings: { ...settingsIn(quiet), seed } });
    const isUp = (at: number): boolean => venue.quotes({ venue: millis(at), settlement: millis(at) } as never).ok;
    const down = Array.from({ length: 2 * 24 * 60 }, (_, minute) => !isUp(from + minute * 60_000 + 30_000));
    expect(down.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    expect(down.filter(Boolean).length).toBeLessThanOrEqual(10);
    expect(down.indexOf(true)).toBe(180);
  });

  test("an end takes from the opening coins what its law says, and a de-pegged coin that came back nothing", () => {
    // 500,000 VCHF and 500,000 VGBP at 1.06 are worth about 1,030,000.
    for (const trial of trialsOf("end")) expect(heldThrough(trial) / 1_030_000).toBeLessThan(-0.08);
    for (const trial of trialsOf("flash")) expect(Math.abs(heldThrough(trial) / 1_030_000)).toBeLessThan(0.002);
  });
});

test("rates are those of the market, for each issuer of held coins", () => {
  const rates = ratesOf(calibrated, ["venue"]);
  // Half of 6 jumps hit one of GBP and USD each, half both: 3 * 3.
  expect(rates).toMatchObject({ lesser: 1.5, flash: 0.15, "bank-weekend": 0.1, end: 0.02, "fx-jump": 9 });
  expect(rates.outage).toBeCloseTo(52.18, 2);
  expect(daysOf({ lesser: 2, "bank-weekend": 1 })).toBe(8);
  expect(ratesOf(SCENARIOS.demo, ["venue"])).toEqual({});
});

const ran = (kind: Kind, place: number, over: number, held = 0): EpisodeRun => ({
  ...{ kind, place, over, held, seed: place, from: MONDAY, fills: 1, orders: 2, state: "ACTIVE" },
});

describe("a year", () => {
  // Quiet days earn 1 and 3 a day; two days around a de-peg 12 and 26, so that it adds 10 and 20.
  const runs = [ran("quiet", 0, 2), ran("lesser", 0, 12, -5), ran("quiet", 1, 6), ran("lesser", 1, 26, -7)];

  test("is what quiet days earn, and what each event adds to them as often as it comes", () => {
    const { all, rows, held } = yearOf(runs, { lesser: 2 });
    // Seeds: 365.25 + 2 * 10 and 3 * 365.25 + 2 * 20.
    expect(all.mean).toBeCloseTo(2 * YEAR_DAYS + 30, 9);
    // 12.7062 * |difference| / 2, for two values.
    expect(all.high - all.mean).toBeCloseTo((12.7062 * (2 * YEAR_DAYS + 20)) / 2, 6);
    expect(rows.map(({ kind, rate, each, year }) => [kind, rate, each.mean, year.mean])).toEqual([
      ["quiet", YEAR_DAYS - 4, 2, 2 * YEAR_DAYS],
      ["lesser", 2, 15, 30],
    ]);
    expect(held).toBe(-12);
    expect(yearOf(runs, { lesser: 4 }).all.mean).toBeCloseTo(2 * YEAR_DAYS + 60, 9);
  });

  test("is compared seed by seed: what two sets have in common has no error", () => {
    const others = runs.map((run) => ({ ...run, over: run.over - (run.kind === "lesser" ? 5 : 0) }));
    const { all } = yearOf(runs, { lesser: 2 }, others);
    expect(all).toEqual({ mean: 10, low: 10, high: 10 });
  });

  test("without a figure in one run it has none", () => {
    const { all } = yearOf([...runs.slice(0, 3), ran("lesser", 1, Number.NaN)], { lesser: 2 });
    expect(all.mean).toBeNaN();
  });
});

test("an interval is as wide as Student's t for this many seeds", () => {
  // A mean of 0 whose standard error is 1: n values of plus and minus sqrt(n - 1).
  for (const [size, t] of [
    [4, 3.1824],
    [10, 2.2622],
    [12, 2.201],
    [32, 2.0395],
  ] as const) {
    const values = Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 1 : -1) * Math.sqrt(size - 1));
    expect(estimated(values).high, `${size} values`).toBeCloseTo(t, 2);
  }
});

describe("a year by episodes", () => {
  /** Buys at -20 bp or below, sells at -5 bp or better, and values what is left at the middle, in bp of the stake. */
  const earned = (trial: Pick<Trial, "seed" | "market" | "from" | "to">): number => {
    const market = syntheticMarket(trial.seed, trial.market);
    let [sum, paid] = [0, 0];
    for (let at: number = trial.from; at < trial.to; at += 15 * 60_000) {
      if (!market.read("VCHF/CHF" as PairSymbol, millis(at), top)) continue;
      if (paid === 0 && top.ask < 0.998) paid = top.ask;
      else if (paid > 0 && top.bid > 0.9995) {
        sum += top.bid - paid;
        paid = 0;
      }
    }
    return (sum + (paid === 0 ? 0 : (top.bid + top.ask) / 2 - paid)) * 1e4;
  };

  test("is spread at most a third as far as as many plain days", () => {
    const market = { ...calibrated, stress: { ...calibrated.stress, endsPerYear: 0 } };
    const rates = ratesOf(market, ["venue"]);
    const kinds = EVENT_KINDS.filter((kind) => (rates[kind] ?? 0) > 0);
    const repeats = Array.from({ length: 20 }, (_, repeat) => 9_000 + 10 * repeat);
    const byEpisode = repeats.map((seed) => {
      const episodes = episodesOf({ ...base, seed, market }, kinds, 3);
      return yearOf(
        episodes.map(({ kind, place, trial }) => ran(kind, place, earned(trial))),
        rates,
      ).all.mean;
    });
    const days = 3 * [...kinds, "quiet" as const].reduce((sum, kind) => sum + DAYS[kind], 0);
    const plain = repeats.map(
      (seed) => (earned({ seed, market, from: MONDAY, to: millis(MONDAY + days * DAY) }) * YEAR_DAYS) / days,
    );
    const [own, theirs] = [byEpisode, plain].map((values) => estimated(values));
    const spread = ({ mean, high } = { mean: 0, high: 0 }): number => high - mean;
    expect(spread(own) / spread(theirs)).toBeLessThan(1 / 3);
    // And both mean the same year: the plain one within its own interval.
    expect(own?.mean).toBeGreaterThan((theirs?.low as number) - spread(own));
    expect(own?.mean).toBeLessThan((theirs?.high as number) + spread(own));
  });
});
