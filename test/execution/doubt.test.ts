// An order whose outcome is unknown: when it is fenced, what counts as absence, when it is freed, and when a person decides.

import { describe, expect, test } from "vitest";
import { mono } from "../../src/domain/time.ts";
import { kindsOf, look, ONE_FILLED, settled, UNTOUCHED } from "./first-fill.ts";
import { fillOf, opened, orderOf, tradeOf } from "./keeping.ts";

describe("an order whose outcome is unknown", () => {
  test("has one fence on record, however many answers come after it, also once a person was called", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    for (const seconds of [1, 2, 3]) look(bot, seconds, first);
    bot.at(1_000);
    for (const seconds of [1_001, 1_002]) look(bot, seconds, first);
    expect([bot.phase(id), kindsOf(bot, id).filter((kind) => kind === "fenced").length]).toEqual(["escalated", 1]);
  });

  test("is not counted absent in a list that lacks an order which was answered as filled before it", () => {
    const bot = opened();
    bot.fill();
    const id = bot.doubt();
    bot.trades([]);
    for (const seconds of [0, 5, 120, 300]) bot.at(seconds).trades([]).orders([]).balances(ONE_FILLED);
    expect(bot.executor.get(id)?.state).toMatchObject({ fence: expect.any(Number), absences: 0 });
  });

  test("is judged only by answers to questions that were posted after its round began", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    bot.at(5);
    const before = mono(4_000);
    bot.trades([tradeOf(first)], before);
    bot.orders([orderOf(first, "Filled")], before).balances(ONE_FILLED, before);
    expect(bot.executor.get(id)?.state).toMatchObject({ absences: 1 });
    expect(kindsOf(bot, id).filter((kind) => kind === "evidence").length).toBe(1);
  });

  test("is not given up while the balances are explained only with it", () => {
    const { bot, first } = settled();
    const id = bot.doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 15, 119]) {
      bot.at(seconds);
      bot
        .trades([tradeOf(first)])
        .orders([orderOf(first, "Filled")])
        .balances({ CHF: "799.90", VCHF: "200" });
    }
    expect(bot.executor.get(id)?.state).toMatchObject({ fence: expect.any(Number), absences: 0 });
    expect(bot.controls).toEqual([]);
  });

  test("of two that balances cannot tell apart, neither is given up", () => {
    const { bot, first } = settled();
    const ids = [bot.doubt(), bot.doubt()];
    bot.trades([tradeOf(first)]);
    for (const seconds of [0, 5, 120, 300]) {
      bot.at(seconds);
      bot
        .trades([tradeOf(first)])
        .orders([orderOf(first, "Filled")])
        .balances({ CHF: "799.90", VCHF: "200" });
    }
    expect(ids.map((id) => bot.phase(id))).toEqual(["fenced", "fenced"]);
  });
});

test("a fill that a person stated and the balances never show halts the bot with both totals", () => {
  const bot = opened();
  const id = bot.doubt();
  look(bot, 5);
  bot.at(1_000);
  const resolution = { kind: "landed", receipt: fillOf(id), by: "anna", reason: "portal" } as const;
  bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
  expect(bot.state(id)).toBe("confirmed");
  for (const seconds of [1_130, 1_140, 1_300]) bot.at(seconds).balances(UNTOUCHED);
  const text = "the venue has 0 VCHF and the books 100, a difference of -100";
  expect(bot.controls).toMatchObject([{ cause: "balances", reason: expect.stringContaining(text) }]);
});
