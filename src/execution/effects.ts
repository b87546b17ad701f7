// What the executor is handed and what it hands back: answers, parts and effects. Callers carry out the effects, records first.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { ControlEvent, ReportEvent } from "../domain/event.ts";
import type { Money } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { RailIntent, RailsRecord } from "../domain/rail.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type * as port from "../exchange/port.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { MovementWish } from "../risk/treasury-gate.ts";
import type { Settings } from "./parameters.ts";
import type { Witness } from "./request.ts";

/** A history or the balances are to be read now. One answer serves all who wait for it. */
export type Ask = {
  readonly witness: Witness;
  /** Of `supply-changes` only. */
  readonly asset: Asset | undefined;
  readonly class: Extract<port.WantClass, "doubt" | "confirmation" | "balance" | "treasury">;
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
}

/** A signed read of our key that was answered with 200. It was posted at `askedAt`; what it shows is no older. */
export type Answer = {
  readonly askedAt: Mono;
  readonly receivedAt: Millis;
  readonly nonce: port.Nonce | undefined;
} & (
  | { readonly witness: "trades"; readonly rows: readonly port.TradeRecord[] }
  | { readonly witness: "orders"; readonly rows: readonly port.OrderRecord[] }
  | { readonly witness: "balances"; readonly rows: readonly Balance[] }
  | { readonly witness: "supply-changes"; readonly asset: Asset; readonly rows: readonly port.SupplyChange[] }
  | { readonly witness: "rails"; readonly rows: readonly port.RailRecord[] }
  | { readonly witness: "payments"; readonly rows: readonly port.Payment[] }
  /** The whitelist: no history, but it says whether rails may be used. */
  | { readonly witness: "addresses"; readonly rows: readonly port.WithdrawAddress[] }
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
  /** So many ended orders are kept whole; 1,000 unless given. */
  readonly endedMax?: number;
};

export type Freeze =
  | { readonly kind: "none" }
  | { readonly kind: "assets"; readonly assets: readonly Asset[]; readonly reason: string }
  | { readonly kind: "everything"; readonly reason: string };

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
