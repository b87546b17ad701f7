// The executor keeps every request that moves money from approval to the end of its life, synchronously and without any
// input or output: who calls it hands in what happened and the time, is told what comes of it, and acts on that, records first.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { ControlEvent, ReportEvent } from "../domain/event.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { RailIntent } from "../domain/rail.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type {
  Nonce,
  OrderRecord,
  Outcome,
  Payment,
  RailRecord,
  SendingRecord,
  SupplyChange,
  TradeRecord,
  WantClass,
  WithdrawAddress,
} from "../exchange/port.ts";
import type { Adoption, Entry, JournalRecord, RailsRecord } from "../journal/record.ts";
import type { Approval } from "../risk/movement-gate.ts";
import type { HistoryRow } from "./history/foreign.ts";
import type { SavedOrders } from "./kept/submissions.ts";
import type { Likeness } from "./likeness/likeness.ts";
import type { MintCost } from "./mint-cost.ts";
import type { MovementSight } from "./movement-sight.ts";
import type { PaymentEnd } from "./payment/payment-flights.ts";
import type { IsValued } from "./payment/payments.ts";
import type { Freeze } from "./reservation.ts";
import type { AnyReceipt, Moment, Resolution, Submission, Witness } from "./submission.ts";
import type { Settings, Terms } from "./terms.ts";
import type { Mover } from "./totals.ts";

/** A history or the balances are to be read now. One answer serves everybody who waits for it. */
export type Ask = {
  readonly witness: Witness;
  /** Of `supply-changes` only. */
  readonly asset: Asset | undefined;
  readonly class: Extract<WantClass, "doubt" | "confirmation" | "balance" | "treasury">;
};

/** Is told what comes of a call while the call runs. Results as lists would have to be made for every order. */
export interface Effects {
  /** For the journal, in this order; it is on disk before anything else is done. */
  record(record: JournalRecord): void;
  /** A record, too, and people are told when rails are frozen. */
  rails(record: RailsRecord): void;
  /** For the engine, in this order. */
  tell(event: ReportEvent | MovementEvent | ControlEvent): void;
  ask(ask: Ask): void;
  /** For people, in a sentence. */
  note(text: string): void;
}

/** A signed read of our key that was answered with 200. It was posted at `askedAt`; what it shows is no older. */
export type Answer = {
  readonly askedAt: Mono;
  readonly receivedAt: Millis;
  readonly nonce: Nonce | undefined;
} & (
  | { readonly witness: "trades"; readonly rows: readonly TradeRecord[] }
  | { readonly witness: "orders"; readonly rows: readonly OrderRecord[] }
  | { readonly witness: "balances"; readonly rows: readonly Balance[] }
  | { readonly witness: "supply-changes"; readonly asset: Asset; readonly rows: readonly SupplyChange[] }
  | { readonly witness: "rails"; readonly rows: readonly RailRecord[] }
  | { readonly witness: "payments"; readonly rows: readonly Payment[] }
  /** The whitelist: no history, but a witness of whether rails may be used. */
  | { readonly witness: "addresses"; readonly rows: readonly WithdrawAddress[] }
);

/** A question that failed or was dropped, with the code of the failure. */
export type Unanswered = {
  readonly witness: Witness;
  /** Of supply changes: the coin whose list it is. */
  readonly asset?: Asset | undefined;
  readonly askedAt: Mono;
  readonly code: string;
  /** Several had asked for this one request, and another of them has said already that it failed. */
  readonly isShared?: boolean;
};

export type RailFee = (rail: RailIntent, amount: Money) => Money | undefined;

export type ExecutorParts = {
  /** The instance of this process, as the journal has it on every entry. */
  readonly writer: string;
  /** On whose behalf it intends, for the record; `bot` unless told. */
  readonly by?: string;
  readonly settings: Settings;
  /** The ledger's total, fills booked and doubts not. */
  readonly held: (asset: Asset) => Money | undefined;
  readonly equity: () => Money | undefined;
  /** Whether it is known what the asset is worth at this time: only then is money booked that enters or leaves the account. Always true unless given. */
  readonly isValued?: IsValued;
  /** The fee that the configuration states for payments of this amount on this rail; undefined where it states none. */
  readonly railFee?: RailFee;
  /** What an order may cost in fees at most. */
  readonly feeBpsMax: number;
  /** So many of the last orders that have ended are kept whole; 10,000 unless told. */
  readonly endedMax?: number;
};

/** What people and plans say of rails and payments. */
export interface MovementWords {
  acknowledge(record: RailsRecord): void;
  /** So much is to be paid on this rail: what will leave for it is tied up. */
  expect(rail: string, amount: Quantity, now: Moment, out: Effects): void;
  /** The payment is no longer waited for. */
  giveUp(expectation: string, reason: string, now: Moment, out: Effects): void;
  /** A person says what became of the payment. */
  closePayment(id: string, end: PaymentEnd, reason: string, now: Moment, out: Effects): void;
}

