// Applies a fact to a tracked request: the state machine decides the records, and this class emits them with the
// reports, queries and halts. Every change of a request passes through it.

import type { Asset } from "../domain/asset.ts";
import type { OrderReport } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { MovementReport } from "../domain/movement.ts";
import { fillMoves } from "../domain/moves.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import { isHeld } from "../domain/settlement-status.ts";
import type { OrderIntent, Step } from "../domain/step.ts";
import { type Millis, type Mono, millis, mono } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import type { Nonce, Outcome, SendingRecord } from "../exchange/port.ts";
import { keyOf, RESUME } from "../risk/trading-state.ts";
import type { BalanceCheck } from "./balance-check.ts";
import type { Ask, Effects, ExecutorParts } from "./effects.ts";
import {
  ageMs,
  askedMs,
  ELSEWHERE,
  isDue,
  isFollowed,
  isOutstanding,
  isPolled,
  type Parameters,
  parametersOf,
  pollFrom,
  type UnreadLists,
  witnessesOf,
} from "./parameters.ts";
import { DOCTOR, resolveCommand } from "./remediation.ts";
import {
  type AnyReceipt,
  type Finding,
  hasHappened,
  type LifeRecord,
  type Moment,
  type NamedHalt,
  reservationOf,
  type State,
  type Unknown,
  type Witness,
} from "./request.ts";
import { decide, type Fact, isUncosted, sendingOf, type Unshown } from "./request-state.ts";
import { RequestStore, type Stage, type TrackedRequest } from "./request-store.ts";

type TrackerParts = Pick<ExecutorParts, "writer" | "settings" | "equity" | "orderMax" | "endedMax">;

export class RequestTracker {
  readonly store: RequestStore;
  readonly halts = new Halts();
  private readonly parts: TrackerParts;
  private readonly balances: BalanceCheck;
  private readonly unread: UnreadLists;
  /** The parameters of everything except a release, which depends on measurements. */
  private readonly fixed: Parameters;

  constructor(parts: TrackerParts, balances: BalanceCheck, unread: UnreadLists) {
    this.parts = parts;
    this.balances = balances;
    this.unread = unread;
    this.store = new RequestStore(parts.endedMax);
    this.fixed = parametersOf(parts.settings, this.store.measured(millis(0)), NO_VALUE);
  }

  parameters(at: Millis): Parameters {
    const { settings, equity, orderMax } = this.parts;
    return parametersOf(settings, this.store.measured(at), { equity: equity(), orderMax });
  }

  /** Of this process: a request of an earlier one is taken over first. */
  owns({ owner }: TrackedRequest): boolean {
    return owner === this.parts.writer;
  }

  sending(id: string, record: SendingRecord, { at }: Moment): LifeRecord {
    const tracked = this.store.get(id);
    const sending = sendingOf(tracked, record, at);
    this.store.apply(tracked, sending, this.parts.writer);
    return sending;
  }

  answered(tracked: TrackedRequest, outcome: Outcome<AnyReceipt>, now: Moment, out: Effects): void {
    this.act(tracked, { kind: "answered", outcome }, now, out);
    if (this.owns(tracked)) this.query(tracked, now, out);
  }

  fence(nonce: Nonce, now: Moment, out: Effects): void {
    for (const tracked of this.store.open.values())
      if (tracked.state.kind === "unknown" && this.owns(tracked))
        this.act(tracked, { kind: "fenced", nonce }, now, out);
  }

  /** A list shows the request, contradicts it, or completes a round about it. */
  found(tracked: TrackedRequest, finding: Finding<AnyReceipt>, now: Moment, out: Effects, unreadFrom?: Millis): void {
    if (finding.kind === "landed") this.shown(tracked, finding.receipt, now, out, unreadFrom);
    else this.judged(tracked, finding, now, out);
  }

  /** Proof that it happened counts from any answer, even outside an open round. */
  shown(tracked: TrackedRequest, receipt: AnyReceipt, now: Moment, out: Effects, unreadFrom?: Millis): void {
    const { round } = tracked.poll;
    const late = unreadFrom === undefined ? {} : { unreadFrom };
    this.act(tracked, { kind: "shown", receipt, round, ...late }, now, out);
  }

  private judged(tracked: TrackedRequest, finding: Unshown, now: Moment, out: Effects): void {
    const { round, isOpen: isOwnRound } = tracked.poll;
    const age = askedMs(tracked.poll);
    if (isOwnRound) tracked.poll = { ...tracked.poll, isOpen: false };
    if (isOwnRound || finding.kind === "contradiction")
      this.act(tracked, { kind: "round", finding, round, askedMs: age }, now, out, this.parameters(now.at));
  }

