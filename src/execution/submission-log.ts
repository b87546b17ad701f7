// A submission's life as records, both ways: what a fact is written as, and how a record is read back. Only what outlives
// a process is written; rounds of questions and monotonic times begin anew with whoever keeps it next.

import { assetsOf } from "../domain/asset.ts";
import { invariant, unreachable } from "../domain/invariant.ts";
import type { Millis } from "../domain/time.ts";
import type { Failure, Nonce, SendingRecord } from "../exchange/port.ts";
import type {
  Evidence,
  FindingRecord,
  IntentRecord,
  JournalRecord,
  OutcomeRecord,
  ReceiptRecord,
  ResolutionRecord,
} from "../journal/record.ts";
import { advance } from "./advance.ts";
import { confirmed, escalated, opened, returned } from "./move.ts";
import type { Fact, Finding, Receipts, State, Submission } from "./submission.ts";
import type { Terms } from "./terms.ts";
import { OTHER_CLOCK, watched, watchFrom, watchOf } from "./watch.ts";

export type SubmissionRecord = Exclude<
  Extract<JournalRecord, { readonly id: string }>,
  { kind: "plan" | "approval" | "plan-progress" }
>;

/** What is written when this fact has brought a submission from one state to the next; nothing when nothing durable changed. */
export function recordsOf<K extends keyof Receipts>(
  before: Submission<K>,
  fact: Fact<Receipts[K]>,
  after: Submission<K>,
): readonly SubmissionRecord[] {
  if (before === after) return NOTHING;
  const { id } = after;
  const { at } = fact.now;
  switch (fact.kind) {
    case "sending":
      return [sendingRecord(id, fact.record, at)];
    case "outcome":
      return [outcomeRecord(after, at)];
    case "answered": {
      const { state } = after;
      return state.kind === "fenced" || state.kind === "escalated"
        ? [{ kind: "fenced", at, id, nonce: fact.nonce }]
        : NOTHING;
    }
    case "looked":
      return lookedRecords(before, fact, after);
    case "recovered":
      return [{ kind: "recovered", at, id }];
    case "resolved":
      return [resolvedRecord(after, fact)];
    case "explained":
      return [{ kind: "settled", at, id }];
    case "time":
      return escalation(before, after, at);
    case "unanswered":
      return NOTHING;
    default:
      return unreachable(fact);
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

// Field by field: every order has one, and a spread is slower than the rest of it.
function sendingRecord(id: string, { nonce, digest, host }: SendingRecord, at: Millis): SubmissionRecord {
  return { kind: "sending", at, id, nonce, digest, host };
}

function outcomeRecord(after: Submission, at: Millis): SubmissionRecord {
  const { id, state } = after;
  switch (state.kind) {
    case "accepted":
      return { kind: "outcome", at, id, outcome: { kind: "accepted", receipt: receiptRecord(after, state.receipt) } };
    case "rejected":
      return { kind: "outcome", at, id, outcome: rejectedRecord(state.failure) };
    case "not-sent":
      return { kind: "outcome", at, id, outcome: state };
    case "doubt": {
      const { nonce, code, cause } = state.doubt;
      return { kind: "doubt", at, id, nonce, code, cause };
    }
    default:
      throw new Error(`unreachable: an answer makes nothing ${state.kind}`);
  }
}

function rejectedRecord({ code, status, venueCode, message }: Failure): OutcomeRecord["outcome"] {
  return { kind: "rejected", code, status, venueCode, message };
}

function lookedRecords<K extends keyof Receipts>(
  before: Submission<K>,
  { round, finding, now: { at } }: Extract<Fact<Receipts[K]>, { kind: "looked" }>,
  after: Submission<K>,
): readonly SubmissionRecord[] {
  const { id, state } = after;
  // Before the fence, and while an answered one is not in history yet, absence changes nothing.
  const isSame = state.kind === before.state.kind && receiptIn(state) === receiptIn(before.state);
  if (isSame && state.kind !== "fenced") return NOTHING;
  const seen: Evidence = { kind: "evidence", at, id, round, finding: findingRecord(after, finding) };
  switch (state.kind) {
    case "rejected":
      return [seen, outcomeRecord(after, at)];
    case "presumed-dead": {
      const { reason, by } = state;
      return [seen, { kind: "resolution", at, id, verdict: { kind: "presumed-dead" }, reason, by }];
    }
    default:
      return [seen, ...escalation(before, after, at)];
  }
}

function receiptIn(state: State<unknown>): unknown {
  return "receipt" in state ? state.receipt : undefined;
}

function escalation(before: Submission, { id, state }: Submission, at: Millis): readonly ResolutionRecord[] {
  const by = "bot";
  if (state.kind === "escalated" && before.state.kind !== "escalated")
    return [{ kind: "resolution", at, id, verdict: { kind: "escalated" }, reason: state.reason, by }];
  const wasOverdue = before.state.kind === "accepted" && before.state.overdue;
  if (state.kind !== "accepted" || !state.overdue || wasOverdue) return NOTHING;
  return [{ kind: "resolution", at, id, verdict: { kind: "escalated" }, reason: "history does not show it", by }];
}

function resolvedRecord<K extends keyof Receipts>(
  after: Submission<K>,
  { resolution, now: { at } }: Extract<Fact<Receipts[K]>, { kind: "resolved" }>,
): ResolutionRecord {
  const { id } = after;
  const { reason, by } = resolution;
  return resolution.kind === "landed"
    ? {
        kind: "resolution",
        at,
        id,
        verdict: { kind: "landed", receipt: receiptRecord(after, resolution.receipt) },
        reason,
        by,
      }
    : { kind: "resolution", at, id, verdict: { kind: "presumed-dead" }, reason, by };
}

function findingRecord<K extends keyof Receipts>(of: Submission<K>, finding: Finding<Receipts[K]>): FindingRecord {
  return finding.kind === "landed" ? { kind: "landed", receipt: receiptRecord(of, finding.receipt) } : finding;
}

function receiptRecord<K extends keyof Receipts>({ kind }: Submission<K>, receipt: Receipts[K]): ReceiptRecord {
  const pair = { kind, receipt } as { [P in keyof Receipts]: { kind: P; receipt: Receipts[P] } }[keyof Receipts];
  switch (pair.kind) {
    case "order":
      return { kind: "order", fill: pair.receipt };
    case "mint":
      return { kind: "mint", mint: pair.receipt };
    case "rail":
      return { kind: "rail", rail: pair.receipt };
    default:
      return unreachable(pair);
  }
}

export function intended({ id, request, value }: IntentRecord): Submission {
  const state = { kind: "intended" } as const;
  switch (request.kind) {
    case "order": {
      const { base, quote } = assetsOf(request.order.symbol);
      return { kind: "order", id, request: request.order, assets: [base, quote], value, state };
    }
    case "mint":
      return { kind: "mint", id, request: request.mint, assets: request.assets, value, state };
    case "rail":
      return { kind: "rail", id, request: request.rail, assets: request.assets, value, state };
    default:
      return unreachable(request);
  }
}

/** The submission after a record of it that some process wrote. */
export function reread<K extends keyof Receipts>(
  submission: Submission<K>,
  record: Exclude<SubmissionRecord, IntentRecord>,
  terms: Terms,
): Submission<K> {
  const now = { at: record.at, mono: OTHER_CLOCK };
  const { state } = submission;
  switch (record.kind) {
    case "sending": {
      const { nonce, digest, host } = record;
      const sent = { nonce: nonce as Nonce, digest, host };
      return advance(submission, { kind: "sending", record: sent, now }, terms).submission;
    }
    case "outcome":
      return { ...submission, state: outcomeState(submission, record) };
    case "doubt": {
      const { nonce, code, cause } = record;
      return opened(submission, { nonce: nonce as Nonce, code, message: cause }, watchFrom(now)).submission;
    }
    case "fenced":
      return advance(submission, { kind: "answered", nonce: record.nonce as Nonce, now }, terms).submission;
    case "evidence":
      return judged(submission, record);
    case "resolution": {
      const { verdict, reason, by, at } = record;
      if (verdict.kind === "landed") return confirmed(submission, receiptOf(submission, verdict.receipt)).submission;
      if (verdict.kind === "presumed-dead")
        return "receipt" in state
          ? returned(submission, { reason, by, at })
          : { ...submission, state: { kind: "presumed-dead", at, by, reason } };
      return state.kind === "accepted"
        ? { ...submission, state: { ...state, overdue: true } }
        : escalated(submission, reason).submission;
    }
    case "recovered":
      return advance(submission, { kind: "recovered", now }, terms).submission;
    case "settled":
      return advance(submission, { kind: "explained", now }, terms).submission;
    default:
      return unreachable(record);
  }
}

function outcomeState<K extends keyof Receipts>(
  submission: Submission<K>,
  { outcome, at }: OutcomeRecord,
): State<Receipts[K]> {
  switch (outcome.kind) {
    case "accepted": {
      const receipt = receiptOf(submission, outcome.receipt);
      return { kind: "accepted", receipt, watch: watchFrom({ at, mono: OTHER_CLOCK }), overdue: false };
    }
    case "rejected": {
      const { kind, ...failure } = outcome;
      return { kind, failure };
    }
    case "not-sent":
      return outcome;
    default:
      return unreachable(outcome);
  }
}

function judged<K extends keyof Receipts>(submission: Submission<K>, { finding, round }: Evidence): Submission<K> {
  if (finding.kind === "landed") return confirmed(submission, receiptOf(submission, finding.receipt)).submission;
  const watch = watchOf(submission.state);
  const looked = watch === undefined ? submission : watched(submission, { ...watch, round });
  const { state } = looked;
  if (state.kind !== "fenced" || finding.kind === "silent" || finding.kind === "contradiction") return looked;
  return { ...looked, state: { ...state, negatives: finding.kind === "absent" ? state.negatives + 1 : 0 } };
}

function receiptOf<K extends keyof Receipts>({ kind, id }: Submission<K>, record: ReceiptRecord): Receipts[K] {
  invariant(record.kind === kind, `the receipt of ${id} must be of a ${kind}, was of a ${record.kind}`);
  const receipt = record.kind === "order" ? record.fill : record.kind === "mint" ? record.mint : record.rail;
  return receipt as Receipts[K];
}
