// Accounts as saved in a checkpoint. Only the code that wrote a checkpoint reads it, so amounts keep their types and
// are tagged with them in the text.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { OpenOrder } from "./accounts.ts";
import type { SavedLedger } from "./ledger.ts";
import type { SavedMovements } from "./movements.ts";
import type { Position } from "./profit.ts";
import type { SavedTrades } from "./trades.ts";

export type SavedAccounts = {
  readonly ledger: SavedLedger;
  readonly profit: readonly (readonly [PairSymbol, Position])[];
  readonly trades: SavedTrades;
  readonly movements: SavedMovements;
  readonly balances: readonly Balance[];
  readonly open: readonly OpenOrder[];
  readonly ended: readonly OrderIntent[];
};

export function savedText(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, plain) {
    // The value before its own toJSON.
    const amount = this[key];
    if (amount instanceof Money) return { $money: amount.toString(), asset: amount.asset };
    if (amount instanceof Price) return { $price: plain };
    return amount instanceof Quantity ? { $quantity: plain } : plain;
  });
}

/** Throws if the text is not of this form. */
export function loadSaved<T>(text: string): T {
  return JSON.parse(text, (_, value) => {
    if (typeof value?.$money === "string") return Money.of(value.$money, value.asset);
    if (typeof value?.$price === "string") return Price.of(value.$price);
    return typeof value?.$quantity === "string" ? Quantity.of(value.$quantity) : value;
  });
}
