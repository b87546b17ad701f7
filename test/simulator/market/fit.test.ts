import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { closedSince } from "../../../src/simulator/market/weekend.ts";

// The moments of hourly GBP/CHF and USD/CHF over ten simulated years. docs/guides/market.md has the measured ones.

const HOUR = 3_600_000;
const YEARS = 10;
const [GBP, USD, CHF] = ["GBP", "USD", "CHF"] as Asset[] as [Asset, Asset, Asset];

describe.each([1])("currencies of the calibrated market, seed %i", (seed) => {
  const { gbp, usd, hours, gaps, days } = hourly(seed);
  const moves = gbp.map(Math.abs).sort((one, other) => one - other);
  const belowBps = (share: number): number => (moves[Math.floor(share * moves.length)] as number) * 1e4;
  const logs = days.map((day) => Math.log(rootMeanSquare(day)));

  test.each<[string, number, number, number]>([
    ["volatility a year in percent", Math.sqrt((squares(gbp) + squares(gaps)) / YEARS) * 100, 7.2, 9.2],
    ["median move in bp", belowBps(0.5), 3.5, 5],
    ["99 % below, in bp", belowBps(0.99), 29, 45],
    ["99.9 % below, in bp", belowBps(0.999), 65, 105],
    ["hours above 80 bp a year", gbp.filter((move) => Math.abs(move) > 0.008).length / YEARS, 4, 10],
    ["correlation", correlation(gbp.map(clipped), usd.map(clipped)), 0.44, 0.56],
    ["quietest hour", Math.min(...profile(gbp, hours)), 0.4, 0.55],
    ["busiest hour", Math.max(...profile(gbp, hours)), 1.55, 1.85],
    ["weekend gap in bp", rootMeanSquare(gaps) * 1e4, 14, 25],
    ["deviation of the log of a day's volatility", Math.sqrt(squares(centred(logs)) / logs.length), 0.34, 0.46],
    ["its autocorrelation at a day", correlation(centred(logs).slice(1), centred(logs).slice(0, -1)), 0.25, 0.55],
    ["and at ten days", correlation(centred(logs).slice(10), centred(logs).slice(0, -10)), 0.1, 0.45],
  ])("%s: %d is from %d to %d", (_, value, low, high) => {
    expect(value).toBeGreaterThan(low);
    expect(value).toBeLessThan(high);
  });
});

type Hourly = { gbp: number[]; usd: number[]; hours: number[]; gaps: number[]; days: number[][] };

function hourly(seed: number): Hourly {
  const market = syntheticMarket(seed, SCENARIOS.calibrated);
  const log = (asset: Asset, at: number): number => Math.log(market.rate(asset, CHF, millis(at)) ?? Number.NaN);
  const found: Hourly = { gbp: [], usd: [], hours: [], gaps: [], days: [] };
  const from = Date.UTC(2026, 0, 1);
  let before = { gbp: log(GBP, from), usd: log(USD, from), isClosed: false };
  let day: number[] = [];
  for (let at = from + HOUR; at < from + YEARS * 365.25 * 24 * HOUR; at += HOUR) {
    if (closedSince(millis(at)) !== undefined) {
      before.isClosed = true;
      continue;
    }
    const now = { gbp: log(GBP, at), usd: log(USD, at), isClosed: false };
    const hour = new Date(at - HOUR).getUTCHours();
    if (before.isClosed) found.gaps.push(now.gbp - before.gbp);
    else {
      found.gbp.push(now.gbp - before.gbp);
      found.usd.push(now.usd - before.usd);
      found.hours.push(hour);
      day.push(now.gbp - before.gbp);
    }
    if (hour === 23) {
      if (day.length >= 20) found.days.push(day);
      day = [];
    }
    before = now;
  }
  return found;
}

function profile(moves: readonly number[], hours: readonly number[]): number[] {
  const sums = Array.from({ length: 24 }, () => ({ sum: 0, count: 0 }));
  for (const [i, hour] of hours.entries()) {
    const one = sums[hour] as (typeof sums)[number];
    one.sum += Math.abs(moves[i] as number);
    one.count++;
  }
  const means = sums.map(({ sum, count }) => sum / count);
  const mean = means.reduce((total, one) => total + one, 0) / means.length;
  return means.map((one) => one / mean);
}

function squares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(squares(values) / values.length);
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function correlation(one: readonly number[], other: readonly number[]): number {
  return (
    one.reduce((sum, value, i) => sum + value * (other[i] as number), 0) / Math.sqrt(squares(one) * squares(other))
  );
}

function clipped(move: number): number {
  return Math.max(-0.005, Math.min(0.005, move));
}
