// Looks at equity between trades without making an object of it: in floats, once in each interval of event time in which
// something happens. It says when an exact look is worth its cost: a new day, a new peak, or a new low of the day.

import type { Money } from "../../domain/money/money.ts";
import type { Moment } from "../../market/moment.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { Hop, Rate, Rates } from "../../market/rate.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Figure } from "../accounts/figures.ts";
import type { OpenOrder } from "../accounts/open-orders.ts";

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
  /** The accounts and pairs that it was last asked for with. */
  #version = -1;
  #layout = -1;
  /** So many assets are held, each with its rate; what is behind them is of no meaning. All of this is of one ledger. */
  #ledger = -1;
  #count = 0;
  readonly #of: Rate[] = [];
  #held = new Float64Array(0);
  /** By how much exact equity may differ from that in floats: rates are rounded to 10^-9. */
  #margin = 0;
  /** Nothing is open: equity is that of the holdings, and no less. */
  #isSettled = false;
  /**
   * Equity: what they came to at these rates, NaN where one is not known; and how large all of it is, whatever its sign,
   * NaN where a rate is out of reach.
   */
  #sum = Number.NaN;
  #size = Number.NaN;
  #sumVersion = -1;
  /** What open orders may take off it at most, if they fill; NaN while that was not asked for, or cannot be told. */
  #loss = Number.NaN;
  #last = new Float64Array(0);
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #loweredOf: Money | undefined = undefined;
  #loweredTo = Number.NaN;
  /** Rates as they were when bounds were set. */
  #seen = new Float64Array(0);
  #seenVersion = -1;
  #seenRates = -1;
  /** Rates at which this peak was seen not to be passed, of this ledger. */
  #peakRates = new Float64Array(0);
  #peakOf: Money | undefined = undefined;
  #peakLedger = -1;

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
    const isSeen = this.#version === this.#accounts.version && this.#layout === this.#pricing.layout;
    // NaN while equity was never known.
    const dayEnd = (this.#day + 1) * DAY_MS;
    return isSeen && this.moment.now < dayEnd && this.#isByPar() ? Math.max(dayEnd, this.dueAt) : this.dueAt;
  }

  /** Equity is known, and stays what it is or becomes unknown, whatever the venue says of the pairs that are known. */
  isUnmovable(): boolean {
    this.#look();
    return !Number.isNaN(this.#sum) && this.#isByPar();
  }

  isWorthALook(): boolean {
    this.#look();
    this.passed();
    if (this.#isUnmoved()) return false;
    const equity = this.#sum;
    const day = Math.floor(this.moment.now / DAY_MS);
    const isNew = day !== this.#day;
    this.#day = day;
    this.#peak = isNew ? equity : Math.max(this.#peak, equity);
    this.#low = isNew ? equity : Math.min(this.#low, equity);
    return true;
  }

  /** Where it is not worth a look the look has passed; where it is, nothing has changed. */
  hasPassed(): boolean {
    this.#look();
    const isUnmoved = this.#isUnmoved();
    if (isUnmoved) this.passed();
    return isUnmoved;
  }

  #isUnmoved(): boolean {
    const equity = this.#sum;
    // Unknown: nothing can be said, and nothing can be ordered either.
    if (Number.isNaN(equity)) return true;
    const isNew = Math.floor(this.moment.now / DAY_MS) !== this.#day;
    return !isNew && equity <= this.#peak && equity >= this.#low - Math.abs(this.#low) * LOW_STEP;
  }

  /** Exact equity is surely no more than this. Orders that are open only make it lesser. */
  isAtMost(peak: Money): boolean {
    this.#look();
    if (peak !== this.#loweredOf) this.#lower(peak);
    return this.#sum + this.#margin < this.#loweredTo || this.#isPeakOf(peak);
  }

  /** Exact equity, as it is now, was found to be no more than this; it is what it was while holdings and rates are. */
  foundAtMost(peak: Money): void {
    this.#look();
    // What is open may have made it lesser.
    if (!this.#isSettled) return;
    this.#peakOf = peak;
    this.#peakLedger = this.#ledger;
    for (let i = 0; i < this.#count; i++) this.#peakRates[i] = this.#last[i] as number;
  }

  #isPeakOf(peak: Money): boolean {
    if (peak !== this.#peakOf || this.#ledger !== this.#peakLedger) return false;
    for (let i = 0; i < this.#count; i++) if (this.#last[i] !== this.#peakRates[i]) return false;
    return true;
  }

  /** Exact equity is surely more than this. */
  isAbove(floor: number): boolean {
    this.#look();
    this.#weigh();
    const least = this.#sum - this.#margin - this.#loss;
    return this.#count > 0 && least - (Math.abs(floor) + this.#size) * FLOAT_ERROR > floor;
  }

  /** Equity as it is now is nothing to look at, nor is any between these. */
  bound(above: number, peak: Money | undefined): void {
    this.#look();
    // So that the rates of what is open are followed too.
    this.#weigh();
    for (let i = 0; i < this.#count; i++) this.#seen[i] = this.#last[i] as number;
    this.#seenVersion = this.#version;
    this.#seenRates = this.#rates.version;
    this.#least = above + Math.abs(above) * FLOAT_ERROR;
    if (peak !== undefined && peak !== this.#loweredOf) this.#lower(peak);
    this.#most = peak === undefined ? Number.NEGATIVE_INFINITY : this.#loweredTo;
  }

  /** Exact equity is surely within its bounds, what it was when they were set, or unknown. */
  isBound(): boolean {
    this.#look();
    if (Number.isNaN(this.#sum)) return true;
    this.#weigh();
    const isAbove = this.#sum - this.#margin - this.#loss > this.#least;
    return (isAbove && this.#sum + this.#margin < this.#most) || this.#isSeen();
  }

  /** The same holdings at the same rates; while something is open, at the same rates of everything. */
  #isSeen(): boolean {
    if (this.#seenVersion !== this.#version) return false;
    if (!this.#isSettled) return this.#seenRates === this.#sumVersion && !Number.isNaN(this.#loss);
    for (let i = 0; i < this.#count; i++) if (this.#last[i] !== this.#seen[i]) return false;
    return true;
  }

  /** A little less, by more than floats err. It is asked for again and again, and changes seldom. */
  #lower(peak: Money): void {
    const value = peak.toNumber();
    this.#loweredOf = peak;
    this.#loweredTo = value - Math.abs(value) * FLOAT_ERROR;
  }

  /** Before anything of it is read. Gives nothing back: a float that leaves a function is made an object. */
  #look(): void {
    if (this.#version !== this.#accounts.version) this.#refresh();
    const { version } = this.#rates;
    if (version !== this.#sumVersion) this.#add(version);
  }

  #add(version: number): void {
    const { layout } = this.#pricing;
    if (layout !== this.#layout) this.#day = Number.NaN;
    this.#layout = layout;
    let sum = 0;
    let size = 0;
    for (let i = 0; i < this.#count; i++) {
      const known = this.#of[i] as Rate;
      const { float: rate } = known.version === version ? known : this.#rates.fresh(known);
      const value = (this.#held[i] as number) * rate;
      this.#last[i] = rate;
      sum += value;
      size += Math.abs((this.#held[i] as number) * inReach(rate));
    }
    this.#sum = sum;
    this.#size = size;
    this.#sumVersion = version;
    this.#loss = this.#isSettled ? 0 : Number.NaN;
  }

  /** Of what was looked at: what is open. */
  #weigh(): void {
    if (Number.isNaN(this.#loss)) this.#loss = this.#lossOf(this.#accounts.open.values());
  }

  #lossOf(orders: Iterable<OpenOrder>): number {
    // Of mints and payments nothing is said: they are few.
    let loss = this.#accounts.movements.isTied ? Number.NaN : 0;
    for (const { leaves, comes } of orders) {
      const [out, back] = [leaves.toNumber(), comes.toNumber()];
      const spent = out * inReach(this.#rates.of(leaves.asset).float);
      const gained = back * inReach(this.#rates.of(comes.asset).float);
      loss += Math.max(spent - gained, 0) + (spent + gained) * FLOAT_ERROR;
      loss += (out + back) * RATE_STEP + 2 * VALUE_STEP;
    }
    return loss;
  }

  #isByPar(): boolean {
    for (let i = 0; i < this.#count; i++) {
      // Without a route there is no rate until another pair or source is heard.
      const { routes, layout } = this.#of[i] as Rate;
      if (layout !== this.#pricing.layout || !routes.every(({ hops }) => hops.every(this.#isHopByPar))) return false;
    }
    return true;
  }

  readonly #isHopByPar = ({ leg }: Hop): boolean => this.#pricing.isByPar(leg.prices);

  #refresh(): void {
    const { ledger, open, movements } = this.#accounts;
    // What came or went without a trade moves the peak: nothing seen before is comparable.
    this.#day = Number.NaN;
    this.#version = this.#accounts.version;
    this.#isSettled = open.size === 0 && !movements.isTied;
    this.#loss = this.#isSettled ? 0 : Number.NaN;
    if (ledger.version !== this.#ledger) this.#list(ledger.version);
  }

  #list(version: number): void {
    const { figures } = this.#accounts;
    if (this.#held.length < figures.length) this.#makeRoom(figures.length);
    let count = 0;
    let margin = 0;
    for (let i = 0; i < figures.length; i++) {
      const figure = figures[i] as Figure;
      const { asset, heldFloat: amount } = figure.isFresh ? figure : this.#accounts.fresh(figure);
      if (amount === 0) continue;
      if (this.#of[count]?.asset !== asset) this.#of[count] = this.#rates.rateOf(asset);
      this.#held[count] = amount;
      margin += Math.abs(amount) * RATE_STEP + VALUE_STEP;
      count++;
    }
    this.#count = count;
    this.#margin = margin;
    this.#ledger = version;
    this.#sumVersion = -1;
  }

  #makeRoom(assets: number): void {
    this.#held = new Float64Array(assets);
    this.#last = new Float64Array(assets);
    this.#seen = new Float64Array(assets);
    this.#peakRates = new Float64Array(assets);
  }
}

/** NaN for a rate that may have no steps to be counted in. */
function inReach(rate: number): number {
  return rate > RATE_MIN && rate < RATE_MAX ? rate : Number.NaN;
}
