// Late-bound slots: wants wait here, and only when a slot opens is the best of them chosen. Doubts and kill checks come
// first, then whatever is worth most at that moment; but no want and no class waits longer than 60 slots. Pure: a
// backtest spends virtual slots through the same code. Other policies than by worth are there to be compared with it.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import { type Chosen, classWorth, type Want, type WantClass } from "../port.ts";
import { createTurns } from "./turns.ts";

/**
 * By what decides among wants that are neither doubt, kill check nor overdue: what each says it is worth, else its class;
 * the class alone; or who came first.
 */
export const SLOT_POLICIES = ["worth", "fixed-priority", "first-come"] as const;
export type SlotPolicy = (typeof SLOT_POLICIES)[number];

const CLASSES = Object.keys(classWorth) as readonly WantClass[];
const WORTHS = CLASSES.map((name) => classWorth[name]);
const ranks = CLASSES.length;
/** Doubt and kill check. */
const firstClasses = 2;

/** Smaller goes first: waited too long, first by rule, ranked by worth. */
export type Tier = 0 | 1 | 2;

/** The moment a slot opens; `slot` counts the slots granted so far, by whomever. */
export type SlotMoment = {
  readonly now: Millis;
  readonly monotonic: Mono;
  readonly slot: number;
  readonly doubtsOnly: boolean;
  /** Nobody else bids: a want that waits alone need not be valued. */
  readonly isAlone?: boolean;
};

type Waiting<T> = { readonly want: Want; readonly item: T };

/** One request that would answer every member; `tier`, `worth`, `class` and `over` are as of the last look. */
export interface Candidate<T> extends Chosen {
  readonly members: readonly Waiting<T>[];
  readonly since: number;
  readonly tier: Tier;
}

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

type Group<T> = {
  readonly key: string | undefined;
  members: Waiting<T>[];
  since: number;
  order: number;
  rank: number;
  class: WantClass;
  tier: Tier;
  worth: number;
  over: Group<T> | undefined;
};

export function createScheduler<T>(
  dropped: (item: T, reason: string) => void,
  settings: { waitingMax?: number; policy?: SlotPolicy } = {},
): Scheduler<T> {
  return new LateBoundScheduler(dropped, settings);
}

// A class, not closures: what is made once for each key or run has one shape then, however many there are in a process.
// Private by type only: a backtest comes through here with every request, and `#` makes the compiled path longer.
class LateBoundScheduler<T> implements Scheduler<T> {
  private readonly dropped: (item: T, reason: string) => void;
  private readonly waitingMax: number;
  private readonly policy: SlotPolicy;
  private readonly turns = createTurns(ranks);
  private groups: Group<T>[] = [];
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
        if (group.key !== key) continue;
        group.members.push({ want, item });
        group.rank = Math.min(group.rank, rankOf(want));
        return DONE;
      }
    groups.push(createGroup({ want, item }, slot, ++this.orders));
    return DONE;
  }

  best(moment: SlotMoment): Candidate<T> | undefined {
    this.expire(moment.monotonic);
    const { groups, turns } = this;
    turns.look(moment.slot);
    const isValued = this.policy === "worth" && (groups.length > 1 || moment.isAlone !== true);
    let best: Group<T> | undefined;
    let next: Group<T> | undefined;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] as Group<T>;
      appraise(group, isValued ? moment.now : undefined);
      if (moment.doubtsOnly && group.rank >= firstClasses) continue;
      turns.waiting(group);
      if (best === undefined || this.outranks(group, best)) {
        next = best;
        best = group;
      } else if (next === undefined || this.outranks(group, next)) next = group;
    }
    if (best !== undefined) best.over = next;
    const due = turns.due();
    if (due === undefined) return best;
    const aged = groups.find((group) => group.order === due);
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
    appraise(only, undefined);
    if (moment.doubtsOnly && only.rank >= firstClasses) return undefined;
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
    this.size -= group.members.length;
    if (this.firstDeadline !== Number.POSITIVE_INFINITY) this.firstDeadline = firstDeadlineOf(groups);
    this.turns.served(group, slot);
  }

  clear(): readonly T[] {
    const items = this.groups.flatMap((group) => group.members.map((member) => member.item));
    this.groups = [];
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
    for (const group of this.groups) {
      past.push(...group.members.filter((member) => isPast(member.want, monotonic)));
      group.members = group.members.filter((member) => !isPast(member.want, monotonic));
      group.rank = Math.min(...group.members.map((member) => rankOf(member.want)));
    }
    this.groups = this.groups.filter((group) => group.members.length > 0);
    this.firstDeadline = firstDeadlineOf(this.groups);
    this.size -= past.length;
    // Last, because whoever is told may register a new want at once.
    for (const { want, item } of past) this.dropped(item, pastDeadline(want, monotonic));
  }
}

const DONE = ok(undefined);

function createGroup<T>(member: Waiting<T>, since: number, order: number): Group<T> {
  const { key } = member.want;
  const rank = rankOf(member.want);
  return { key, members: [member], since, order, rank, class: "other", tier: 2, worth: 0, over: undefined };
}

/** Its place in a short list: to look one of several names up in an object costs more. */
function rankOf({ class: wanted }: Want): number {
  let rank = 0;
  while (rank < ranks && CLASSES[rank] !== wanted) rank++;
  return rank;
}

/** A shared request is as urgent as its most urgent member. Without a time it is worth what its class is. */
function appraise<T>(group: Group<T>, now: Millis | undefined): void {
  const { members, rank } = group;
  group.class = CLASSES[rank] as WantClass;
  group.tier = rank < firstClasses ? 1 : 2;
  // The first of the classes is worth most.
  let worth = now === undefined ? (WORTHS[rank] as number) : Number.NEGATIVE_INFINITY;
  if (now !== undefined)
    for (let i = 0; i < members.length; i++) worth = Math.max(worth, worthOf((members[i] as Waiting<T>).want, now));
  group.worth = worth;
}

/** A worth that cannot be had is the class's: one want must not take the queue, and the doubts in it, down with it. */
function worthOf(want: Want, now: Millis): number {
  if (want.worth === undefined) return WORTHS[rankOf(want)] as number;
  try {
    const worth = want.worth(now);
    if (Number.isFinite(worth)) return worth;
  } catch {}
  return classWorth[want.class];
}

function firstDeadlineOf<T>(groups: readonly Group<T>[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < groups.length; i++) {
    const { members } = groups[i] as Group<T>;
    for (let j = 0; j < members.length; j++) first = Math.min(first, (members[j] as Waiting<T>).want.deadline ?? first);
  }
  return first;
}

function isPast(want: Want, monotonic: Mono): boolean {
  return want.deadline !== undefined && monotonic > want.deadline;
}

function pastDeadline(want: Want, monotonic: Mono): string {
  return `past-deadline: ${want.class} waited ${Math.ceil(monotonic - (want.deadline ?? monotonic))} ms beyond its deadline`;
}
