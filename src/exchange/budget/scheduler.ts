// Late-bound slots: wants wait here, and only when a slot opens is the best of them chosen. Doubts and kill checks come
// first, then whatever is worth most at that moment; but no want and no class waits longer than 60 slots. Pure: a
// backtest spends virtual slots through the same code. Other policies than by worth are there to be compared with it.

import { emptyList } from "../../domain/empty-list.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import type { Want } from "../port.ts";
import { type Candidate, Group, RANKS, type Waiting } from "./candidate.ts";
import { createTurns, TURN_SLOTS_MIN } from "./turns.ts";

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
