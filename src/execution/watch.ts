// Waiting for history to speak: when the next question is due, which one is under way, and for how long it has been.

import { mono } from "../domain/time.ts";
import type { Advance, Fence, Moment, MoneyKind, State, Submission, Watch } from "./submission.ts";
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

export function watched<K extends MoneyKind>(submission: Submission<K>, watch: Watch): Submission<K> {
  const { state } = submission;
  switch (state.kind) {
    case "accepted":
    case "confirmed":
    case "zombie":
      return { ...submission, state: { ...state, watch } };
    case "doubt":
    case "fenced":
    case "escalated":
      return { ...submission, state: { ...state, doubt: { ...state.doubt, watch } } };
    default:
      return submission;
  }
}

/** By the wall clock over restarts, by the other one when the wall clock was set back: too early asks a person, no more. */
export function ageMs({ since, from }: Watch, { at, mono }: Moment): number {
  return Math.max(at - since, mono - from);
}

export function askIfDue<K extends MoneyKind>(submission: Submission<K>, now: Moment, terms: Terms): Advance<K> {
  const { state } = submission;
  const { mono } = now;
  const watch = watchOf(state);
  if (watch === undefined && isFollowed(submission))
    return { submission: watched(submission, watchFrom(now)), effects: [] };
  if (watch === undefined || isUnderWay(watch, mono, terms)) return { submission, effects: [] };
  const fence = state.kind === "fenced" || state.kind === "escalated" ? state.fence : undefined;
  const isScheduled = state.kind === "accepted" || fence !== undefined || isFollowed(submission);
  const dueAt = isScheduled ? scheduled(submission, watch, fence, terms) : retry(watch, terms);
  if (dueAt === undefined || mono < dueAt) return { submission, effects: [] };
  const round = watch.round + 1;
  return {
    submission: watched(submission, { ...watch, round, askedAt: mono, open: true }),
    effects: [{ kind: "ask", round, witnesses: witnessesOf(submission) }],
  };
}

export function isUnderWay({ open, askedAt }: Watch, mono: number, { lookMsMax }: Terms): boolean {
  return open && askedAt !== undefined && mono - askedAt < lookMsMax;
}

function scheduled<K extends MoneyKind>(
  submission: Submission<K>,
  { askedAt, from }: Watch,
  fence: Fence | undefined,
  { looks, follow }: Terms,
): number | undefined {
  const start = fence?.at ?? from;
  const next = nextLook(
    isFollowed(submission) ? follow : looks[submission.kind],
    askedAt === undefined ? undefined : askedAt - start,
  );
  return next === undefined ? undefined : start + next;
}

/** Ever more seldom: a venue that is away for hours is not asked every few seconds, and any other read fences as well. */
function retry({ askedAt, from }: Watch, { fenceRetryMs, fenceRetryMsMax }: Terms): number {
  if (askedAt === undefined) return from;
  return askedAt + Math.min(Math.max(fenceRetryMs, (askedAt - from) / 10), fenceRetryMsMax);
}
