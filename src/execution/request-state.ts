// The state machine of a request: `decide` says which records a fact leads to, `apply` what a record makes of the state. A
// transition is written once, in `apply`, for the living process and for replay. At most one
// sending, exactly one booking; nothing is freed except by a definite answer, the full rule, or a person.

import { InvariantViolation, invariant, unreachable } from "../domain/invariant.ts";
import { legsText } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import type { Nonce, Outcome, SendingRecord } from "../exchange/port.ts";
import type { Evidence, FindingRecord, OutcomeRecord, ReceiptRecord, ResolutionRecord } from "../journal/record.ts";
import { mergedReceipt, receiptDifference } from "./evidence.ts";
import { type Parameters, PUBLISHED_MS_MIN } from "./parameters.ts";
import { DOCTOR, haltAbout, lateSubject, unsentSubject } from "./remediation.ts";
import {
  type AnyReceipt,
  type Conflict,
  type Disagreement,
  type Finding,
  hasHappened,
  KIND_RULES,
  type LifeRecord,
  type MoneyKind,
  type MoneyRequest,
  type NamedHalt,
  type Resolution,
  type State,
  type Unknown,
} from "./request.ts";

export type Fact =
  | { readonly kind: "answered"; readonly outcome: Outcome<AnyReceipt> }
  /** A signed read of the key was answered with 200. */
  | { readonly kind: "fenced"; readonly nonce: Nonce }
  /** A list or a person shows that it happened. `unreadFrom`: since when the list could not be read. */
  | { readonly kind: "shown"; readonly receipt: AnyReceipt; readonly round: number; readonly unreadFrom?: Millis }
  /** A round of queries is complete. `askedMs`: its start, counted from the fence. */
  | { readonly kind: "round"; readonly finding: Unshown; readonly round: number; readonly askedMs: number }
  /** The time for evidence is over. */
  | { readonly kind: "overdue" }
  /** The owning process is gone. */
  | { readonly kind: "recovered" }
  /** The balances agree with it booked. */
  | { readonly kind: "explained" }
  | { readonly kind: "resolved"; readonly resolution: Resolution<AnyReceipt> };

export type Unshown = Exclude<Finding<AnyReceipt>, { kind: "landed" }>;

export type Decision = { readonly records: readonly LifeRecord[]; readonly halt?: NamedHalt | undefined };

const NOTHING: Decision = { records: [] };

/** The record of sending. Throws if it was sent before. */
export function sendingOf({ id, state }: MoneyRequest, sent: SendingRecord, at: Millis): LifeRecord {
  invariant(state.kind === "intended", `${id} must be sent once, was ${state.kind}`);
  const { nonce, digest, host } = sent;
  return { kind: "sending", at, id, nonce, digest, host };
}

export function decide(request: MoneyRequest, fact: Fact, at: Millis, parameters: Parameters): Decision {
  const { id, state } = request;
  switch (fact.kind) {
    case "answered":
      return answered(request, fact.outcome, at);
    case "fenced":
      return state.kind === "unknown" && state.fence === undefined && fact.nonce > state.nonce
        ? { records: [{ kind: "fenced", at, id, nonce: fact.nonce }] }
        : NOTHING;
    case "shown":
      return shown(request, fact, at);
    case "round":
      return round(request, fact, at, parameters);
    case "overdue":
      return overdue(request, at, parameters);
    case "recovered":
      return state.kind === "settled" || state.kind === "rejected" || state.kind === "released"
        ? NOTHING
        : { records: [{ kind: "recovered", at, id }] };
    case "explained":
      return hasHappened(state) ? { records: [{ kind: "settled", at, id }] } : NOTHING;
    case "resolved":
      return resolved(request, fact.resolution, at);
    default:
      return unreachable(fact);
  }
}

