import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { Keeping, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

const opened = (options = {}) => new Keeping(options).opened(Money.of("1000", CHF), Money.of("0", VCHF));

describe("an order that goes well", () => {
  test("is booked by its answer, confirmed by history and settled by the balances, with one record each", () => {
    const bot = opened();
    const id = bot.fill();
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
    bot.balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(id)).toBe("settled");
    expect(bot.entries.map(({ record }) => record.kind).filter((kind) => kind !== "step")).toEqual([
      "adoption",
      "intent",
      "sending",
      "outcome",
      "evidence",
      "settled",
    ]);
    expect(bot.reports.map(({ report }) => report)).toMatchObject([
      { kind: "filled", confirmed: false },
      { kind: "filled", confirmed: true, fill: { tradeId: `t-${id}` } },
    ]);
    expect([...bot.executor.open()]).toEqual([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });
});
