// The inverse of the synthetic market: what a recording tells about its parameters, each with an interval of 95 %, and
// whether the law fits. Hours of stress are told apart by their spreads; spreads of crosses count where neither the hour
// nor a weekend widens them; currencies count while they are open, without jumps. Everything else is the scenario's.

import { assetsOf } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { FxClock, walkPerYear, YEAR_MS } from "../../src/simulator/market/fx.ts";
import { DEFAULT_MARKET } from "../../src/simulator/market/parameters.ts";
import { closedSince } from "../../src/simulator/market/weekend.ts";
import { errorOfMean, mean, normalCdf, standardDeviation } from "../metric/statistics.ts";
import { medianOf } from "./gaps.ts";
import type { QuoteSource } from "./source.ts";

export type FittedParameter = {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
};
/** Kolmogorov and Smirnov's distance to the normal law of what is left, and whether it is below the bound of 1 %. */
export type FittedLaw = { readonly what: string; readonly distance: number; readonly fits: boolean };
export type Fit = {
  readonly parameters: readonly FittedParameter[];
  readonly laws: readonly FittedLaw[];
  /** The share of hours that were set apart as stress. */
  readonly stressShare: number;
};

type Sample = { readonly at: number; readonly half: number; readonly mid: number; readonly sizes: readonly number[] };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A return over less time is mostly noise of the feed. */
const RETURN_MINUTES = 15;
const SAMPLES_MIN = 100;
/** Of the median spread: above it an hour is stress, whose spreads take days to come back. */
const STRESS = 1.25;
/** The hours of a day (UTC) before this one are those in which volatility widens hardly a spread. */
const QUIET_BEFORE = 6;
const CLOCKS = [1, 2, 3, 4, 5, 6, 7, 8];
/** A move of a quarter of an hour beyond this many of its usual size is a jump. */
const JUMP = 12;
/** The returns of a day without a weekend in it, and a few to spare. */
const FULL_DAY = 90;
/** Of the deviation of a normal sample. */
const BOUND = 1.96;
/** Lilliefors, for a law whose mean and deviation are estimated too. */
const KS_MAX = 1.031;

export function fitOf(sources: readonly QuoteSource[]): Fit {
  const fits = sources.flatMap((source) => {
    const samples = sampled(source);
    return samples.length < SAMPLES_MIN ? [] : fitted(source.symbol, samples);
  });
  return {
    parameters: fits.flatMap(({ parameters }) => parameters),
    laws: fits.flatMap(({ laws }) => laws),
    stressShare: fits.length === 0 ? 0 : mean(fits.map(({ stressShare }) => stressShare)),
  };
}

/** The first row of each minute. */
function sampled(source: QuoteSource): Sample[] {
  const samples: Sample[] = [];
  let last = -1;
  for (const { length, time, bid, ask, bidSize, askSize } of source.chunks())
    for (let row = 0; row < length; row++) {
      const at = time[row] as number;
      if (Math.floor(at / MINUTE) === last) continue;
      last = Math.floor(at / MINUTE);
      const [low, high] = [bid[row] as number, ask[row] as number];
      const sizes = [bidSize[row] as number, askSize[row] as number].filter((size) => size > 0);
      samples.push({ at, half: (high - low) / (high + low), mid: (high + low) / 2, sizes });
    }
  return samples;
}

function fitted(symbol: QuoteSource["symbol"], samples: readonly Sample[]): readonly Fit[] {
  const { pairs, pegs, references } = DEFAULT_MARKET;
  const { base, quote } = assetsOf(symbol);
  const isOpen = ({ at }: Sample): boolean => closedSince(millis(at)) === undefined;
  if (references[base] !== undefined && quote === "CHF") {
    const parameters = [volatility(`references.${base}.volatilityPerYear`, samples.filter(isOpen))];
    return [{ parameters, laws: [], stressShare: 0 }];
  }
  if (pairs[symbol] === undefined) return [];
  const isOwn = pegs[base]?.reference === quote;
  const even = isOwn ? samples : samples.filter((one) => isOpen(one) && Math.floor(one.at / HOUR) % 24 < QUIET_BEFORE);
  const hours = Map.groupBy(even, ({ at }) => Math.floor(at / HOUR));
  const usual = medianOf([...hours.values()].map(halfOf));
  const calm = [...hours.values()].filter((hour) => halfOf(hour) <= STRESS * usual);
  // Near the dealer's floor one side stands still, and the spread is not its own.
  const free = calm.map((hour) =>
    hour.filter(({ half, mid }) => half > 0 && (!isOwn || Math.abs(mid - 1) < 0.4 * usual)),
  );
  const found = [
    law(
      `pairs.${symbol}.halfSpreadBps`,
      free.map((hour) => hour.map(({ half }) => Math.log(half * 1e4))),
      isOwn ? [0, 0] : widening(free.map(([first]) => first?.at ?? 0)),
    ),
    law(
      `pairs.${symbol}.depth`,
      calm.map((hour) => hour.flatMap(({ sizes }) => sizes.map(Math.log))),
    ),
    ...(isOwn ? [peg(`pegs.${base}`, calm.flat())] : []),
  ].filter((one) => one !== undefined);
  const stressShare = 1 - calm.length / hours.size;
  return [{ parameters: found.flatMap((one) => one.parameters), laws: found.flatMap((one) => one.laws), stressShare }];
}

type Found = Pick<Fit, "parameters" | "laws">;