function answered(request: MoneyRequest, outcome: Outcome<AnyReceipt>, at: Millis): Decision {
  const { kind, id, state } = request;
  if (outcome.kind === "not-sent") {
    // It was closed meanwhile; evidence decides.
    if (state.kind !== "intended" && state.kind !== "sending") return NOTHING;
    const { code, reason } = outcome;
    return { records: [outcomeRecord(id, { kind: "not-sent", code, reason }, at)] };
  }
  if (state.kind !== "sending") return answeredLate(request, outcome, at);
  if (outcome.nonce !== state.nonce)
    throw new InvariantViolation(`the answer to ${id} must be to nonce ${state.nonce}, was to ${outcome.nonce}`);
  switch (outcome.kind) {
    case "accepted":
      return { records: [outcomeRecord(id, { kind: "accepted", receipt: receiptRecord(kind, outcome.value) }, at)] };
    case "rejected": {
      const { code, status, venueCode, message } = outcome.failure;
      const record = outcomeRecord(id, { kind: "rejected", code, status, venueCode, message }, at);
      return { records: [record], halt: forbidden(request, status, message) };
    }
    case "doubt": {
      const { code, message } = outcome.failure;
      const record = { kind: "doubt", at, id, nonce: outcome.nonce, code, cause: message } as const;
      return { records: [record], halt: outcome.halt ? contradictory(request, message) : undefined };
    }
    default:
      return unreachable(outcome);
  }
}

/** It was closed meanwhile: a definite answer still counts, and its trade is still looked for. */
function answeredLate(
  request: MoneyRequest,
  outcome: Exclude<Outcome<AnyReceipt>, { kind: "not-sent" }>,
  at: Millis,
): Decision {
  const { kind, id, state } = request;
  invariant(state.kind !== "intended", `${id} must be on record as sent before it is answered`);
  // Only its own answer makes it accepted; a second answer is not history evidence.
  invariant(state.kind !== "accepted", `${id} must be answered once, was ${state.kind}`);
  if (outcome.kind === "doubt" && outcome.halt)
    return { records: [], halt: contradictory(request, outcome.failure.message) };
  if (outcome.kind !== "accepted") return NOTHING;
  if (state.kind === "unknown")
    return { records: [outcomeRecord(id, { kind: "accepted", receipt: receiptRecord(kind, outcome.value) }, at)] };
  return shown(request, { receipt: outcome.value, round: 0 }, at);
}

/** The account lacks the permission; the next order would be refused as well. */
function forbidden({ kind, id }: MoneyRequest, status: number | undefined, message: string): NamedHalt | undefined {
  if (status !== 403 || kind !== "order") return undefined;
  return { cause: "venue", subject: `forbids ${id}`, reason: `the venue forbids ${id}: ${message}`, wayOut: DOCTOR };
}

function contradictory(request: MoneyRequest, message: string): NamedHalt {
  const { id } = request;
  const reason = `the answer to ${id} contradicts itself: ${message}`;
  return haltAbout(request, { cause: "contradiction", subject: `answer to ${id}`, reason });
}

function halted(request: MoneyRequest, conflict: Conflict): Decision {
  return { records: [], halt: haltAbout(request, conflict) };
}

type Shown = Omit<Extract<Fact, { kind: "shown" }>, "kind">;

/** Books it if it was not booked; a released one also halts. */
function shown(request: MoneyRequest, { receipt, round, unreadFrom }: Shown, at: Millis): Decision {
  const { kind, id, state } = request;
  const finding = { kind: "landed", receipt: receiptRecord(kind, receipt) } as const;
  const unread = state.kind === "accepted" && kind === "order" ? unreadFrom : undefined;
  const evidence: Evidence = { kind: "evidence", at, id, round, finding, unreadFrom: unread };
  switch (state.kind) {
    case "intended":
      return halted(request, { ...unsentSubject(id), reason: `the venue shows ${id}, which was never sent` });
    case "sending":
      // The answer is outstanding; history will be queried again.
      return NOTHING;
    case "unknown":
      return { records: [evidence] };
    case "rejected":
    case "not-sent":
    case "released": {
      const fill = "bought" in receipt ? `: ${legsText(receipt)}; it is booked` : "";
      const reason = `${id} happened after it had been given up (${state.kind})${fill}`;
      return { records: [evidence], halt: haltAbout(request, { ...lateSubject(id), finding: "booked", reason }) };
    }
    default: {
      const difference = receiptDifference(kind, state.receipt, receipt);
      if (difference !== undefined) {
        const trade = "tradeId" in receipt && receipt.tradeId !== undefined ? `: trade ${receipt.tradeId}` : "";
        const subject = `receipt of ${id}${trade}`;
        const reason = `${id} contradicts itself: ${difference}`;
        return halted(request, { cause: "contradiction", subject, reason });
      }
      if (state.kind === "settled" && state.isReturned) return NOTHING;
      const isNews =
        state.kind === "accepted" ||
        (kind !== "order" && mergedReceipt(kind, state.receipt, receipt) !== state.receipt);
      return isNews ? { records: [evidence] } : NOTHING;
    }
  }
}

