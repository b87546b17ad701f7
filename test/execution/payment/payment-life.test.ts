// Payments on rails next to what else happens to the books: unread lists, orders of unknown outcome, adoption and a person's word.

import { expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import type { Payment } from "../../../src/exchange/port.ts";
import { Keeping, orderOf, tradeOf } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";
import { accepted, asked, booksMovements, compared, halts, RAIL, restarted, takenOver } from "../moving.ts";

const FIRST: Payment = {
  railId: "a",
  paymentId: "p1",
  status: "pending",
  amount: Money.of("10000", VCHF),
  at: undefined,
};

/** 1,000 CHF and 20,000 VCHF, of which 10,000 are on their way to a bank. */
function paid(): Keeping {
  const bot = booksMovements(new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF)));
  const receipt = { railId: "a", status: "pending", reason: undefined };
  const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH93" };
  accepted(bot, { kind: "rail", rail }, "L-1", receipt);
  bot.answer({ witness: "rails", rows: [receipt], ...asked(bot) });
  listed(bot, FIRST);
  return bot;
}

function listed(bot: Keeping, ...rows: readonly Payment[]): void {
  bot.answer({ witness: "payments", rows, ...asked(bot) });
}

const shown = (bot: Keeping, coins: string) => [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", coins)];

function see(bot: Keeping, coins: string): void {
  bot.answer({ witness: "balances", rows: shown(bot, coins), ...asked(bot) });
}

function books({ accounts }: Keeping): readonly string[] {
  return [accounts.settled(VCHF), accounts.inFlight(CHF)].map(String);
}

test("a payment that comes back under a status that pegbot does not know halts the bot, and closed by a person its coins are owned once", () => {
  const bot = paid();
  listed(bot, { ...FIRST, status: "returned" });
  expect(bot.executor.treasury.rails.reason).toContain('payment:p1 of 10000 VCHF on rail L-1, listed as "returned"');
  halts(bot, shown(bot, "20000"));
  expect(bot.controls).toMatchObject([{ cause: "balances", wayOut: expect.stringContaining("pegbot adopt") }]);
  expect(compared(bot, shown(bot, "20000")).rows).toMatchObject([{ key: "payment:p1" }]);
  for (const one of [restarted(bot), bot]) {
    one.take((out) => one.executor.treasury.closePayment("payment:p1", "back", "support says so", one.now, out));
    expect([books(one), takenOver(one, shown(one, "20000"))]).toEqual([["20000", "0"], ""]);
    listed(one, { ...FIRST, status: "settled" });
    expect([one.said, books(one)]).toEqual([[], ["20000", "0"]]);
  }
});

test("a payment that has just left is not adopted back while the balances may not show it, unless a person says that it is other money", () => {
  const bot = paid();
  bot.seconds += 119;
  expect(takenOver(bot, shown(bot, "20000"))).toMatch(
    /^nothing is adopted while something of ours is open or young .*payment:p1, booked at .*--beside payment:p1$/,
  );
  expect(takenOver(bot, shown(bot, "20000"), "payment:p1")).toBe("10000 VCHF");
  expect(takenOver(bot, shown(bot, "10000"), "payment:p1")).toContain("is neither open nor young in what differs");
  bot.seconds += 1;
  expect(takenOver(bot, shown(bot, "20000"))).toBe("10000 VCHF");
});

test("a payment that was adopted before its list showed it halts the bot when it is booked, and never moves the books unseen", () => {
  const bot = paid();
  bot.seconds = 200;
  see(bot, "9600");
  const adoption = { kind: "adoption", at: bot.now.at, amounts: [Money.of("-400", VCHF)] } as const;
  bot.adopt({ ...adoption, history: { until: undefined, ids: [] }, reason: "looked", by: "ann" });
  listed(bot, FIRST, { ...FIRST, paymentId: "p2", amount: Money.of("400", VCHF) });
  see(bot, "9600");
  halts(bot, shown(bot, "9600"));
  expect(bot.controls.at(-1)).toMatchObject({
    cause: "balances",
    reason: expect.stringContaining("difference of 400"),
  });
  expect(takenOver(bot, shown(bot, "9600"))).toBe("400 VCHF");
});

test.each([
  ["is released once its list is read", true, ["released", []]],
  ["asks a person where the list does not have it", false, ["unknown", [{ cause: "balances" }]]],
])("an order of unknown outcome next to a payment that was not read yet %s", (_, isListed, expected) => {
  const bot = paid();
  const first = bot.fill();
  const rows = (coins: string) => [bot.balanceOf("CHF", "899.95"), bot.balanceOf("VCHF", coins)];
  const look = (coins: string): void => {
    bot.trades([tradeOf(first)]).orders([orderOf(first, "Filled")]);
    bot.answer({ witness: "balances", rows: rows(coins), ...asked(bot) });
  };
  look("10100");
  const id = bot.doubt();
  for (const seconds of [1, 5, 15]) {
    bot.at(seconds);
    look("10100");
  }
  bot.at(60);
  look("9600");
  expect([bot.state(id), bot.asks.some(({ witness }) => witness === "payments")]).toEqual(["unknown", true]);
  const second = { ...FIRST, paymentId: "p2", amount: Money.of("500", VCHF) };
  listed(bot, FIRST, ...(isListed ? [second] : []));
  for (const seconds of [61, 300, 600]) {
    bot.at(seconds);
    look("9600");
  }
  expect([bot.state(id), bot.controls.slice(0, 1)]).toMatchObject(expected);
});
