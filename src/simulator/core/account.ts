// A caller's account: what was cleared and signed, its pockets in the ledger, and its histories.

import type { Asset } from "../../domain/asset.ts";
import type { Ledger, Pocket } from "./ledger.ts";
import type { AddressRow, MintRow, OrderRow, PaymentRow, Product, RailRow } from "./record.ts";

export type Account = {
  readonly key: string;
  kybCleared: boolean;
  readonly agreements: Record<Product, boolean>;
  readonly clientOrderIds: Set<string>;
  orders: OrderRow[];
  /** The filled ones among the orders, kept longer than those. */
  trades: OrderRow[];
  mints: MintRow[];
  rails: RailRow[];
  payments: PaymentRow[];
  addresses: AddressRow[];
  readonly available: (asset: Asset) => Pocket;
  readonly pending: (asset: Asset) => Pocket;
};

/** What is saved of an account; its pockets are in the ledger. */
export type AccountState = Omit<Account, "available" | "pending" | "clientOrderIds"> & {
  readonly clientOrderIds: readonly string[];
};

export function createAccount(key: string, ledger: Ledger): Account {
  return loadAccount(
    {
      key,
      kybCleared: false,
      agreements: { issuance: false, conversion: false },
      clientOrderIds: [],
      orders: [],
      trades: [],
      mints: [],
      rails: [],
      payments: [],
      addresses: [],
    },
    ledger,
  );
}

export function loadAccount(state: AccountState, ledger: Ledger): Account {
  return {
    ...state,
    agreements: { ...state.agreements },
    clientOrderIds: new Set(state.clientOrderIds),
    available: ledger.pocketsOf(`${state.key}:available`, true),
    pending: ledger.pocketsOf(`${state.key}:pending`, true),
  };
}

export function saveAccount(account: Account): AccountState {
  const { available: _, pending: __, clientOrderIds, ...rest } = account;
  return { ...rest, clientOrderIds: [...clientOrderIds] };
}
