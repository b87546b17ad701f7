// The executor as its callers see it: it keeps every request that moves money from approval to the end of its life, synchronously
// and without input or output. Callers hand in what happened and the time, and carry out the effects, records first.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { ControlEvent, ReportEvent } from "../domain/event.ts";
import type { MadeMint } from "../domain/mint.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { RailIntent, RailRequest } from "../domain/rail.ts";
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
import type { Approval, MovementWish } from "../risk/movement-gate.ts";
import type { OpenItem } from "./balance-check.ts";
import type { HistoryRow } from "./history.ts";
import type { Parameters, Settings } from "./parameters.ts";
import type { Awaited, Expectation, GivenUp, PaymentEnd, PaymentFlight } from "./payments.ts";
import type { AnyReceipt, Moment, MoneyRequest, Resolution, Witness } from "./request.ts";
import type { SavedOrders } from "./request-store.ts";

/** A history or the balances are to be read now. One answer serves all who wait for it. */
export type Ask = {
  readonly witness: Witness;
  /** Of `supply-changes` only. */
  readonly asset: Asset | undefined;
  readonly class: Extract<WantClass, "doubt" | "confirmation" | "balance" | "treasury">;
};

/** Receives the effects of a call while it runs. */
export interface Effects {
  /** For the journal, in this order; on disk before anything else is done. */
  record(record: JournalRecord): void;
  /** A record too, and people are notified when rails are frozen. */
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
  /** The whitelist: no history, but it says whether rails may be used. */
  | { readonly witness: "addresses"; readonly rows: readonly WithdrawAddress[] }
);

/** A query that failed or was dropped, with the code of the failure. */
export type Unanswered = {
  readonly witness: Witness;
  /** Of supply changes: the coin whose list it is. */
  readonly asset?: Asset | undefined;
  readonly askedAt: Mono;
  readonly code: string;
  /** Another caller of the same request has handed this failure in already. */
  readonly isShared?: boolean;
};

/** The fee that the configuration states for a payment of this amount on this rail. */
export type RailFee = (rail: RailIntent, amount: Money) => Money | undefined;

export type ExecutorParts = {
  /** The instance of this process, as the journal has it on every entry. */
  readonly writer: string;
  /** On whose behalf it intends, for the record; `bot` unless given. */
  readonly by?: string;
  readonly settings: Settings;
  /** The ledger's total: fills booked, unknown outcomes not. */
  readonly held: (asset: Asset) => Money | undefined;
  readonly equity: () => Money | undefined;
  /** The limit on the value of one order: an order in doubt that is worth more is not released without a person. */
  readonly orderMax?: Money | undefined;
  /** Whether a rate of the asset is known now: only then is money booked that enters or leaves the account. */
  readonly isValued?: (asset: Asset, at: Millis) => boolean;
  readonly railFee?: RailFee;
  /** What an order may cost in fees at most. */
  readonly feeBpsMax: number;
  /** So many ended orders are kept whole; 10,000 unless given. */
  readonly endedMax?: number;
};

export type Freeze =
  | { readonly kind: "none" }
  | { readonly kind: "assets"; readonly assets: readonly Asset[]; readonly reason: string }
  | { readonly kind: "everything"; readonly reason: string };

/** Mints, rails and the payments on them: what may be sent next to them, and what is on its way. */
export interface TreasuryRequests {
  /** Why this mint or rail cannot be sent next to what is open: one mint per coin, one rail of the same content. */
  refusal(wish: MovementWish): string | undefined;
  /** Why nothing leaves for a destination now: rails are frozen. Checked again at sending. */
  frozenRefusal(wish: MovementWish): string | undefined;
  /** Mints that were intended since then and happened or may have. */
  mintsSince(at: Millis): readonly MadeMint[];
  /** The mint or rail of ours that the venue knows by this id. */
  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined;
  /** Why an entry of the venue's list is another one than this. */
  whyNotIts(request: MoneyRequest, receipt: AnyReceipt): string | undefined;
  readonly hasRails: boolean;
  /** Why no rail may be used now, until a person has looked; and when the last reason came. */
  readonly railsFrozen: string | undefined;
  readonly railsFrozenAt: Millis | undefined;
  /** A rail of exactly this content that is there, whether it takes payments or not. */
  railOf(rail: RailRequest): MoneyRequest<"rail"> | undefined;
  /** Why the venue refused the last rail of exactly this content. */
  railRefused(rail: RailRequest): string | undefined;
  /** Since when the venue holds this mint or rail. */
  heldAt(id: string): Millis | undefined;
  /** Payments that are to come, and rails that take payments and never had one. */
  awaited(): readonly Awaited[];
  readonly payments: {
    get(id: string): PaymentFlight | undefined;
    ended(id: string): string | undefined;
    heldBack(): readonly (PaymentFlight & { readonly heldAt: Millis })[];
    oddRows(): readonly HistoryRow[];
    expectations(): readonly Expectation[];
    givenUp(): readonly GivenUp[];
  };
}

