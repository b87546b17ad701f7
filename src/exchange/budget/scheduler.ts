// Late-bound slots: wants wait here, and only when a slot opens is the best of them chosen. Doubts and kill checks come
// first, then whatever is worth most at that moment; but no want and no class waits longer than 60 slots. Pure: a
// backtest spends virtual slots through the same code. Other policies than by worth are there to be compared with it.

import { emptyList } from "../../domain/empty-list.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import { type Chosen, classWorth, type Want, type WantClass } from "../port.ts";

/**
 * By what decides among wants that are neither doubt, kill check nor overdue: what each says it is worth, else its class;
 * the class alone; or who came first.
 */
export const SLOT_POLICIES = ["worth", "fixed-priority", "first-come"] as const;
export type SlotPolicy = (typeof SLOT_POLICIES)[number];

/** The moment a slot opens; `slot` counts the slots granted so far, by whomever. */
export type SlotMoment = {
  readonly now: Millis;
  readonly monotonic: Mono;
  readonly slot: number;
  readonly doubtsOnly: boolean;
  /** Nobody else bids: a want that waits alone need not be valued. */
  readonly isAlone?: boolean;
};

export interface Scheduler<T> {
  readonly size: number;
  /** No deadline passes before this. */
  readonly firstDeadline: number;
  /** Registers a want at slot `slot`; it joins those that wait for the same key. */
  add(want: Want, item: T, slot: number): Result<void>;
  /** Drops what is past its deadline. */
  expire(monotonic: Mono): void;
  /** The want that this slot should go to, if it were granted now. */
  best(moment: SlotMoment): Candidate<T> | undefined;
  /** Both in one, where deadlines were looked at just before. */
  serve(moment: SlotMoment): Candidate<T> | undefined;
  /** The slot goes to this candidate: it no longer waits. */
  take(candidate: Candidate<T>, slot: number): void;
  /** Empties the queue. */
  clear(): readonly T[];
}

export function createScheduler<T>(
  dropped: (item: T, reason: string) => void,
  settings: { waitingMax?: number; policy?: SlotPolicy } = {},
): Scheduler<T> {
  return new LateBoundScheduler(dropped, settings);
}

// A class, not closures: what is made once for each key or run has one shape then, however many there are in a process.
class LateBoundScheduler<T> implements Scheduler<T> {
  private readonly dropped: (item: T, reason: string) => void;
  private readonly waitingMax: number;
  private readonly policy: SlotPolicy;
  private readonly turns = createTurns(RANKS);
  private groups = emptyList<Group<T>>();
  private orders = 0;
  size = 0;
  firstDeadline = Number.POSITIVE_INFINITY;

  constructor(
    dropped: (item: T, reason: string) => void,
    { waitingMax = 1_000, policy = "worth" }: { waitingMax?: number; policy?: SlotPolicy },
  ) {
    this.dropped = dropped;
    this.waitingMax = waitingMax;
    this.policy = policy;
  }

  /** Most looks need not search: no deadline has passed. */
  expire(monotonic: Mono): void {
    if (monotonic > this.firstDeadline) this.dropPast(monotonic);
  }

  add(want: Want, item: T, slot: number): Result<void> {
    const { size, groups } = this;
    if (size >= this.waitingMax) return err(`queue-full: ${size} wants are waiting, limit is ${this.waitingMax}`);
    this.size = size + 1;
    const { key, deadline } = want;
    if (deadline !== undefined && deadline < this.firstDeadline) this.firstDeadline = deadline;
    if (key !== undefined)
      for (let i = 0; i < groups.length; i++) {
        const group = groups[i] as Group<T>;
        if (group.want.key !== key) continue;
        group.join({ want, item });
        return DONE;
      }
    groups.push(new Group(want, item, slot, ++this.orders));
    return DONE;
  }

