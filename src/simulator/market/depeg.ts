// De-pegs. An issuer's coins fall together: an event is the issuer's, and each coin adds a part of its own. An event is
// drawn from the day on which it begins and lasts over any midnight: a lesser one, a flash, a bank weekend, or the end of
// the issuer, which nothing brings back. A pure function of seed and time.

import type { Closure } from "./market.ts";
import { normal, type Stream, streamOf, uniform } from "./noise.ts";
import type { EventKind, MarketParameters, StressParameters } from "./parameters.ts";
import { Path } from "./path.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR_DAYS = 365.25;
/** Spreads stay this wide when an event is over, as a share of the widest, and come back with this half-life. */
const WARY = 0.5;
const WARY_HALF_LIFE_MS = DAY;
const WARY_DAYS = 6;
/** The share of an event in which it rises; of a lesser one up to the second figure. */
const RISE = 0.1;
const RISE_MAX = 0.6;
/** Where the first of two dips would end, and where the second begins. */
const FIRST_ENDS = 0.6;
const SECOND_BEGINS = 0.45;
/** Friday, 21:00 UTC, in a week that begins on 1970-01-01, a Thursday. */
const FRIDAY_EVENING = DAY + 21 * HOUR;
/** An end takes half of its loss in the first hour, and half of the rest in each of these. */
const END_HALF_MS = 12 * HOUR;
const LOSS_MAX = 0.999;
/** A return to par is noisy with this half-life. */
const NOISE_HALF_LIFE_MS = 20 * 60_000;
const NOISE_GRID_MS = 1_000;

/** `loss`: the share of its value that a coin loses at the worst. */
type Depeg = {
  readonly startAt: number;
  readonly lengthMs: number;
  readonly loss: number;
  readonly rise: number;
  /** The size of a second dip over that of the first; 0 without one. */
  readonly again: number;
  readonly closure: Closure;
};

type Causes = Pick<MarketParameters, "stress" | "anchor" | "staged">;

export class Issuer {
  readonly noise: Path;
  private readonly stream: Stream;
  private readonly stress: StressParameters;
  private readonly firstDay: number;
  private readonly reachDays: number;
  /** Only the staged event, if there is one, and none by chance. */
  private readonly isStaged: boolean;
  private readonly staged: Depeg | undefined;
  /** The issuer's end, if there is one before this day. */
  private end: Depeg | undefined;
  private searched: number;
  private day = Number.NaN;
  private today: readonly Depeg[] = [];

  constructor(seed: number, name: string, { stress, anchor, staged }: Causes) {
    this.stream = streamOf(seed, `issuer:${name}`);
    this.noise = noiseOf(streamOf(seed, `issuer-noise:${name}`));
    this.isStaged = staged?.issuers.includes(name) === true;
    this.stress = stress;
    this.firstDay = this.searched = Math.floor(anchor / DAY);
    this.reachDays =
      Math.ceil(Math.max(stress.lesserMaxMs, stress.flashMaxMs, stress.collapseMaxMs) / DAY) + 7 + WARY_DAYS;
    const { kind = "outage", of, at = 0 } = staged?.event ?? {};
    const made = of === name ? MADE[kind] : undefined;
    const day = Math.floor(at / DAY);
    if (made !== undefined) this.staged = { ...made(stress, this.drawsOf(day, made), day), startAt: at };
  }

  /** Those that can be under way on the day of `at`, or still widen spreads. */
  at(at: number): readonly Depeg[] {
    const day = Math.floor(at / DAY);
    if (day !== this.day) {
      this.day = day;
      this.today = this.listed(day);
    }
    return this.today;
  }