/** The venue's rows against what we know. */
export interface HistorySight {
  /** Rows of an answer that neither an intent of ours nor an adoption accounts for. */
  strangers(answer: Answer): readonly HistoryRow[];
  /** Rows of trades and orders that say something else of an order of ours than what it ended with, and that nobody has taken over. */
  contested(answers: readonly Answer[]): readonly HistoryRow[];
}

/** The venue's totals against the books. */
export interface BalanceSight {
  /** By how much each request and payment of ours may have moved them. */
  movers(now: Moment): readonly Mover[];
  /** What the balances may or may not show: of unknown outcome, or booked so lately that they may be behind. */
  unclear(now: Moment): readonly Submission[];
  /** Payments to a bank that left so lately that the balances may be behind, and by what. */
  paidLately(now: Moment): readonly Mover[];
  /** When the balances must show what it moved; undefined where nothing is booked of it. */
  dueAt(id: string): Millis | undefined;
  /** Since when every answer of this process agreed with the books, or was explained; undefined while they differ, or were not read. */
  readonly agreeSince: Millis | undefined;
  /** Whether they have once shown that the money of this mint, or of this payment to a bank, is gone. */
  haveShownGone(id: string): boolean;
  /** Which mints, payments and orders of ours these differences are like. `at`: now, for a caller who must allow for balances that do not show yet what left lately. */
  likeness(differences: readonly Money[], when?: { readonly at: Millis }): Likeness;
  /** The fee that was taken off a payment onto the account; undefined while these balances do not show that it has come. */
  arrivalFee(payment: string, rows: readonly Balance[], now: Moment): Money | undefined;
}

/** What may be asked of an executor at any time, by whoever shows, plans or compares. Nothing here changes anything. */
export interface ExecutorSight {
  /** The books were opened: before that, no row is foreign and no total is compared. */
  readonly isOpened: boolean;
  get(id: string): Submission | undefined;
  /** Whose word closed it, and as what; undefined where no person's did. */
  closedBy(id: string): string | undefined;
  /** When it was approved, which is a moment before it was sent. */
  intendedAt(id: string): Millis | undefined;
  /** Since when the venue is seen to hold this mint or rail; undefined while it does not. */
  keptBackAt(id: string): Millis | undefined;
  /** All that are not known to have ended, or not yet seen in history and balances. */
  open(): Iterable<Submission>;
  freeze(now: Moment): Freeze;
  readonly terms: Terms;
  readonly movements: MovementSight;
  readonly histories: HistorySight;
  readonly balances: BalanceSight;
}

/** For whoever drives it. */
export interface Executor extends ExecutorSight {
  readonly movements: MovementSight & MovementWords;
  /** Any entry of the journal, of this process or another: at a start all of them, later what others wrote. */
  fold(entry: Entry): void;
  /** What it knows of orders and could not learn again from the records of the open ones. */
  save(): SavedOrders;
  /** Only while it knows nothing yet. `kept`: all entries of open orders, and all that belong to no order. */
  load(saved: SavedOrders, kept: readonly Entry[]): void;
  /** All that its answers depend on, as plain data, for comparing two of them. */
  summary(): unknown;
  /** How many orders have ended so far, and after how many more only what became of an order is known. */
  readonly endedOrders: number;
  readonly endedMax: number;
  /** For a bot, not for a command: takes over what a process kept that is gone, and what a living one has been sending for longer than any request takes. */
  recover(isGone: (writer: string) => boolean, now: Moment, out: Effects): void;
  /** What a process was sending that is gone or stands still, and that is not yet on record as of unknown outcome. */
  lost(isGone: (writer: string) => boolean, at: Millis): readonly string[];
  /** Puts these on record as of unknown outcome. Whoever decides about money calls this first, in the same transaction. */
  doubtLost(isGone: (writer: string) => boolean, now: Moment, out: Effects): void;
  /** An order, a mint or a rail. `value`: what is at stake, in the currency of the limits. Of a movement ask `refusal` first. */
  intend(approval: Approval, value: Money | undefined, now: Moment, out: Effects): void;
  /** For `journal.announce`. Throws when it was sent before. */
  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[];
  outcome(id: string, outcome: Outcome<AnyReceipt>, now: Moment, out: Effects): void;
  answered(answer: Answer, now: Moment, out: Effects): void;
  unanswered(question: Unanswered, now: Moment, out: Effects): void;
  /** A person closes it. Ask `resolutionRefusal` first: this throws. */
  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment, out: Effects): void;
  /**
   * The books take something over, and with it rows of history. The step that moves the books is the engine's. `costs`: what
   * part of the difference left for mints of ours.
   */
  adopt(adoption: Adoption, costs: readonly MintCost[], now: Moment, out: Effects): void;
  /** About once a second. */
  time(now: Moment, out: Effects): void;
  /** Nobody waits for history or for what it shows to go on: `time` has no effects. */
  readonly isIdle: boolean;
}
