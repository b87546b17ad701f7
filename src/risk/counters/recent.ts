// What happened lately: value traded in the last hour, the times of orders, approved orders (for the rules on repeated and
// opposite ones), and streaks of rejections and losing fills.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";

// Value traded in the last hour, in buckets of a minute. The oldest bucket counts until all of it has left the hour, so
// the sum is never too low. Reading changes nothing that is saved.

const MINUTE_MS = 60_000;
/** Fifty-nine whole minutes and two partial ones. */
const BUCKETS = 61;

export type Minute = { readonly minute: number; readonly value: Money };

export class HourWindow {
  readonly #zero: Money;
  readonly #values = new Map<number, Money>();
  /** Of the last minute asked about, until something changes. */
  #known: { readonly minute: number; readonly sum: Money } | undefined = undefined;

  constructor(currency: Asset, saved: readonly Minute[] = []) {
    this.#zero = Money.zero(currency);
    for (const { minute, value } of saved) this.#put(minute, value);
  }

  add(value: Money, at: Millis): void {
    this.#put(minuteOf(at), value);
  }

  total(now: Millis): Money {
    const minute = minuteOf(now);
    if (this.#known?.minute !== minute)
      this.#known = { minute, sum: this.#of(minute).reduce((sum, { value }) => sum.plus(value), this.#zero) };
    return this.#known.sum;
  }

  /** The parts of the total. */
  newestFirst(now: Millis): readonly Counted<Money>[] {
    return this.#of(minuteOf(now))
      .map(({ minute, value }) => ({ amount: value, leavesAt: (minute + BUCKETS) * MINUTE_MS }))
      .reverse();
  }

  clear(): void {
    this.#values.clear();
    this.#known = undefined;
  }

  list(): readonly Minute[] {
    return this.#of(Number.NEGATIVE_INFINITY);
  }

  /** Oldest first. */
  #of(hour: number): readonly Minute[] {
    return Array.from(this.#values, ([minute, value]) => ({ minute, value }))
      .filter(({ minute }) => minute > hour - BUCKETS)
      .sort((one, other) => one.minute - other.minute);
  }

  #put(minute: number, value: Money): void {
    this.#values.set(minute, this.#values.get(minute)?.plus(value) ?? value);
    for (const known of this.#values.keys()) if (known <= minute - BUCKETS) this.#values.delete(known);
    this.#known = undefined;
  }
}

function minuteOf(at: Millis): number {
  return Math.floor(at / MINUTE_MS);
}

/** At least the largest `ordersPerMinuteMax`. */
const TIMES_MAX = 64;

export class OrderTimes {
  /** Oldest first. */
  readonly #times: Millis[];

  constructor(saved: readonly Millis[] = []) {
    this.#times = [...saved];
  }

  /** 1 is the latest; undefined if there were fewer. */
  nthLast(n: number): Millis | undefined {
    return this.#times[this.#times.length - n];
  }

  add(at: Millis): void {
    this.#times.push(at);
    if (this.#times.length > TIMES_MAX) this.#times.shift();
  }

  list(): readonly Millis[] {
    return [...this.#times];
  }
}

// Intents older than any window are dropped; the venue takes one request a second, so there are at most 601.

/** The longest configurable window. */
const RECENT_MS_MAX = 600_000;

type Recent = { readonly at: Millis; readonly intent: OrderIntent };
/** Oldest first. */
export type SavedIntents = readonly Recent[];

export class RecentIntents {
  readonly #recent: Recent[];

  constructor(recent: SavedIntents = []) {
    this.#recent = [...recent];
  }

  /** How many of the latest were approved after this time. */
  countAfter(time: number): number {
    let count = 0;
    while (count < this.#recent.length && this.#entry(count).at > time) count++;
    return count;
  }

  /** 0 is the latest. */
  isOf(back: number, symbol: PairSymbol, side: Side): boolean {
    const { intent } = this.#entry(back);
    return intent.symbol === symbol && intent.side === side;
  }

  intent(back: number): OrderIntent {
    return this.#entry(back).intent;
  }

  at(back: number): Millis {
    return this.#entry(back).at;
  }

  add(intent: OrderIntent, at: Millis): void {
    const recent = this.#recent;
    while (recent[0] !== undefined && recent[0].at < at - RECENT_MS_MAX) recent.shift();
    recent.push({ at, intent });
  }

  save(): SavedIntents {
    return [...this.#recent];
  }

  #entry(back: number): Recent {
    return this.#recent.at(-1 - back) as Recent;
  }
}

// Streaks: rejections per symbol and in total, and losing fills.

export type Streak = { readonly count: number; readonly lastAt: Millis | undefined };

const NONE: Streak = Object.freeze({ count: 0, lastAt: undefined });

export type SavedStreaks = {
  readonly rejects: Streak;
  readonly losses: Streak;
  readonly bySymbol: readonly (readonly [PairSymbol, Streak])[];
};

export class Streaks {
  rejects: Streak;
  losses: Streak;
  readonly #bySymbol: Map<PairSymbol, Streak>;

  constructor({ rejects, losses, bySymbol }: SavedStreaks = { rejects: NONE, losses: NONE, bySymbol: [] }) {
    this.rejects = rejects;
    this.losses = losses;
    this.#bySymbol = new Map(bySymbol);
  }

  rejectsOf(symbol: PairSymbol): Streak {
    return this.#bySymbol.get(symbol) ?? NONE;
  }

  rejected(symbol: PairSymbol | undefined, at: Millis): void {
    this.rejects = longer(this.rejects, at);
    if (symbol !== undefined) this.#bySymbol.set(symbol, longer(this.rejectsOf(symbol), at));
  }

  /** `lost`: undefined for a fill that closed nothing, neither a win nor a loss. */
  filled(symbol: PairSymbol, lost: boolean | undefined, at: Millis): void {
    this.rejects = NONE;
    this.#bySymbol.delete(symbol);
    if (lost !== undefined) this.losses = lost ? longer(this.losses, at) : NONE;
  }

  clear(): void {
    this.rejects = NONE;
    this.losses = NONE;
    this.#bySymbol.clear();
  }

  save(): SavedStreaks {
    return { rejects: this.rejects, losses: this.losses, bySymbol: [...this.#bySymbol] };
  }
}

function longer(streak: Streak, at: Millis): Streak {
  return { count: streak.count + 1, lastAt: at };
}

// When a rolling limit has room again, once enough of its oldest items have left the window.

/** Counts for a limit until `leavesAt`. */
export type Counted<Amount> = { readonly amount: Amount; readonly leavesAt: number };

/** Undefined if it does not fit even into an empty window. */
export function roomFrom<Amount extends { plus(other: Amount): Amount }>(
  newestFirst: Iterable<Counted<Amount>>,
  none: Amount,
  fits: (counted: Amount) => boolean,
): string | undefined {
  if (!fits(none)) return undefined;
  let counted = none;
  for (const { amount, leavesAt } of newestFirst) {
    counted = counted.plus(amount);
    // Rounded up to the second, never too early.
    if (!fits(counted)) return utcText(Math.ceil(leavesAt / 1_000) * 1_000);
  }
  return undefined;
}
