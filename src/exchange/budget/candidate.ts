// One request that waits for a slot, and everybody whom its answer would serve. It is as urgent as the most urgent of them.

import type { Millis, Mono } from "../../domain/time.ts";
import { type Chosen, classWorth, type Want, type WantClass } from "../port.ts";

/** Smaller goes first: waited too long, first by rule, ranked by worth. */
export type Tier = 0 | 1 | 2;

export type Waiting<T> = { readonly want: Want; readonly item: T };

/** The first who asked, and those who asked the same since; `tier`, `worth` and `over` are as of the last look. */
export interface Candidate<T> extends Chosen, Waiting<T> {
  readonly others: readonly Waiting<T>[];
  readonly tier: Tier;
}

const CLASSES = Object.keys(classWorth) as readonly WantClass[];
const WORTHS = CLASSES.map((name) => classWorth[name]);
export const RANKS = CLASSES.length;
/** Doubt and kill check. */
const FIRST_BY_RULE = 2;
const NOBODY: readonly never[] = [];

export class Group<T> implements Candidate<T> {
  want: Want;
  item: T;
  others: readonly Waiting<T>[] = NOBODY;
  /** Slots granted before it came. */
  readonly since: number;
  /** Who came first has the smallest. */
  readonly order: number;
  rank: number;
  class: WantClass;
  tier: Tier;
  worth: number;
  over: Group<T> | undefined = undefined;
  /** Somebody says himself what it is worth. */
  private isValued: boolean;

  constructor(want: Want, item: T, since: number, order: number) {
    const rank = rankOf(want);
    this.want = want;
    this.item = item;
    this.since = since;
    this.order = order;
    this.rank = rank;
    this.class = want.class;
    this.tier = rank < FIRST_BY_RULE ? 1 : 2;
    this.worth = WORTHS[rank] as number;
    this.isValued = want.worth !== undefined;
  }

  get size(): number {
    return 1 + this.others.length;
  }

  /** It goes before all others, whatever they are worth. */
  get isFirst(): boolean {
    return this.rank < FIRST_BY_RULE;
  }

  join(other: Waiting<T>): void {
    if (this.others === NOBODY) this.others = [other];
    else (this.others as Waiting<T>[]).push(other);
    this.heed(other.want);
  }

  /** Those whose deadline is past leave; the rest stay in their order. False when nobody is left. */
  drop(monotonic: Mono, past: Waiting<T>[]): boolean {
    const left: Waiting<T>[] = [];
    for (const { want, item } of [this, ...this.others])
      (want.deadline !== undefined && monotonic > want.deadline ? past : left).push({ want, item });
    const [first, ...others] = left;
    if (first === undefined) return false;
    this.want = first.want;
    this.item = first.item;
    this.others = others;
    this.rank = RANKS;
    this.isValued = false;
    for (const { want } of left) this.heed(want);
    return true;
  }

  firstDeadline(): number {
    let first = this.want.deadline ?? Number.POSITIVE_INFINITY;
    const { others } = this;
    for (let i = 0; i < others.length; i++) first = Math.min(first, (others[i] as Waiting<T>).want.deadline ?? first);
    return first;
  }

  /** What it is worth now; without a time what its class is. */
  appraise(now: Millis | undefined): void {
    this.tier = this.rank < FIRST_BY_RULE ? 1 : 2;
    if (!this.isValued) return;
    if (now === undefined) {
      this.worth = WORTHS[this.rank] as number;
      return;
    }
    let worth = worthOf(this.want, now);
    for (const other of this.others) worth = Math.max(worth, worthOf(other.want, now));
    this.worth = worth;
  }

  /** The first of the classes is also worth most. */
  private heed(want: Want): void {
    const rank = Math.min(this.rank, rankOf(want));
    this.rank = rank;
    this.class = CLASSES[rank] as WantClass;
    this.worth = WORTHS[rank] as number;
    this.isValued ||= want.worth !== undefined;
  }
}

/** Its place in a short list: to look one of several names up in an object costs more. */
function rankOf({ class: wanted }: Want): number {
  let rank = 0;
  while (rank < RANKS && CLASSES[rank] !== wanted) rank++;
  return rank;
}

/** A worth that cannot be had is the class's: one want must not take the queue, and the doubts in it, down with it. */
function worthOf(want: Want, now: Millis): number {
  try {
    const worth = want.worth?.(now);
    if (worth !== undefined && Number.isFinite(worth)) return worth;
  } catch {}
  return classWorth[want.class];
}