  best(moment: SlotMoment): Candidate<T> | undefined {
    this.expire(moment.monotonic);
    const { groups } = this;
    const isValued = this.policy === "worth" && (groups.length > 1 || moment.isAlone !== true);
    let best: Group<T> | undefined;
    let next: Group<T> | undefined;
    let since = moment.slot;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] as Group<T>;
      group.appraise(isValued ? moment.now : undefined);
      if (moment.doubtsOnly && !group.isFirst) continue;
      since = Math.min(since, group.since);
      if (best === undefined || this.outranks(group, best)) {
        next = best;
        best = group;
      } else if (next === undefined || this.outranks(group, next)) next = group;
    }
    if (best !== undefined) best.over = next;
    return moment.slot - since < TURN_SLOTS_MIN ? best : this.byAge(best, moment);
  }

  /** Unless it is somebody's turn who has waited for long. */
  private byAge(best: Group<T> | undefined, { slot, doubtsOnly }: SlotMoment): Group<T> | undefined {
    const { groups, turns } = this;
    turns.look(slot);
    for (const group of groups) if (!doubtsOnly || group.isFirst) turns.waiting(group);
    const due = turns.due();
    const aged = due === undefined ? undefined : groups.find((group) => group.order === due);
    if (aged === undefined) return best;
    aged.tier = 0;
    if (aged !== best) aged.over = best;
    return aged;
  }

  serve(moment: SlotMoment): Candidate<T> | undefined {
    const { groups } = this;
    const [only] = groups;
    if (groups.length !== 1 || only === undefined || moment.isAlone !== true) {
      const best = this.best(moment);
      if (best !== undefined) this.take(best, moment.slot);
      return best;
    }
    // There is nothing to rank, and nobody to wait for its turn behind.
    if (moment.doubtsOnly && !only.isFirst) return undefined;
    only.appraise(undefined);
    only.over = undefined;
    groups.pop();
    this.size = 0;
    this.firstDeadline = Number.POSITIVE_INFINITY;
    this.turns.served(only, moment.slot);
    return only;
  }

  take(candidate: Candidate<T>, slot: number): void {
    const { groups } = this;
    const last = groups.length - 1;
    let index = last;
    while (index >= 0 && groups[index] !== candidate) index--;
    const group = groups[index];
    if (group === undefined) return;
    for (; index < last; index++) groups[index] = groups[index + 1] as Group<T>;
    groups.pop();
    this.size -= group.size;
    if (this.firstDeadline !== Number.POSITIVE_INFINITY) this.firstDeadline = firstDeadlineOf(groups);
    this.turns.served(group, slot);
  }

  clear(): readonly T[] {
    const items = this.groups.flatMap((group) => [group.item, ...group.others.map((other) => other.item)]);
    this.groups = emptyList();
    this.size = 0;
    this.firstDeadline = Number.POSITIVE_INFINITY;
    return items;
  }

  private outranks(a: Group<T>, b: Group<T>): boolean {
    if (a.tier !== b.tier) return a.tier < b.tier;
    if (this.policy !== "first-come" && a.worth !== b.worth) return a.worth > b.worth;
    return a.order < b.order;
  }

  private dropPast(monotonic: Mono): void {
    this.firstDeadline = Number.POSITIVE_INFINITY;
    if (this.size === 0) return;
    const past: Waiting<T>[] = [];
    this.groups = this.groups.filter((group) => group.drop(monotonic, past));
    this.firstDeadline = firstDeadlineOf(this.groups);
    this.size -= past.length;
    // Last, because whoever is told may register a new want at once.
    for (const { want, item } of past) this.dropped(item, pastDeadline(want, monotonic));
  }
}

const DONE = ok(undefined);

function firstDeadlineOf<T>(groups: readonly Group<T>[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < groups.length; i++) first = Math.min(first, (groups[i] as Group<T>).firstDeadline());
  return first;
}

function pastDeadline(want: Want, monotonic: Mono): string {
  return `past-deadline: ${want.class} waited ${Math.ceil(monotonic - (want.deadline ?? monotonic))} ms beyond its deadline`;
}

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
const RANKS = CLASSES.length;
/** Doubt and kill check. */
const FIRST_BY_RULE = 2;
const NOBODY: readonly never[] = [];

