// What an answer of history does to a submission. Only absence needs rules: it counts from the answer to the last
// question, asked after the fence, and the one that frees is asked when publication must be over.

import { confirmed, contradicted, escalated, free, stay, to } from "./move.ts";
import type { Advance, Fact, Moment, MoneyKind, Receipts, State, Submission } from "./submission.ts";
import { KIND_RULES, type Terms } from "./terms.ts";
import { watched, watchOf } from "./watch.ts";

export function looked<K extends MoneyKind>(
  submission: Submission<K>,
  { round, finding, now }: Extract<Fact<Receipts[K]>, { kind: "looked" }>,
  terms: Terms,
): Advance<K> {
  // What is there is there, whichever answer shows it.
  if (finding.kind === "landed") return confirmed(submission, finding.receipt);
  if (finding.kind === "contradiction") return contradicted(submission, finding.reason);
  const watch = watchOf(submission.state);
  if (watch === undefined || !watch.open || watch.round !== round || watch.askedAt === undefined)
    return stay(submission);
  const closed = watched(submission, { ...watch, open: false });
  const { state } = closed;
  if (state.kind !== "fenced" || finding.kind === "silent") return stay(closed);
  const isFinal = watch.askedAt - state.fence.at >= terms.windowMs;
  if (finding.kind === "split")
    return isFinal ? contradicted(closed, finding.reason) : to(closed, { ...state, negatives: 0 });
  return counted(closed, { ...state, negatives: state.negatives + 1 }, { isFinal, now, terms });
}

/** A round that failed or was dropped: it is asked again, unless the key itself is refused. */
export function unanswered<K extends MoneyKind>(
  submission: Submission<K>,
  { round, code }: Extract<Fact<Receipts[K]>, { kind: "unanswered" }>,
): Advance<K> {
  const watch = watchOf(submission.state);
  if (watch === undefined || !watch.open || watch.round !== round) return stay(submission);
  const closed = watched(submission, { ...watch, open: false });
  if (code !== "unauthorized") return stay(closed);
  const reason = `${submission.id} is not known to have ended, and the venue refuses the key that asks about it`;
  return stay(closed, { kind: "halt", reason, wayOut: 'pegbot doctor, then pegbot resume --reason "..."' });
}

function counted<K extends MoneyKind>(
  submission: Submission<K>,
  state: Extract<State<Receipts[K]>, { kind: "fenced" }>,
  { isFinal, now, terms }: { readonly isFinal: boolean; readonly now: Moment; readonly terms: Terms },
): Advance<K> {
  const { doubt, fence, negatives } = state;
  const more = to(submission, state);
  if (!KIND_RULES[submission.kind].presumesDeath) return more;
  // A venue that says it did not look is believed as soon as history agrees.
  if (doubt.light) {
    const failure = { code: doubt.code, status: 429, venueCode: undefined, message: doubt.cause };
    return to(submission, { kind: "rejected", failure }, free);
  }
  if (negatives < terms.negatives || !isFinal || terms.awaitsEquity) return more;
  const refusal = releaseRefusal(submission, terms);
  if (refusal !== undefined) return escalated(more.submission, refusal);
  const reason = `absent in ${negatives} rounds, the last at least ${terms.windowMs} ms after nonce ${fence.nonce} was accepted`;
  return to(submission, { kind: "presumed-dead", at: now.at, by: "bot", reason }, free);
}

function releaseRefusal({ id, value }: Submission, { releaseMax }: Terms): string | undefined {
  if (releaseMax === undefined)
    return `no witness knows ${id}, but too little has been measured to free it without a person`;
  if (value === undefined) return `no witness knows ${id}, but what it is worth is unknown`;
  // After a change of the currency of limits the two cannot be compared.
  if (value.asset !== releaseMax.asset)
    return `no witness knows ${id}, but it is worth ${value} ${value.asset} and the limit is in ${releaseMax.asset}`;
  return value.moreThan(releaseMax)
    ? `no witness knows ${id}; freed without a person is at most ${releaseMax} ${releaseMax.asset}, was ${value}`
    : undefined;
}