type Round = Omit<Extract<Fact, { kind: "round" }>, "kind">;

/**
 * Absence counts only in a round asked after the fence; the round that releases is asked when publication must be over.
 */
function round(
  request: MoneyRequest,
  { finding, round, askedMs }: Round,
  at: Millis,
  parameters: Parameters,
): Decision {
  const { kind, id, state } = request;
  const isOpen = state.kind === "unknown" && state.escalated === undefined;
  if (finding.kind === "contradiction") return contradicted(request, finding, { isOpen, round, at });
  if (!isOpen || state.fence === undefined) return NOTHING;
  const evidence: Evidence = { kind: "evidence", at, id, round, finding: findingRecord(finding) };
  if (finding.kind === "silent") {
    const isOverdue = at - state.since >= parameters.escalateAfterMs;
    return { records: isOverdue ? [evidence, escalation(id, finding.reason, at)] : [evidence] };
  }
  const isFinal = askedMs >= parameters.windowMs;
  if (finding.kind === "split")
    return isFinal ? contradicted(request, finding, { isOpen, round, at }) : { records: [evidence] };
  if (!KIND_RULES[kind].isReleasable) return { records: [evidence] };
  // A refusal is believed once history agrees: the order list, or a round after the known publication delay.
  if (state.code === "rate-limited" || (isRefusal(state.code) && !mayHaveTraded(finding.listedAs))) {
    const isPublished = askedMs >= Math.max(parameters.publishedMs, PUBLISHED_MS_MIN);
    if (!isPublished && finding.listedAs !== "Rejected") return { records: [evidence] };
    const { code, cause: message } = state;
    const status = code === "rate-limited" ? 429 : undefined;
    const refused = { kind: "rejected", code, status, venueCode: undefined, message } as const;
    return { records: [evidence, outcomeRecord(id, refused, at)] };
  }
  const absences = state.absences + 1;
  const { release, negatives, windowMs } = parameters;
  if (absences < negatives || !isFinal || release.kind === "awaits-equity") return { records: [evidence] };
  const refusal = releaseRefusal(request, parameters, finding.listedAs);
  if (refusal !== undefined) return { records: [evidence, escalation(id, refusal, at)] };
  const reason = `absent in ${absences} rounds, the last at least ${durationText(windowMs)} after nonce ${state.fence} was accepted`;
  return { records: [evidence, { kind: "resolution", at, id, verdict: { kind: "released" }, reason, by: "bot" }] };
}

/** Next to a word of the order list that may mean a trade, or an order that is still open, the full rule holds. */
function mayHaveTraded(word = ""): boolean {
  return /fill|exec|trad|match|complet|done|success|new|open|accept|pend|partial|work/i.test(
    word.replace(/(un|not[ _-]?)filled/i, ""),
  );
}

/** The answer was an error that the interface does not name, and showed nothing that moved. */
export function isRefusal(code: string): boolean {
  return code === "unknown-code" || code === "rejected";
}

/** Contradicting witnesses halt the bot, and the halt shows both. */
function contradicted(
  request: MoneyRequest,
  { reason, shows, cause }: Disagreement,
  { isOpen, round, at }: { readonly isOpen: boolean; readonly round: number; readonly at: Millis },
): Decision {
  const { id } = request;
  const finding: FindingRecord = { kind: "contradiction", reason };
  const records = isOpen ? [{ kind: "evidence", at, id, round, finding } as const, escalation(id, reason, at)] : [];
  const asked = isOpen ? { ...request, state: { ...(request.state as Unknown), escalated: reason } } : request;
  const conflict = { cause, subject: `evidence of ${id}: ${shows}`, reason: `${id}: ${reason}` };
  return { records, halt: haltAbout(asked, conflict) };
}

