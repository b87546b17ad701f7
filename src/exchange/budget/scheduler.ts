// Late-bound slots: wants wait here, and the next one is chosen only when a slot opens. The class decides, then age;
// but a want that has waited 59 slots takes the next one. Pure: a backtest spends virtual slots through the same code.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Mono } from "../../domain/time.ts";
import { WANT_CLASSES, type Want, type WantClass } from "../port.ts";

/** The moment a slot opens; `slot` counts the slots granted so far. */
export type SlotMoment = {
  readonly monotonic: Mono;
  readonly slot: number;
  readonly doubtsOnly: boolean;
  /** The first slot after a pause of the venue: a doubt goes before a want that has waited long. */
  readonly isProbe?: boolean;
};

export type Waiting<T> = { readonly want: Want; readonly item: T };

/** The first want of a key, with the later ones of the same key; it is as urgent as the most urgent of them. */
export interface Candidate<T> extends Waiting<T> {
  readonly class: WantClass;
  readonly others: readonly Waiting<T>[];
}

const SLOTS_WAITED_MAX = 59;

/** The refusal of a want whose caller aborted it: nothing was sent. */
export const ABORTED = "aborted: the caller gave it up before its slot";

export class Scheduler<T> {
  private readonly dropped: (item: T, reason: string) => void;
  private readonly waitingMax: number;
  private groups: Group<T>[] = [];
  /** The last slot that was granted for its want's age: of many overdue wants one has every second slot. */
  private agedAt = Number.NEGATIVE_INFINITY;
  size = 0;
  /** No want expires before this. */
  firstDeadline = Number.POSITIVE_INFINITY;

  constructor(dropped: (item: T, reason: string) => void, waitingMax = 1_000) {
    this.dropped = dropped;
    this.waitingMax = waitingMax;
  }

  /** Of all that wait, the oldest first. */
  classes(): readonly WantClass[] {
    return this.groups.map((group) => group.class);
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
    else groups.push(new Group(want, item, slot));
    return DONE;
  }

  /** Drops expired wants. Most calls return at once, because no deadline has passed. */
  expire(monotonic: Mono): void {
    if (monotonic <= this.firstDeadline) return;
    this.drop(
      ({ want: { deadline } }) => deadline !== undefined && monotonic > deadline,
      (want) => pastDeadline(want, monotonic),
    );
  }

  /** Drops a want that its caller gave up before its slot. */
  cancel(item: T): void {
    this.drop(
      (waiting) => waiting.item === item,
      () => ABORTED,
    );
  }

  private drop(isGone: (waiting: Waiting<T>) => boolean, why: (want: Want) => string): void {
    const gone: Waiting<T>[] = [];
    this.groups = this.groups.filter((group) => group.drop(isGone, gone));
    this.firstDeadline = firstDeadlineOf(this.groups);
    this.size -= gone.length;
    // Last, because the waiter may register a new want at once.
    for (const { want, item } of gone) this.dropped(item, why(want));
  }

  /** Grants the slot to the want that goes first, which then no longer waits. */
  serve({ monotonic, slot, doubtsOnly, isProbe = false }: SlotMoment): Candidate<T> | undefined {
    this.expire(monotonic);
    const { groups } = this;
    const isAgeOff = isProbe || slot - this.agedAt <= 1;
    let best: Group<T> | undefined;
    // In order of arrival, so the first of equals is the oldest.
    for (const group of groups) {
      group.isOverdue = !isAgeOff && slot - group.since >= SLOTS_WAITED_MAX;
      if (doubtsOnly && !group.isFirst) continue;
      if (best === undefined || group.rank < best.rank) best = group;
    }
    if (best === undefined) return undefined;
    groups.splice(groups.indexOf(best), 1);
    this.size -= 1 + best.others.length;
    if (this.firstDeadline !== Number.POSITIVE_INFINITY) this.firstDeadline = firstDeadlineOf(groups);
    if (best.isOverdue) this.agedAt = slot;
    return best;
  }

  /** Empties the queue and returns its items. */
  clear(): readonly T[] {
    const items = this.groups.flatMap((group) => [group.item, ...group.others.map((other) => other.item)]);
    this.groups = [];
    this.size = 0;
    this.firstDeadline = Number.POSITIVE_INFINITY;
    return items;
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

/** One request that waits for a slot, and all waiters that share its answer. */
class Group<T> implements Candidate<T> {
  want: Want;
  item: T;
  others: readonly Waiting<T>[] = [];
  /** The number of slots granted before it was registered. */
  readonly since: number;
  class: WantClass;
  /** It has waited 59 slots; as of the last choice. */
  isOverdue = false;

  constructor(want: Want, item: T, since: number) {
    this.want = want;
    this.item = item;
    this.since = since;
    this.class = want.class;
  }

  /** Lower goes first, the older among equals. */
  get rank(): number {
    return this.isOverdue ? -1 : WANT_CLASSES.indexOf(this.class);
  }

  get isFirst(): boolean {
    return this.class === "doubt" || this.class === "kill-check";
  }

  join(other: Waiting<T>): void {
    this.others = [...this.others, other];
    this.class = mostUrgent(this.class, other.want.class);
  }

  /** Drops waiters; the rest keep their order. False if none is left. */
  drop(isGone: (waiting: Waiting<T>) => boolean, gone: Waiting<T>[]): boolean {
    const left: Waiting<T>[] = [];
    for (const { want, item } of [this, ...this.others]) (isGone({ want, item }) ? gone : left).push({ want, item });
    const [first, ...others] = left;
    if (first === undefined) return false;
    this.want = first.want;
    this.item = first.item;
    this.others = others;
    this.class = left.map(({ want }) => want.class).reduce(mostUrgent);
    return true;
  }
}

function mostUrgent(one: WantClass, other: WantClass): WantClass {
  return WANT_CLASSES.indexOf(other) < WANT_CLASSES.indexOf(one) ? other : one;
}