  private listed(day: number): readonly Depeg[] {
    const found: (Depeg | undefined)[] = [this.staged];
    const { lesserPerYear, flashesPerYear, collapsesPerYear, endsPerYear } = this.stress;
    if (!this.isStaged) {
      // A bank weekend that is drawn for a later day may begin on the Friday before.
      for (let one = day - this.reachDays; one <= day + 5; one++)
        found.push(
          this.drawn(one, lesser, lesserPerYear),
          this.drawn(one, flash, flashesPerYear),
          this.drawn(one, collapse, collapsesPerYear),
        );
      if (endsPerYear > 0)
        for (; this.end === undefined && this.searched <= day; this.searched++)
          this.end = this.drawn(this.searched, end, endsPerYear);
      found.push(this.end);
    }
    return found.filter(
      (one) =>
        one !== undefined && one.startAt < (day + 1) * DAY && one.startAt + one.lengthMs + WARY_DAYS * DAY > day * DAY,
    ) as Depeg[];
  }

  /** The event of this kind that begins on the day; undefined without one. */
  private drawn(day: number, made: Made, perYear: number): Depeg | undefined {
    if (perYear === 0 || day < this.firstDay) return undefined;
    const draws = this.drawsOf(day, made);
    return draws.at(0) * YEAR_DAYS < perYear ? made(this.stress, draws, day) : undefined;
  }

  private drawsOf(day: number, made: Made): Draws {
    const { stream } = this;
    const first = PLACES.indexOf(made) * 2 ** 40 + day * 8;
    return { at: (part) => uniform(stream, first + part), normal: (part) => normal(stream, first + part) };
  }
}

type Draws = { readonly at: (part: number) => number; readonly normal: (part: number) => number };
/** An event that is drawn for this day. */
type Made = (stress: StressParameters, draw: Draws, day: number) => Depeg;

const lesser: Made = (stress, draw, day) => {
  const { lesserMinBps, lesserMaxBps, lesserMinMs, lesserMaxMs, twiceShare } = stress;
  // Log-normal, with the limits two deviations from the median.
  const log = Math.log(lesserMinMs) + Math.log(lesserMaxMs / lesserMinMs) * (0.5 + draw.normal(6) / 4);
  const lengthMs = Math.min(lesserMaxMs, Math.max(lesserMinMs, Math.exp(log)));
  const loss = (lesserMinBps + draw.at(2) * (lesserMaxBps - lesserMinBps)) / 1e4;
  const again = draw.at(3) < twiceShare ? 0.5 + 0.5 * draw.at(4) : 0;
  const rise = RISE + (RISE_MAX - RISE) * draw.at(5);
  return { startAt: (day + draw.at(1)) * DAY, lengthMs, loss, rise, again, closure: "redemption" };
};

const flash: Made = (stress, draw, day) => {
  const { flashMinMs, flashMaxMs, flashOpenShare } = stress;
  const lengthMs = flashMinMs + draw.at(3) * (flashMaxMs - flashMinMs);
  const closure = draw.at(4) < flashOpenShare ? "open" : "redemption";
  const loss = collapsed(stress, draw.at(2));
  return { startAt: (day + draw.at(1)) * DAY, lengthMs, loss, rise: RISE, again: 0, closure };
};

const collapse: Made = (stress, draw, day) => {
  const { collapseMinMs, collapseMaxMs } = stress;
  const evening = Math.floor(day / 7) * 7 * DAY + FRIDAY_EVENING;
  const startAt = draw.at(4) < 0.5 ? evening : (day + draw.at(1)) * DAY;
  const lengthMs = collapseMinMs + draw.at(3) * (collapseMaxMs - collapseMinMs);
  return { startAt, lengthMs, loss: collapsed(stress, draw.at(2)), rise: RISE, again: 0, closure: "redemption" };
};

const end: Made = (stress, draw, day) => {
  const loss = endLoss(draw.at(2), stress.endMinBps);
  const startAt = (day + draw.at(1)) * DAY;
  return { startAt, lengthMs: Number.POSITIVE_INFINITY, loss, rise: RISE, again: 0, closure: "frozen" };
};

/** Their places among the draws of a day. */
const PLACES: readonly Made[] = [lesser, flash, collapse, end];
const MADE: Partial<Record<EventKind, Made>> = { lesser, flash, "bank-weekend": collapse, end };

function collapsed({ collapseMinBps, collapseMaxBps }: StressParameters, draw: number): number {
  return (collapseMinBps + draw * (collapseMaxBps - collapseMinBps)) / 1e4;
}