/** The median of a log-normal law from its hours, whose means differ by as much as chance lets them, and its shape. */
function law(name: string, hours: readonly (readonly number[])[], factors = [0, 0]): Found | undefined {
  const filled = hours.filter((hour) => hour.length > 0);
  if (filled.length < 2) return undefined;
  const means = filled.map(mean);
  const error = Math.hypot(errorOfMean(means), factors[1] as number);
  const first = filled.map((hour) => hour[0] as number);
  return {
    parameters: [scaled(name, Math.exp(mean(means) - (factors[0] as number)), error)],
    laws: standardDeviation(first) < 1e-3 ? [] : [normality(name, first)],
  };
}

/** By how much volatility widens spreads at these times, as a logarithm: as the scenario's own clock has it, and its error. */
function widening(times: readonly number[]): [number, number] {
  const { volatilityPower } = DEFAULT_MARKET.dealing;
  const means = CLOCKS.map((seed) => {
    const clock = new FxClock(seed, DEFAULT_MARKET);
    return volatilityPower * mean(times.map((at) => Math.log(Math.max(1, clock.volatility(millis(at))))));
  });
  return [mean(means), standardDeviation(means)];
}

/** The deviation of a coin from par and its half-life, as of a process that reverts (Ornstein and Uhlenbeck). */
function peg(coin: string, samples: readonly Sample[]): Found {
  const logs = new Map(samples.map(({ at, mid }) => [Math.floor(at / MINUTE), Math.log(mid)]));
  const pairs = [...logs].flatMap(([minute, log]): [number, number][] => {
    const before = logs.get(minute - RETURN_MINUTES);
    return before === undefined ? [] : [[before, log]];
  });
  const square = mean(pairs.map(([before]) => before * before));
  const kept = mean(pairs.map(([before, log]) => before * log)) / square;
  if (!(kept > 0 && kept < 1)) return { parameters: [], laws: [] };
  const ratePerMinute = -Math.log(kept) / RETURN_MINUTES;
  // The longer it takes to return, the fewer independent looks the same time has.
  const error = Math.sqrt(2 / (ratePerMinute * logs.size));
  const left = pairs.filter((_, i) => i % RETURN_MINUTES === 0).map(([before, log]) => log - kept * before);
  return {
    parameters: [
      scaled(`${coin}.deviationBps`, Math.sqrt(square) * 1e4, error / 2),
      scaled(`${coin}.halfLifeMs`, (Math.LN2 / ratePerMinute) * MINUTE, error),
    ],
    laws: [normality(coin, left)],
  };
}

/** Of a currency, jumps and gaps as the scenario has them; its clusters may last longer than the recording. */
function volatility(name: string, samples: readonly Sample[]): FittedParameter {
  const { fx, references } = DEFAULT_MARKET;
  const days = new Map<number, number[]>();
  for (let i = RETURN_MINUTES; i < samples.length; i += RETURN_MINUTES) {
    const [before, after] = [samples[i - RETURN_MINUTES] as Sample, samples[i] as Sample];
    if (after.at - before.at > 2 * RETURN_MINUTES * MINUTE) continue;
    const day = Math.floor(after.at / DAY);
    const square = (Math.log(after.mid / before.mid) ** 2 / (after.at - before.at)) * YEAR_MS * (5 / 7);
    days.set(day, [...(days.get(day) ?? []), square]);
  }
  const jump = JUMP ** 2 * mean([...days.values()].flat());
  const usual = [...days.values()].map((day) => day.filter((square) => square < jump));
  const walk = mean(usual.flat());
  const means = usual.filter((day) => day.length > FULL_DAY).map(mean);
  const elsewhere = references.GBP?.volatilityPerYear ?? 0;
  const total = Math.sqrt(walk + elsewhere ** 2 - walkPerYear(elsewhere, fx) ** 2);
  const spanMs = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  const lasting = Math.hypot(
    averaged(fx.clusterSigma, fx.clusterHalfLifeMs, spanMs),
    averaged(fx.slowSigma, fx.slowHalfLifeMs, spanMs),
  );
  return scaled(name, total, Math.hypot(errorOfMean(means) / walk / 2, lasting));
}

/** The deviation of the mean over a span of a process that reverts. */
function averaged(sigma: number, halfLifeMs: number, spanMs: number): number {
  const x = (spanMs * Math.LN2) / halfLifeMs;
  return sigma * Math.sqrt((2 * (x - 1 + Math.exp(-x))) / x ** 2);
}

/** `error`: of the logarithm. */
function scaled(name: string, value: number, error: number): FittedParameter {
  const factor = Math.exp(BOUND * error);
  return { name, value: rounded(value), low: rounded(value / factor), high: rounded(value * factor) };
}

function normality(what: string, values: readonly number[]): FittedLaw {
  const [centre, spread] = [mean(values), standardDeviation(values)];
  const sorted = values.map((value) => (value - centre) / spread).sort((one, other) => one - other);
  const n = sorted.length;
  const distance = Math.max(
    ...sorted.map((value, i) => Math.max(Math.abs(normalCdf(value) - i / n), Math.abs(normalCdf(value) - (i + 1) / n))),
  );
  return { what, distance: rounded(distance), fits: distance * Math.sqrt(n) < KS_MAX };
}

function halfOf(hour: readonly Sample[]): number {
  return medianOf(hour.map(({ half }) => half));
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
