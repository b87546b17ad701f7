import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { planAdoption } from "../../src/execution/adjustment.ts";
import { compareWithVenue } from "../../src/execution/adjustment.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { asked, compared, UNTOUCHED, VGBP } from "./sight.ts";

describe("balances that are behind the last fills", () => {
  /** What `adopt` says when the venue shows these. */
  function adopting(bot: Keeping, trades: readonly TradeRecord[], balances: Record<string, string>): string {
    const rows = Object.entries(balances).map(([asset, amount]) => bot.balanceOf(asset, amount));
    const lists = [
      { witness: "trades", rows: trades },
      { witness: "orders", rows: [] },
      { witness: "rails", rows: [] },
      { witness: "balances", rows },
    ];
    const answers = lists.map((one) => ({ ...one, ...asked(bot) })) as unknown as readonly Answer[];
    const compared = unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now, { takesOver: true }));
    const plan = planAdoption(compared, { reason: "looked", by: "ann" }, bot.now.at);
    return plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
  }

  test("stop the bot with their names and the advice to wait, and are not taken over", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill()];
    const trades = ids.map((id) => tradeOf(id));
    bot.trades(trades);
    for (const seconds of [130, 140, 300]) bot.at(seconds).trades(trades).balances(UNTOUCHED);
    const text = `-200 VCHF, 200.1 CHF is just what the books have of the last 2 orders, from ${ids[0]} to ${ids[1]}, and the balances do not show it`;
    const wayOut = expect.stringMatching(/^wait until the balances show it.* then pegbot resume --reason "..."$/);
    expect(bot.controls[0]).toMatchObject({ cause: "balances", reason: expect.stringContaining(text), wayOut });
    // Once they show one of them, it is the same stop.
    for (const seconds of [310, 320]) bot.at(seconds).trades(trades).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.controls).toHaveLength(1);
    expect(adopting(bot, trades, UNTOUCHED)).toMatch(/^-200 VCHF, 200.1 CHF is just .* its balances are behind/);
    // One of them may never have filled, and what else differs is nobody's: both are for a person.
    expect(adopting(bot, [tradeOf(ids[0] as string)], UNTOUCHED)).toBe("200.1 CHF, -200 VCHF");
    expect(adopting(bot, trades, { CHF: "1000", VCHF: "1" })).toBe("200.1 CHF, -199 VCHF");
  });

  test("of two pairs are one stop, whichever of them they show next", () => {
    const [GBP, symbol] = ["GBP" as Asset, "VGBP/GBP" as Fill["symbol"]];
    const bot = new Keeping({}).opened(...[CHF, VCHF, GBP, VGBP].map((asset) => Money.of("500", asset)));
    const pounds = { symbol, bought: Money.of("100", VGBP), sold: Money.of("100.05", GBP), fee: Money.zero(GBP) };
    const trades = [0, 1].flatMap(() => [
      tradeOf(bot.fill()),
      tradeOf(bot.fill(bot.send(bot.intend(undefined, { symbol })), pounds), pounds),
    ]);
    const left = ["500", "399.95", "299.9"];
    const look = (seconds: number, francs: 0 | 1 | 2, others: 0 | 1 | 2) =>
      bot
        .at(seconds)
        .trades(trades)
        .balances({
          CHF: left[francs] as string,
          VCHF: String(500 + 100 * francs),
          GBP: left[others] as string,
          VGBP: String(500 + 100 * others),
        });
    for (const seconds of [130, 140, 260]) look(seconds, 0, 0);
    expect(bot.controls).toMatchObject([{ cause: "balances", subject: `fills up to ${trades[3]?.clientOrderId}` }]);
    for (const seconds of [270, 280]) look(seconds, 1, 0);
    for (const seconds of [290, 300]) look(seconds, 1, 1);
    for (const seconds of [310, 320]) look(seconds, 2, 1);
    expect(bot.controls).toHaveLength(1);
    // As the way out says.
    expect(bot.controls[0]).toMatchObject({
      wayOut: expect.stringContaining("then pegbot status calls nothing frozen"),
    });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets" });
    look(330, 2, 2);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("are told by all that differs, also where one asset is no reason to stop yet", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill()];
    const trades = ids.map((id) => tradeOf(id));
    bot.trades(trades);
    bot.at(130).trades(trades).balances({ CHF: "799.9", VCHF: "0" });
    bot.at(140).trades(trades).balances(UNTOUCHED);
    const text = `differ from the ledger by -200 VCHF, which no order of ours explains; -200 VCHF, 200.1 CHF is just what the books have of the last 2 orders, from ${ids[0]} to ${ids[1]}`;
    expect(bot.controls).toMatchObject([
      { reason: expect.stringContaining(text), wayOut: expect.stringMatching(/^wait until the balances show it/) },
    ]);
  });

  test("are waited for, and what differs beside them is taken over, however many of theirs are no reason to stop yet", () => {
    const bot = new Keeping({}).opened(Money.of("1000", CHF), Money.of("0", VCHF), Money.of("50", VGBP));
    const trades = [bot.fill(), bot.fill()].map((id) => tradeOf(id));
    bot.trades(trades);
    bot.at(130).trades(trades).balances({ CHF: "799.9", VCHF: "0", VGBP: "40" });
    bot
      .at(140)
      .trades(trades)
      .balances({ ...UNTOUCHED, VGBP: "40" });
    const wayOut = expect.stringMatching(/^wait until the balances show it.*, then pegbot adopt, then pegbot resume/);
    expect(bot.controls).toMatchObject([{ subject: "difference of VCHF, VGBP", wayOut }]);
  });

  test("are not behind where they show a later one: the venue is asked about the one that they lack", () => {
    const bot = opened();
    const first = bot.fill();
    const sold = Money.of("99", CHF);
    const later = bot.fill(undefined, { sold });
    const trades = [tradeOf(first), tradeOf(later, { sold })];
    bot.trades(trades);
    const shown = { CHF: String(bot.accounts.settled(CHF)?.plus(Money.of("100.05", CHF))), VCHF: "100" };
    for (const seconds of [130, 140, 300]) bot.at(seconds).trades(trades).balances(shown);
    expect(bot.controls[0]).toMatchObject({
      finding: `fill of ${first}`,
      wayOut: expect.stringContaining(`ask the venue whether it has taken ${first} back (then pegbot adopt --beside`),
    });
    expect(adopting(bot, trades, shown)).toContain("its balances show later ones");
    // Taken over as taken back, it is not as who ordered it was told.
    const seen = compared(bot, { trades, balances: shown }, { takesOver: true });
    const plan = planAdoption(seen, { reason: "reversed", by: "ann", beside: [first] }, bot.now.at);
    expect(unwrap(plan)).toMatchObject({ unbooked: [], odd: [first] });
  });

  test("are told from what others moved also where they had shown the fill before", () => {
    const bot = opened();
    const first = bot.fill();
    bot.trades([tradeOf(first)]).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(first)).toBe("settled");
    for (const seconds of [10, 140, 300])
      bot
        .at(seconds)
        .trades([tradeOf(first)])
        .balances(UNTOUCHED);
    expect(bot.controls[0]).toMatchObject({ reason: expect.stringContaining(`of order ${first}, and the balances`) });
    expect(adopting(bot, [tradeOf(first)], UNTOUCHED)).toContain("its balances are behind");
  });
});

test("a fill that the answer of a round itself tells contradicts no other order in doubt: it is booked only after the vote", () => {
  const bot = opened();
  const [found, missing] = [bot.doubt(), bot.doubt()];
  const shown = { CHF: "899.95", VCHF: "100" };
  for (const seconds of [5, 15, 60]) bot.at(seconds).trades([]).orders([]).balances(UNTOUCHED);
  bot
    .at(300)
    .orders([])
    .balances(shown)
    .trades([tradeOf(found)]);
  bot
    .at(600)
    .orders([])
    .balances(shown)
    .trades([tradeOf(found)]);
  expect([bot.state(found), bot.state(missing)]).toEqual(["settled", "presumed-dead"]);
  expect(bot.controls).toEqual([]);
});
