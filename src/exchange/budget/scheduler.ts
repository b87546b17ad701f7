// Late-bound slots: wants wait here, and the best one is chosen only when a slot opens. Doubts and kill checks come
// first, then the want with the highest worth at that moment; but no want and no class waits longer than 60 slots.
// Pure: a backtest spends virtual slots through the same code. The policies other than `worth` exist for comparison.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import { type Chosen, classWorth, type Want, type WantClass } from "../port.ts";

/**
 * The order among wants that are neither doubt, kill check nor overdue: by the stated worth, or the class's if none is
 * stated; by class alone; or by arrival.
 */
export const SLOT_POLICIES = ["worth", "fixed-priority", "first-come"] as const;
export type SlotPolicy = (typeof SLOT_POLICIES)[number];

/** The moment a slot opens; `slot` counts the slots granted so far, by any process. */
export type SlotMoment = {
  readonly now: Millis;
  readonly monotonic: Mono;
  readonly slot: number;
  readonly doubtsOnly: boolean;
  /** The first slot after a pause of the venue: age does not count, so that no process has a want that goes before a doubt. */
  readonly isProbe?: boolean;
  /** No other process bids, so a want that waits alone need not be valued. */
  readonly isAlone?: boolean;
};

/** Lower goes first: 0 waited too long, 1 is first by rule, 2 is ranked by worth. */
export type Tier = 0 | 1 | 2;

export type Waiting<T> = { readonly want: Want; readonly item: T };

/**
 * The first want of a key, with the later ones of the same key; `tier`, `worth` and `over` are as of the last
 * valuation.
 */
export interface Candidate<T> extends Chosen, Waiting<T> {
  readonly others: readonly Waiting<T>[];
  readonly tier: Tier;
}

export class Scheduler<T> {
  private readonly dropped: (item: T, reason: string) => void;
  private readonly waitingMax: number;
  private readonly policy: SlotPolicy;
  private readonly fairness = new Fairness();
  private groups: Group<T>[] = [];
  private orders = 0;
  size = 0;
  /** No want expires before this. */
  firstDeadline = Number.POSITIVE_INFINITY;

  constructor(
    dropped: (item: T, reason: string) => void,
    { waitingMax = 1_000, policy = "worth" }: { waitingMax?: number; policy?: SlotPolicy } = {},
  ) {
    this.dropped = dropped;
    this.waitingMax = waitingMax;
    this.policy = policy;
  }

  /** Registers a want at slot `slot`; it joins wants that wait with the same key. */
  add(want: Want, item: T, slot: number): Result<void> {
    const { size, groups } = this;
    if (size >= this.waitingMax) return err(`queue-full: ${size} wants are waiting, limit is ${this.waitingMax}`);
    this.size = size + 1;
    this.firstDeadline = Math.min(this.firstDeadline, want.deadline ?? Number.POSITIVE_INFINITY);
    const isShared = want.key !== undefined && want.isAlone !== true;
    const same = groups.find((group) => isShared && group.want.key === want.key && group.want.isAlone !== true);
    if (same !== undefined) same.join({ want, item });
    else groups.push(new Group(want, item, slot, ++this.orders));
    return DONE;
  }

  /** Drops expired wants. Most calls return at once, because no deadline has passed. */
  expire(monotonic: Mono): void {
    if (monotonic <= this.firstDeadline) return;
    const past: Waiting<T>[] = [];
    this.groups = this.groups.filter((group) => group.drop(monotonic, past));
    this.firstDeadline = firstDeadlineOf(this.groups);
    this.size -= past.length;
    // Last, because the waiter may register a new want at once.
    for (const { want, item } of past) this.dropped(item, pastDeadline(want, monotonic));
  }

