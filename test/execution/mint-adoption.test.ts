// An adoption does not take the coins of a mint over a second time.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/executor.ts";
import { planAdoption } from "../../src/execution/plan-adoption.ts";
import { compareWithVenue } from "../../src/execution/reconcile.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";
import { aMint, CHF, VCHF } from "./life.ts";
import { asked, booksMovements, doubted, LISTED, minted, QUANTITY } from "./moving.ts";

test.each([
  ["counted as pending", "pending", "50+120000.37", "50"],
  ["not counted at all", "pending", "50", "50"],
  ["counted as pending, beside nothing else", "pending", "0+120000.37", undefined],
  // Else they are in the books twice: once taken over, and once more when they are booked as arrived.
  ["available and settled by the list, with another difference", "settled", "120050.37", "50"],
  ["available and settled by the list, less what was sold since", "settled", "100000.37", "-20000"],
])("an adoption leaves coins in flight out that are %s", (_, status, balance, amount) => {
  const bot = opened();
  minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
  bot.seconds = 130;
  const rows = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", balance)];
  const compared = compareWithVenue(
    bot.executor,
    [
      { witness: "trades", rows: [], ...asked(bot) },
      { witness: "orders", rows: [], ...asked(bot) },
      { witness: "rails", rows: [], ...asked(bot) },
      { witness: "balances", rows, ...asked(bot) },
    ],
    bot.accounts,
    bot.now,
  );
  if (!compared.ok) throw new Error(compared.error);
  const plan = planAdoption(compared.value, { reason: "wire", by: "ann" }, bot.now.at);
  if (!plan.ok) throw new Error(plan.error);
  expect(plan.value.event.amounts.map(String)).toEqual(amount === undefined ? [] : [amount]);
});

describe("an adoption beside a mint of which only the list is known", () => {
  const SOLD: Partial<TradeRecord> = {
    side: "sell",
    bought: Money.of("100", CHF),
    sold: Money.of("100.02", VCHF),
    fee: Money.of("0.01", CHF),
  };
  const BOUGHT: Partial<TradeRecord> = {
    side: "buy",
    bought: Money.of("50", VCHF),
    sold: Money.of("50.02", CHF),
    fee: Money.zero(CHF),
  };

  /** Books of 500,000 CHF and 1,000 VCHF; the mint has cost 120,024.37 CHF, of which 24 are its fee. */
  function listed(): Keeping {
    const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("1000", VCHF)));
    doubted(bot, { kind: "mint", mint: aMint.request }, aMint.id);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
    expect(bot.state(aMint.id)).toBe("confirmed");
    bot.seconds = 130;
    return bot;
  }

  function seen(bot: Keeping, chf: string, vchf: string, trade?: Partial<TradeRecord>) {
    const rows = [bot.balanceOf("CHF", chf), bot.balanceOf("VCHF", vchf)];
    const answers: readonly Answer[] = [
      { witness: "trades", rows: trade === undefined ? [] : [tradeOf("A-9", trade)], ...asked(bot) },
      { witness: "orders", rows: [], ...asked(bot) },
      { witness: "rails", rows: [], ...asked(bot) },
      { witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) },
      { witness: "balances", rows, ...asked(bot) },
    ];
    for (const answer of answers) bot.answer(answer);
    const comparison = unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now));
    return unwrap(planAdoption(comparison, { reason: "restored", by: "ann" }, bot.now.at));
  }

  test.each([
    // 500000 - 120024.37 + 100 - 0.01, and 1000 - 100.02
    ["a trade that history shows", "380075.62", "899.98+120000.37", SOLD, ["24", true], ["99.99", "-100.02"]],
    // 500000 - 120024.37 - 50.02: with the trade it would still be within what was approved.
    ["a trade that is like a fee", "379925.61", "1050+120000.37", BOUGHT, ["24", true], ["-50.02", "50"]],
    // 5,000 more left: the fee is what was approved at most, and 5000 + 24 - 120 are taken over.
    ["money that left", "374975.63", "1000+120000.37", undefined, ["120", false], ["-4904"]],
    ["money that came", "384975.63", "1000+120000.37", undefined, ["0", false], ["4976"]],
  ] as const)("books it as departed, and takes over the rest alone: %s", (_, chf, vchf, trade, [fee, isTold], rest) => {
    const bot = listed();
    const { record, costs } = seen(bot, chf, vchf, trade);
    expect(costs).toEqual([
      { id: aMint.id, spent: Money.of(QUANTITY, CHF).plus(Money.of(fee, CHF)), fee: Money.of(fee, CHF), isTold },
    ]);
    expect(record.amounts.map(String)).toEqual(rest);
    bot.adopt(record, costs);
    const [coins] = vchf.split("+");
    const figures = (one: Keeping) => [one.accounts.settled(CHF), one.accounts.settled(VCHF)].map(String);
    expect([...figures(bot), String(bot.accounts.inFlight(VCHF)), bot.accounts.leaving(CHF).isZero()]).toEqual([
      ...[chf, coins, QUANTITY, true],
    ]);
    const after = new Keeping({ writer: "bot00002", entries: bot.entries }).executor;
    expect([after.get(aMint.id)?.state.kind, after.movements.uncosted(CHF)]).toEqual(["confirmed", []]);
    // Settled, it is there once: no difference, and nothing is taken over again.
    const settled = Money.of(coins ?? "", VCHF).plus(Money.of(QUANTITY, VCHF));
    bot.controls.length = 0;
    for (const seconds of [260, 390, 520]) {
      bot.seconds = seconds;
      const rows = [{ ...LISTED, status: "settled" }];
      bot.answer({ witness: "supply-changes", asset: VCHF, rows, ...asked(bot) });
      bot.balances({ CHF: chf, VCHF: String(settled) });
    }
    expect([bot.state(aMint.id), ...figures(bot), bot.accounts.inFlight(VCHF).isZero(), bot.controls]).toEqual([
      ...["settled", chf, String(settled), true, []],
    ]);
  });

  test("leaves a mint alone for which nothing has left yet", () => {
    const { record, costs } = seen(listed(), "500050", "1000");
    expect([record.amounts.map(String), costs]).toEqual([["50"], []]);
  });
});
