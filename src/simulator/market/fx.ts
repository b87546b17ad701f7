// The moves of currencies beyond plain volatility, as functions of seed and time: a clock that runs faster in busy
// hours, in volatile weeks and in single quarters of an hour, and stands still at weekends; and jumps. A walk read on
// this clock has clustered volatility, heavy tails and weekend gaps.

import { type Millis, millis } from "../../domain/time.ts";
import { normal, type Stream, streamOf, uniform } from "./noise.ts";
import type { FxParameters, MarketParameters } from "./parameters.ts";
import { Path } from "./path.ts";
import { closedSince } from "./weekend.ts";

const SLOT = 900_000;
const DAY = 86_400_000;
const DAY_SLOTS = DAY / SLOT;
export const YEAR_MS = 365.25 * DAY;
/** Mean absolute return of an hour over the mean of all hours, from 00:00 UTC (docs/guides/market.md has the source). */
const HOURS = [
  0.58, 0.65, 0.6, 0.53, 0.46, 0.51, 0.77, 1.28, 1.7, 1.68, 1.4, 1.36, 1.38, 1.39, 1.48, 1.65, 1.2, 0.98, 0.88, 0.75,
  0.7, 0.7, 0.59, 0.62,
];
const MEAN_SQUARE = HOURS.reduce((sum, hour) => sum + hour * hour, 0) / HOURS.length;
const OPEN_SHARE = 5 / 7;
const WEEKS = YEAR_MS / DAY / 7;
/** A crash exceeds its minimum by an exponential with this mean, as a share of the minimum. */
const CRASH_TAIL = 0.3;

/** The clock at the start of each slot of a day, and how much it advances in the slot. */
type ClockDay = { readonly starts: Float64Array; readonly steps: Float64Array; readonly end: number };

/** Milliseconds of average volatility; the same as UTC at the anchor. */
export class FxClock {
  private readonly isPlain: boolean;
  private readonly parameters: MarketParameters;
  private readonly tails: Stream;
  private readonly clusters: readonly { readonly path: Path; readonly sigma: number }[];
  private readonly gapMs: number;
  /** The clock at midnight, for a gapless range of days around the anchor. */
  private readonly midnights: Map<number, number>;
  private first: number;
  private last: number;
  private day = Number.NaN;
  private today: ClockDay | undefined;

  constructor(seed: number, parameters: MarketParameters) {
    const { fx, anchor } = parameters;
    this.parameters = parameters;
    this.isPlain = fx.clusterSigma + fx.slowSigma === 0 && fx.tailDegrees === 0 && !fx.hourProfile && fx.gapBps === 0;
    this.tails = streamOf(seed, "fx-tails");
    const cluster = (name: string, deviation: number, halfLifeMs: number) => ({
      path: new Path(streamOf(seed, name), { kind: "reverting", deviation, halfLifeMs }, SLOT),
      sigma: deviation,
    });
    this.clusters = [
      cluster("fx-cluster", fx.clusterSigma, fx.clusterHalfLifeMs),
      cluster("fx-slow", fx.slowSigma, fx.slowHalfLifeMs),
    ].filter(({ sigma }) => sigma > 0);
    // All currencies share the clock, so a gap is as large as stated for the most volatile one.
    const perYear = Object.values(parameters.references).map((one) =>
      one.kind === "fiat" ? one.volatilityPerYear : 0,
    );
    this.gapMs = (fx.gapBps / 1e4 / walkPerYear(Math.max(...perYear), fx)) ** 2 * YEAR_MS;
    this.first = this.last = Math.floor(anchor / DAY);
    this.midnights = new Map([[this.first, this.first * DAY]]);
  }

  /** Where nothing but weekends is set, the clock is UTC, or the Friday's close. */
  at(at: Millis): number {
    if (this.isPlain) return this.parameters.weekendCloses ? (closedSince(at) ?? at) : at;
    const { starts, steps } = this.dayOf(at);
    const into = (at - this.day * DAY) / SLOT;
    const slot = Math.floor(into);
    return (starts[slot] as number) + (steps[slot] as number) * (into - slot);
  }

  /** The volatility of the moment over its average; 1 while currencies are closed. */
  volatility(at: Millis): number {
    if (this.isPlain) return 1;
    const step = this.dayOf(at).steps[Math.floor((at % DAY) / SLOT)] as number;
    return step === 0 ? 1 : Math.sqrt(step / SLOT);
  }

  private dayOf(at: Millis): ClockDay {
    const day = Math.floor(at / DAY);
    if (day !== this.day || this.today === undefined) {
      this.today = this.filled(day, this.midnight(day));
      this.day = day;
    }
    return this.today;
  }

  private midnight(day: number): number {
    const { midnights } = this;
    for (; this.last < day; this.last++) {
      const start = midnights.get(this.last) as number;
      midnights.set(this.last + 1, this.filled(this.last, start).end);
    }
    for (; this.first > day; this.first--) {
      const end = midnights.get(this.first) as number;
      midnights.set(this.first - 1, 2 * end - this.filled(this.first - 1, end).end);
    }
    return midnights.get(day) as number;
  }