  /** One list of a round was not read: after the fence it is asked again, so that the others were not read in vain. */
  missed(tracked: TrackedRequest, witness: Witness, code: string, now: Moment): void {
    const { poll, state } = tracked;
    const isFenced = state.kind === "unknown" && state.fence !== undefined;
    const againAt = mono(now.mono + this.fixed.fenceRetryMs);
    if (!isFenced || code === "unauthorized") this.unanswered(tracked, code, now);
    else if (poll.isOpen) tracked.poll = { ...poll, missing: [...(poll.missing ?? []), witness], againAt };
  }

  /** A failed or dropped round is asked again, unless the key itself is refused. */
  unanswered(tracked: TrackedRequest, code: string, now: Moment): void {
    const { id, poll } = tracked;
    if (!poll.isOpen) return;
    tracked.poll = { ...poll, isOpen: false };
    if (code !== "unauthorized") return;
    const reason = `the outcome of ${id} is not known, and the venue refuses the key that asks about it`;
    this.halts.raise({ cause: "venue", subject: `key, asking about ${id}`, reason, wayOut: DOCTOR }, now.mono);
  }

  recovered(tracked: TrackedRequest, now: Moment, out: Effects, isUnsure = false): void {
    this.act(tracked, { kind: "recovered" }, now, out);
    if (isUnsure) return;
    const { fencedAt = now.at } = tracked.state as Partial<Unknown>;
    tracked.poll = pollFrom(now.mono, tracked.poll.round, now.mono, Math.max(0, now.at - fencedAt));
  }

  /** Called about once a second: asks due queries and escalates requests whose time for evidence is over. */
  poll(now: Moment, out: Effects): void {
    for (const tracked of [...this.store.open.values()]) if (this.owns(tracked)) this.query(tracked, now, out);
  }

  get isPolling(): boolean {
    for (const tracked of this.store.open.values()) if (isPolled(tracked) && this.owns(tracked)) return true;
    return false;
  }

  private query(tracked: TrackedRequest, now: Moment, out: Effects): void {
    const { poll } = tracked;
    if (!isPolled(tracked) || poll === ELSEWHERE) return;
    const isWaiting = tracked.state.kind === "accepted" || tracked.state.kind === "unknown";
    if (isWaiting && ageMs(tracked, poll, now) >= this.fixed.escalateAfterMs && !this.mustAskFirst(tracked, now))
      this.act(tracked, { kind: "overdue" }, now, out);
    const isBegun = isOutstanding(poll, now.mono, this.fixed) && tracked.poll.isOpen;
    const { missing = [], againAt = now.mono } = poll;
    if (!isBegun && !isDue(tracked, tracked.poll, now.mono, this.fixed)) return;
    if (isBegun && (missing.length === 0 || now.mono < againAt)) return;
    tracked.poll = isBegun
      ? { ...poll, missing: undefined }
      : { ...tracked.poll, round: poll.round + 1, askedAt: now.mono, isOpen: true, missing: undefined };
    const asset = mintedBy(tracked);
    const urgency = queryClass(tracked);
    for (const witness of isBegun ? missing : witnessesOf(tracked))
      out.ask({ witness, asset: witness === "supply-changes" ? asset : undefined, class: urgency });
  }

  /** After a long pause history is queried before a person is asked. An unreadable list proves nothing. */
  private mustAskFirst(tracked: TrackedRequest, { mono }: Moment): boolean {
    const { poll, state, kind } = tracked;
    const { escalateAfterMs } = this.fixed;
    const isAsked = poll.askedAt !== undefined && !isOutstanding(poll, mono, this.fixed);
    const isFresh = !isAsked && mono - poll.from < escalateAfterMs;
    // Time without a process is no time for evidence: rounds decide about an order, and a person only where they do not.
    if (state.kind === "unknown") return kind === "order" ? mono - poll.from < escalateAfterMs : isFresh;
    const [witness] = witnessesOf(tracked);
    const list = witness && { witness, asset: mintedBy(tracked) };
    if (list === undefined || !this.unread.has(list)) return isFresh;
    if (mono - poll.from >= escalateAfterMs && this.unread.isFor(list, escalateAfterMs, mono)) {
      const name = this.unread.nameOf(list);
      const reason = `the venue's ${name} cannot be read for ${durationText(escalateAfterMs)} or more: answered requests stay unconfirmed`;
      const wayOut = `pegbot doctor until the venue's ${name} can be read, then ${RESUME}`;
      this.halts.raise({ cause: "venue", subject: `unread ${name}`, reason, wayOut }, mono);
    }
    return true;
  }

