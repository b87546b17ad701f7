// What is written of a submission when a fact has brought it from one state to the next. Only what outlives a process is; a
// fold of these records (`reread`) is the living state again.

import { unreachable } from "../domain/invariant.ts";
import type { Millis } from "../domain/time.ts";
import type { Evidence, FindingRecord, JournalRecord, ReceiptRecord, ResolutionRecord } from "../journal/record.ts";
import type { Look } from "./look.ts";
import type { AnyReceipt, Finding, MoneyKind, Receipts, Resolution, State } from "./submission.ts";

export type SubmissionRecord = Exclude<
  Extract<JournalRecord, { readonly id: string }>,
  { kind: "plan" | "approval" | "plan-progress" }
>;

type Log = { record(record: SubmissionRecord): void };

type Named = { readonly kind: MoneyKind; readonly id: string };

/** What an answer has made of it. */
export function outcomeRecord({ kind, id }: Named, state: State<AnyReceipt>, at: Millis): SubmissionRecord {
  switch (state.kind) {
    case "accepted":
      return { kind: "outcome", at, id, outcome: { kind: "accepted", receipt: receiptRecord(kind, state.receipt) } };
    case "rejected":
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

/** What history shows of it. */
export function landedRecord({ kind, id }: Named, round: number, receipt: AnyReceipt, at: Millis): Evidence {
  return { kind: "evidence", at, id, round, finding: { kind: "landed", receipt: receiptRecord(kind, receipt) } };
}

/** Says whether there was something to write: before the fence, and while an answered one is not in history yet, absence changes nothing. */
export function logLook(
  named: Named,
  { round, finding, now: { at } }: Look<AnyReceipt>,
  before: State<AnyReceipt>,
  state: State<AnyReceipt>,
  log: Log,
): boolean {
  const isSame = state.kind === before.kind && receiptIn(state) === receiptIn(before);
  if (isSame && state.kind !== "fenced") return false;
  const { kind, id } = named;
  log.record({ kind: "evidence", at, id, round, finding: findingRecord(kind, finding) });
  if (state.kind === "rejected") log.record(outcomeRecord(named, state, at));
  else if (state.kind === "presumed-dead") {
    const { reason, by } = state;
    log.record({ kind: "resolution", at, id, verdict: { kind: "presumed-dead" }, reason, by });
  } else logEscalation(id, before, state, at, log);
  return true;
}

function receiptIn(state: State<unknown>): unknown {
  return "receipt" in state ? state.receipt : undefined;
}

/** Of what has become a person's by this fact; says whether it has. */
export function logEscalation(
  id: string,
  before: State<unknown>,
  state: State<unknown>,
  at: Millis,
  log: Log,
): boolean {
  const reason = escalationOf(before, state);
  if (reason === undefined) return false;
  log.record({ kind: "resolution", at, id, verdict: { kind: "escalated" }, reason, by: "bot" });
  return true;
}

function escalationOf(before: State<unknown>, state: State<unknown>): string | undefined {
  if (state.kind === "escalated") return before.kind === "escalated" ? undefined : state.reason;
  const wasOverdue = before.kind === "accepted" && before.overdue;
  return state.kind === "accepted" && state.overdue && !wasOverdue ? "history does not show it" : undefined;
}

export function resolutionRecord(
  { kind, id }: Named,
  resolution: Resolution<AnyReceipt>,
  at: Millis,
): ResolutionRecord {
  const { reason, by } = resolution;
  const verdict: ResolutionRecord["verdict"] =
    resolution.kind === "landed"
      ? { kind: "landed", receipt: receiptRecord(kind, resolution.receipt) }
      : { kind: "presumed-dead" };
  return { kind: "resolution", at, id, verdict, reason, by };
}

function findingRecord(kind: MoneyKind, finding: Finding<AnyReceipt>): FindingRecord {
  if (finding.kind === "landed") return { kind: "landed", receipt: receiptRecord(kind, finding.receipt) };
  // How it is listed is only for the words to a person, which have a record of their own.
  if (finding.kind === "absent") return { kind: "absent" };
  if (finding.kind === "silent") return finding;
  // The stop that follows has a record of its own, with its cause.
  return { kind: finding.kind, reason: finding.reason };
}

function receiptRecord(kind: MoneyKind, receipt: AnyReceipt): ReceiptRecord {
  switch (kind) {
    case "order":
      return { kind, fill: receipt as Receipts["order"] };
    case "mint":
      return { kind, mint: receipt as Receipts["mint"] };
    case "rail":
      return { kind, rail: receipt as Receipts["rail"] };
    default:
      return unreachable(kind);
  }
}
