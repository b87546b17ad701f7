// The protocol, pure: what each kind of fact makes of a submission, one function for each, here or in `look`. At most one
// sending, exactly one booking; nothing is freed but by a definite answer, the full rule, or a person.

import { InvariantViolation, invariant, unreachable } from "../domain/invariant.ts";
import type { Millis } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import type { Failure, Nonce, Outcome, SendingRecord } from "../exchange/port.ts";
import { confirmed, escalated, halt, opened, returned } from "./move.ts";
import type { Hand, Moment, MoneyKind, Receipts, Resolution, State, Submission, Watch } from "./submission.ts";
import { isFollowed, type Terms } from "./terms.ts";
import { accepted, ageMs, askIfDue, isUnderWay, watchFrom, watchOf } from "./watch.ts";

/** The state is the record of it: every order has one, and two would say the same. */
export function sent({ id, state }: Submission, { nonce, digest, host }: SendingRecord, at: Millis): SendingState {
  // No byte of it left. The person who gave the order reads this.
  if (state.kind === "not-sent")
    throw new InvariantViolation(
      `${id} is on record as not sent: another process of the key took this one for dead, as one with another state folder (XDG_STATE_HOME) does; nothing was sent: order again as the bot's user, with its state folder`,
    );
  if (state.kind !== "intended") throw new InvariantViolation(`${id} must be sent once, was ${state.kind}`);
  return { kind: "sending", at, id, nonce, digest, host };
}

type SendingState = Extract<State<never>, { readonly kind: "sending" }>;

export function answered<K extends MoneyKind>(
  submission: Submission<K>,
  answer: Outcome<Receipts[K]>,
  now: Moment,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { id, state } = submission;
  if (answer.kind === "not-sent") {
    const { code, reason } = answer;
    invariant(state.kind === "intended" || state.kind === "sending", `${id} must be answered once, was ${state.kind}`);
    hand.free();
    return { kind: "not-sent", code, reason };
  }
  // Not by invariant(): texts would be made with every answer.
  if (state.kind !== "sending")
    throw new InvariantViolation(`${id} must be on record as sent before it is answered, was ${state.kind}`);
  if (answer.nonce !== state.nonce)
    throw new InvariantViolation(`the answer to ${id} must be to nonce ${state.nonce}, was to ${answer.nonce}`);
  switch (answer.kind) {
    case "accepted":
      hand.book(answer.value);
      return accepted(submission.kind, answer.value, now, terms, hand);
    case "rejected":
      return rejected(submission, answer.failure, hand);
    case "doubt":
      if (answer.halt) contradictory(submission, answer.failure, hand);
      return opened({ nonce: answer.nonce, ...answer.failure }, watchFrom(now));
    default:
      return unreachable(answer);
  }
}

/** An answer that cannot be true, or does not belong to this request. */
export function contradictory(submission: Submission, { message }: Failure, hand: Pick<Hand<never>, "halt">): void {
  const { id } = submission;
  const reason = `the answer to ${id} contradicts itself: ${message}`;
  halt(submission, { cause: "contradiction", subject: `answer to ${id}`, reason }, hand);
}

function rejected<K extends MoneyKind>(
  { kind, id }: Submission<K>,
  failure: Failure,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  hand.free();
  // The account itself may not do this: the next request would be refused as well. A mint or a rail that this account may
  // not have says nothing about its orders.
  if (failure.status === 403 && kind === "order")
    hand.halt({
      cause: "venue",
      subject: `forbids ${id}`,
      reason: `the venue forbids ${id}: ${failure.message}`,
      wayOut: 'pegbot doctor, then pegbot resume --reason "..."',
    });
  const { code, status, venueCode, message } = failure;
  return { kind: "rejected", code, status, venueCode, message };
}

/** A signed read of the same key was answered with 200: requests with a lower nonce can no longer arrive. */
export function fenced<K extends MoneyKind>({ state }: Submission<K>, nonce: Nonce, now: Moment): State<Receipts[K]> {
  if (state.kind !== "doubt" && state.kind !== "escalated") return state;
  const known = state.kind === "escalated" && state.fence !== undefined;
  if (known || nonce <= state.doubt.nonce) return state;
  // Questions that were under way when the fence came may have been answered before it: they do not count.
  const watch = { ...state.doubt.watch, askedAt: undefined, open: false };
  const doubt = { ...state.doubt, watch };
  const fence = { nonce, at: now.mono };
  return state.kind === "doubt" ? { kind: "fenced", doubt, fence, negatives: 0 } : { ...state, doubt, fence };
}