/** Beta(2, 2) between the least loss and all of it, from a uniform draw. */
function endLoss(draw: number, minBps: number): number {
  const beta = 0.5 - Math.sin(Math.asin(1 - 2 * draw) / 3);
  return Math.min(LOSS_MAX, minBps / 1e4 + (1 - minBps / 1e4) * beta);
}

/** A coin of the issuer, as of the last look. */
export class Pegged {
  /** The change of the logarithm of its price. */
  shift = 0;
  /** From 0 to 1, the worst: spreads widen and sizes shrink with it, and for days after. */
  level = 0;
  closure: Closure = "open";
  private readonly issuer: Issuer;
  private readonly stress: StressParameters;
  private readonly stream: Stream;
  private readonly noise: Path;

  constructor(seed: number, coin: string, issuer: Issuer, stress: StressParameters) {
    this.issuer = issuer;
    this.stress = stress;
    this.stream = streamOf(seed, `depeg:${coin}`);
    this.noise = noiseOf(streamOf(seed, `depeg-noise:${coin}`));
  }

  look(at: number): void {
    this.shift = this.level = 0;
    this.closure = "open";
    for (const depeg of this.issuer.at(at)) {
      const level = levelOf(depeg, at);
      this.level = Math.max(this.level, level, wideOf(depeg, at));
      if (level === 0) continue;
      const isEnd = depeg.closure === "frozen";
      const loss = isEnd ? depeg.loss * level : depeg.loss * level * this.own(depeg, at);
      this.shift += Math.log1p(-Math.min(LOSS_MAX, loss));
      // For an hour a strategy that takes it for a dip can still buy.
      const closure = isEnd && at < depeg.startAt + HOUR ? "redemption" : depeg.closure;
      if (this.closure !== "frozen" && closure !== "open") this.closure = closure;
    }
  }

  /** Around one: the issuer's weight is shared, the rest is the coin's. */
  private own({ startAt }: Depeg, at: number): number {
    const { sharedWeight, noise } = this.stress;
    const size = sharedWeight + (1 - sharedWeight) * 2 * uniform(this.stream, Math.floor(startAt / 1_000));
    const cell = Math.floor(at / NOISE_GRID_MS);
    const moved = sharedWeight * this.issuer.noise.at(cell) + (1 - sharedWeight) * this.noise.at(cell);
    return size * Math.max(0, 1 + noise * moved);
  }
}

function noiseOf(stream: Stream): Path {
  return new Path(stream, { kind: "reverting", deviation: 1, halfLifeMs: NOISE_HALF_LIFE_MS }, NOISE_GRID_MS);
}

/** From 0 (none) to 1 (the worst). */
function levelOf({ startAt, lengthMs, rise, again }: Depeg, at: number): number {
  if (at <= startAt) return 0;
  if (lengthMs === Number.POSITIVE_INFINITY) {
    const hours = (at - startAt) / HOUR;
    return hours < 1 ? hours / 2 : 1 - 0.5 * 2 ** (-(at - startAt - HOUR) / END_HALF_MS);
  }
  const part = (at - startAt) / lengthMs;
  if (again === 0) return dipped(part, rise);
  return Math.max(dipped(part / FIRST_ENDS, rise), again * dipped((part - SECOND_BEGINS) / (1 - SECOND_BEGINS), rise));
}

/** How wide spreads are at least: early in an event, and for days after it. */
function wideOf({ startAt, lengthMs, rise }: Depeg, at: number): number {
  if (at <= startAt || lengthMs === Number.POSITIVE_INFINITY) return 0;
  const afterMs = at - startAt - lengthMs;
  if (afterMs < 0) return WARY * Math.min(1, (at - startAt) / (rise * lengthMs));
  return afterMs > WARY_DAYS * DAY ? 0 : WARY * 2 ** (-afterMs / WARY_HALF_LIFE_MS);
}

function dipped(part: number, rise: number): number {
  if (part <= 0 || part >= 1) return 0;
  return part < rise ? part / rise : ((1 - part) / (1 - rise)) ** 2;
}
