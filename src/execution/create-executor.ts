// The executor on top of the pure machine: it keeps the submissions, hands each fact to those it concerns, and turns what
// comes back into records, reports, halts and questions.

import { type Asset, assetsOf } from "../domain/asset.ts";
import type { OrderReport } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { hasSettled, type MintIntent, type MintRecord } from "../domain/mint.ts";
import { Money, type Quantity } from "../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import { isRejected, isWorking, type Rail, type RailRequest } from "../domain/rail.ts";
import type { OrderIntent, Step } from "../domain/step.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type {
  Nonce,
  OrderRecord,
  Outcome,
  Payment,
  SendingRecord,
  TradeRecord,
  WithdrawAddress,
} from "../exchange/port.ts";
import type { Adoption, Entry, IntentRecord, JournalRecord, RailsRecord, RequestRecord } from "../journal/record.ts";
import { type Approval, isOrder, type MovementWish } from "../risk/movement-gate.ts";
import { RESUME } from "../risk/standing.ts";
import { advance } from "./advance.ts";
import type { Answer, Ask, Effects, Executor, ExecutorParts, Unanswered } from "./executor.ts";
import type { Awaited, Expectation } from "./expectations.ts";
import { Foreign, type HistoryRow } from "./foreign.ts";
import { Alarms, Harvest, NO_EFFECTS } from "./harvest.ts";
import { railRow } from "./history.ts";
import { isForeignMint, orderConflict, strangersIn, submissionsOf } from "./history-check.ts";
import { Investigation, mintedBy } from "./investigation.ts";
import { costOf, isUncosted, touches } from "./mint-cost.ts";
import { type Found, findMints, findRails } from "./movement-evidence.ts";
import { movementReports, reservedReport, toldOfMovement } from "./movement-report.ts";
import { mayBeLate, moversOf } from "./movers.ts";
import { oneSided } from "./one-sided.ts";
import { judgeTrades, type Sentinel } from "./order-evidence.ts";
import { orderReportOf } from "./order-report.ts";
import { Payments } from "./payments.ts";
import { ACKNOWLEDGE, RailGuard } from "./rail-guard.ts";
import { isSameFill } from "./receipt.ts";
import { type Freeze, freezeOf, reservationOf } from "./reservation.ts";
import { ShownRows } from "./shown-rows.ts";
import type { AnyReceipt, Effect, Fact, Finding, Moment, Resolution, Submission, Witness } from "./submission.ts";
import { intended, recordsOf, reread, type SubmissionRecord } from "./submission-log.ts";
import { type Held, Submissions, type Told, toldOf } from "./submissions.ts";
import { isFollowed, type Terms, termsOf, witnessesOf } from "./terms.ts";
import { compareTotals, type Mover, type Totals } from "./totals.ts";
import { TotalsWatch } from "./totals-watch.ts";
import { coinsInFlight, mintsSince, movementRefusal, refusedRail, standingRail } from "./under-way.ts";
import { OTHER_CLOCK, watchOf } from "./watch.ts";

export function createExecutor(parts: ExecutorParts): Executor {
  return new SyncExecutor(parts);
}

const BETTER_BPS_MAX = 500;
const ADOPT = `pegbot adopt, then ${RESUME}`;
const DOCTOR = `pegbot doctor, then ${RESUME}`;
const SILENT: Finding<never> = { kind: "silent", reason: "history does not show it" };
const NO_FREEZE: Freeze = { kind: "none" };
const UNKNOWN: Sentinel = { kind: "unknown" };
/** The account itself may not do this: asking again changes nothing. */
const FORBIDDEN: ReadonlySet<string> = new Set(["forbidden", "kyb-required", "agreement-missing"]);

