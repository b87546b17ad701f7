// The protocol as one pure function: a submission and a fact give the next submission and what is to be done. At most one
// sending, exactly one booking; nothing is freed but by a definite answer, the full rule, or a person.

import { InvariantViolation, invariant, unreachable } from "../domain/invariant.ts";
import type { Failure, Outcome, SendingRecord } from "../exchange/port.ts";
import { looked, unanswered } from "./look.ts";
import { confirmed, escalated, free, halt, opened, returned, stay, to } from "./move.ts";
import type { Advance, Fact, Moment, MoneyKind, Receipts, Resolution, State, Submission } from "./submission.ts";
import { isFollowed, type Terms } from "./terms.ts";
import { ageMs, askIfDue, isUnderWay, watchFrom, watchOf } from "./watch.ts";

export function advance<K extends MoneyKind>(
  submission: Submission<K>,
  fact: Fact<Receipts[K]>,
  terms: Terms,
): Advance<K> {
  switch (fact.kind) {
    case "sending":
      return sending(submission, fact.record);
    case "outcome":
      return outcome(submission, fact.outcome, fact.now);
    case "answered":
      return fence(submission, fact);
    case "looked":
      return looked(submission, fact, terms);
    case "unanswered":
      return unanswered(submission, fact);
    case "recovered":
      return recovered(submission, fact.now);
    case "resolved":
      return resolved(submission, fact.resolution, fact.now);
    case "explained":
      return submission.state.kind === "confirmed" || submission.state.kind === "zombie"
        ? to(submission, { kind: "settled", receipt: submission.state.receipt })
        : stay(submission);
    case "time":
      return escalateIfLate(submission, fact.now, terms) ?? askIfDue(submission, fact.now, terms);
    default:
      return unreachable(fact);
  }
}

function sending<K extends MoneyKind>(submission: Submission<K>, record: SendingRecord): Advance<K> {
  const { id, state } = submission;
  invariant(state.kind === "intended", `${id} must be sent once, was ${state.kind}`);
  return to(submission, { kind: "sending", record });
}

function outcome<K extends MoneyKind>(
  submission: Submission<K>,
  answer: Outcome<Receipts[K]>,
  now: Moment,
): Advance<K> {
  const { id, state } = submission;
  if (answer.kind === "not-sent") {
    const { code, reason } = answer;
    invariant(state.kind === "intended" || state.kind === "sending", `${id} must be answered once, was ${state.kind}`);
    return to(submission, { kind: "not-sent", code, reason }, free);
  }
  invariant(state.kind === "sending", `${id} must be on record as sent before it is answered, was ${state.kind}`);
  // Not by invariant(): two nonces would be made text of with every answer.
  if (answer.nonce !== state.record.nonce)
    throw new InvariantViolation(`the answer to ${id} must be to nonce ${state.record.nonce}, was to ${answer.nonce}`);
  switch (answer.kind) {
    case "accepted":
      return to(
        submission,
        { kind: "accepted", receipt: answer.value, watch: watchFrom(now), overdue: false },
        { kind: "book", receipt: answer.value },
      );
    case "rejected":
      return rejected(submission, answer.failure);
    case "doubt": {
      const doubtful = opened(submission, { nonce: answer.nonce, ...answer.failure }, watchFrom(now));
      const reason = `the answer to ${id} contradicts itself: ${answer.failure.message}`;
      return answer.halt ? { ...doubtful, effects: [...doubtful.effects, halt(submission, reason)] } : doubtful;
    }
    default:
      return unreachable(answer);
  }
}

function rejected<K extends MoneyKind>(submission: Submission<K>, failure: Failure): Advance<K> {
  const state: State<Receipts[K]> = { kind: "rejected", failure };
  // A mint or a rail that this account may not have says nothing about its orders.
  if (failure.status !== 403 || submission.kind !== "order") return to(submission, state, free);
  // The account itself may not do this: the next request would be refused as well.
  const reason = `the venue forbids ${submission.id}: ${failure.message}`;
  return to(submission, state, free, {
    kind: "halt",
    reason,
    wayOut: 'pegbot doctor, then pegbot resume --reason "..."',
  });
}

