// Looks at equity between trades without making an object of it: in floats, once in each interval of event time in which
// something happens. It says when an exact look is worth its cost: a new day, a new peak, or a new low of the day.

import type { Money } from "../domain/money/money.ts";
import type { Pricing } from "../market/fair.ts";
import type { Moment } from "../market/moment.ts";
import type { Rates, Route } from "../market/rate.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Figure } from "./accounts/figures.ts";

const DAY_MS = 86_400_000;
/** Lows closer together than this part of equity are one low. */
const LOW_STEP = 1e-4;
/** Twice what rounding a rate can change it by. */
const RATE_STEP = 1e-9;
/** The value of each holding is rounded down to this. */
const VALUE_STEP = 1e-18;
/** Far more than a sum of some products in floats is wrong by. */
const FLOAT_ERROR = 1e-12;
/** Between these a rate surely has steps that it can be counted in. */
const [RATE_MIN, RATE_MAX] = [1e-6, 1e6];

export class EquityWatch {
  readonly #accounts: Accounts;
  readonly #pricing: Pricing;
  private readonly moment: Moment;
  readonly #rates: Rates;
  readonly #everyMs: number;
  /** Before this there is nothing to look at. */
  dueAt = Number.NEGATIVE_INFINITY;
  #day = Number.NaN;
  #peak = Number.NEGATIVE_INFINITY;
  #low = Number.POSITIVE_INFINITY;
  #version = -1;
  #pairs = -1;
  /** So many assets are held, each with the pairs that lead to its rate; what is behind them is of no meaning. */
  #count = 0;
  readonly #routes: (Route | undefined)[] = [];
  #held = new Float64Array(0);
  /** By how much exact equity may differ from that in floats: rates are rounded to 10^-9. */
  #margin = 0;
  /** Nothing is open: equity is that of the holdings, and no less. */
  #isSettled = false;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #loweredOf: Money | undefined = undefined;
  #loweredTo = Number.NaN;
  /** Rates of what is held, as they were last, and as they were when bounds were set. */
  #last = new Float64Array(0);
  #seen = new Float64Array(0);
  #seenVersion = -1;
  /** What it was last, and at which moment. */
  #sum = Number.NaN;
  #sumSequence = -1;
  #sumNow = Number.NaN;

  constructor(accounts: Accounts, pricing: Pricing, rates: Rates, everyMs: number) {
    this.#accounts = accounts;
    this.#pricing = pricing;
    this.moment = pricing.moment;
    this.#rates = rates;
    this.#everyMs = everyMs;
  }

  /** Intervals lie on a grid, so that what is due next follows from the time alone. */
  passed(): void {
    const { now } = this.moment;
    this.dueAt = this.#everyMs > 0 ? (Math.floor(now / this.#everyMs) + 1) * this.#everyMs : now;
  }

