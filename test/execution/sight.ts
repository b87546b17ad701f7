// What the venue shows, as tests say it, held against the journal of a bot: by a start, or by who takes over what differs.

import type { Asset } from "../../src/domain/asset.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { Unread } from "../../src/exchange/port.ts";
import { type Adopting, compareWithVenue, judgeStart, planAdoption } from "../../src/execution/adjustment.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { type Keeping, type orderOf, tradeOf } from "./keeping.ts";
import { VCHF } from "./life.ts";

export const VGBP = "VGBP" as Asset;

export const UNTOUCHED = { CHF: "1000", VCHF: "0" };

export const foreignTrade = (name: string | undefined, at?: Millis) =>
  tradeOf("x", { clientOrderId: name, orderId: "o-x", tradeId: "t-x", at });

export type Sight = {
  readonly trades?: readonly ReturnType<typeof tradeOf>[];
  readonly orders?: readonly ReturnType<typeof orderOf>[];
  readonly rails?: Extract<Answer, { witness: "rails" }>["rows"];
  readonly mints?: readonly ReturnType<typeof mintOf>[];
  readonly balances?: Readonly<Record<string, string>>;
  /** Rows of the trades that cannot be read. */
  readonly unread?: readonly Unread[];
};

export function asked(bot: Keeping): Pick<Answer, "askedAt" | "receivedAt" | "nonce"> {
  return { askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: undefined };
}

export function compared(
  bot: Keeping,
  { trades = [], orders = [], rails = [], mints = [], balances = UNTOUCHED, unread = [] }: Sight,
) {
  const rows = Object.entries(balances).map(([asset, text]) => bot.balanceOf(asset, text));
  const answers: readonly Answer[] = [
    { witness: "trades", rows: trades, unread, ...asked(bot) },
    { witness: "orders", rows: orders, ...asked(bot) },
    { witness: "rails", rows: rails, ...asked(bot) },
    { witness: "supply-changes", asset: VCHF, rows: mints, ...asked(bot) },
    { witness: "balances", rows, ...asked(bot) },
  ];
  const comparison = compareWithVenue(bot.executor, answers, bot.accounts, bot.now);
  if (!comparison.ok) throw new Error(comparison.error);
  return comparison.value;
}

export function started(bot: Keeping, sight: Sight): ReturnType<typeof judgeStart> {
  return judgeStart(bot.executor, compared(bot, sight), bot.now);
}

export function planned(bot: Keeping, sight: Sight, how: Partial<Adopting> = {}): ReturnType<typeof planAdoption> {
  return planAdoption(compared(bot, sight), { reason: "wire", by: "anna", ...how }, bot.now.at);
}

export function adoptAll(bot: Keeping, sight: Sight): void {
  const plan = planned(bot, sight);
  if (!plan.ok) throw new Error(plan.error);
  bot.adopt(plan.value.record);
}

export function mintOf(requestId: string) {
  return {
    requestId,
    transactionId: undefined,
    asset: VCHF,
    blockchain: "ETH",
    quantity: undefined,
    status: "pending",
    reason: undefined,
    at: undefined,
  };
}