class Group<T> implements Candidate<T> {
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

const slotsWaitedMax = 59;
/** As long as nobody has waited for so many, it is nobody's turn: there are fewer classes than are left then. */
const TURN_SLOTS_MIN = 45;

type Turn = { readonly rank: number; readonly since: number; readonly order: number };

export interface Turns {
  /** A slot is being filled, `slot` were granted before it. */
  look(slot: number): void;
  waiting(turn: Turn): void;
  /** The order number of the want whose turn it is by age, if any. */
  due(): number | undefined;
  served(turn: Turn, slot: number): void;
}

function createTurns(ranks: number): Turns {
  return new AgedTurns(ranks);
}

class AgedTurns implements Turns {
  readonly #ranks: number;
  /** Per rank: when it was last served, and its longest-waiting want at this look. */
  readonly #servedAt: Float64Array;
  readonly #oldestSince: Float64Array;
  readonly #oldestOrder: Float64Array;
  readonly #left: Float64Array;
  #slot = 0;
  #eldest: number | undefined = undefined;
  #eldestSince = 0;
  #agedAt = Number.NEGATIVE_INFINITY;

  constructor(ranks: number) {
    this.#ranks = ranks;
    this.#servedAt = new Float64Array(ranks).fill(Number.NEGATIVE_INFINITY);
    this.#oldestSince = new Float64Array(ranks);
    this.#oldestOrder = new Float64Array(ranks);
    this.#left = new Float64Array(ranks);
  }

  look(at: number): void {
    this.#slot = at;
    this.#eldest = undefined;
    // There are eight: calling `fill` for them takes longer than filling.
    for (let rank = 0; rank < this.#ranks; rank++) this.#oldestOrder[rank] = 0;
  }

  waiting({ rank, since, order }: Turn): void {
    if (this.#oldestOrder[rank] === 0 || since < (this.#oldestSince[rank] ?? 0)) {
      this.#oldestOrder[rank] = order;
      this.#oldestSince[rank] = since;
    }
    if (this.#slot - since >= slotsWaitedMax && (this.#eldest === undefined || since < this.#eldestSince)) {
      this.#eldest = order;
      this.#eldestSince = since;
    }
  }

  due(): number | undefined {
    const rank = this.#pressedRank();
    if (rank !== undefined) return this.#oldestOrder[rank];
    return this.#slot - this.#agedAt > 1 ? this.#eldest : undefined;
  }

  served({ rank, since }: Turn, at: number): void {
    this.#servedAt[rank] = at + 1;
    if (at - since >= slotsWaitedMax) this.#agedAt = at;
  }

  /** The class nearest to its limit, when waiting any longer would make one of the classes late. */
  #pressedRank(): number | undefined {
    const left = this.#left;
    let nearest: number | undefined;
    let waiting = 0;
    for (let rank = 0; rank < this.#ranks; rank++) {
      if (this.#oldestOrder[rank] === 0) {
        left[rank] = Number.POSITIVE_INFINITY;
        continue;
      }
      waiting += 1;
      const since = Math.max(this.#oldestSince[rank] ?? 0, this.#servedAt[rank] ?? 0);
      left[rank] = since + slotsWaitedMax + 1 - this.#slot;
      if (nearest === undefined || (left[rank] ?? 0) < (left[nearest] ?? 0)) nearest = rank;
    }
    // The usual case, and a cheap one: nobody is near enough for the others to matter.
    if (nearest === undefined || (left[nearest] ?? 0) > waiting) return undefined;
    // With k classes that must be served within k slots, one of them must be served now.
    for (let k = 1; k <= waiting; k++) {
      let within = 0;
      for (let rank = 0; rank < this.#ranks; rank++) if ((left[rank] ?? 0) <= k) within += 1;
      if (within >= k) return nearest;
    }
    return undefined;
  }
}
