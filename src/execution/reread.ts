// A submission's records read back: what each of them makes of it, whoever wrote it. Rounds of questions and monotonic times
// are not written, and begin anew with whoever keeps it next.

import { invariant, unreachable } from "../domain/invariant.ts";
import type { Nonce } from "../exchange/port.ts";
import type { Evidence, IntentRecord, OutcomeRecord, ReceiptRecord } from "../journal/record.ts";
import { explained, fenced, recovered, sent } from "./advance.ts";
import { confirmed, escalated, opened, returned } from "./move.ts";
import type { Hand, MoneyKind, Receipts, State, Submission } from "./submission.ts";
import type { SubmissionRecord } from "./submission-log.ts";
import { OTHER_CLOCK, watched, watchFrom, watchOf } from "./watch.ts";

/** The state after a record that some process wrote of it. */
export function reread<K extends MoneyKind>(
  submission: Submission<K>,
  record: Exclude<SubmissionRecord, IntentRecord>,
): State<Receipts[K]> {
  const now = { at: record.at, mono: OTHER_CLOCK };
  const { state } = submission;
  switch (record.kind) {
    case "sending": {
      const { nonce, digest, host } = record;
      return sent(submission, { nonce: nonce as Nonce, digest, host }, record.at);
    }
    case "outcome":
      return outcomeState(submission, record);
    case "doubt": {
      const { nonce, code, cause } = record;
      return opened({ nonce: nonce as Nonce, code, message: cause }, watchFrom(now));
    }
    case "fenced":
      return fenced(submission, record.nonce as Nonce, now);
    case "evidence":
      return judged(submission, record);
    case "resolution": {
      const { verdict, reason, by, at } = record;
      if (verdict.kind === "landed") return confirmed(submission, receiptOf(submission, verdict.receipt), IDLE);
      if (verdict.kind === "presumed-dead")
        return "receipt" in state
          ? returned(submission, { reason, by, at })
          : { kind: "presumed-dead", at, by, reason };
      return state.kind === "accepted" ? { ...state, overdue: true } : escalated(submission, reason, IDLE);
    }
    case "recovered":
      return recovered(submission, now, IDLE);
    case "settled":
      return explained(submission);
    default:
      return unreachable(record);
  }
}

/** What it led to was done by whoever wrote it. */
const IDLE: Hand<unknown> = { free() {}, book() {}, confirm() {}, ask() {}, escalate() {}, halt() {} };

function outcomeState<K extends MoneyKind>(
  submission: Submission<K>,
  { outcome, at }: OutcomeRecord,
): State<Receipts[K]> {
  switch (outcome.kind) {
    case "accepted": {
      const receipt = receiptOf(submission, outcome.receipt);
      return { kind: "accepted", receipt, watch: watchFrom({ at, mono: OTHER_CLOCK }), overdue: false };
    }
    case "rejected":
    case "not-sent":
      return outcome;
    default:
      return unreachable(outcome);
  }
}

function judged<K extends MoneyKind>(submission: Submission<K>, { finding, round }: Evidence): State<Receipts[K]> {
  if (finding.kind === "landed") return confirmed(submission, receiptOf(submission, finding.receipt), IDLE);
  const watch = watchOf(submission.state);
  const state = watch === undefined ? submission.state : watched(submission.state, { ...watch, round });
  if (state.kind !== "fenced" || finding.kind === "silent" || finding.kind === "contradiction") return state;
  return { ...state, negatives: finding.kind === "absent" ? state.negatives + 1 : 0 };
}

function receiptOf<K extends MoneyKind>({ kind, id }: Submission<K>, record: ReceiptRecord): Receipts[K] {
  invariant(record.kind === kind, `the receipt of ${id} must be of a ${kind}, was of a ${record.kind}`);
  const receipt = record.kind === "order" ? record.fill : record.kind === "mint" ? record.mint : record.rail;
  return receipt as Receipts[K];
}
