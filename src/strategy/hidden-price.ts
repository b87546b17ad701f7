// What order outcomes teach about the prices of a pair that the venue does not show. In basis points of fair value the
// hidden mid strays by x, which reverts to zero, and each side costs h more. The hypotheses differ in how far and for how
// long x strays, and in h; each is a normal distribution of x and h, weighted by how well it foresaw the outcomes. What
// the chances of all together miss, a running correction adds.

import type { Side } from "../domain/order.ts";
import { corrected, faded, type SavedCorrection, taught, UNCORRECTED } from "./correction.ts";
import type { HiddenSideView, HiddenView } from "./view.ts";

const BPS = 1e4;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Standard deviations of x in basis points, and its half-lives. */
const STRAYS = [1, 2, 12, 24];
const HALF_LIVES_MS = [10 * MINUTE_MS, 40 * MINUTE_MS, 160 * MINUTE_MS, 640 * MINUTE_MS];
/** h before any outcome, and its standard deviation as a share. */
const HALF_SPREADS = [2, 4, 8, 15];
const SPREAD_SD = 0.25;
const HYPOTHESES = STRAYS.flatMap((stray) =>
  HALF_LIVES_MS.flatMap((_, life) => HALF_SPREADS.map((half) => ({ life, stray, half, hh: (SPREAD_SD * half) ** 2 }))),
);
const PRIOR = 1 / HYPOTHESES.length;
/** The variance of a price around x and h. */
const NOISE = 0.5 ** 2 + 1.2 ** 2;
/**
 * The half-lives with which weights return: those of how far and how long x strays, and those of h, with h itself. At each
 * outcome all return a little: a market that changes is learnt anew.
 */
const STRAYS_MS = 24 * HOUR_MS;
const FORGET_MS = 14 * STRAYS_MS;
const FORGOTTEN = 0.001;
/** Hypotheses of less weight are left out of views. */
const WEIGHT_MIN = 5e-4;
/** Orders that fill at no price (a dealer's last look, a price that moved) of all: what is believed before the first. */
const REFUSED: Refused = [0.6, 20];
/** An unfilled order was too large if its price fills with at least this chance; that counts for an hour. */
const FILLS_CHANCE = 0.8;
const TOO_LARGE_MS = HOUR_MS;
/** The interval of views. */
const [LOW, HIGH] = [0.05, 0.95];
const Z_MIN = -6;
/** Beyond any price in basis points of fair value. */
const COST_MAX = 500;

/** Of one hypothesis: its weight, the means of x and h, their variances and covariance. */
type Moments = [weight: number, x: number, h: number, xx: number, xh: number, hh: number];
type Refused = readonly [refused: number, orders: number];
type Size = { readonly filled: number; readonly unfilled?: { readonly size: number; readonly at: number } };

export type SavedHiddenPrice = {
  readonly at: number;
  /** Of the last outcome that said something about the price; 0 before. */
  readonly fair: number;
  readonly moments: readonly Readonly<Moments>[];
  readonly sizes: Readonly<Record<Side, Size>>;
  readonly correction: SavedCorrection;
  readonly refused: Refused;
  /** The limit of the last order of each side, in basis points beyond fair value. */
  readonly asked: Partial<Readonly<Record<Side, number>>>;
};

/** `price`: the price that a fill paid, or the limit of an order that did not fill. */
export type Outcome = {
  readonly side: Side;
  readonly price: number;
  /** Of a fill. */
  readonly limit?: number;
  /** Of a limit that was drawn. */
  readonly odds?: number | undefined;
  readonly size: number;
  /** At the decision. */
  readonly fair: number;
  readonly at: number;
};

const NO_SIZES: SavedHiddenPrice["sizes"] = { buy: { filled: 0 }, sell: { filled: 0 } };

/** What one side costs a caller beyond fair value, in basis points. */
type Cost = { readonly weight: number; readonly mean: number; readonly deviation: number };
/** The logarithm of an outcome's likelihood, and its first and second derivatives by the mean. */
type Lesson = { readonly log: number; readonly slope: number; readonly curve: number };