/** The venue's totals equal a ledger that has its receipt booked. */
export function explained<K extends MoneyKind>({ state }: Submission<K>): State<Receipts[K]> {
  return state.kind === "confirmed" || state.kind === "zombie" ? { kind: "settled", receipt: state.receipt } : state;
}

export function timed<K extends MoneyKind>(
  submission: Submission<K>,
  now: Moment,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const watch = watchOf(submission.state);
  return watch !== undefined && ageMs(watch, now) >= terms.escalateAfterMs
    ? late(submission, now, terms, hand)
    : askIfDue(submission, now, terms, hand);
}

function late<K extends MoneyKind>(
  submission: Submission<K>,
  now: Moment,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { id, state } = submission;
  const { escalateAfterMs } = terms;
  if (state.kind === "doubt" || state.kind === "fenced") {
    if (submission.kind !== "order" && isUnasked(state.doubt.watch, now, terms))
      return askIfDue(submission, now, terms, hand);
    return escalated(
      submission,
      `the outcome of ${id} is unknown for ${durationText(escalateAfterMs)} or more: ${state.doubt.cause}`,
      hand,
    );
  }
  if (state.kind !== "accepted" || state.overdue) return askIfDue(submission, now, terms, hand);
  if (isUnasked(state.watch, now, terms)) return askIfDue(submission, now, terms, hand);
  const reason = `${id} was answered as done, and history does not show it after ${durationText(escalateAfterMs)}`;
  halt(submission, { cause: "doubt", subject: `unlisted ${id}`, reason }, hand);
  return { ...state, overdue: true };
}

/** After a long pause nobody is alarmed before history was asked: most likely it shows the request. */
function isUnasked(watch: Watch, { mono }: Moment, terms: Terms): boolean {
  const isAsked = watch.askedAt !== undefined && !isUnderWay(watch, mono, terms);
  return !isAsked && mono - watch.from < terms.escalateAfterMs;
}

/** Monotonic times of the last process mean nothing in this one: windows start anew, fences stand. */
export function recovered<K extends MoneyKind>(
  submission: Submission<K>,
  now: Moment,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { state } = submission;
  switch (state.kind) {
    case "intended":
      hand.free();
      return { kind: "not-sent", code: "crash", reason: "the process ended before it was to be sent" };
    case "sending": {
      const cause = "the process ended, or stood still, between sending and answer";
      const watch = watchFrom(now);
      // Evidence about an order is counted anew, and decides within minutes; a mint or a rail takes hours and keeps its age.
      const since = submission.kind === "order" ? watch.since : state.at;
      return opened({ nonce: state.nonce, code: "crash", message: cause }, { ...watch, since });
    }
    case "accepted":
      return { ...state, watch: watchFrom(now, state.watch) };
    case "confirmed":
    case "zombie":
      return isFollowed(submission) ? { ...state, watch: watchFrom(now, state.watch) } : state;
    case "doubt":
    case "fenced":
    case "escalated": {
      const doubt = { ...state.doubt, watch: watchFrom(now, state.doubt.watch) };
      if (state.kind === "doubt") return { ...state, doubt };
      const fence = state.fence && { ...state.fence, at: now.mono };
      if (state.kind === "escalated") return { ...state, doubt, fence };
      return { ...state, doubt, fence: { ...state.fence, at: now.mono }, negatives: 0 };
    }
    default:
      return state;
  }
}

export function resolved<K extends MoneyKind>(
  submission: Submission<K>,
  resolution: Resolution<Receipts[K]>,
  { at }: Moment,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const refusal = resolutionRefusal(submission, resolution.kind);
  invariant(refusal === undefined, refusal ?? "");
  if (resolution.kind === "landed") return confirmed(submission, resolution.receipt, hand);
  const { by, reason } = resolution;
  if (isReturnable(submission)) return returned(submission, { reason, by, at });
  hand.free();
  return { kind: "presumed-dead", at, by, reason };
}

/** Why a person may not close it in this way now; commands ask this before they write anything. */
export function resolutionRefusal(submission: Submission, verdict: Resolution<unknown>["kind"]): string | undefined {
  const { id, state } = submission;
  if (verdict === "not-landed" && isReturnable(submission)) return undefined;
  if (state.kind !== "escalated") return `${id} must be escalated to be closed by a person, was ${state.kind}`;
  if (verdict === "not-landed" && state.fence === undefined)
    return `${id} may still arrive at the venue: a later request of the same key must be answered first`;
  return undefined;
}

/** Whether a person may say that it is undone: a mint whose coins have not come, or what was answered as done and was never listed. */
function isReturnable({ kind, state }: Submission): boolean {
  if (kind === "order") return false;
  if (state.kind === "accepted") return state.overdue;
  return kind === "mint" && (state.kind === "confirmed" || state.kind === "zombie");
}