  act(tracked: TrackedRequest, fact: Fact, now: Moment, out: Effects, parameters = this.fixed): void {
    const { records, halt } = decide(tracked, fact, now.at, parameters);
    const wasFollowed = isFollowed(tracked);
    for (const record of records) {
      out.record(record);
      this.apply(tracked, record, this.parts.writer, now.mono);
      const { poll } = tracked;
      // Polling restarts with a waiting state, and windows start at the fence.
      if (record.kind === "fenced") tracked.poll = pollFrom(poll.from, poll.round, now.mono);
      else if (record.kind === "outcome" || record.kind === "doubt" || (isFollowed(tracked) && !wasFollowed))
        tracked.poll = pollFrom(now.mono, poll.round);
    }
    if (halt !== undefined) this.halts.raise(halt, now.mono);
    if (records.length > 0) this.report(tracked, now.at, out);
  }

  /** Applies a record from the journal. */
  fold(record: LifeRecord, writer: string): void {
    const tracked = this.store.get(record.id);
    this.apply(tracked, record, writer);
    tracked.poll = ELSEWHERE;
  }

  private apply(tracked: TrackedRequest, record: LifeRecord, writer: string, mono?: Mono): void {
    const before = tracked.state;
    this.store.apply(tracked, record, writer);
    const { state, id, kind } = tracked;
    const moves = bookedSince(tracked, before);
    if (moves.length > 0) this.balances.booked(id, moves, record.at, mono);
    if (kind !== "order" && "receipt" in state)
      tracked.heldAt = isHeld((state.receipt as Rail).status) ? (tracked.heldAt ?? record.at) : undefined;
  }

  /** Applies a journal step: what the engine already knows. */
  stepped({ event }: Step): void {
    if (event.kind === "report") {
      const tracked = this.store.find(event.clientOrderId);
      if (tracked !== undefined) tracked.lastReported = nameOf(event.report);
    } else if (event.kind === "movement") {
      const tracked = this.store.find(event.id);
      if (tracked !== undefined) reported(tracked, event.report);
    }
  }

  report(tracked: TrackedRequest, receivedAt: Millis, out: Effects): void {
    const { id, kind } = tracked;
    if (kind === "order") {
      const report = orderReport(tracked.state as State<Fill>);
      if (report === undefined || nameOf(report) === tracked.lastReported) return;
      tracked.lastReported = nameOf(report);
      out.tell({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt });
      return;
    }
    for (const report of kind === "mint"
      ? [...outcomeReports(tracked), ...mintReports(tracked)]
      : railReports(tracked)) {
      reported(tracked, report);
      out.tell({ kind: "movement", id, report, receivedAt });
    }
  }
}

const NO_VALUE = { equity: undefined, orderMax: undefined };

/**
 * The bookings of this change, which the balances may not show yet. Money that a person marked as returned is not one.
 */
function bookedSince(tracked: TrackedRequest, before: State<AnyReceipt>): readonly Money[] {
  const { kind, state, request } = tracked;
  if (!("receipt" in state) || kind === "rail") return [];
  if (kind === "order")
    return reservationOf(before) === "booked" ? [] : fillMoves(request as OrderIntent, state.receipt as Fill);
  const { spent, fee } = state.receipt as MintRecord;
  const { asset, quantity, destination } = request as MintIntent;
  const wasSpent = "receipt" in before && (before.receipt as MintRecord).spent !== undefined;
  const left = spent === undefined || wasSpent ? [] : [spent.negated()];
  const apart =
    left.length > 0 && fee !== undefined && fee.asset !== spent?.asset && !fee.isZero() ? [fee.negated()] : [];
  const hasCome = state.kind === "settled" && before.kind !== "settled" && state.isReturned !== true;
  return [...left, ...apart, ...(hasCome && destination === undefined ? [quantity.of(asset)] : [])];
}

/** The coin whose supply changes list this request. */
export function mintedBy({ kind, request }: Pick<TrackedRequest, "kind" | "request">): Asset | undefined {
  return kind === "mint" ? (request as MintIntent).asset : undefined;
}

function queryClass(tracked: TrackedRequest): Ask["class"] {
  if (isFollowed(tracked)) return "treasury";
  return tracked.state.kind === "accepted" ? "confirmation" : "doubt";
}

/** The report of an order's state to the engine; undefined for states that the engine itself caused. */
function orderReport(state: State<Fill>): OrderReport | undefined {
  switch (state.kind) {
    case "intended":
    case "sending":
      return undefined;
    case "not-sent":
      return { kind: "not-sent", reason: state.reason };
    case "rejected":
      return { kind: "rejected", code: state.code, message: state.message };
    case "accepted":
      return { kind: "filled", fill: state.receipt, confirmed: false };
    case "confirmed":
    case "settled":
    case "late":
      return { kind: "filled", fill: state.receipt, confirmed: true };
    case "unknown":
      return state.escalated === undefined
        ? { kind: "doubt", cause: state.cause }
        : { kind: "escalated", reason: state.escalated };
    case "released":
      return { kind: "dead", reason: state.reason };
    default:
      return unreachable(state);
  }
}