  private filled(day: number, start: number): ClockDay {
    const starts = new Float64Array(DAY_SLOTS);
    const steps = new Float64Array(DAY_SLOTS);
    const { weekendCloses } = this.parameters;
    const isClosed = (at: number): boolean => weekendCloses && closedSince(millis(at)) !== undefined;
    let clock = start;
    let wasClosed = isClosed(day * DAY - 1);
    for (let slot = 0; slot < DAY_SLOTS; slot++) {
      const closed = isClosed(day * DAY + slot * SLOT);
      if (wasClosed && !closed) clock += this.gapMs;
      starts[slot] = clock;
      steps[slot] = closed ? 0 : SLOT * this.speed(day * DAY_SLOTS + slot, HOURS[slot >> 2] as number);
      clock += steps[slot] as number;
      wasClosed = closed;
    }
    return { starts, steps, end: clock };
  }

  private speed(slot: number, hour: number): number {
    const { fx, weekendCloses } = this.parameters;
    const { tailDegrees, hourProfile } = fx;
    let log = 0;
    for (const { path, sigma } of this.clusters) log += 2 * path.at(slot) - 2 * sigma ** 2;
    const cluster = Math.exp(log);
    const profile = hourProfile ? (hour * hour) / MEAN_SQUARE : 1;
    // The variance of Student's t, given its chi-square.
    const tail = tailDegrees > 2 ? (tailDegrees - 2) / (2 * gamma(this.tails, slot * 16, tailDegrees / 2)) : 1;
    return (cluster * profile * tail) / (weekendCloses ? OPEN_SHARE : 1);
  }
}

/** Gamma-distributed with this shape and scale 1 (Marsaglia and Tsang). */
function gamma(stream: Stream, index: number, shape: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let draw = 0; draw < 16; draw += 2) {
    const x = normal(stream, index + draw);
    const v = (1 + c * x) ** 3;
    const u = uniform(stream, index + draw + 1) + 2 ** -33;
    if (v > 0 && Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
  return d;
}

type Jump = { readonly at: number; readonly size: number };

/** The sum of all jumps of one stream, in logarithms; at most one a day. */
export class Jumps {
  private readonly stream: Stream;
  private readonly parameters: FxParameters;
  private readonly weekendCloses: boolean;
  /** The sum at each midnight since 1970. */
  private readonly sums = [0];
  private day = Number.NaN;
  private jump: Jump | undefined;
  /** If one event is staged, no other jump happens. */
  private readonly isStaged: boolean;
  private readonly staged: Jump | undefined;

  constructor(stream: Stream, { fx, weekendCloses, staged }: MarketParameters, of: string) {
    this.stream = stream;
    this.parameters = fx;
    this.weekendCloses = weekendCloses;
    this.isStaged = staged !== undefined;
    const { kind, at = 0, of: whose } = staged?.event ?? {};
    if ((kind === "fx-jump" || kind === "fx-crash") && whose === of)
      this.staged = { at, size: this.sizeOf(Math.floor(at / DAY), kind === "fx-crash") };
  }

  at(at: Millis): number {
    const { sums } = this;
    const day = Math.floor(at / DAY);
    if (day !== this.day) {
      for (let next = sums.length; next <= day; next++)
        sums.push((sums[next - 1] as number) + (this.jumpOf(next - 1)?.size ?? 0));
      this.jump = this.jumpOf(day);
      this.day = day;
    }
    const { jump } = this;
    return (sums[day] as number) + (jump !== undefined && jump.at <= at ? jump.size : 0);
  }

  private jumpOf(day: number): Jump | undefined {
    if (this.isStaged) return Math.floor((this.staged?.at ?? -DAY) / DAY) === day ? this.staged : undefined;
    const draw = (part: number): number => uniform(this.stream, day * 8 + part);
    const { jumpsPerYear, crashesPerYear } = this.parameters;
    const days = 365.25 * (this.weekendCloses ? OPEN_SHARE : 1);
    // Half of the jumps are this stream's.
    const place = draw(0) * days * 2;
    if (place >= jumpsPerYear + crashesPerYear) return undefined;
    const at = (day + draw(1)) * DAY;
    if (this.weekendCloses && closedSince(millis(at)) !== undefined) return undefined;
    return { at, size: this.sizeOf(day, place >= jumpsPerYear) };
  }

  private sizeOf(day: number, isCrash: boolean): number {
    const draw = (part: number): number => uniform(this.stream, day * 8 + part);
    const { jumpMinBps, jumpMaxBps, crashMinBps } = this.parameters;
    const bps = isCrash
      ? crashMinBps * (1 - CRASH_TAIL * Math.log(1 - draw(2)))
      : jumpMinBps + (jumpMaxBps - jumpMinBps) * draw(2);
    return ((draw(3) < 0.5 ? -1 : 1) * bps) / 1e4;
  }
}

/** The part of a currency's volatility that is left for its walk, after jumps and gaps. */
export function walkPerYear(perYear: number, fx: FxParameters): number {
  const jump = (fx.jumpMinBps + fx.jumpMaxBps) / 2e4;
  const crash = (fx.crashMinBps * (1 + CRASH_TAIL)) / 1e4;
  const variance = fx.jumpsPerYear * jump ** 2 + fx.crashesPerYear * crash ** 2 + WEEKS * (fx.gapBps / 1e4) ** 2;
  return Math.sqrt(Math.max(perYear ** 2 / 4, perYear ** 2 - variance));
}