function releaseRefusal(
  { id, value }: MoneyRequest,
  { release }: Parameters,
  listedAs: string | undefined,
): string | undefined {
  const seen =
    listedAs === undefined
      ? `no witness knows ${id}`
      : `the venue's orders list ${id} as ${listedAs}, and trades and balances do not show it`;
  if (release.kind === "person") return `${seen}, but it is not released without a person: ${release.why}`;
  if (release.kind !== "up-to") return undefined;
  const { value: most } = release;
  if (value === undefined) return `${seen}, but what it is worth is unknown`;
  if (value.asset !== most.asset)
    return `${seen}, but it is worth ${value} ${value.asset} and the limit is in ${most.asset}`;
  return value.moreThan(most)
    ? `${seen}; released without a person is at most ${most} ${most.asset}, was ${value}`
    : undefined;
}

function overdue(request: MoneyRequest, at: Millis, { escalateAfterMs }: Parameters): Decision {
  const { id, state } = request;
  const after = durationText(escalateAfterMs);
  if (state.kind === "unknown" && state.escalated === undefined)
    return { records: [escalation(id, `the outcome of ${id} is unknown for ${after} or more: ${state.cause}`, at)] };
  if (state.kind !== "accepted" || state.isOverdue) return NOTHING;
  const missing = `history does not show it after ${after}`;
  const reason = `${id} was answered as done, and ${missing}`;
  const halt = haltAbout(request, { cause: "doubt", subject: `unlisted ${id}`, reason });
  return { records: [escalation(id, missing, at)], halt };
}

function escalation(id: string, reason: string, at: Millis): ResolutionRecord {
  return { kind: "resolution", at, id, verdict: { kind: "escalated" }, reason, by: "bot" };
}

function resolved(request: MoneyRequest, resolution: Resolution<AnyReceipt>, at: Millis): Decision {
  const refusal = resolutionRefusal(request, resolution.kind);
  invariant(refusal === undefined, refusal ?? "");
  const { kind, id } = request;
  const { reason, by } = resolution;
  const verdict: ResolutionRecord["verdict"] =
    resolution.kind === "landed"
      ? { kind: "landed", receipt: receiptRecord(kind, resolution.receipt) }
      : { kind: "released" };
  return { records: [{ kind: "resolution", at, id, verdict, reason, by }] };
}

/** Why a person may not close it in this way now; commands check this before they write. */
export function resolutionRefusal(request: MoneyRequest, verdict: Resolution<unknown>["kind"]): string | undefined {
  const { id, state } = request;
  if (verdict === "not-landed" ? isReturnable(request) : isUncosted(request)) return undefined;
  if (state.kind !== "unknown" || state.escalated === undefined)
    return `${id} must wait for a person to be closed by one, was ${state.kind}${state.kind === "released" ? ` by ${state.by}` : ""}`;
  if (verdict === "not-landed" && state.fence === undefined)
    return `${id} may still arrive at the venue: a later request of the same key must be answered first`;
  return undefined;
}

/**
 * A person may mark it as undone: a mint whose coins have not arrived, or a rail that was accepted and never listed.
 */
export function isReturnable({ kind, state }: MoneyRequest): boolean {
  if (kind === "order") return false;
  if (state.kind === "accepted") return state.isOverdue;
  return kind === "mint" && hasHappened(state);
}

/** A mint that was found in the list, which states no cost; a person states it. */
export function isUncosted({ kind, state }: Pick<MoneyRequest, "kind" | "state">): boolean {
  if (kind !== "mint" || !("receipt" in state) || state.kind === "settled") return false;
  return "spent" in state.receipt && state.receipt.spent === undefined;
}

export function apply<K extends MoneyKind>(request: MoneyRequest<K>, record: LifeRecord): MoneyRequest<K>["state"] {
  return applied(request as MoneyRequest, record) as MoneyRequest<K>["state"];
}

function applied(request: MoneyRequest, record: LifeRecord): State<AnyReceipt> {
  const { state } = request;
  const { at } = record;
  switch (record.kind) {
    case "sending":
      return sent(request, { ...record, nonce: record.nonce as Nonce });
    case "outcome":
      return outcomeState(record);
    case "doubt": {
      const { nonce, code, cause } = record;
      return { kind: "unknown", nonce: nonce as Nonce, code, cause, since: at, absences: 0 };
    }
    case "fenced":
      return state.kind === "unknown" ? { ...state, fence: record.nonce as Nonce, fencedAt: at, absences: 0 } : state;
    case "evidence":
      return evident(request, record.finding);
    case "resolution":
      return resolutionState(request, record);
    case "recovered":
      return recovered(request, at);
    case "settled":
      return hasHappened(state) ? { kind: "settled", receipt: state.receipt as AnyReceipt } : state;
    default:
      return unreachable(record);
  }
}

