// Coins that leave by the portal next to a payment that comes in: no part of the loss is booked as the fee of the payment, and the
// bot halts within the stated time. A fee that is stated halts nothing.

import { expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { Keeping, type KeepingOptions } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";
import { accepted, asked, booksMovements, RAIL, restarted } from "../moving.ts";

const PAID = Money.of("1000000", CHF);

/** 1,000 CHF and 50,000 VCHF, with a payment of 1,000,000 on its way onto the account. */
function account(fee?: Money, options: KeepingOptions = {}): Keeping {
  const bot = booksMovements(new Keeping(options).opened(Money.of("1000", CHF), Money.of("50000", VCHF)));
  const receipt = { railId: "a", status: "pending", reason: undefined };
  accepted(bot, { kind: "rail", rail: { ...RAIL, toAccount: true } }, "L-1", receipt);
  bot.answer({ witness: "rails", rows: [receipt], ...asked(bot) });
  listed(bot, "pending", fee);
  see(bot, "50000");
  return bot;
}

function listed(bot: Keeping, status: string, fee?: Money): void {
  const row = { railId: "a", paymentId: "p1", status, amount: PAID, fee, at: undefined };
  bot.answer({ witness: "payments", rows: [row], ...asked(bot) });
}

function see(bot: Keeping, coins: string): void {
  const rows = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", coins)];
  bot.answer({ witness: "balances", rows, ...asked(bot) });
}

/** Reads the balances every 10 s and gives back the second at which the bot has halted. */
function haltedAt(bot: Keeping, coins: string, until: number): number | undefined {
  while (bot.controls.length === 0 && bot.seconds < until) {
    bot.seconds += 10;
    see(bot, coins);
  }
  return bot.controls.length === 0 ? undefined : bot.seconds;
}

/** The theft is at 100 s, and the payment is in the balances from 120 s on. 50,000 - 9,900 + 1,000,000. */
const AFTER = "1040100";

test.each([
  ["and were seen before it came", true, "settled", 100],
  ["and were first seen together with it", false, "settled", 120],
  ["and the list does not call it settled", true, "pending", 100],
])(
  "9,900 VCHF that leave 20 s before a payment of 1,000,000 arrives %s halt the bot, and are no fee",
  (_, isSeen, status, from) => {
    const bot = account();
    bot.seconds = 100;
    if (isSeen) see(bot, "40100");
    expect(bot.executor.freeze(bot.now).kind).toBe(isSeen ? "assets" : "none");
    bot.seconds = 120;
    listed(bot, status);
    see(bot, AFTER);
    const at = haltedAt(bot, AFTER, 1_000);
    expect(at).toBeGreaterThanOrEqual(from + 120);
    expect(at).toBeLessThanOrEqual(from + 270);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
    const { reason, wayOut } = bot.controls[0] as { reason: string; wayOut: string };
    expect(reason).toContain("the venue has 1040100 VCHF and the books ");
    expect(wayOut).toContain("pegbot adopt");
    listed(bot, "settled");
    expect(String(bot.accounts.settled(VCHF))).toBe("1050000");
  },
);

test("the time that a loss has lasted is not counted anew by a restart", () => {
  let bot = account();
  bot.seconds = 100;
  see(bot, "40100");
  for (let start = 0; start < 6 && bot.controls.length === 0; start++) {
    bot = restarted(bot);
    bot.seconds += 30;
    see(bot, "40100");
  }
  expect([bot.controls, bot.seconds]).toMatchObject([[{ cause: "balances" }], 220]);
});

test.each([
  ["that the row states", Money.of("3000", CHF), undefined],
  ["that the configuration states", undefined, () => Money.of("3000", VCHF)],
])("a fee of 30 bp %s halts nothing, however late its coins are", (_, fee, railFee) => {
  const bot = account(fee, railFee === undefined ? {} : { railFee });
  bot.seconds = 100;
  expect(haltedAt(bot, "50000", 1_000)).toBeUndefined();
  expect(haltedAt(bot, "1047000", 2_000)).toBeUndefined();
  listed(bot, "settled", fee);
  expect(String(bot.accounts.settled(VCHF))).toBe("1047000");
  expect([haltedAt(bot, "1047000", 3_000), bot.executor.freeze(bot.now).kind]).toEqual([undefined, "none"]);
});