export class HiddenPrice {
  #state: SavedHiddenPrice | undefined;
  /** The last lower end, in basis points: equity asks for it at every price. */
  #low: { readonly of: SavedHiddenPrice; readonly minute: number; readonly bps: number } | undefined;

  constructor(saved?: SavedHiddenPrice) {
    this.#state = saved;
  }

  /** Plain data; undefined before the first outcome. */
  save(): SavedHiddenPrice | undefined {
    return this.#state;
  }

  filled(outcome: Outcome): void {
    const { side, size, at } = outcome;
    const costBps = costOf(outcome);
    this.#correct(outcome, "filled");
    this.#learn(outcome, (mean, deviation) => {
      const z = (costBps - mean) / deviation;
      return { log: -(z ** 2) / 2 - Math.log(deviation), slope: z / deviation, curve: -1 / deviation ** 2 };
    });
    const { filled, unfilled } = this.#sizeOf(side, at);
    const isKept = unfilled !== undefined && unfilled.size > size;
    this.#resize(side, { filled: Math.max(filled, size), ...(isKept ? { unfilled } : {}) });
  }

  /** `isSure`: the price alone was the reason, as outside the venue's band. */
  unfilled(outcome: Outcome, isSure: boolean): void {
    const { side, size, at } = outcome;
    const limitBps = costOf(outcome);
    const share = isSure ? 1 : this.#shareAt(at);
    const before = this.#sizeOf(side, at);
    const isKnown = before.unfilled !== undefined && size >= before.unfilled.size;
    const chance = this.#shareAt(at) * below(costsOf(side, this.#momentsAt(at)), limitBps);
    // Unfilled for its size, it says nothing about the price.
    if (size > before.filled && (isKnown || chance >= FILLS_CHANCE) && !isSure) {
      this.#state = this.#stateAt(outcome);
      const least = Math.min(size, before.unfilled?.size ?? size);
      this.#resize(side, { ...before, unfilled: { size: least, at } });
      return;
    }
    this.#correct(outcome, isSure ? "out of band" : "unfilled");
    this.#learn(outcome, (mean, deviation) => {
      const z = Math.min(6, (limitBps - mean) / deviation);
      const likelihood = 1 - share * cumulative(z);
      const slope = (share * density(z)) / (deviation * likelihood);
      return { log: Math.log(likelihood), slope, curve: slope * (z / deviation - slope) };
    });
    this.#resize(side, before);
  }

  view(fair: number, at: number): HiddenView {
    const moments = this.#heavyAt(at);
    return Object.freeze({ bid: this.#side("sell", fair, at, moments), ask: this.#side("buy", fair, at, moments) });
  }

  /** The lower end of the bid's interval; undefined before the first outcome that says something of it. Without a fair value the last one counts. */
  low(fair: number, at: number): number | undefined {
    const state = this.#state;
    if (state === undefined || state.fair === 0) return undefined;
    const minute = Math.floor(at / MINUTE_MS);
    if (this.#low?.of !== state || this.#low.minute !== minute)
      this.#low = { of: state, minute, bps: quantile(costsOf("sell", this.#momentsAt(minute * MINUTE_MS)), HIGH) };
    return (Number.isNaN(fair) ? state.fair : fair) * (1 - this.#low.bps / BPS);
  }

  #side(side: Side, fair: number, at: number, moments: readonly Moments[]): HiddenSideView {
    const costs = costsOf(side, moments);
    const sign = side === "buy" ? 1 : -1;
    const priceAt = (part: number): number => fair * (1 + (sign * quantile(costs, part)) / BPS);
    const { filled, unfilled } = this.#sizeOf(side, at);
    const isTooLarge = (size: number): boolean => unfilled !== undefined && size >= unfilled.size;
    const asked = this.#state?.asked[side];
    const [share, correction] = [this.#shareAt(at), this.#correctionAt(at)];
    const since = this.#state?.at;
    return Object.freeze({
      get price() {
        return priceAt(0.5);
      },
      get low() {
        return priceAt(side === "buy" ? LOW : HIGH);
      },
      get high() {
        return priceAt(side === "buy" ? HIGH : LOW);
      },
      asked: asked === undefined ? undefined : fair * (1 + (sign * asked) / BPS),
      sizeMax: unfilled && Math.max(filled, unfilled.size / 2),
      chance: (limit: number, size: number) =>
        isTooLarge(size) ? 0 : corrected(correction, share * below(costs, costOf({ side, price: limit, fair }))),
      gain: (limit: number, size: number) => {
        if (isTooLarge(size)) return 0;
        const limitBps = costOf({ side, price: limit, fair });
        let [sum, chance] = [0, 0];
        for (const { weight, mean, deviation } of costs) {
          const z = (limitBps - mean) / deviation;
          // Beyond it a fill is worth nothing.
          if (z < Z_MIN) continue;
          const below = cumulative(z);
          chance += weight * below;
          sum += weight * Math.max(0, deviation * density(z) - mean * below);
        }
        return chance <= 0 ? 0 : (corrected(correction, share * chance) / chance) * sum * (fair / BPS);
      },
      ageMs: since === undefined ? undefined : Math.max(0, at - since),
    });
  }

  #learn({ side, fair, at }: Outcome, lesson: (mean: number, deviation: number) => Lesson): void {
    const sign = side === "buy" ? 1 : -1;
    const moments = this.#momentsAt(at);
    const lessons = moments.map((one) => {
      const { mean, deviation } = ofSide(one, sign);
      return lesson(mean, deviation);
    });
    // Relative to the best one: far from all hypotheses each likelihood by itself would be zero.
    const best = Math.max(...lessons.map(({ log }) => log));
    let sum = 0;
    for (const [place, { log, slope, curve }] of lessons.entries()) {
      const one = moments[place] as Moments;
      const [, , , xx, xh, hh] = one;
      const [toX, toH] = [sign * xx + xh, sign * xh + hh];
      one[0] *= Math.exp(log - best);
      one[1] += toX * slope;
      one[2] += toH * slope;
      one[3] += toX * toX * curve;
      one[4] += toX * toH * curve;
      one[5] += toH * toH * curve;
      sum += one[0];
    }
    for (const one of moments) one[0] = (1 - FORGOTTEN) * (one[0] / sum) + FORGOTTEN * PRIOR;
    const { at: before, ...state } = this.#state as SavedHiddenPrice;
    this.#state = { ...state, at: Math.max(before, at), fair, moments };
  }

  #correct(outcome: Outcome, end: "filled" | "unfilled" | "out of band"): void {
    const { side, at, odds } = outcome;
    const state = this.#stateAt(outcome);
    const [refused, orders] = state.refused;
    const share = 1 - refused / orders;
    const chance = share * below(costsOf(side, this.#momentsAt(at)), state.asked[side] as number);
    const isFilled = end === "filled";
    // An order that its price should have filled was refused.
    const guilt = end === "unfilled" ? (1 - share) / (1 - chance) : 0;
    this.#state = {
      ...state,
      correction: taught(state.correction, { chance, isFilled, odds }),
      refused: [refused + guilt, orders + (isFilled ? 1 : guilt)],
    };
  }

  /** As of an outcome that teaches nothing but that it was asked. */
  #stateAt({ side, fair, price, limit = price, at }: Outcome): SavedHiddenPrice {
    const { at: before = at, fair: known = 0, sizes = NO_SIZES, asked = {} } = this.#state ?? {};
    return {
      ...{ at: Math.max(before, at), fair: known, moments: this.#momentsAt(at), sizes },
      ...{ correction: this.#correctionAt(at), refused: this.#refusedAt(at) },
      asked: { ...asked, [side]: costOf({ side, price: limit, fair }) },
    };
  }

  #correctionAt(at: number): SavedCorrection {
    const { at: before, correction = UNCORRECTED } = this.#state ?? {};
    return before === undefined ? correction : faded(correction, Math.max(0, at - before));
  }

  #refusedAt(at: number): Refused {
    const { at: before = at, refused = REFUSED } = this.#state ?? {};
    const keeps = 2 ** (-Math.max(0, at - before) / FORGET_MS);
    return [REFUSED[0] + (refused[0] - REFUSED[0]) * keeps, REFUSED[1] + (refused[1] - REFUSED[1]) * keeps];
  }

  /** Of orders, those that fill where their price lets them. */
  #shareAt(at: number): number {
    const [refused, orders] = this.#refusedAt(at);
    return 1 - refused / orders;
  }

  #resize(side: Side, size: Size): void {
    const { sizes, ...state } = this.#state as SavedHiddenPrice;
    this.#state = { ...state, sizes: { ...sizes, [side]: size } };
  }

  /** Without an unfilled size that is too long ago. */
  #sizeOf(side: Side, at: number): Size {
    const { filled, unfilled } = this.#state?.sizes[side] ?? { filled: 0 };
    return unfilled === undefined || at - unfilled.at > TOO_LARGE_MS ? { filled } : { filled, unfilled };
  }

  /** What was known, returning to what was known before the first outcome. */
  #momentsAt(at: number, weightMin = 0): Moments[] {
    const { moments, at: before } = this.#state ?? {};
    if (moments === undefined || before === undefined)
      return HYPOTHESES.map(({ stray, half, hh }) => [PRIOR, 0, half, stray ** 2, 0, hh]);
    const ms = Math.max(0, at - before);
    const [keeps, stays] = [2 ** (-ms / FORGET_MS), 2 ** (-ms / STRAYS_MS)];
    const halves = new Float64Array(HALF_SPREADS.length);
    for (let place = 0; place < moments.length; place++)
      (halves[place % halves.length] as number) += (moments[place] as Moments)[0];
    const targets = halves.map((weight) => PRIOR + (weight * halves.length * PRIOR - PRIOR) * keeps);
    const lefts = HALF_LIVES_MS.map((halfLifeMs) => 2 ** (-ms / halfLifeMs));
    const known: Moments[] = [];
    for (let place = 0; place < moments.length; place++) {
      const [before, x, h, xx, xh, hh] = moments[place] as Moments;
      const target = targets[place % targets.length] as number;
      const weight = target + (before - target) * stays;
      if (weight < weightMin) continue;
      const { life, stray, half, hh: halfVariance } = HYPOTHESES[place] as (typeof HYPOTHESES)[number];
      const left = lefts[life] as number;
      known.push([
        weight,
        x * left,
        half + (h - half) * keeps,
        stray * stray + (xx - stray * stray) * left * left,
        xh * left * keeps,
        halfVariance + (hh - halfVariance) * keeps * keeps,
      ]);
    }
    return known;
  }

  #heavyAt(at: number): readonly Moments[] {
    const moments = this.#momentsAt(at, WEIGHT_MIN);
    let sum = 0;
    for (const [weight] of moments) sum += weight;
    for (const one of moments) one[0] /= sum;
    return moments;
  }
}

function costOf({ side, price, fair }: Pick<Outcome, "side" | "price" | "fair">): number {
  return (side === "buy" ? price / fair - 1 : 1 - price / fair) * BPS;
}

function costsOf(side: Side, moments: readonly Moments[]): readonly Cost[] {
  return moments.map((one) => ofSide(one, side === "buy" ? 1 : -1));
}

function ofSide([weight, x, h, xx, xh, hh]: Moments, sign: number): Cost {
  return { weight, mean: sign * x + h, deviation: Math.sqrt(xx + hh + 2 * sign * xh + NOISE) };
}

function below(costs: readonly Cost[], limitBps: number): number {
  let sum = 0;
  for (const { weight, mean, deviation } of costs) sum += weight * cumulative((limitBps - mean) / deviation);
  return sum;
}

function quantile(costs: readonly Cost[], part: number): number {
  let [low, high] = [-COST_MAX, COST_MAX];
  for (let halvings = 0; halvings < 20; halvings++) {
    const middle = (low + high) / 2;
    if (below(costs, middle) < part) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Abramowitz and Stegun 26.2.17: the error is below 7.5e-8. */
function cumulative(z: number): number {
  if (z < 0) return 1 - cumulative(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - density(z) * tail;
}