  /**
   * Before this no quote of the venue can make a look worth it. Where par alone is behind every rate, equity is what it was
   * at the last look or unknown, whatever the venue says, until the day ends; elsewhere it is the next look.
   */
  steadyUntil(): number {
    const isSeen = this.#version === this.#accounts.version && this.#pairs === this.#pricing.pairs.size;
    // NaN while equity was never known.
    const dayEnd = (this.#day + 1) * DAY_MS;
    return isSeen && this.moment.now < dayEnd && this.#isByPar() ? Math.max(dayEnd, this.dueAt) : this.dueAt;
  }

  isWorthALook(): boolean {
    const equity = this.#equity();
    this.passed();
    if (this.#isUnmoved(equity)) return false;
    const day = Math.floor(this.moment.now / DAY_MS);
    const isNew = day !== this.#day;
    this.#day = day;
    this.#peak = isNew ? equity : Math.max(this.#peak, equity);
    this.#low = isNew ? equity : Math.min(this.#low, equity);
    return true;
  }

  /** Where it is not worth a look the look has passed; where it is, nothing has changed. */
  hasPassed(): boolean {
    const isUnmoved = this.#isUnmoved(this.#equity());
    if (isUnmoved) this.passed();
    return isUnmoved;
  }

  #isUnmoved(equity: number): boolean {
    // Unknown: nothing can be said, and nothing can be ordered either.
    if (Number.isNaN(equity)) return true;
    const isNew = Math.floor(this.moment.now / DAY_MS) !== this.#day;
    return !isNew && equity <= this.#peak && equity >= this.#low - Math.abs(this.#low) * LOW_STEP;
  }

  /** Exact equity is surely less than this. Orders that are open only make it lesser. */
  isBelow(peak: Money): boolean {
    return this.#current() + this.#margin < this.#lowered(peak);
  }

  /** Exact equity is surely more than this; nothing is said while something is open, for that may make it lesser. */
  isAbove(floor: number): boolean {
    const equity = this.#current();
    if (!this.#isSettled || this.#count === 0) return false;
    let size = Math.abs(floor);
    for (let i = 0; i < this.#count; i++) {
      const rate = this.#last[i] as number;
      if (!(rate > RATE_MIN && rate < RATE_MAX)) return false;
      size += Math.abs((this.#held[i] as number) * rate);
    }
    return equity - this.#margin - size * FLOAT_ERROR > floor;
  }

  /** Equity as it is now is nothing to look at, nor is any between these. */
  bound(above: number, peak: Money | undefined): void {
    this.#current();
    for (let i = 0; i < this.#count; i++) this.#seen[i] = this.#last[i] as number;
    this.#seenVersion = this.#version;
    this.#least = above + Math.abs(above) * FLOAT_ERROR;
    this.#most = peak === undefined ? Number.NEGATIVE_INFINITY : this.#lowered(peak);
  }

  /** Exact equity is surely within its bounds, what it was when they were set, or unknown. */
  isBound(): boolean {
    const equity = this.#current();
    if (Number.isNaN(equity)) return true;
    const isWithin = equity - this.#margin > this.#least && equity + this.#margin < this.#most;
    return (isWithin && this.#isSettled) || this.#isSeen();
  }

  /** The same holdings at the same rates. */
  #isSeen(): boolean {
    if (this.#seenVersion !== this.#version) return false;
    for (let i = 0; i < this.#count; i++) if (this.#last[i] !== this.#seen[i]) return false;
    return true;
  }

  /** A little less, by more than floats err. It is asked for again and again, and changes seldom. */
  #lowered(peak: Money): number {
    if (peak !== this.#loweredOf) {
      const value = peak.toNumber();
      this.#loweredOf = peak;
      this.#loweredTo = value - Math.abs(value) * FLOAT_ERROR;
    }
    return this.#loweredTo;
  }

  /** Of the event that is being processed: no price moves within one. */
  #current(): number {
    const { sequence, now } = this.moment;
    const isCurrent = this.#sumSequence === sequence && this.#sumNow === now;
    if (isCurrent && this.#version === this.#accounts.version && this.#pairs === this.#pricing.pairs.size)
      return this.#sum;
    this.#sum = this.#equity();
    this.#sumSequence = sequence;
    this.#sumNow = now;
    return this.#sum;
  }

  /** With every rate that it is made of; NaN where one is not known. */
  #equity(): number {
    this.#sumSequence = -1;
    if (this.#version !== this.#accounts.version || this.#pairs !== this.#pricing.pairs.size) this.#refresh();
    let sum = 0;
    for (let i = 0; i < this.#count; i++) {
      const rate = this.#rates.along(this.#routes[i]) ?? Number.NaN;
      this.#last[i] = rate;
      sum += (this.#held[i] as number) * rate;
    }
    return sum;
  }

  #isByPar(): boolean {
    for (let i = 0; i < this.#count; i++) {
      const route = this.#routes[i];
      if (route === undefined) return false;
      for (const { prices } of route) if (!this.#pricing.isByPar(prices)) return false;
    }
    return true;
  }

  #refresh(): void {
    // What came or went without a trade moves the peak: nothing seen before is comparable.
    this.#day = Number.NaN;
    this.#version = this.#accounts.version;
    this.#pairs = this.#pricing.pairs.size;
    const { figures, open, movements } = this.#accounts;
    if (this.#held.length < figures.length) this.#makeRoom(figures.length);
    let count = 0;
    let margin = 0;
    for (let i = 0; i < figures.length; i++) {
      const figure = figures[i] as Figure;
      const { asset, heldFloat: amount } = figure.isFresh ? figure : this.#accounts.fresh(figure);
      if (amount === 0) continue;
      this.#routes[count] = this.#rates.routeOf(asset);
      this.#held[count] = amount;
      margin += Math.abs(amount) * RATE_STEP + VALUE_STEP;
      count++;
    }
    this.#count = count;
    this.#isSettled = open.size === 0 && !movements.isTied;
    this.#margin = margin;
  }

  #makeRoom(assets: number): void {
    this.#held = new Float64Array(assets);
    this.#last = new Float64Array(assets);
    this.#seen = new Float64Array(assets);
  }
}