/** The process was taken for dead and sent it anyway, so it may be at the venue. */
function sent({ state }: MoneyRequest, record: Extract<State<never>, { kind: "sending" }>): State<AnyReceipt> {
  if (state.kind === "intended") return record;
  const { nonce, at: since } = record;
  const cause = "sent by a process that another one had taken for dead";
  return state.kind === "not-sent" ? { kind: "unknown", nonce, code: "crash", cause, since, absences: 0 } : state;
}

function outcomeState({ at, outcome }: OutcomeRecord): State<AnyReceipt> {
  if (outcome.kind !== "accepted") return outcome;
  return { kind: "accepted", receipt: receiptOf(outcome.receipt), since: at, isOverdue: false };
}

function evident({ kind, state }: MoneyRequest, finding: FindingRecord): State<AnyReceipt> {
  if (finding.kind === "landed") return landed(kind, state, receiptOf(finding.receipt));
  if (state.kind !== "unknown" || state.fence === undefined) return state;
  if (finding.kind === "silent" || finding.kind === "contradiction") return state;
  return { ...state, absences: finding.kind === "absent" ? state.absences + 1 : 0 };
}

function landed(kind: MoneyKind, state: State<AnyReceipt>, receipt: AnyReceipt): State<AnyReceipt> {
  switch (state.kind) {
    case "intended":
    case "sending":
      return state;
    case "unknown":
      return { kind: "confirmed", receipt };
    case "rejected":
    case "not-sent":
    case "released":
      return { kind: "late", receipt };
    case "accepted":
      return { kind: "confirmed", receipt: mergedReceipt(kind, state.receipt, receipt) };
    default:
      return { ...state, receipt: mergedReceipt(kind, state.receipt, receipt) };
  }
}

function resolutionState({ kind, state }: MoneyRequest, record: ResolutionRecord): State<AnyReceipt> {
  const { verdict, at, by, reason } = record;
  if (verdict.kind === "landed") return landed(kind, state, receiptOf(verdict.receipt));
  if (verdict.kind === "released") {
    if (kind !== "mint" || !("receipt" in state)) return { kind: "released", at, by, reason };
    const receipt = { ...state.receipt, status: "returned", reason } as AnyReceipt;
    return { kind: "settled", receipt, isReturned: true };
  }
  if (state.kind === "accepted") return { ...state, isOverdue: true };
  return state.kind === "unknown" ? { ...state, escalated: reason } : state;
}

/** What was journaled of an unknown outcome stays: its fence, its rounds and its age. */
function recovered({ kind, state }: MoneyRequest, at: Millis): State<AnyReceipt> {
  switch (state.kind) {
    case "intended":
      return { kind: "not-sent", code: "crash", reason: "the process ended before it was to be sent" };
    case "sending": {
      const cause = "the process ended, or stood still, between sending and answer";
      const since = kind === "order" ? at : state.at;
      return { kind: "unknown", nonce: state.nonce, code: "crash", cause, since, absences: 0 };
    }
    default:
      return state;
  }
}

function outcomeRecord(id: string, outcome: OutcomeRecord["outcome"], at: Millis): OutcomeRecord {
  return { kind: "outcome", at, id, outcome };
}

function findingRecord(finding: Unshown): FindingRecord {
  if (finding.kind === "absent") return { kind: "absent" };
  return finding.kind === "silent" ? finding : { kind: finding.kind, reason: finding.reason };
}

function receiptRecord(kind: MoneyKind, receipt: AnyReceipt): ReceiptRecord {
  return { kind, [kind === "order" ? "fill" : kind]: receipt } as ReceiptRecord;
}

function receiptOf(record: ReceiptRecord): AnyReceipt {
  return record.kind === "order" ? record.fill : record.kind === "mint" ? record.mint : record.rail;
}
