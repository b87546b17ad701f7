// Waiting for history to speak: when the next question is due, which one is under way, and for how long it has been.

import { mono } from "../domain/time.ts";
import type { Hand, Moment, MoneyKind, Receipts, State, Submission, Watch } from "./submission.ts";
import { isFollowed, nextLook, type Terms, witnessesOf } from "./terms.ts";

/**
 * When, by a monotonic clock that is not at hand: of another process, or of this one before it read its journal again.
 * Later than any time, so that no window is over and no question due before whoever keeps it takes it up again.
 */
export const OTHER_CLOCK = mono(Number.POSITIVE_INFINITY);

/** A watch that goes on after a restart keeps its age and its count of rounds, and nothing of the old clock. */
export function watchFrom({ at, mono }: Moment, before?: Watch): Watch {
  return { since: before?.since ?? at, from: mono, round: before?.round ?? 0, askedAt: undefined, open: false };
}

export function watchOf(state: State<unknown>): Watch | undefined {
  switch (state.kind) {
    case "accepted":
    case "confirmed":
    case "zombie":
      return state.watch;
    case "doubt":
    case "fenced":
    case "escalated":
      return state.doubt.watch;
    default:
      return undefined;
  }
}

export function watched<T>(state: State<T>, watch: Watch): State<T> {
  switch (state.kind) {
    case "accepted":
      return { kind: "accepted", receipt: state.receipt, watch, overdue: state.overdue };
    case "confirmed":
    case "zombie":
      return { kind: state.kind, receipt: state.receipt, watch };
    case "doubt":
    case "fenced":
    case "escalated":
      return { ...state, doubt: { ...state.doubt, watch } };
    default:
      return state;
  }
}

/** By the wall clock over restarts, by the other one when the wall clock was set back: too early asks a person, no more. */
export function ageMs({ since, from }: Watch, { at, mono }: Moment): number {
  return Math.max(at - since, mono - from);
}

export function askIfDue<K extends MoneyKind>(
  submission: Submission<K>,
  now: Moment,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { state } = submission;
  const { mono } = now;
  const watch = watchOf(state);
  if (watch === undefined) return isFollowed(submission) ? watched(state, watchFrom(now)) : state;
  if (isUnderWay(watch, mono, terms)) return state;
  const dueAt = dueOf(submission, watch, terms);
  if (dueAt === undefined || mono < dueAt) return state;
  const round = watch.round + 1;
  const asking = watched(state, { since: watch.since, from: watch.from, round, askedAt: mono, open: true });
  hand.ask(asking, witnessesOf(submission));
  return asking;
}

/** Answered as done. Where the schedule has its first question at once, it is asked in the same pass. */
export function accepted<K extends MoneyKind>(
  kind: K,
  receipt: Receipts[K],
  now: Moment,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { at, mono } = now;
  const firstMs = nextLook(terms.looks[kind], undefined);
  if (firstMs === undefined || firstMs > 0) return { kind: "accepted", receipt, watch: watchFrom(now), overdue: false };
  const watch = { since: at, from: mono, round: 1, askedAt: mono, open: true };
  const asking: State<Receipts[K]> = { kind: "accepted", receipt, watch, overdue: false };
  hand.ask(asking, witnessesOf({ kind, state: asking }));
  return asking;
}

export function isUnderWay({ open, askedAt }: Watch, mono: number, { lookMsMax }: Terms): boolean {
  return open && askedAt !== undefined && mono - askedAt < lookMsMax;
}

/** By the schedule of what waits for history or is followed; without a fence, again and again. */
function dueOf(submission: Submission, watch: Watch, terms: Terms): number | undefined {
  const { kind, state } = submission;
  const isFollowing = isFollowed(submission);
  const fence = state.kind === "fenced" || state.kind === "escalated" ? state.fence : undefined;
  if (state.kind !== "accepted" && fence === undefined && !isFollowing) return retry(watch, terms);
  const { askedAt, from } = watch;
  const start = fence?.at ?? from;
  const schedule = isFollowing ? terms.follow : terms.looks[kind];
  const next = nextLook(schedule, askedAt === undefined ? undefined : askedAt - start);
  return next === undefined ? undefined : start + next;
}

/** Ever more seldom: a venue that is away for hours is not asked every few seconds, and any other read fences as well. */
function retry({ askedAt, from }: Watch, { fenceRetryMs, fenceRetryMsMax }: Terms): number {
  if (askedAt === undefined) return from;
  return askedAt + Math.min(Math.max(fenceRetryMs, (askedAt - from) / 10), fenceRetryMsMax);
}
