// Accounts as plain data: amounts are canonical decimals, so that JSON holds every digit.

import type { Asset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { SavedLedger } from "./ledger.ts";
import type { SavedMovements } from "./movements.ts";
import type { OpenOrder } from "./open-orders.ts";
import type { SavedProfit } from "./profit.ts";
import type { SavedTrades } from "./trades.ts";

export type SavedAccounts = {
  readonly ledger: SavedLedger;
  readonly profit: SavedProfit;
  readonly trades: SavedTrades;
  readonly movements: SavedMovements;
  readonly balances: readonly SavedBalance[];
  readonly open: readonly SavedOrder[];
  readonly ended: readonly SavedIntent[];
};

type SavedBalance = { readonly asset: Asset; readonly available: string; readonly pending: string | null };
type SavedMoney = { readonly asset: Asset; readonly amount: string };
type SavedIntent = {
  readonly intent: Omit<OrderIntent, "quantity" | "limit"> & { readonly quantity: string; readonly limit: string };
};
type SavedOrder = SavedIntent & { readonly leaves: SavedMoney; readonly comes: SavedMoney };

export function saveBalances(balances: Iterable<Balance>): SavedBalance[] {
  return Array.from(balances, ({ asset, available, pending }) => ({
    asset,
    available: available.toString(),
    pending: pending?.toString() ?? null,
  }));
}

export function loadBalances(saved: readonly SavedBalance[] = []): Map<Asset, Balance> {
  return new Map(
    saved.map(({ asset, available, pending }) => {
      const balance = {
        asset,
        available: Money.of(available, asset),
        pending: pending === null ? undefined : Money.of(pending, asset),
      };
      return [asset, balance];
    }),
  );
}

export function saveIntents(intents: Iterable<OrderIntent>): SavedIntent[] {
  return Array.from(intents, saveIntent);
}

export function loadIntents(saved: readonly SavedIntent[] = []): OrderIntent[] {
  return saved.map(loadIntent);
}

export function saveOrders(orders: Iterable<OpenOrder>): SavedOrder[] {
  return Array.from(orders, ({ intent, leaves, comes }) => ({
    ...saveIntent(intent),
    leaves: leaves.toJSON(),
    comes: comes.toJSON(),
  }));
}

export function loadOrders(saved: readonly SavedOrder[] = []): OpenOrder[] {
  return saved.map((order) => ({
    intent: loadIntent(order),
    leaves: Money.of(order.leaves.amount, order.leaves.asset),
    comes: Money.of(order.comes.amount, order.comes.asset),
  }));
}

function saveIntent(intent: OrderIntent): SavedIntent {
  return { intent: { ...intent, quantity: intent.quantity.toString(), limit: intent.limit.toString() } };
}

function loadIntent({ intent }: SavedIntent): OrderIntent {
  return { ...intent, quantity: Quantity.of(intent.quantity), limit: Price.of(intent.limit) };
}