  /** The want that would get the slot now. */
  best(moment: SlotMoment): Candidate<T> | undefined {
    this.expire(moment.monotonic);
    const { groups } = this;
    const isValued = this.policy === "worth" && (groups.length > 1 || moment.isAlone !== true);
    let best: Group<T> | undefined;
    let next: Group<T> | undefined;
    let since = moment.slot;
    for (const group of groups) {
      group.appraise(isValued ? moment.now : undefined);
      if (moment.doubtsOnly && !group.isFirst) continue;
      since = Math.min(since, group.since);
      if (best === undefined || this.outranks(group, best)) {
        next = best;
        best = group;
      } else if (next === undefined || this.outranks(group, next)) next = group;
    }
    if (best !== undefined) best.over = next;
    const isYoung = moment.slot - since < FAIRNESS_SLOTS_MIN;
    return isYoung || moment.isProbe === true ? best : this.byAge(best, moment);
  }

  /** As `best`, and grants it the slot. */
  serve(moment: SlotMoment): Candidate<T> | undefined {
    const best = this.best(moment);
    if (best !== undefined) this.take(best, moment.slot);
    return best;
  }

  /** Grants the slot to this candidate, which then no longer waits. */
  take(candidate: Candidate<T>, slot: number): void {
    const { groups } = this;
    const index = groups.indexOf(candidate as Group<T>);
    const [group] = index < 0 ? [] : groups.splice(index, 1);
    if (group === undefined) return;
    this.size -= 1 + group.others.length;
    if (this.firstDeadline !== Number.POSITIVE_INFINITY) this.firstDeadline = firstDeadlineOf(groups);
    this.fairness.served(group, slot);
  }

  /** Empties the queue and returns its items. */
  clear(): readonly T[] {
    const items = this.groups.flatMap((group) => [group.item, ...group.others.map((other) => other.item)]);
    this.groups = [];
    this.size = 0;
    this.firstDeadline = Number.POSITIVE_INFINITY;
    return items;
  }

  /** The group that has waited too long, otherwise `best`. */
  private byAge(best: Group<T> | undefined, { slot, doubtsOnly }: SlotMoment): Group<T> | undefined {
    const aged = this.fairness.due(doubtsOnly ? this.groups.filter((group) => group.isFirst) : this.groups, slot);
    if (aged === undefined) return best;
    aged.tier = 0;
    if (aged !== best) aged.over = best;
    return aged;
  }

  private outranks(a: Group<T>, b: Group<T>): boolean {
    if (a.tier !== b.tier) return a.tier < b.tier;
    if (this.policy !== "first-come" && a.worth !== b.worth) return a.worth > b.worth;
    return a.order < b.order;
  }
}

const DONE = ok(undefined);

function firstDeadlineOf<T>(groups: readonly Group<T>[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { want, others } of groups) {
    first = Math.min(first, want.deadline ?? first);
    for (const other of others) first = Math.min(first, other.want.deadline ?? first);
  }
  return first;
}

function pastDeadline(want: Want, monotonic: Mono): string {
  return `past-deadline: ${want.class} waited ${Math.ceil(monotonic - (want.deadline ?? monotonic))} ms beyond its deadline`;
}

const CLASSES = Object.keys(classWorth) as readonly WantClass[];
/** Ranks below this are doubt and kill check. */
const FIRST_BY_RULE = 2;

/**
 * One request that waits for a slot, and all waiters that share its answer. It is as urgent as the most urgent of them.
 */
class Group<T> implements Candidate<T> {
  want: Want;
  item: T;
  others: readonly Waiting<T>[] = [];
  /** The number of slots granted before it was registered. */
  readonly since: number;
  /** The order of arrival. */
  readonly order: number;
  /** The rank of its class; the classes are in descending order of worth. */
  rank: number;
  tier: Tier = 2;
  worth = 0;
  over: Group<T> | undefined = undefined;

  constructor(want: Want, item: T, since: number, order: number) {
    this.want = want;
    this.item = item;
    this.since = since;
    this.order = order;
    this.rank = CLASSES.indexOf(want.class);
    this.appraise(undefined);
  }

  get class(): WantClass {
    return CLASSES[this.rank] as WantClass;
  }