class SyncExecutor implements Executor {
  readonly #parts: ExecutorParts;
  readonly #bounds: { readonly feeBpsMax: number; readonly betterBpsMax: number };
  /** For everything but freeing a doubt, which depends on what was measured. */
  readonly #patience: Terms;
  readonly #submissions = new Submissions();
  readonly #investigation = new Investigation();
  readonly #foreign = new Foreign();
  readonly #totals = new TotalsWatch();
  readonly #payments = new Payments();
  readonly #guard = new RailGuard();
  readonly #alarms = new Alarms();
  readonly #shown = new ShownRows<TradeRecord>();
  #isOpened = false;
  #refusedInARow = 0;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#bounds = { feeBpsMax: parts.feeBpsMax, betterBpsMax: parts.betterBpsMax ?? BETTER_BPS_MAX };
    this.#patience = termsOf(parts.settings, { slowestMs: 0, acknowledged: 0, equity: undefined });
  }

  get terms(): Terms {
    const { slowestMs, acknowledged } = this.#submissions.publication;
    return termsOf(this.#parts.settings, { slowestMs, acknowledged, equity: this.#parts.equity() });
  }

  get isOpened(): boolean {
    return this.#isOpened;
  }

  get(id: string): Submission | undefined {
    return this.#submissions.find(id)?.submission;
  }

  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined {
    return submissionsOf(this.#submissions, kind).find(({ state }) => {
      if (!("receipt" in state)) return false;
      const { receipt } = state;
      return "railId" in receipt ? receipt.railId === venueId : isNamed(receipt, venueId);
    })?.id;
  }

  *open(): Iterable<Submission> {
    for (const { submission } of this.#submissions.open()) yield submission;
  }

  refusal(wish: MovementWish): string | undefined {
    return this.listRefusal(wish) ?? movementRefusal(wish, this.#submissions.open());
  }

  listRefusal(wish: MovementWish): string | undefined {
    const leavesByList = wish.kind === "rail" || wish.mint.destination !== undefined;
    const { reason } = this.#guard;
    return leavesByList && reason !== undefined ? `rails are frozen: ${reason}; ${ACKNOWLEDGE}` : undefined;
  }

  mintsSince(at: Millis): readonly MintIntent[] {
    return mintsSince(at, this.#submissions.all());
  }

  get hasRails(): boolean {
    return submissionsOf(this.#submissions, "rail").some(({ state }) => "receipt" in state);
  }

  get railsFrozen(): string | undefined {
    return this.#guard.reason;
  }

  get railsFrozenAt(): Millis | undefined {
    return this.#guard.since;
  }

  acknowledge(record: RailsRecord): void {
    this.#guard.fold(record);
  }

  railOf(rail: RailRequest): Submission<"rail"> | undefined {
    return standingRail(rail, this.#submissions.open());
  }

  railRefused(rail: RailRequest): string | undefined {
    return refusedRail(rail, this.#submissions.all());
  }

  expectations(): Iterable<Expectation> {
    return this.#payments.expectations.all();
  }

  expect(rail: string, amount: Quantity, { at }: Moment): Effects {
    const out = new Harvest();
    const { submission } = this.#submissions.get(rail);
    out.report(this.#payments.expectations.expect(submission as Submission<"rail">, amount, at));
    return out;
  }

  awaited(): readonly Awaited[] {
    const working = Array.from(this.#submissions.open()).flatMap(({ submission: { kind, id, state }, bookedAt }) =>
      kind === "rail" && "receipt" in state && bookedAt !== undefined && isWorking(state.receipt as Rail)
        ? [{ id, railId: (state.receipt as Rail).railId, since: bookedAt }]
        : [],
    );
    return this.#payments.awaited(working);
  }

  giveUp(expectation: string, reason: string, { at }: Moment): Effects {
    const out = new Harvest();
    out.report(this.#payments.expectations.end(expectation, reason, at));
    return out;
  }

  inFlight(asset: Asset): readonly Money[] {
    return coinsInFlight(asset, this.#submissions.open());
  }

  strangers(answer: Answer): readonly HistoryRow[] {
    return strangersIn(answer, this.#submissions, this.#foreign);
  }

  *unclear(now: Moment): Iterable<Submission> {
    for (const held of this.#submissions.open()) {
      const { submission } = held;
      if (submission.kind === "rail") continue;
      const mayHappen = submission.state.kind !== "intended" && reservationOf(submission.state) === "both-ways";
      if (mayHappen || mayBeLate(held, now, this.#parts.settings.balancesMsMax)) yield submission;
    }
  }

  freeze(now: Moment): Freeze {
    const doubts = this.#submissions.open().some(isDoubtful) ? freezeOf(this.open(), now, this.#patience) : NO_FREEZE;
    if (doubts.kind === "everything") return doubts;
    const { reason } = this.#foreign;
    if (reason !== undefined) return { kind: "everything", reason };
    const totals = this.#totals.frozen();
    if (totals === undefined) return doubts;
    if (doubts.kind === "none") return { kind: "assets", ...totals };
    return { kind: "assets", assets: [...doubts.assets, ...totals.assets], reason: doubts.reason };
  }

  fold({ writer, record }: Entry): void {
    switch (record.kind) {
      case "intent":
        this.#submissions.add(intended(record), writer, record.at);
        return;
      case "sending":
      case "outcome":
      case "doubt":
      case "fenced":
      case "evidence":
      case "resolution":
      case "recovered":
      case "settled":
        this.#reread(record, writer);
        return;
      case "adoption":
        this.#adopted(record);
        return;
      case "rails":
        this.#guard.fold(record);
        return;
      case "step":
        this.#stepped(record.step);
        return;
      case "control":
        if (record.control.kind === "resume") this.#alarms.clear();
        return;
      default:
        return;
    }
  }

  recover(isGone: (writer: string) => boolean, now: Moment): Effects {
    const out = new Harvest();
    for (const held of this.#submissions.open()) {
      const { keeper, submission } = held;
      const isDone = submission.state.kind === "confirmed" || submission.state.kind === "zombie";
      const isOver = isDone && !isFollowed(submission);
      // Our own after a rebuild: what is being sent is answered here still, what waits for history is taken up again.
      const isOurs = keeper === this.#parts.writer;
      if (isOver || (isOurs ? !isReadBack(submission) : !isGone(keeper))) continue;
      this.#submissions.recovered(held);
      this.#tell(held, { kind: "recovered", now }, out);
      this.#report(held, now.at, out);
    }
    this.#pursue(now, out);
    return out;
  }

  intend(approval: Approval, value: Money | undefined, now: Moment): Effects {
    const { at } = now;
    const by = this.#parts.by ?? "bot";
    const id = isOrder(approval) ? approval.clientOrderId : approval.id;
    const { request, reserved } = this.#requestOf(approval);
    const record: IntentRecord = { kind: "intent", at, id, request, reserved, value, by };
    this.#submissions.add(intended(record), this.#parts.writer, at);
    const out = new Harvest();
    out.record(record);
    if (request.kind === "mint")
      out.report({ kind: "movement", id, report: reservedReport(request.mint), receivedAt: at });
    return out;
  }

  #requestOf(approval: Approval): { readonly request: RequestRecord; readonly reserved: readonly Money[] } {
    if (isOrder(approval))
      return {
        request: { kind: "order", order: approval },
        reserved: [spendOf(approval, this.#bounds.feeBpsMax)],
      };
    const busy = this.refusal(approval);
    if (busy !== undefined) throw new InvariantViolation(busy);
    if (approval.kind === "rail") return { request: { kind: "rail", rail: approval.rail, assets: [] }, reserved: [] };
    const { mint } = approval;
    return {
      request: { kind: "mint", mint, assets: [mint.asset, mint.spentMax.asset] },
      reserved: [mint.spentMax],
    };
  }

  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[] {
    const out = new Harvest();
    this.#tell(this.#submissions.get(id), { kind: "sending", record, now }, out);
    return out.records;
  }

  outcome(id: string, outcome: Outcome<AnyReceipt>, now: Moment): Effects {
    const out = new Harvest();
    const held = this.#submissions.get(id);
    if (outcome.kind === "accepted") this.#approve(held, outcome.value, now, out);
    if (this.#keeps(held)) this.#tell(held, { kind: "outcome", outcome, now }, out);
    // Somebody took it for lost meanwhile, and goes after it: only what is certain is still of use.
    else if (outcome.kind === "accepted")
      this.#tell(held, { kind: "looked", round: 0, finding: { kind: "landed", receipt: outcome.value }, now }, out);
    this.#follow(held, now, out);
    return out;
  }

  answered(answer: Answer, now: Moment): Effects {
    const out = new Harvest();
    this.#refusedInARow = 0;
    this.#investigation.take(answer, now);
    if (answer.nonce !== undefined) this.#fence(answer.nonce, now, out);
    let isAllOurs = false;
    if (answer.witness === "trades") isAllOurs = this.#trades(answer.rows, now, out);
    else if (answer.witness === "orders") this.#orders(answer.rows, now, out);
    else if (answer.witness === "balances") this.#balances(answer, now, out);
    else if (answer.witness === "payments") this.#paid(answer.rows, now, out);
    else if (answer.witness === "addresses") this.#listed(answer.rows, now, out);
    else this.#movements(answer, now, out);
    this.#rounds(answer.witness, now, out);
    if (this.#isOpened && !isAllOurs) for (const row of this.strangers(answer)) this.#foreign.add(row);
    const { reason } = this.#foreign;
    if (reason !== undefined) this.#halt(reason, ADOPT, now.mono, out);
    this.#pursue(now, out);
    return out;
  }

  unanswered({ witness, askedAt, code, isShared = false }: Unanswered, now: Moment): Effects {
    const out = new Harvest();
    for (const held of this.#submissions.open()) {
      if (!this.#keeps(held)) continue;
      const watch = watchOf(held.submission.state);
      if (watch?.askedAt === undefined || !watch.open || askedAt < watch.askedAt) continue;
      if (witnessesOf(held.submission).includes(witness))
        this.#tell(held, { kind: "unanswered", round: watch.round, code, now }, out);
    }
    if (!isShared) this.#refusedInARow = code === "unauthorized" ? this.#refusedInARow + 1 : 0;
    if (this.#refusedInARow >= 2) this.#halt("the venue refuses our key", DOCTOR, now.mono, out);
    // Some keys may not ask for payments or addresses: their balances still tell, and no rail is used.
    if (FORBIDDEN.has(code) && witness !== "payments" && witness !== "addresses")
      this.#halt(`the venue forbids this account to ask: ${code}`, DOCTOR, now.mono, out);
    return out;
  }

  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment): Effects {
    const out = new Harvest();
    this.#tell(this.#submissions.get(id), { kind: "resolved", resolution, now }, out);
    return out;
  }

  adopt(adoption: Adoption): Effects {
    this.#adopted(adoption);
    const out = new Harvest();
    out.record(adoption);
    return out;
  }

  get isIdle(): boolean {
    return this.#submissions.isClosed;
  }

  time(now: Moment): Effects {
    const out = new Harvest();
    this.#pursue(now, out);
    return out.records.length + out.asks.length + out.controls.length === 0 ? NO_EFFECTS : out;
  }

  #tell(held: Held, fact: Fact<AnyReceipt>, out: Harvest): void {
    const before = held.submission;
    const terms = before.state.kind === "fenced" ? this.terms : this.#patience;
    const { submission, effects } = advance(before, fact, terms);
    if (submission !== before) {
      const records = recordsOf(before, fact, submission);
      for (let i = 0; i < records.length; i++) out.record(records[i] as SubmissionRecord);
      if (records.length > 0) held.keeper = this.#parts.writer;
      this.#submissions.became(held, submission, fact.now.at, fact.kind === "looked");
      this.#report(held, fact.now.at, out);
    }
    for (let i = 0; i < effects.length; i++) this.#effect(held, effects[i] as Effect<AnyReceipt>, fact.now, out);
  }

  #effect(held: Held, effect: Effect<AnyReceipt>, now: Moment, out: Harvest): void {
    const { id, kind } = held.submission;
    if (effect.kind === "book") held.bookedFrom = now.mono;
    else if (effect.kind === "halt") this.#halt(effect.reason, effect.wayOut, now.mono, out);
    // Of an order its report says so.
    else if (effect.kind === "escalate" && kind !== "order")
      out.report({ kind: "movement", id, report: { ...effect, kind: "escalated" }, receivedAt: now.at });
    else if (effect.kind === "ask") {
      const asset = mintedBy(held.submission);
      for (const witness of effect.witnesses)
        out.ask(witness, witness === "supply-changes" ? asset : undefined, askClass(held.submission));
    }
  }

  #halt(reason: string, wayOut: string, now: Mono, out: Harvest): void {
    if (this.#alarms.isNews(reason, now)) out.control({ kind: "halt", reason, wayOut });
  }

  #report(held: Held, at: Millis, out: Harvest): void {
    const { submission } = held;
    if (submission.kind === "mint") this.#reportMint(held, at, out);
    const told = toldOf(submission.state);
    if (submission.kind !== "order" || told === undefined || told === held.told) return;
    held.told = told;
    const report = orderReportOf(submission as Submission<"order">);
    if (report === undefined) return;
    out.report({ kind: "report", clientOrderId: submission.id as ClientOrderId, report, receivedAt: at });
  }

  #reportMint(held: Held, receivedAt: Millis, out: Harvest): void {
    const mint = held.submission as Submission<"mint">;
    for (const report of movementReports(mint, held.movement)) {
      held.movement = toldOfMovement(report, held.movement);
      out.report({ kind: "movement", id: mint.id, report, receivedAt });
    }
  }

  #reread(record: Exclude<SubmissionRecord, IntentRecord>, writer: string): void {
    const held = this.#submissions.get(record.id);
    const seen = record.kind === "evidence";
    this.#submissions.became(held, reread(held.submission, record, this.#patience), record.at, seen);
    held.keeper = writer;
    if (record.kind === "recovered") this.#submissions.recovered(held);
  }

  #stepped({ event }: Step): void {
    if (event.kind === "report") {
      const held = this.#submissions.find(event.clientOrderId);
      if (held !== undefined) held.told = toldBy(event.report);
    } else if (event.kind === "movement") {
      this.#payments.fold(event);
      const held = this.#submissions.find(event.id);
      if (held === undefined) return;
      held.movement = toldOfMovement(event.report, held.movement);
      if (event.report.kind === "escalated" && "receipt" in held.submission.state) held.isAsked = true;
    } else if (event.kind === "control" && event.control.kind === "resume") this.#alarms.clear();
  }

  #adopted({ history }: Adoption): void {
    this.#isOpened = true;
    this.#foreign.adopt(history);
    if (!this.#foreign.isUntouched) this.#submissions.hasOlderHistory();
    this.#alarms.clear();
  }

  /** What another process keeps, only that one goes after. */
  #keeps({ keeper }: Held): boolean {
    return keeper === this.#parts.writer;
  }

  /** Time passes: for whatever waits for history it may be the moment to ask, or to call a person. */
  #pursue(now: Moment, out: Harvest): void {
    const open = this.#submissions.open();
    for (let i = 0; i < open.length; i++) this.#follow(open[i] as Held, now, out);
  }

  #follow(held: Held, now: Moment, out: Harvest): void {
    const { submission } = held;
    if (this.#keeps(held) && (watchOf(submission.state) !== undefined || isFollowed(submission)))
      this.#tell(held, { kind: "time", now }, out);
  }

  #fence(nonce: Nonce, now: Moment, out: Harvest): void {
    const open = this.#submissions.open();
    for (let i = 0; i < open.length; i++) {
      const held = open[i] as Held;
      const { kind } = held.submission.state;
      if ((kind === "doubt" || kind === "escalated") && this.#keeps(held))
        this.#tell(held, { kind: "answered", nonce, now }, out);
    }
  }

  /** What history shows is true of everybody's orders, also of those that were given up. Says whether all rows are known. */
  #trades(rows: readonly TradeRecord[], now: Moment, out: Harvest): boolean {
    let isAllOurs = true;
    let shown: Map<Held, TradeRecord[]> | undefined;
    this.#shown.open(rows);
    for (let i = 0; i < rows.length; i++) {
      if (this.#shown.wasAgreed(i)) continue;
      const row = rows[i] as TradeRecord;
      const id = this.#submissions.idOf(row);
      const held = id === undefined ? undefined : this.#submissions.find(id);
      if (held === undefined) isAllOurs = false;
      if (held === undefined || held.submission.kind !== "order") continue;
      if (isKnown(held.submission, row)) {
        this.#shown.agree(i);
        continue;
      }
      shown ??= new Map();
      const named = row.clientOrderId === undefined ? { ...row, clientOrderId: id } : row;
      const others = shown.get(held);
      if (others === undefined) shown.set(held, [named]);
      else others.push(named);
    }
    for (const [held, trades] of shown ?? []) {
      const { request, state } = held.submission;
      const finding = judgeTrades(request as OrderIntent, trades, UNKNOWN);
      if (finding.kind === "landed" || finding.kind === "contradiction")
        this.#tell(held, { kind: "looked", round: watchOf(state)?.round ?? 0, finding, now }, out);
    }
    return isAllOurs;
  }

  /** Of everybody's mints and rails, as with trades: what the venue lists is true whoever asked. */
  #movements(answer: Extract<Answer, { witness: "supply-changes" | "rails" }>, now: Moment, out: Harvest): void {
    if (answer.witness === "rails") {
      const ours = submissionsOf(this.#submissions, "rail");
      this.#found(
        findRails(answer.rows, ours, (row) => this.#foreign.covers(railRow(row))),
        now,
        out,
      );
      return;
    }
    const ours = submissionsOf(this.#submissions, "mint").filter(({ request }) => request.asset === answer.asset);
    this.#found(
      findMints(answer.rows, ours, (row) => isForeignMint(row, this.#foreign)),
      now,
      out,
    );
  }

  #paid(rows: readonly Payment[], now: Moment, out: Harvest): void {
    const ours = submissionsOf(this.#submissions, "rail");
    const railOf = (railId: string): Submission<"rail"> | undefined =>
      ours.find(({ state }) => "receipt" in state && state.receipt.railId === railId);
    const { events, problems } = this.#payments.see(rows, railOf, now.at);
    for (const event of events) out.report(event);
    for (const problem of problems) out.record(this.#guard.freeze(problem, now.at));
    if (events.length === 0) return;
    for (const { request } of ours) this.#totals.moved([request.asset], now.mono);
    out.ask("balances", undefined, "balance");
  }

  #listed(rows: readonly WithdrawAddress[], now: Moment, out: Harvest): void {
    const news = this.#guard.see(rows, now.at);
    if (news !== undefined) out.record(news);
  }

  #found(found: readonly Found<AnyReceipt>[], now: Moment, out: Harvest): void {
    for (const { id, finding } of found) {
      const held = this.#submissions.get(id);
      const round = watchOf(held.submission.state)?.round ?? 0;
      this.#tell(held, { kind: "looked", round, finding, now }, out);
      const { kind, state } = held.submission;
      if (!("receipt" in state) || state.kind === "settled") continue;
      // The list says so; the balances have the last word.
      const isTold = kind === "mint" && hasSettled(state.receipt as MintRecord);
      if (isTold || isUncosted(held)) out.ask("balances", undefined, "balance");
      // A rail that is refused is over; any other stands, and is looked after.
      if (kind === "rail" && isRejected(state.receipt as Rail)) this.#tell(held, { kind: "explained", now }, out);
    }
  }

  /** Spent in another currency, or more than was approved: it is booked, and everything stops. */
  #approve({ submission }: Held, receipt: AnyReceipt, now: Moment, out: Harvest): void {
    if (submission.kind !== "mint") return;
    const { id, request } = submission as Submission<"mint">;
    const { spentMax, feeMax } = request;
    const { spent = spentMax, fee = feeMax } = receipt as MintRecord;
    const isWithin =
      spent.asset === spentMax.asset && fee.asset === feeMax.asset && spent.atMost(spentMax) && fee.atMost(feeMax);
    if (isWithin) return;
    const paid = `${spent} ${spent.asset} with a fee of ${fee} ${fee.asset}`;
    const limit = `${spentMax} ${spentMax.asset} with a fee of ${feeMax} ${feeMax.asset}`;
    this.#halt(`mint ${id} cost ${paid}, approved was at most ${limit}; it is booked`, RESUME, now.mono, out);
  }

  #orders(rows: readonly OrderRecord[], now: Moment, out: Harvest): void {
    for (const row of rows) {
      const id = this.#submissions.idOf(row);
      const held = id === undefined ? undefined : this.#submissions.find(id);
      const conflict = held && orderConflict(held.submission, row);
      if (conflict === undefined) continue;
      this.#halt(conflict, ADOPT, now.mono, out);
      out.ask("trades", undefined, "doubt");
    }
  }

  #balances({ rows, nonce }: Extract<Answer, { witness: "balances" }>, now: Moment, out: Harvest): void {
    const { held, settings } = this.#parts;
    const patienceMs = settings.balancesMsMax;
    const own = moversOf(this.#submissions.open(), this.#bounds, now, patienceMs);
    const movers = this.#withPayments(own);
    const totals = compareTotals(rows, held, movers, this.#totals.expected);
    for (const { id } of totals.moved) this.#submissions.get(id).isMoved = true;
    for (const { id } of own) this.#totals.moved(this.#submissions.get(id).submission.assets, now.mono);
    this.#costs(totals, movers, now, out);
    for (const event of this.#payments.arrived(totals, movers, now.at, patienceMs)) out.report(event);
    const unsettled = withoutFlights(totals);
    for (const one of this.#submissions.open()) {
      const { kind, state, assets } = one.submission;
      if (state.kind !== "confirmed" && state.kind !== "zombie") continue;
      if (kind === "rail" || (kind === "mint" && !hasArrived(one.submission as Submission<"mint">, totals))) continue;
      const isExact = !unsettled.some(({ asset }) => assets.includes(asset));
      if (one.isMoved || (isExact && !mayBeLate(one, now, patienceMs)))
        this.#tell(one, { kind: "explained", now }, out);
    }
    for (const one of this.#submissions.open()) {
      const report = one.submission.kind === "mint" ? oneSided(one, totals, rows, now.at) : undefined;
      if (report !== undefined) out.report({ kind: "movement", id: one.submission.id, report, receivedAt: now.at });
    }
    const judged = this.#isOpened ? totals : { ...totals, unexplained: [] };
    const reason = this.#totals.see(judged, { rows, nonce }, now.mono, patienceMs);
    // A payment on a rail of ours moves coins without any request of ours: its list is asked before anybody is blamed.
    if (judged.unexplained.length > 0 && this.hasRails) out.ask("payments", undefined, "doubt");
    if (reason !== undefined) this.#halt(reason, ADOPT, now.mono, out);
    else if (this.#totals.isToBeSeenAgain) out.ask("balances", undefined, "balance");
  }

  /** Coins of payments that come onto the account may be in the balances or not. */
  #withPayments(movers: readonly Mover[]): readonly Mover[] {
    const payments = this.#payments.movers();
    return payments.length === 0 ? movers : [...movers, ...payments];
  }

  /** What left for mints of which only the list is known. */
  #costs(totals: Totals, movers: readonly Mover[], now: Moment, out: Harvest): void {
    for (const held of this.#submissions.open()) {
      const { submission } = held;
      if (!isUncosted(held) || !("receipt" in submission.state)) continue;
      const spent = costOf(submission as Submission<"mint">, totals, movers);
      if (spent === undefined) continue;
      const { quantity } = submission.request as MintIntent;
      const receipt = {
        ...(submission.state.receipt as MintRecord),
        spent,
        fee: spent.minus(quantity.of(spent.asset)),
      };
      const round = watchOf(submission.state)?.round ?? 0;
      held.isMoved = true;
      this.#tell(held, { kind: "looked", round, finding: { kind: "landed", receipt }, now }, out);
    }
  }

  #rounds(witness: Witness, now: Moment, out: Harvest): void {
    const open = this.#submissions.open();
    for (let i = 0; i < open.length; i++) {
      const held = open[i] as Held;
      const { submission } = held;
      if (!this.#keeps(held) || !this.#investigation.completes(submission, witness)) continue;
      const round = watchOf(submission.state)?.round ?? 0;
      this.#tell(held, { kind: "looked", round, finding: this.#finding(held, now), now }, out);
    }
  }

  /** Before the fence, and for what was answered as done, only what is there counts, and that was looked for already. */
  #finding(held: Held, now: Moment): Finding<Fill> {
    if (held.submission.state.kind !== "fenced" || held.submission.kind !== "order") return SILENT;
    const { balancesAt = now } = this.#investigation;
    // A venue that is slow to publish trades may be as slow with balances: rather no vote than a wrong one.
    const patienceMs = Math.max(this.#parts.settings.balancesMsMax, this.terms.windowMs);
    const movers = this.#withPayments(moversOf(this.#submissions.open(), this.#bounds, balancesAt, patienceMs));
    return this.#investigation.judge(held, movers, this.#parts.held);
  }
}

/** Only these freeze anything, and there are hardly ever any. */
function isDoubtful({ submission: { state } }: Held): boolean {
  return state.kind === "doubt" || state.kind === "fenced" || state.kind === "escalated";
}

function isNamed({ requestId, transactionId }: MintRecord, venueId: string): boolean {
  return requestId === venueId || transactionId === venueId;
}

function isReadBack({ state }: Submission): boolean {
  return watchOf(state)?.from === OTHER_CLOCK;
}

function askClass(submission: Submission): Ask["class"] {
  if (isFollowed(submission)) return "treasury";
  return submission.state.kind === "accepted" ? "confirmation" : "doubt";
}

/** Differences apart from coins in flight that the venue counts already: those are as they should be. */
function withoutFlights({ differences, landed }: Totals): readonly Money[] {
  const movements = landed.flatMap((mover) => mover.movements);
  return differences.filter((difference) => {
    const { asset } = difference;
    const flown = movements.flatMap(({ least, most }) => (least.asset === asset && least.equals(most) ? [least] : []));
    return !Money.sum(flown, asset).equals(difference);
  });
}

/** By the list, and by the balances where they are what it comes to. */
function hasArrived({ id, state, request }: Submission<"mint">, { landed }: Totals): boolean {
  if (!("receipt" in state) || !hasSettled(state.receipt)) return false;
  return request.destination !== undefined || landed.some((one) => one.id === id && touches(one, request.asset));
}

function spendOf({ symbol, side, quantity, limit }: OrderIntent, feeBpsMax: number): Money {
  const { base, quote } = assetsOf(symbol);
  if (side === "sell") return quantity.of(base);
  const cost = limit.times(quantity, quote, "up");
  return cost.plus(cost.share(feeBpsMax, "up"));
}

function toldBy(report: OrderReport): Told | undefined {
  if (report.kind === "filled") return report.confirmed ? "confirmed" : "filled";
  return report.kind === "sending" ? undefined : report.kind;
}

/** History has shown just this before. */
function isKnown({ state }: Submission, row: TradeRecord): boolean {
  if (state.kind !== "settled" && state.kind !== "confirmed" && state.kind !== "zombie") return false;
  const fill = state.receipt as Fill;
  return fill.tradeId === row.tradeId && isSameFill(fill, row);
}
