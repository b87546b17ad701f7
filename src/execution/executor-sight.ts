// What may be asked of an executor at any time: how far everything is, what is frozen, and what may be begun. Nothing here
// changes anything.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { MadeMint } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import type { Arriving } from "./arrivals.ts";
import { Balances } from "./balances.ts";
import type { Answer, ExecutorParts } from "./executor.ts";
import type { Awaited, Expectation, GivenUp } from "./expectations.ts";
import type { HistoryRow } from "./foreign.ts";
import { submissionOf } from "./held.ts";
import { Histories } from "./histories.ts";
import { Lives } from "./lives.ts";
import type { Uncosted } from "./mint-cost.ts";
import { Movements } from "./movements.ts";
import { type Likeness, ownDifferences } from "./own-difference.ts";
import type { PaymentFlight } from "./payment-flights.ts";
import { Payments } from "./payments.ts";
import { type Freeze, freezeOf, reservationOf } from "./reservation.ts";
import type { AnyReceipt, Moment, Submission } from "./submission.ts";
import type { SavedOrders } from "./submissions.ts";
import type { Terms } from "./terms.ts";
import type { Mover } from "./totals.ts";
import type { Flying } from "./under-way.ts";

const NO_FREEZE: Freeze = Object.freeze({ kind: "none" });

export abstract class ExecutorSight {
  protected readonly lives: Lives;
  protected readonly payments: Payments;
  protected readonly histories: Histories;
  protected readonly balances: Balances;
  protected readonly movements: Movements;
  protected opened = false;

  constructor(parts: ExecutorParts) {
    this.lives = new Lives(parts);
    this.payments = new Payments(parts.isValued);
    this.histories = new Histories(this.lives);
    this.balances = new Balances(this.lives, this.payments, parts);
    this.movements = new Movements(this.lives, this.payments, this.histories.foreign, this.balances.totals);
  }

  save(): SavedOrders {
    return this.lives.submissions.save();
  }

  summary(): unknown {
    const { opened, railsFrozen, railsFrozenAt } = this;
    const expected = [...this.expectations()];
    return { opened, railsFrozen, railsFrozenAt, expected, submissions: this.lives.submissions.summary() };
  }

  get endedOrders(): number {
    return this.lives.submissions.endedOrders;
  }

  get endedMax(): number {
    return this.lives.submissions.endedMax;
  }

  get isIdle(): boolean {
    return this.lives.submissions.waiting.length === 0 && this.payments.areValued;
  }

  freeze(now: Moment): Freeze {
    const { submissions } = this.lives;
    const { foreign } = this.histories;
    const { totals } = this.balances;
    const unread = this.lives.unread.reason(this.lives.patience.balancesMsMax, now.mono);
    if (submissions.doubts === 0 && foreign.isEmpty && totals.isClear && unread === undefined) return NO_FREEZE;
    const doubts = freezeOf(submissions.open, now, this.lives.terms);
    const others = [foreign.stop?.reason, unread].filter((one) => one !== undefined);
    // Each reason, for each has a way out of its own, and that of a doubt needs the lists.
    if (doubts.kind === "everything") return { kind: "everything", reason: [doubts.reason, ...others].join("; ") };
    if (others.length > 0) return { kind: "everything", reason: others.join("; ") };
    const frozen = totals.frozen();
    if (frozen === undefined) return doubts;
    if (doubts.kind === "none") return { kind: "assets", ...frozen };
    return { kind: "assets", assets: [...doubts.assets, ...frozen.assets], reason: doubts.reason };
  }

  get terms(): Terms {
    return this.lives.terms;
  }

  get isOpened(): boolean {
    return this.opened;
  }

  intendedAt(id: string): Millis | undefined {
    return this.lives.submissions.find(id)?.intendedAt;
  }

  get(id: string): Submission | undefined {
    const held = this.lives.submissions.find(id);
    return held && submissionOf(held);
  }

  open(): readonly Submission[] {
    return this.lives.submissions.open.map((held) => submissionOf(held));
  }

  unclear(now: Moment): readonly Submission[] {
    const unclear = this.lives.submissions.open.filter((held) => {
      if (held.kind === "rail") return false;
      const mayHappen = held.state.kind !== "intended" && reservationOf(held.state) === "both-ways";
      return mayHappen || this.balances.mayBeLate(held, now);
    });
    return unclear.map((held) => submissionOf(held));
  }

  movers(now: Moment): readonly Mover[] {
    return this.balances.movers(now);
  }

  dueAt(id: string): Millis | undefined {
    const bookedAt = this.lives.submissions.find(id)?.bookedAt;
    return bookedAt === undefined ? undefined : ((bookedAt + this.lives.patience.balancesMsMax) as Millis);
  }

  strangers(answer: Answer): readonly HistoryRow[] {
    return this.histories.strangers(answer);
  }

  contested(answers: readonly Answer[]): readonly HistoryRow[] {
    return this.histories.contested(answers);
  }

  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined {
    return this.movements.ownerOf(kind, venueId);
  }

  whyNotIts(submission: Submission, receipt: AnyReceipt): string | undefined {
    return this.movements.whyNotIts(submission, receipt);
  }

  refusal(wish: MovementWish): string | undefined {
    return this.movements.refusal(wish);
  }

  listRefusal(wish: MovementWish): string | undefined {
    return this.movements.listRefusal(wish);
  }

  mintsSince(at: Millis): readonly MadeMint[] {
    return this.movements.mintsSince(at);
  }

  get hasRails(): boolean {
    return this.movements.hasRails;
  }

  get railsFrozen(): string | undefined {
    return this.movements.railsFrozen;
  }

  get railsFrozenAt(): Millis | undefined {
    return this.movements.railsFrozenAt;
  }

  railOf(rail: RailRequest): Submission<"rail"> | undefined {
    return this.movements.railOf(rail);
  }

  railRefused(rail: RailRequest): string | undefined {
    return this.movements.railRefused(rail);
  }

  inFlight(asset: Asset): readonly Flying[] {
    return this.movements.inFlight(asset);
  }

  uncosted(asset: Asset): readonly Uncosted[] {
    return this.movements.uncosted(asset);
  }

  arriving(asset: Asset): readonly Arriving[] {
    return this.movements.arriving(asset);
  }

  likeness(differences: readonly Money[]): Likeness {
    return ownDifferences(differences, this.lives.submissions.mayDiffer(), this.payments);
  }

  payment(id: string): PaymentFlight | undefined {
    return this.movements.payment(id);
  }

  arrivalFee(payment: string, rows: readonly Balance[], now: Moment): Money | undefined {
    return this.balances.arrivalFee(payment, rows, now);
  }

  expectations(): Iterable<Expectation> {
    return this.movements.expectations();
  }

  givenUp(): Iterable<GivenUp> {
    return this.movements.givenUp();
  }

  awaited(): readonly Awaited[] {
    return this.movements.awaited();
  }
}
