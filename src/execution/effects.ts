// The interface of the executor: answers in, effects out. Callers carry out the effects, records first.

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

/** A request to read a history or the balances now. One answer serves every caller that waits for it. */
export type Ask = {
  readonly witness: Witness;
  /** Set for `supply-changes` only. */
  readonly asset: Asset | undefined;
  readonly class: Extract<port.WantClass, "doubt" | "confirmation" | "balance" | "treasury">;
};

/** Collects the effects of one call. */
export interface Effects {
  /** Records for the journal, in order; they are on disk before any other effect is carried out. */
  record(record: JournalRecord): void;
  /** Journals a change of the rail freeze; freezing also sends a notice. */
  rails(record: RailsRecord): void;
  /** Events for the engine, in order. */
  tell(event: ReportEvent | MovementEvent | ControlEvent): void;
  ask(ask: Ask): void;
}

/** A signed read that was answered with 200. `askedAt`: when it was posted; its content is no older. */
export type Answer = {
  readonly askedAt: Mono;
  readonly receivedAt: Millis;
  readonly nonce: port.Nonce | undefined;
  /** Rows of the list that cannot be read. */
  readonly unread?: readonly port.Unread[] | undefined;
} & (
  | { readonly witness: "trades"; readonly rows: readonly port.TradeRecord[] }
  | { readonly witness: "orders"; readonly rows: readonly port.OrderRecord[] }
  | { readonly witness: "balances"; readonly rows: readonly Balance[] }
  | { readonly witness: "supply-changes"; readonly asset: Asset; readonly rows: readonly port.SupplyChange[] }
  | { readonly witness: "rails"; readonly rows: readonly port.RailRecord[] }
  | { readonly witness: "payments"; readonly rows: readonly port.Payment[] }
  /** The address whitelist. It is not a history; it decides whether rails may be used. */
  | { readonly witness: "addresses"; readonly rows: readonly port.WithdrawAddress[] }
);

/** A query that failed or was dropped, with its failure code. */
export type Unanswered = {
  readonly witness: Witness;
  /** For supply changes: the coin of the list. */
  readonly asset?: Asset | undefined;
  readonly askedAt: Mono;
  readonly code: string;
  readonly message?: string;
  /** Another caller of the same shared request has already reported this failure. */
  readonly isShared?: boolean;
};

/** The fee that the configuration states for a payment of this amount on this rail. */
export type RailFee = (rail: RailIntent, amount: Money) => Money | undefined;

export type ExecutorParts = {
  /** The instance id of this process, as the journal stamps it on every entry. */
  readonly writer: string;
  /** On whose behalf a request is intended, for the record; `bot` by default. */
  readonly by?: string;
  readonly settings: Settings;
  /** The ledger's total, including booked fills and excluding unknown outcomes. */
  readonly held: (asset: Asset) => Money | undefined;
  readonly equity: () => Money | undefined;
  /**
   * The limit on the value of one order. An order of unknown outcome that is worth more is never released without a
   * person.
   */
  readonly orderMax?: Money | undefined;
  /** Whether the asset has a rate now. Money that crosses the account's border is booked only with one. */
  readonly isValued?: (asset: Asset, at: Millis) => boolean;
  readonly railFee?: RailFee;
  /** The highest fee an order may cost. */
  readonly feeBpsMax: number;
  /** The number of ended orders kept in full; 1,000 by default. */
  readonly endedMax?: number;
};

export type Freeze =
  | { readonly kind: "none" }
  | { readonly kind: "assets"; readonly assets: readonly Asset[]; readonly reason: string }
  | { readonly kind: "everything"; readonly reason: string };

/** Why nothing of these assets may leave now; without an asset, why nothing at all may. */
export function frozenBy(freeze: Freeze, one?: Asset, other?: Asset): string | undefined {
  if (freeze.kind === "none") return undefined;
  if (freeze.kind === "everything") return freeze.reason;
  const { assets, reason } = freeze;
  const isFrozen = (asset: Asset | undefined): boolean => asset !== undefined && assets.includes(asset);
  return isFrozen(one) || isFrozen(other) ? reason : undefined;
}

/** A rail by itself moves none of its assets. */
export function movementFrozenBy(freeze: Freeze, wish: MovementWish): string | undefined {
  return wish.kind === "mint" ? frozenBy(freeze, wish.mint.asset, wish.mint.spentMax.asset) : frozenBy(freeze);
}

const FORBIDDEN: ReadonlySet<string> = new Set(["forbidden", "kyb-required", "agreement-missing"]);

/** The account lacks the permission, so a retry cannot succeed. */
export function isForbidden(code: string): boolean {
  return FORBIDDEN.has(code);
}