/** What people and plans say of rails and payments. */
export interface TreasuryCommands {
  acknowledge(record: RailsRecord): void;
  /** So much is to be paid on this rail: what will leave for it is reserved. */
  expect(rail: string, amount: Quantity, now: Moment, out: Effects): void;
  giveUp(expectation: string, reason: string, now: Moment, out: Effects): void;
  closePayment(id: string, end: PaymentEnd, reason: string, now: Moment, out: Effects): void;
}

/** Something of ours that is open or young. */
export type OfOurs = { readonly id: string; readonly text: string };

export interface BalancesView {
  /** Since when every answer of this process was exact; undefined while one is not, or none was read. */
  readonly exactSince: Millis | undefined;
  /** What of ours is open or young in these assets. */
  ofOurs(assets: readonly Asset[], now: Moment): readonly OfOurs[];
  openItems(): readonly OpenItem[];
  /** Whether these balances would be exact with this request or payment closed and these moves booked. */
  wouldBeExact(rows: readonly Balance[], closed: string, moves: readonly Money[]): boolean;
}

/** What may be asked of an executor at any time. Nothing here changes anything. */
export interface ExecutorView {
  /** The books were opened: before that, no row is unattributed and no balance is checked. */
  readonly isOpened: boolean;
  get(id: string): MoneyRequest | undefined;
  /** Whose word closed it, and as what. */
  closedBy(id: string): string | undefined;
  /** When it was approved. */
  intendedAt(id: string): Millis | undefined;
  open(): readonly MoneyRequest[];
  freeze(now: Moment): Freeze;
  parameters(now: Moment): Parameters;
  readonly treasury: TreasuryRequests;
  readonly histories: {
    unattributedIn(answer: Answer): readonly HistoryRow[];
    contested(answers: readonly Answer[]): readonly HistoryRow[];
  };
  readonly balances: BalancesView;
}

export interface Executor extends ExecutorView {
  readonly treasury: TreasuryRequests & TreasuryCommands;
  /** Any entry of the journal, of this process or another. */
  fold(entry: Entry): void;
  /** What it knows of orders and cannot learn again from the records of the open ones. */
  save(): SavedOrders;
  /** Only while it knows nothing yet. `kept`: all entries of open orders, and all that belong to no order. */
  load(saved: SavedOrders, kept: readonly Entry[]): void;
  /** All that its answers depend on, as plain data, for comparing two of them. */
  summary(): unknown;
  readonly endedOrders: number;
  readonly endedMax: number;
  /** For a bot: takes over what a dead process owned, and what a living one has been sending for longer than any request takes. */
  recover(isGone: (writer: string) => boolean, now: Moment, out: Effects): void;
  /** What a dead or stalled process approved or was sending, and that has no outcome on record. */
  lost(isGone: (writer: string) => boolean, at: Millis): readonly string[];
  /** Puts these on record: of unknown outcome, or not sent. Every command that decides about money calls this first, in its transaction. */
  recoverLost(isGone: (writer: string) => boolean, now: Moment, out: Effects): void;
  /** `value`: what is at stake, in the currency of the limits. Of a mint or a rail check `refusal` first. */
  intend(approval: Approval, value: Money | undefined, now: Moment, out: Effects): void;
  /** For `journal.announce`. Throws when it was sent before. */
  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[];
  outcome(id: string, outcome: Outcome<AnyReceipt>, now: Moment, out: Effects): void;
  answered(answer: Answer, now: Moment, out: Effects): void;
  unanswered(question: Unanswered, now: Moment, out: Effects): void;
  /** A person closes it. Check `resolutionRefusal` first: this throws. */
  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment, out: Effects): void;
  /** The books take over a difference, and with it rows of history. The step that moves the books is the engine's. */
  adopt(adoption: Adoption, now: Moment, out: Effects): void;
  /** About once a second. */
  time(now: Moment, out: Effects): void;
  /** `time` has no effects. */
  readonly isIdle: boolean;
}

/** Why nothing of these assets may leave now; without any, why nothing at all may. */
export function frozenBy(freeze: Freeze, one?: Asset, other?: Asset): string | undefined {
  if (freeze.kind === "none") return undefined;
  if (freeze.kind === "everything") return freeze.reason;
  const { assets, reason } = freeze;
  const isFrozen = (asset: Asset | undefined): boolean => asset !== undefined && assets.includes(asset);
  return isFrozen(one) || isFrozen(other) ? reason : undefined;
}

/** A rail moves none of its assets by itself. */
export function movementFrozenBy(freeze: Freeze, wish: MovementWish): string | undefined {
  return wish.kind === "mint" ? frozenBy(freeze, wish.mint.asset, wish.mint.spentMax.asset) : frozenBy(freeze);
}

const FORBIDDEN: ReadonlySet<string> = new Set(["forbidden", "kyb-required", "agreement-missing"]);

/** The account itself may not do this: asking again changes nothing. */
export function isForbidden(code: string): boolean {
  return FORBIDDEN.has(code);
}
