// A caller's account: its clearances and agreements, its pockets in the ledger, and its histories.

import type { Asset } from "../../domain/asset.ts";
import { History, type HistoryTerms } from "./history.ts";
import type { Ledger, Pocket } from "./ledger.ts";
import type { AddressRow, MintRow, OrderRow, PaymentRow, Product, RailRow, TradeRow } from "./record.ts";

export type Account = {
  readonly key: string;
  kybCleared: boolean;
  readonly agreements: Record<Product, boolean>;
  readonly clientOrderIds: Set<string>;
  readonly orders: History<OrderRow>;
  /** The filled orders, retained separately and so for longer. */
  readonly trades: History<TradeRow>;
  mints: MintRow[];
  rails: RailRow[];
  payments: PaymentRow[];
  addresses: AddressRow[];
  readonly available: (asset: Asset) => Pocket;
  readonly pending: (asset: Asset) => Pocket;
};

/** The saved part of an account; its pockets are in the ledger. */
export type AccountState = Pick<
  Account,
  "key" | "kybCleared" | "agreements" | "mints" | "rails" | "payments" | "addresses"
> & {
  readonly clientOrderIds: Readonly<Record<string, true>>;
  readonly orders: readonly OrderRow[];
  readonly trades: readonly TradeRow[];
};

export function createAccount(key: string, ledger: Ledger, terms: HistoryTerms): Account {
  const state: AccountState = {
    key,
    kybCleared: false,
    agreements: { issuance: false, conversion: false },
    clientOrderIds: {},
    orders: [],
    trades: [],
    mints: [],
    rails: [],
    payments: [],
    addresses: [],
  };
  return loadAccount(state, ledger, terms);
}

export function loadAccount(state: AccountState, ledger: Ledger, terms: HistoryTerms): Account {
  return {
    ...state,
    agreements: { ...state.agreements },
    clientOrderIds: new Set(Object.keys(state.clientOrderIds)),
    orders: new History(terms, state.orders),
    trades: new History(terms, state.trades),
    available: ledger.pocketsOf(`${state.key}:available`, true),
    pending: ledger.pocketsOf(`${state.key}:pending`, true),
  };
}

/** The lists are copies, the rows are shared. */
export function saveAccount({ available: _, pending: __, ...account }: Account): AccountState {
  const { agreements, clientOrderIds, orders, trades, mints, rails, payments } = account;
  return {
    ...account,
    agreements: { ...agreements },
    clientOrderIds: Object.fromEntries([...clientOrderIds].map((id) => [id, true])),
    orders: [...orders.rows],
    trades: [...trades.rows],
    mints: [...mints],
    rails: [...rails],
    payments: [...payments],
  };
}
