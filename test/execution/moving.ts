// Mints and rails of a bot with books and a journal, as tests bring them about: sent and answered, in doubt, listed, and held
// against what the venue shows.

import { expect } from "vitest";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Nonce, SupplyChange } from "../../src/exchange/port.ts";
import { type Comparison, compareWithVenue, planAdoption } from "../../src/execution/adjustment.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { AnyReceipt } from "../../src/execution/request.ts";
import type { Approval } from "../../src/risk/treasury-gate.ts";
import { Keeping, type KeepingOptions } from "./keeping.ts";
import { aMint, CHF, failure, VCHF } from "./life.ts";

export const QUANTITY = "120000.37";

export const asked = (bot: Keeping) => ({ askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce });

export function accepted(bot: Keeping, approval: object, id: string, value: AnyReceipt): void {
  bot.take((out) => bot.executor.intend({ ...approval, id } as Approval, undefined, bot.now, out));
  const nonce = ++bot.nonce as Nonce;
  for (const one of bot.executor.sending(id, { nonce, digest: "d", host: "h" }, bot.now)) bot.write(one);
  bot.take((out) => bot.executor.outcome(id, { kind: "accepted", value, nonce, receivedAt: bot.now.at }, bot.now, out));
}

export function doubted(bot: Keeping, approval: object, id: string): void {
  bot.take((out) => bot.executor.intend({ ...approval, id } as Approval, undefined, bot.now, out));
  const nonce = ++bot.nonce as Nonce;
  for (const one of bot.executor.sending(id, { nonce, digest: "d", host: "h" }, bot.now)) bot.write(one);
  const unknown = { kind: "doubt", failure: failure("no answer"), nonce, halt: false } as const;
  bot.take((out) => bot.executor.outcome(id, unknown, bot.now, out));
}

/** What it just said of movements is on record. */
export function hearSaid(bot: Keeping): void {
  for (const event of bot.said) {
    const step = { sequence: 1, at: bot.now.at, event, decisions: [], commands: [], mark: undefined };
    bot.write({ kind: "step", at: bot.now.at, step });
  }
}

/** As the trading core does it: what is said of movements is booked, and on record. */
export function booksMovements(bot: Keeping): Keeping {
  const take = bot.take.bind(bot);
  bot.take = (call) => {
    take(call);
    for (const event of bot.said)
      if (event.kind === "movement") expect(bot.accounts.move(event.id, event.report, bot.now.at)).toBeUndefined();
    hearSaid(bot);
    return bot;
  };
  return bot;
}

/** The next process, with its books as the journal has them. */
export function restarted(bot: Keeping, options: KeepingOptions = {}): Keeping {
  const next = new Keeping({ writer: `bot${bot.entries.length}`, entries: bot.entries, ...options });
  next.seconds = bot.seconds;
  next.nonce = bot.nonce;
  for (const { record } of bot.entries)
    if (record.kind === "step" && record.step.event.kind === "movement") {
      const { id, report } = record.step.event;
      expect(next.accounts.move(id, report, record.at)).toBeUndefined();
    }
  return booksMovements(next);
}

export function minted(bot: Keeping): string {
  const spent = Money.of(QUANTITY, CHF);
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent };
  accepted(bot, { kind: "mint", mint: aMint.request }, aMint.id, receipt);
  return aMint.id;
}

export const RAIL = {
  type: "FiatToStablecoin",
  sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
  destination: "0x1",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
  known: [],
};

export const LISTED: SupplyChange = {
  requestId: "r1",
  transactionId: "x1",
  asset: VCHF,
  blockchain: "ETH",
  quantity: aMint.request.quantity,
  status: "pending",
  reason: undefined,
  at: undefined,
};

/** For a person who is about to take over what differs. */
export function compared(bot: Keeping, balances: readonly Balance[]): Comparison {
  const rows = ["trades", "orders", "rails"].map((witness) => ({ witness, rows: [] }));
  const answers = [...rows, { witness: "balances", rows: balances }].map((one) => ({ ...one, ...asked(bot) }));
  return unwrap(compareWithVenue(bot.executor, answers as readonly Answer[], bot.accounts, bot.now));
}

export function takenOver(bot: Keeping, balances: readonly Balance[], ...beside: readonly string[]): string {
  const plan = judgedPlan(compared(bot, balances), { reason: "looked", by: "ann", beside }, bot.now.at);
  return plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
}

/** A person who knows what is open names the reading that leaves the smaller difference. */
export function judgedPlan(...[comparison, how, at]: Parameters<typeof planAdoption>): ReturnType<typeof planAdoption> {
  const [none, all] = (["none", "all"] as const).map((shown) => planAdoption(comparison, { ...how, shown }, at));
  const sizeOf = (plan: typeof none): number =>
    plan?.ok === true ? plan.value.record.amounts.reduce((sum, one) => sum + Math.abs(Number(String(one))), 0) : 0;
  return (sizeOf(all) < sizeOf(none) ? all : none) as ReturnType<typeof planAdoption>;
}

export function halts(bot: Keeping, balances: readonly Balance[]): void {
  for (const after of [130, 130]) {
    bot.seconds += after;
    bot.answer({ witness: "balances", rows: balances, ...asked(bot) });
  }
}