function nameOf(report: OrderReport): string {
  return report.kind === "filled" && report.confirmed ? "confirmed" : report.kind;
}

/** Notes what the engine knows after a report. */
function reported(tracked: TrackedRequest, report: MovementReport): void {
  if (report.kind === "doubt" || report.kind === "escalated") tracked.lastReported = report.kind;
  else if (report.kind === "told") tracked.status = report.status;
  else tracked.stage = report.kind;
  if (tracked.kind === "rail" && (report.kind === "told" || report.kind === "released"))
    tracked.lastReported = undefined;
}

/** Reports an unknown outcome and its escalation, each once. */
function outcomeReports(tracked: TrackedRequest): readonly MovementReport[] {
  const { state, lastReported, id } = tracked;
  if (state.kind === "unknown" && state.escalated !== undefined)
    return lastReported === "escalated"
      ? []
      : [{ kind: "escalated", reason: state.escalated, wayOut: resolveCommand(tracked) }];
  if (state.kind === "unknown") return lastReported === "doubt" ? [] : [{ kind: "doubt", cause: state.cause }];
  if (!isUncosted(tracked) || lastReported === "escalated" || !hasHappened(state)) return [];
  const { requestId } = state.receipt as MintRecord;
  const reason = `the venue lists ${id} as request ${requestId}, and its list does not state what it cost`;
  const wayOut = `take spent and fee from the portal: pegbot resolve ${id} --landed --venue-id ${requestId} --spent "..." --fee "..." --reason "..."`;
  return [{ kind: "escalated", reason, wayOut }];
}

function hasLeft(stage: Stage | undefined): boolean {
  return stage !== undefined && stage !== "reserved" && stage !== "released";
}

function mintReports({ state, request, stage, status: last }: TrackedRequest): readonly MovementReport[] {
  const { asset, quantity, destination, spentMax } = request as MintIntent;
  const comes = quantity.of(asset);
  switch (state.kind) {
    case "intended":
      return [{ kind: "reserved", door: "mint", leaves: spentMax, comes }];
    case "not-sent":
    case "released":
      return stage === "released" ? [] : [{ kind: "released", reason: state.reason }];
    case "rejected":
      return stage === "released" ? [] : [{ kind: "released", reason: state.message }];
    case "accepted":
    case "confirmed":
    case "late":
    case "settled": {
      const { spent, fee, status, reason } = state.receipt as MintRecord;
      if (stage === "arrived" || stage === "returned") return [];
      const isReturned = state.kind === "settled" && state.isReturned === true;
      if (spent === undefined && !hasLeft(stage)) return isReturned ? [{ kind: "released", reason: reason ?? "" }] : [];
      const reports: MovementReport[] = [];
      if (spent !== undefined && !hasLeft(stage))
        reports.push({ kind: "departed", door: "mint", spent, fee: fee ?? Money.zero(spent.asset), comes });
      if (isReturned) return [...reports, { kind: "returned", reason: reason ?? "" }];
      if (status !== undefined && status !== last) reports.push({ kind: "told", status, reason });
      if (state.kind === "settled")
        reports.push({ kind: "arrived", at: destination === undefined ? "account" : "outside" });
      return reports;
    }
    default:
      return [];
  }
}

/** A rail moves no money, so only the end of an unknown outcome is reported. */
function railReports(tracked: TrackedRequest): readonly MovementReport[] {
  const { state, lastReported } = tracked;
  if (state.kind === "unknown") return outcomeReports(tracked);
  if (lastReported === undefined) return [];
  if (state.kind === "released") return [{ kind: "released", reason: state.reason }];
  if (!("receipt" in state)) return [];
  const { status, reason } = state.receipt as Rail;
  return [{ kind: "told", status, reason }];
}

const REPEAT_MS = 300_000;
const HALTS_MAX = 1_000;

/**
 * The halts of one call. Each is raised once and repeated only after some minutes, because the same rows return with
 * every answer.
 */
class Halts {
  private readonly raisedAt = new Map<string, Mono>();
  private due: NamedHalt[] = [];

  raise(halt: NamedHalt, now: Mono): void {
    const key = keyOf(halt);
    const before = this.raisedAt.get(key);
    if (before !== undefined && now - before < REPEAT_MS) return;
    if (this.raisedAt.size >= HALTS_MAX) this.raisedAt.clear();
    this.raisedAt.set(key, now);
    this.due.push(halt);
  }

  /** Called at the end of a call. */
  flush(receivedAt: Millis, out: Effects): void {
    if (this.due.length === 0) return;
    const due = this.due;
    this.due = [];
    for (const halt of due) out.tell({ kind: "control", control: { kind: "halt", ...halt }, receivedAt });
  }

  clear(): void {
    this.raisedAt.clear();
  }
}