function fence<K extends MoneyKind>(
  submission: Submission<K>,
  { nonce, now }: Extract<Fact<Receipts[K]>, { kind: "answered" }>,
): Advance<K> {
  const { state } = submission;
  if (state.kind !== "doubt" && state.kind !== "escalated") return stay(submission);
  const known = state.kind === "escalated" && state.fence !== undefined;
  if (known || nonce <= state.doubt.nonce) return stay(submission);
  // Questions that were under way when the fence came may have been answered before it: they do not count.
  const watch = { ...state.doubt.watch, askedAt: undefined, open: false };
  const doubt = { ...state.doubt, watch };
  const raised = { nonce, at: now.mono };
  return state.kind === "doubt"
    ? to(submission, { kind: "fenced", doubt, fence: raised, negatives: 0 })
    : to(submission, { ...state, doubt, fence: raised });
}

function escalateIfLate<K extends MoneyKind>(
  submission: Submission<K>,
  now: Moment,
  terms: Terms,
): Advance<K> | undefined {
  const { id, state } = submission;
  const { escalateAfterMs } = terms;
  const watch = watchOf(state);
  if (watch === undefined || ageMs(watch, now) < escalateAfterMs) return undefined;
  if (state.kind === "doubt" || state.kind === "fenced")
    return escalated(
      submission,
      `the outcome of ${id} is unknown for ${escalateAfterMs} ms or more: ${state.doubt.cause}`,
    );
  if (state.kind !== "accepted" || state.overdue) return undefined;
  // After a long pause history is asked first: it is there most likely.
  const isAsked = watch.askedAt !== undefined && !isUnderWay(watch, now.mono, terms);
  if (!isAsked && now.mono - watch.from < escalateAfterMs) return undefined;
  const reason = `${id} was answered as done, and history does not show it after ${escalateAfterMs} ms`;
  return to(submission, { ...state, overdue: true }, halt(submission, reason));
}

/** Monotonic times of the last process mean nothing in this one: windows start anew, fences stand. */
function recovered<K extends MoneyKind>(submission: Submission<K>, now: Moment): Advance<K> {
  const { state } = submission;
  switch (state.kind) {
    case "intended":
      return to(
        submission,
        { kind: "not-sent", code: "crash", reason: "the process ended before it was to be sent" },
        free,
      );
    case "sending": {
      const cause = "the process ended between sending and answer";
      return opened(submission, { nonce: state.record.nonce, code: "crash", message: cause }, watchFrom(now));
    }
    case "accepted":
      return to(submission, { ...state, watch: watchFrom(now, state.watch) });
    case "confirmed":
    case "zombie":
      return isFollowed(submission)
        ? to(submission, { ...state, watch: watchFrom(now, state.watch) })
        : stay(submission);
    case "doubt":
    case "fenced":
    case "escalated": {
      const doubt = { ...state.doubt, watch: watchFrom(now, state.doubt.watch) };
      if (state.kind === "doubt") return to(submission, { ...state, doubt });
      const fence = state.fence && { ...state.fence, at: now.mono };
      if (state.kind === "escalated") return to(submission, { ...state, doubt, fence });
      return to(submission, { ...state, doubt, fence: { ...state.fence, at: now.mono }, negatives: 0 });
    }
    default:
      return stay(submission);
  }
}

function resolved<K extends MoneyKind>(
  submission: Submission<K>,
  resolution: Resolution<Receipts[K]>,
  { at }: Moment,
): Advance<K> {
  const refusal = resolutionRefusal(submission, resolution.kind);
  invariant(refusal === undefined, refusal ?? "");
  if (resolution.kind === "landed") return confirmed(submission, resolution.receipt);
  const { by, reason } = resolution;
  if (isReturnable(submission)) return stay(returned(submission, { reason, by, at }));
  return to(submission, { kind: "presumed-dead", at, by, reason }, free);
}

/** Why a person cannot close it this way now; commands ask before they write anything. */
export function resolutionRefusal(submission: Submission, verdict: Resolution<unknown>["kind"]): string | undefined {
  const { id, state } = submission;
  if (verdict === "not-landed" && isReturnable(submission)) return undefined;
  if (state.kind !== "escalated") return `${id} must be escalated to be closed by a person, was ${state.kind}`;
  if (verdict === "not-landed" && state.fence === undefined)
    return `${id} may still arrive at the venue: a later request of the same key must be answered first`;
  return undefined;
}

/** A mint whose coins have not come may be given back; what was answered as done and never listed may not be there. */
function isReturnable({ kind, state }: Submission): boolean {
  if (kind === "order") return false;
  if (state.kind === "accepted") return state.overdue;
  return kind === "mint" && (state.kind === "confirmed" || state.kind === "zombie");
}
