import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import { planAdoption } from "../../src/execution/adjustment.ts";
import { opened, tradeOf } from "./keeping.ts";
import { CHF } from "./life.ts";
import { adoptAll, planned } from "./sight.ts";

describe("an adoption", () => {
  test("is none of balances below nothing", () => {
    expect(planned(opened(), { balances: { CHF: "1000", VCHF: "-1" } })).toEqual({
      ok: false,
      error: "balances must not be negative, was -1 VCHF",
    });
  });

  test("covers rows by time up to the newest that is not ahead of us, and by id what that leaves out and the newest thousand", () => {
    const row = (key: string, at: number | undefined) => ({
      ...{ key, text: key, subject: key, assets: [] },
      at: at === undefined ? undefined : millis(at),
    });
    const historyOf = (rows: readonly ReturnType<typeof row>[]) => {
      const comparison = { differences: [], rows, items: [], receivedAt: millis(7) };
      const plan = planAdoption(comparison, { reason: "wire", by: "anna" }, millis(9));
      return plan.ok ? plan.value.record.history : undefined;
    };
    const rows = [row("timeless", undefined), row("old", 3), row("now", 7), row("ahead", 8), row("newer", 5)];
    expect(historyOf(rows)).toEqual({ until: 7, ids: ["timeless", "ahead", "now", "newer", "old"] });
    expect(historyOf([row("timeless", undefined), row("ahead", 8)])).toEqual({
      until: undefined,
      ids: ["timeless", "ahead"],
    });
    const many = Array.from({ length: 1_002 }, (_, i) => row(`r${i}`, i / 1_000));
    const { ids = [], until } = historyOf(many) ?? {};
    expect([until, ids.length, ids[0], ids.at(-1)]).toEqual([1.001, 1_000, "r1001", "r2"]);
  });

  test("takes over the difference of every asset, and the books are the venue's", () => {
    const bot = opened().at(7);
    expect(planned(bot, { balances: { CHF: "1500", VCHF: "0" } })).toMatchObject({
      value: {
        event: { reason: "wire", receivedAt: bot.now.at },
        record: { reason: "wire", by: "anna", at: bot.now.at },
      },
    });
    adoptAll(bot, { balances: { CHF: "1500", VCHF: "0", EUR: "2" } });
    expect(bot.accounts.held(CHF)).toEqual(Money.of("1500", CHF));
    bot.balances({ CHF: "1500", VCHF: "0", EUR: "2" });
    expect(bot.controls).toEqual([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("is refused while something of ours is open or young where the balances differ, unless it is named as other", () => {
    const bot = opened();
    const filled = bot.fill();
    const unknown = bot.doubt();
    const wire = { balances: { CHF: "1399.95", VCHF: "100" } };
    const texts = [`${filled}, booked at 1970-01-01T00:00:00Z (CHF)`, `${unknown}, outcome unknown (CHF)`];
    expect(planned(bot, wire)).toEqual({
      ok: false,
      error: `nothing is adopted while something of ours is open or young where the balances differ: ${texts.join("; ")}. Wait until pegbot status shows it as over; if the difference is other money: pegbot adopt --beside ${filled} ${unknown}`,
    });
    // One of them is not enough, and the line that is named has both.
    expect(planned(bot, wire, { beside: [unknown] })).toMatchObject({
      error: expect.stringContaining(`young where the balances differ: ${texts[0]}. `),
    });
    expect(planned(bot, wire, { beside: [unknown] })).toMatchObject({
      error: expect.stringMatching(`--beside ${unknown} ${filled}$`),
    });
    expect(planned(bot, wire, { beside: [filled, unknown], shown: "none" })).toMatchObject({
      value: { record: { amounts: [Money.of("500", CHF)] } },
    });
    expect(planned(bot, wire, { beside: [filled, unknown, "M-1"] })).toEqual({
      ok: false,
      error: "M-1 is neither open nor young in what differs: the same command without it",
    });
  });

  test("named as other than an unknown outcome leaves that out, whether the balances show it or not", () => {
    const adopted = (balances: Record<string, string>, shown?: "none" | "all"): string => {
      const bot = opened();
      const plan = planned(bot, { balances }, { beside: [bot.doubt()], shown });
      return plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
    };
    // Buys 100 VCHF for 95.1 to 100.1 CHF, and 500 CHF came in: only a person knows whether before or after.
    const [none, all] = ["500 CHF", "595.095 CHF"];
    expect(adopted({ CHF: "1500", VCHF: "0" }, "none")).toBe(none);
    expect(adopted({ CHF: "1500", VCHF: "0" }, "all")).toBe(all);
    const asked = adopted({ CHF: "1500", VCHF: "0" });
    expect(asked).toMatch(new RegExp(`${none} is adopted: pegbot adopt --beside T-\\S+ --shown none\\.`));
    expect(asked).toMatch(new RegExp(`${all}: pegbot adopt --beside T-\\S+ --shown all$`));
  });

  test("takes an unattributed rail over by its id, and balances without a pending part by what is available", () => {
    const rails = [{ railId: "r1", status: "pending", reason: undefined }];
    expect(planned(opened(), { rails })).toMatchObject({ value: { record: { history: { ids: ["rail:r1"] } } } });
    expect(planned(opened(), { balances: { CHF: "1001+?", VCHF: "0" } })).toMatchObject({
      value: { record: { amounts: [Money.of("1", CHF)] } },
    });
  });

  test("tells how many trades in it this bot has made and lost: strategies must not go on from before them", () => {
    const lostIn = (...trades: readonly TradeRecord[]) => {
      const plan = planned(opened(), { trades });
      return plan.ok ? plan.value.lost : plan.error;
    };
    const [one, other] = ["T-restored0-24", "T-restored0-25"].map((id, i) =>
      tradeOf(id, { orderId: `9${i}`, tradeId: `t9${i}` }),
    );
    const wire = tradeOf("x", { clientOrderId: undefined, orderId: "95", tradeId: "t95" });
    expect(lostIn(wire)).toBe(0);
    expect(lostIn(one as TradeRecord, wire, other as TradeRecord)).toBe(2);
  });
});
