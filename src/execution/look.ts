// What an answer of history does to a submission. Only absence needs rules: it counts from the answer to the last
// question, asked after the fence, and the one that frees is asked when publication must be over.

import { durationText } from "../domain/time-text.ts";
import { confirmed, contradicted, escalated } from "./move.ts";
import type { Finding, Hand, Moment, MoneyKind, Receipts, State, Submission } from "./submission.ts";
import { KIND_RULES, type Terms } from "./terms.ts";
import { watched, watchOf } from "./watch.ts";

/** What a round of questions shows. */
export type Look<T> = { readonly round: number; readonly finding: Finding<T>; readonly now: Moment };

export function looked<K extends MoneyKind>(
  submission: Submission<K>,
  { round, finding, now }: Look<Receipts[K]>,
  terms: Terms,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  // That it happened holds, whichever answer shows it.
  if (finding.kind === "landed") return confirmed(submission, finding.receipt, hand);
  if (finding.kind === "contradiction") return contradicted(submission, finding, hand);
  const watch = watchOf(submission.state);
  if (watch === undefined || !watch.open || watch.round !== round || watch.askedAt === undefined)
    return submission.state;
  const closed = watched(submission.state, { ...watch, open: false });
  if (closed.kind !== "fenced" || finding.kind === "silent") return closed;
  const askedMs = watch.askedAt - closed.fence.at;
  const isFinal = askedMs >= terms.windowMs;
  if (finding.kind === "split") {
    if (!isFinal) return { ...closed, negatives: 0 };
    return contradicted({ ...submission, state: closed }, finding, hand);
  }
  const state = { ...closed, negatives: closed.negatives + 1 };
  return counted(submission, state, { askedMs, isFinal, now, terms, listedAs: finding.listedAs }, hand);
}

/** A round that failed or was dropped: it is asked again, unless the key itself is refused. */
export function unanswered<K extends MoneyKind>(
  { id, state }: Submission<K>,
  { round, code }: { readonly round: number; readonly code: string },
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const watch = watchOf(state);
  if (watch === undefined || !watch.open || watch.round !== round) return state;
  if (code === "unauthorized")
    hand.halt({
      cause: "venue",
      subject: `key, asking about ${id}`,
      reason: `${id} is not known to have ended, and the venue refuses the key that asks about it`,
      wayOut: 'pegbot doctor, then pegbot resume --reason "..."',
    });
  return watched(state, { ...watch, open: false });
}

type Counting = {
  /** How long after the fence it was asked. */
  readonly askedMs: number;
  readonly isFinal: boolean;
  readonly now: Moment;
  readonly terms: Terms;
  readonly listedAs: string | undefined;
};

function counted<K extends MoneyKind>(
  submission: Submission<K>,
  state: Extract<State<Receipts[K]>, { kind: "fenced" }>,
  { askedMs, isFinal, now, terms, listedAs }: Counting,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { doubt, fence, negatives } = state;
  if (!KIND_RULES[submission.kind].presumesDeath) return state;
  // A venue that says it did not look at the request is believed once history agrees, with the known delay of publication.
  if (doubt.light) {
    if (askedMs < terms.publishedMs) return state;
    hand.free();
    return { kind: "rejected", code: doubt.code, status: 429, venueCode: undefined, message: doubt.cause };
  }
  if (negatives < terms.negatives || !isFinal || terms.awaitsEquity) return state;
  const refusal = releaseRefusal(submission, terms, listedAs);
  if (refusal !== undefined) return escalated({ ...submission, state }, refusal, hand);
  hand.free();
  const reason = `absent in ${negatives} rounds, the last at least ${durationText(terms.windowMs)} after nonce ${fence.nonce} was accepted`;
  return { kind: "presumed-dead", at: now.at, by: "bot", reason };
}

function releaseRefusal(
  { id, value }: Submission,
  { releaseMax }: Terms,
  listedAs: string | undefined,
): string | undefined {
  // A person who looks into the venue's list must not find there what we said no witness knows.
  const seen =
    listedAs === undefined
      ? `no witness knows ${id}`
      : `the venue's orders list ${id} as ${listedAs}, and trades and balances do not show it`;
  if (releaseMax === undefined) return `${seen}, but too little has been measured to free it without a person`;
  if (value === undefined) return `${seen}, but what it is worth is unknown`;
  // After a change of the currency of the limits the two cannot be compared.
  if (value.asset !== releaseMax.asset)
    return `${seen}, but it is worth ${value} ${value.asset} and the limit is in ${releaseMax.asset}`;
  return value.moreThan(releaseMax)
    ? `${seen}; freed without a person is at most ${releaseMax} ${releaseMax.asset}, was ${value}`
    : undefined;
}
