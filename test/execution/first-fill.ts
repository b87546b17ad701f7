// An account whose first fill history and balances have shown, and all three witnesses of an order that may have followed it.

import { type Keeping, type KeepingOptions, opened, orderOf, tradeOf } from "./keeping.ts";

export const UNTOUCHED = { CHF: "1000", VCHF: "0" };
export const ONE_FILLED = { CHF: "899.95", VCHF: "100" };

/** All three witnesses say that there is nothing but these. */
export function look(bot: Keeping, seconds: number, ...known: readonly string[]): void {
  bot.at(seconds);
  bot.trades(known.map((id) => tradeOf(id)));
  bot.orders(known.map((id) => orderOf(id, "Filled")));
  bot.balances(known.length === 0 ? UNTOUCHED : ONE_FILLED);
}

/** A fill that history and balances have shown: the sentinel of what comes later. */
export function settled(options: KeepingOptions = {}): { readonly bot: Keeping; readonly first: string } {
  const bot = opened(options);
  const first = bot.fill();
  bot.trades([tradeOf(first)]).balances(ONE_FILLED);
  return { bot, first };
}

export function kindsOf(bot: Keeping, id: string): readonly string[] {
  return bot.entries.flatMap(({ record }) => ("id" in record && record.id === id ? [record.kind] : []));
}
