import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { Keeping, opened, orderOf, tradeOf } from "./keeping.ts";
import { CHF } from "./life.ts";
import { adoptAll, planned, type Sight } from "./sight.ts";

describe("a row that says something else of an order of ours than what it ended with", () => {
  const resume = (bot: Keeping) => {
    const control = { kind: "resume", reason: "looked at it", by: "anna" } as const;
    const record = { kind: "control", at: bot.now.at, control } as const;
    bot.hear({ sequence: bot.entries.length + 1, hash: "", writer: "resume01", record });
  };

  test("stops the bot until a person has taken over just that, also after a restart, and again for anything else", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(id)).toBe("settled");
    const corrected = tradeOf(id, { fee: Money.of("0.01", CHF) });
    bot.at(300).trades([corrected]);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "contradiction" }]);
    const seen = { trades: [corrected], balances: { CHF: "899.94", VCHF: "100" } };
    const plan = planned(bot, seen);
    expect(plan.ok && plan.value.record).toMatchObject({
      amounts: [Money.of("-0.01", CHF)],
      history: {
        until: undefined,
        ids: [expect.stringMatching(/^contested:trade:.*: 100 VCHF, 100.05 CHF, 0.01 CHF$/)],
      },
    });
    // Another fee is nothing that who ordered it would do otherwise for.
    expect(plan.ok && plan.value.odd).toEqual([]);
    adoptAll(bot, seen);
    resume(bot);
    bot.trades([corrected]).balances({ CHF: "899.94", VCHF: "100" }).trades([corrected]);
    expect(bot.controls.length).toBe(1);
    const restarted = new Keeping({ entries: bot.entries });
    restarted.trades([corrected]);
    expect(restarted.controls).toEqual([]);
    const again = planned(bot, seen);
    expect(again.ok && again.value.record).toMatchObject({ amounts: [], history: { ids: [] } });
    bot.trades([tradeOf(id, { fee: Money.of("0.02", CHF) })]);
    expect(bot.controls.length).toBe(2);
  });

  test.each([
    ["a fee in a third currency", { fee: Money.of("0.00001", "BTC" as Asset) }, { CHF: "899.95", VCHF: "100" }],
    // 100 at 1.001 are 100.10 at most.
    ["a price beyond its limit", { sold: Money.of("110", CHF) }, { CHF: "890", VCHF: "100" }],
  ])(
    "with %s is never booked: closed as not filled, it is taken over with what the balances show",
    (_what, odd, balances) => {
      const bot = opened();
      const id = bot.doubt();
      const [trade, order] = [tradeOf(id, { ...odd, at: millis(1_000) }), orderOf(id, "Filled")];
      const seen = { trades: [trade], orders: [order], balances };
      bot.trades([trade]);
      expect([bot.phase(id), bot.controls]).toMatchObject(["escalated", [{ cause: "contradiction" }]]);
      bot.at(300);
      expect(planned(bot, seen)).toMatchObject({ ok: false, error: expect.stringContaining(`${id}, outcome unknown`) });
      const resolution = { kind: "not-landed", by: "anna", reason: "the fee is odd" } as const;
      bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
      resume(bot);
      const before = bot.controls.length;
      bot.trades([trade]).orders([order]);
      expect(bot.controls.slice(before).map((one) => one.kind === "halt" && one.wayOut)).toEqual(
        // Its trade, and the order that is listed as filled.
        [1, 2].map(() => expect.stringMatching(/^pegbot adopt, then pegbot resume/)),
      );
      const plan = planned(bot, seen);
      expect(plan.ok && plan.value.record.history.ids).toEqual([
        expect.stringMatching(/^contested:trade:/),
        expect.stringMatching(/^contested:order:/),
      ]);
      expect(new Set(unwrap(plan).odd)).toEqual(new Set([id]));
      adoptAll(bot, seen);
      resume(bot);
      const stopped = bot.controls.length;
      bot.trades([trade]).orders([order]).balances(balances).balances(balances);
      const restarted = new Keeping({ entries: bot.entries });
      restarted
        .trades([{ ...trade }])
        .orders([order])
        .balances(balances)
        .balances(balances);
      for (const one of [bot, restarted]) {
        expect([one.controls.length, one.state(id)]).toEqual([one === bot ? stopped : 0, "released"]);
        expect(one.reports.filter(({ report }) => report.kind === "filled")).toEqual([]);
        expect(one.executor.freeze(one.now)).toEqual({ kind: "none" });
        expect(planned(one, seen)).toMatchObject({ value: { record: { amounts: [], history: { ids: [] } } } });
        // What the venue says of it later is news.
        one.at(700).trades([{ ...trade, fee: Money.of("0.00002", "BTC" as Asset) }]);
        expect(one.controls.at(-1)).toMatchObject({ kind: "halt", cause: "contradiction" });
      }
    },
  );

  test("is taken over in the list of orders as well, unless it is a fill that its trade will show", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    const given = bot.reject();
    bot.at(300).orders([orderOf(id, "Rejected"), orderOf(given, "Filled")]);
    const ids = (sight: Sight) => {
      const plan = planned(bot, { balances: { CHF: "899.95", VCHF: "100" }, ...sight });
      return plan.ok ? plan.value.record.history.ids.length : undefined;
    };
    expect(ids({ orders: [orderOf(id, "Rejected"), orderOf(given, "Filled")] })).toBe(1);
    adoptAll(bot, { orders: [orderOf(id, "Rejected")], balances: { CHF: "899.95", VCHF: "100" } });
    const before = bot.controls.length;
    resume(bot);
    bot.orders([orderOf(id, "Rejected")]);
    expect(bot.controls.length).toBe(before);
    bot.orders([orderOf(given, "Filled")]);
    expect(bot.controls.length).toBe(before + 1);
    // Its trade had its time: a person may adopt the row as it is.
    const filled = [orderOf(given, "Filled")];
    bot.at(1_300);
    adoptAll(bot, { orders: filled, balances: { CHF: "899.95", VCHF: "100" } });
    resume(bot);
    expect(bot.orders(filled).controls.length).toBe(before + 1);
  });
});