  /** Goes before all others regardless of worth. */
  get isFirst(): boolean {
    return this.rank < FIRST_BY_RULE;
  }

  join(other: Waiting<T>): void {
    this.others = [...this.others, other];
    this.rank = Math.min(this.rank, CLASSES.indexOf(other.want.class));
    this.appraise(undefined);
  }

  /** Drops expired waiters; the rest keep their order. False if none is left. */
  drop(monotonic: Mono, past: Waiting<T>[]): boolean {
    const left: Waiting<T>[] = [];
    for (const { want, item } of [this, ...this.others])
      (want.deadline !== undefined && monotonic > want.deadline ? past : left).push({ want, item });
    const [first, ...others] = left;
    if (first === undefined) return false;
    this.want = first.want;
    this.item = first.item;
    this.others = others;
    this.rank = Math.min(...left.map(({ want }) => CLASSES.indexOf(want.class)));
    this.appraise(undefined);
    return true;
  }

  /** Its worth now; without a time the worth of its class. */
  appraise(now: Millis | undefined): void {
    this.tier = this.isFirst ? 1 : 2;
    this.worth = classWorth[this.class];
    if (now === undefined || (this.want.worth === undefined && !this.others.some(({ want }) => want.worth))) return;
    this.worth = worthOf(this.want, now);
    for (const other of this.others) this.worth = Math.max(this.worth, worthOf(other.want, now));
  }
}

/** A worth that fails falls back to the class's: one want must not bring down the queue with the doubts in it. */
function worthOf(want: Want, now: Millis): number {
  try {
    const worth = want.worth?.(now);
    if (worth !== undefined && Number.isFinite(worth)) return worth;
  } catch {}
  return classWorth[want.class];
}

const SLOTS_WAITED_MAX = 59;
/** Until a want has waited for this many slots, none is due by age: the slots left then outnumber the classes. */
const FAIRNESS_SLOTS_MIN = 45;

type Aged = { readonly rank: number; readonly since: number };

/**
 * The rule against starvation: a want that has waited 59 slots takes the next one, even before doubts. If several
 * classes come due together, they are served early enough that the last is not late either; wants of one crowded class
 * take only every second slot by age, so that age never becomes the only order.
 */
class Fairness {
  /** When each class was last served, by rank. */
  readonly #servedAt = CLASSES.map(() => Number.NEGATIVE_INFINITY);
  #agedAt = Number.NEGATIVE_INFINITY;

  /** The want that is due by age; `waiting` is in order of arrival. */
  due<G extends Aged>(waiting: readonly G[], slot: number): G | undefined {
    const oldest = CLASSES.flatMap((_, rank) => eldest(waiting.filter((one) => one.rank === rank)) ?? []);
    const pressed = this.#pressed(oldest, slot);
    if (pressed !== undefined) return pressed;
    const first = eldest(waiting);
    const isAged = first !== undefined && slot - first.since >= SLOTS_WAITED_MAX;
    return isAged && slot - this.#agedAt > 1 ? first : undefined;
  }

  served({ rank, since }: Aged, slot: number): void {
    this.#servedAt[rank] = slot + 1;
    if (slot - since >= SLOTS_WAITED_MAX) this.#agedAt = slot;
  }

  /** The class nearest to its limit: if k classes must be served within k slots, one of them must be served now. */
  #pressed<G extends Aged>(oldest: readonly G[], slot: number): G | undefined {
    const slotsLeft = ({ rank, since }: G): number =>
      Math.max(since, this.#servedAt[rank] as number) + SLOTS_WAITED_MAX + 1 - slot;
    const nearest = oldest.toSorted((one, other) => slotsLeft(one) - slotsLeft(other));
    return nearest.some((one, index) => slotsLeft(one) <= index + 1) ? nearest[0] : undefined;
  }
}

/** The earliest arrival among those that have waited longest. */
function eldest<G extends Aged>(waiting: readonly G[]): G | undefined {
  return waiting.reduce<G | undefined>((first, one) => (first && first.since <= one.since ? first : one), undefined);
}
