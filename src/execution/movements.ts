// Mints and rails as the venue lists them, payments on rails and the whitelist: what they say about requests of ours, and
// whether another may be begun beside them.

import type { Asset } from "../domain/asset.ts";
import { hasSettled, type MadeMint, type MintIntent, type MintRecord } from "../domain/mint.ts";
import type { Quantity } from "../domain/money/money.ts";
import { DROPPED, type MovementEvent } from "../domain/movement.ts";
import { isRejected, isWorking, type Rail, type RailIntent, type RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import { wordOf } from "../domain/venue-word.ts";
import type { Outcome, Payment, SupplyChange, WithdrawAddress } from "../exchange/port.ts";
import type { RailsRecord } from "../journal/record.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import { RESUME } from "../risk/standing.ts";
import { droppedReport, heardOfList, leavesOut } from "./dropped-mint.ts";
import type { Answer, Effects, MovementWords } from "./executor.ts";
import { type Foreign, SeenRows } from "./history/foreign.ts";
import { railRow } from "./history/history.ts";
import { isForeignMint, submissionsOf } from "./history/history-check.ts";
import { type Held, submissionOf } from "./kept/held.ts";
import { settledOnce } from "./likeness/mint-likeness.ts";
import type { Lives } from "./lives.ts";
import { isUncosted, type Uncosted, uncostedIn } from "./mint-cost.ts";
import { type Found, findMints, findRails, isOf } from "./movement-evidence.ts";
import { toldOfMovement } from "./movement-report.ts";
import type { MovementSight } from "./movement-sight.ts";
import type { Arriving } from "./payment/arrivals.ts";
import type { Awaited, Expectation, GivenUp } from "./payment/expectations.ts";
import type { KeptBackPayment, PaymentEnd, PaymentFlight } from "./payment/payment-flights.ts";
import { type Payments, unsaidName } from "./payment/payments.ts";
import { ACKNOWLEDGE, RailGuard } from "./rail-guard.ts";
import { goneReport } from "./shown-gone.ts";
import type { AnyReceipt, Moment, Submission } from "./submission.ts";
import type { TotalsWatch } from "./totals-watch.ts";
import {
  coinsInFlight,
  type Flying,
  mintsSince,
  movementRefusal,
  refusedRail,
  standingRail,
  standsAny,
} from "./under-way.ts";
import { DIFFERENCE_TAKEN } from "./way-out.ts";

export class Movements implements MovementSight, MovementWords {
  readonly #lives: Lives;
  readonly #foreign: Foreign;
  readonly #totals: TotalsWatch;
  readonly #payments: Payments;
  readonly #guard = new RailGuard();

  constructor(lives: Lives, payments: Payments, foreign: Foreign, totals: TotalsWatch) {
    this.#lives = lives;
    this.#payments = payments;
    this.#foreign = foreign;
    this.#totals = totals;
  }

  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined {
    return submissionsOf(this.#lives.submissions, kind).find(({ state }) => {
      if (!("receipt" in state)) return false;
      const { receipt } = state;
      return "railId" in receipt ? receipt.railId === venueId : isNamed(receipt, venueId);
    })?.id;
  }

  /** An entry of the venue's list is one mint or rail: booked under two names it would be counted twice. */
  whyNotIts({ id, kind, request }: Submission, receipt: AnyReceipt): string | undefined {
    if (kind === "order") return undefined;
    const venueId = "railId" in receipt ? receipt.railId : (receipt as MintRecord).requestId;
    if ((request as MintIntent | RailIntent).known.includes(venueId))
      return `the venue listed ${venueId} before ${id} was sent`;
    const owner = this.ownerOf(kind, venueId);
    // It is its own where somebody has found it in the list meanwhile.
    return owner === undefined || owner === id ? undefined : `${venueId} is ${owner}, and not ${id}`;
  }

  /**
   * An answer that names another mint of ours says nothing about this one, which is then of unknown outcome. For a rail it is taken: it
   * moves nothing, and a venue may answer with the one that is there already.
   */
  believed(held: Held, outcome: Outcome<AnyReceipt>): Outcome<AnyReceipt> {
    if (held.kind !== "mint" || outcome.kind !== "accepted") return outcome;
    const message = this.whyNotIts(held, outcome.value);
    if (message === undefined) return outcome;
    const failure = { code: "contradiction", status: undefined, venueCode: undefined, message };
    return { kind: "doubt", failure, nonce: outcome.nonce, halt: true };
  }

  refusal(wish: MovementWish): string | undefined {
    return this.listRefusal(wish) ?? movementRefusal(wish, this.#lives.submissions.open);
  }

  listRefusal(wish: MovementWish): string | undefined {
    const leavesByList = wish.kind === "rail" || wish.mint.destination !== undefined;
    const { reason } = this.#guard;
    return leavesByList && reason !== undefined ? `rails are frozen: ${reason}; ${ACKNOWLEDGE}` : undefined;
  }

  mintsSince(at: Millis): readonly MadeMint[] {
    return mintsSince(at, this.#lives.submissions.movements());
  }

  get hasRails(): boolean {
    return standsAny(this.#lives.submissions.movements());
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
    const held = standingRail(rail, this.#lives.submissions.open);
    return held && submissionOf(held);
  }

  railRefused(rail: RailRequest): string | undefined {
    return refusedRail(rail, this.#lives.submissions.movements());
  }

  inFlight(asset: Asset): readonly Flying[] {
    return coinsInFlight(asset, this.#lives.submissions.open);
  }

  uncosted(asset: Asset): readonly Uncosted[] {
    return uncostedIn(asset, this.#lives.submissions.open);
  }

  arriving(asset: Asset): readonly Arriving[] {
    return this.#payments.arriving(asset);
  }

  /** A step of the journal. */
  fold(event: MovementEvent): void {
    this.#payments.fold(event);
  }

  expectations(): Iterable<Expectation> {
    return this.#payments.expectations.all();
  }

  givenUp(): Iterable<GivenUp> {
    return this.#payments.expectations.givenUp();
  }

  expect(rail: string, amount: Quantity, { at }: Moment, out: Effects): void {
    const held = this.#lives.submissions.get(rail);
    out.tell(this.#payments.expectations.expect(held as Submission as Submission<"rail">, amount, at));
  }

  giveUp(expectation: string, reason: string, { at }: Moment, out: Effects): void {
    out.tell(this.#payments.expectations.end(expectation, reason, at));
  }

  awaited(): readonly Awaited[] {
    const working = this.#lives.submissions.open.flatMap(({ kind, id, state, bookedAt }) =>
      kind === "rail" && "receipt" in state && bookedAt !== undefined && isWorking(state.receipt as Rail)
        ? [{ id, railId: (state.receipt as Rail).railId, since: bookedAt }]
        : [],
    );
    return this.#payments.awaited(working);
  }

  /** A mint that cost more than was approved, or another currency, is booked, and everything stops. */
  check({ kind, id, request }: Held, receipt: AnyReceipt, now: Moment): void {
    if (kind !== "mint") return;
    const { spentMax, feeMax } = request as MintIntent;
    const { spent = spentMax, fee = feeMax } = receipt as MintRecord;
    const isWithin =
      spent.asset === spentMax.asset && fee.asset === feeMax.asset && spent.atMost(spentMax) && fee.atMost(feeMax);
    if (isWithin) return;
    const paid = `${spent} ${spent.asset} with a fee of ${fee} ${fee.asset}`;
    const limit = `${spentMax} ${spentMax.asset} with a fee of ${feeMax} ${feeMax.asset}`;
    const reason = `mint ${id} cost ${paid}, approved was at most ${limit}; it is booked`;
    this.#lives.halt({ cause: "contradiction", subject: `cost of ${id}`, reason, wayOut: RESUME }, now.mono);
  }

  /** Takes the list for the mints and rails of every process: what the venue lists is true, whoever asked. */
  listed(answer: Extract<Answer, { witness: "supply-changes" | "rails" }>, now: Moment, out: Effects): void {
    const foreign = this.#foreign;
    const { submissions } = this.#lives;
    if (answer.witness === "rails") {
      const ours = submissionsOf(submissions, "rail");
      this.#found(
        findRails(answer.rows, ours, (row) => foreign.covers(railRow(row), new SeenRows())),
        now,
        out,
      );
      return;
    }
    const ours = submissionsOf(submissions, "mint").filter(({ request }) => request.asset === answer.asset);
    this.#found(
      findMints(answer.rows, ours, (row) => isForeignMint(row, foreign)),
      now,
      out,
    );
    this.#undone(answer.rows, ours, out);
    for (const { id, request, state } of ours) {
      if ((state.kind !== "confirmed" && state.kind !== "zombie") || !leavesOut(answer.rows, request, state.receipt))
        continue;
      const held = this.#lives.submissions.get(id);
      const report = droppedReport(held, state.receipt, now.at);
      if (report === undefined) continue;
      held.movement = toldOfMovement(report, held.movement);
      if (report.kind === "told") heardOfList(held, report, now.at);
      out.tell({ kind: "movement", id, report, receivedAt: now.at });
    }
  }

  /** A mint has settled, and the list has another word for it since: people are told. */
  #undone(rows: readonly SupplyChange[], ours: readonly Submission<"mint">[], out: Effects): void {
    for (const { id, state } of ours) {
      if (state.kind !== "settled" || state.isGivenBack === true) continue;
      const { receipt } = state;
      const held = this.#lives.submissions.get(id);
      const { movement = { stage: "arrived" } } = held;
      const status = rows.find((row) => isOf(row, receipt))?.status;
      if (status === undefined || status === movement.status) continue;
      held.movement = { ...movement, status };
      if (wordOf(status) !== "settled")
        out.note(`mint ${id} (request ${receipt.requestId}) ${settledOnce(status)}; ${DIFFERENCE_TAKEN}`);
    }
  }

  #found(found: readonly Found<AnyReceipt>[], now: Moment, out: Effects): void {
    for (const { id, finding } of found) {
      const held = this.#lives.submissions.get(id);
      const { movement } = held;
      const isAgain = finding.kind === "landed" && movement?.status === DROPPED;
      if (isAgain) held.movement = { ...movement, status: undefined, reason: undefined };
      this.#lives.looked(held, finding, now, out);
      if (isAgain) this.#lives.report(held, now.at, out);
      const { kind, state } = held;
      if (!("receipt" in state) || state.kind === "settled") continue;
      // The list calls it settled, and the balances have the last word.
      const isTold = kind === "mint" && hasSettled(state.receipt as MintRecord);
      const isUnseen = goneReport(held.movement) !== undefined;
      if (isTold || isUnseen || isUncosted(held)) out.ask({ witness: "balances", asset: undefined, class: "balance" });
      // A refused rail is over; any other stands and is followed.
      if (kind === "rail" && isRejected(state.receipt as Rail)) this.#lives.explained(held, now, out);
    }
  }

  /** `rows`: the venue's whole list. */
  paid(rows: readonly Payment[], now: Moment, out: Effects): void {
    this.#paid(rows, now, out);
    for (const event of this.#payments.overdue(rows, now.at)) out.tell(event);
    for (const text of this.#payments.odd(rows, this.#railOf())) out.note(text);
  }

  closePayment(id: string, end: PaymentEnd, reason: string, { at }: Moment, out: Effects): void {
    out.tell(this.#payments.close(id, end, reason, at));
  }

  unsaid(): readonly string[] {
    return this.#payments.unsaid().map(unsaidName);
  }

  odd(): readonly string[] {
    return this.#payments.oddNames();
  }

  payment(id: string): PaymentFlight | undefined {
    return this.#payments.flights.get(id);
  }

  paymentListed(id: string, rows: readonly Payment[]): string | undefined {
    return this.#payments.listed(id, rows)?.status;
  }

  paymentEnded(id: string): string | undefined {
    return this.#payments.flights.ended(id);
  }

  paymentsKeptBack(): readonly KeptBackPayment[] {
    return this.#payments.flights.keptBack();
  }

  #paid(rows: readonly Payment[], now: Moment, out: Effects): void {
    const ours = submissionsOf(this.#lives.submissions, "rail");
    const { events, problems, held } = this.#payments.see(rows, this.#railOf(), now.at);
    for (const event of events) out.tell(event);
    for (const text of held) out.note(text);
    for (const problem of problems) out.rails(this.#guard.freeze(problem, now.at));
    if (events.length === 0) return;
    // A new word for a payment that is over moves nothing.
    const isMoved = events.some(({ id, report }) => report.kind !== "told" || !this.#payments.flights.isOver(id));
    if (isMoved) for (const { request } of ours) this.#totals.moved(request.asset, now.mono);
    out.ask({ witness: "balances", asset: undefined, class: "balance" });
  }

  #railOf(): (railId: string) => Submission<"rail"> | undefined {
    const ours = submissionsOf(this.#lives.submissions, "rail");
    return (railId) => ours.find(({ state }) => "receipt" in state && state.receipt.railId === railId);
  }

  /** Books the payments that waited for a rate and have one now. */
  valued(now: Moment, out: Effects): void {
    const rows = this.#payments.valuable(now.at);
    if (rows.length > 0) this.#paid(rows, now, out);
  }

  /** The books took something over: it may be what payments under unknown words have moved. */
  adopted(now: Moment, out: Effects): void {
    const rows = this.#payments.unsaid();
    if (rows.length > 0) this.#paid(rows, now, out);
  }

  whitelisted(rows: readonly WithdrawAddress[], now: Moment, out: Effects): void {
    const news = this.#guard.see(rows, now.at);
    if (news !== undefined) out.rails(news);
  }
}

function isNamed({ requestId, transactionId }: MintRecord, venueId: string): boolean {
  return requestId === venueId || transactionId === venueId;
}
