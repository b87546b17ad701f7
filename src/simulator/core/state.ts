// The whole venue as plain JSON data, which the server writes to a file and tests compare byte by byte, and as rows that
// share what did not change.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { RandomState } from "../../domain/random.ts";
import type { AccountState } from "./account.ts";
import type { CoinState, DealerState } from "./dealer.ts";
import type { LedgerState } from "./ledger.ts";
import type { OrdersState } from "./orders.ts";
import type { Pair } from "./record.ts";

/** JSON data; opaque outside this file. */
export type VenueState = Readonly<Record<string, unknown>>;

export type VenueParticulars = {
  readonly chance: Readonly<Record<string, RandomState>>;
  readonly ledger: LedgerState;
  readonly accounts: readonly AccountState[];
  readonly pairs: readonly Pair[];
  readonly dealer: DealerState;
  readonly coins: readonly CoinState[];
  readonly orders: OrdersState;
};

export function loadState(state: VenueState): VenueParticulars {
  return fromPlain(state) as VenueParticulars;
}

// Converts records to plain JSON data and back: amounts become tagged texts; an undefined field becomes null (records
// contain no null) and keeps its position, so that a loaded record is saved as the same bytes.

export function toPlain(value: unknown): unknown {
  if (value instanceof Money) return { $money: value.toString(), asset: value.asset };
  if (value instanceof Price) return { $price: value.toString() };
  if (value instanceof Quantity) return { $quantity: value.toString() };
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]));
}

function fromPlain(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object") return value;
  const fields = value as Record<string, unknown>;
  if (typeof fields.$money === "string") return Money.of(fields.$money, fields.asset as Asset);
  if (typeof fields.$price === "string") return Price.of(fields.$price);
  if (typeof fields.$quantity === "string") return Quantity.of(fields.$quantity);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fromPlain(field)]));
}
