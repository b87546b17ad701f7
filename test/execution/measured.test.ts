// How late the venue shows trades, and how many were acknowledged: what the window and the release without a person rest on.

import { describe, expect, test } from "vitest";
import type { Parameters } from "../../src/execution/parameters.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";

const parametersFor = ({ executor, now }: Keeping): Parameters => executor.parameters(now);

describe("what is measured", () => {
  test("the time from an answer to its trade in history sets the window, also after a restart", () => {
    const bot = opened();
    const id = bot.fill();
    bot.seconds = 30;
    bot.trades([tradeOf(id)]);
    expect(parametersFor(bot).windowMs).toBe(300_000);
    expect(parametersFor(new Keeping({ writer: "bot00002", entries: bot.entries })).windowMs).toBe(300_000);
  });

  test("the time during which no process looked measures nothing", () => {
    const bot = opened();
    const id = bot.fill();
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.seconds = 40_000;
    next.take((out) => next.executor.recover(next.now, out)).trades([tradeOf(id)]);
    expect(next.state(id)).toBe("confirmed");
    expect(next.controls).toEqual([]);
    expect(parametersFor(next).windowMs).toBe(120_000);
    // Acknowledged it is all the same, and the next process reads it so.
    expect(next.executor.orders.save()).toMatchObject({ delaysMs: [], acknowledged: 1 });
    expect(parametersFor(new Keeping({ writer: "bot00003", entries: next.entries })).windowMs).toBe(120_000);
  });

  test("a fill that trades, orders and balances have shown lets absent orders be released, also after a restart", () => {
    const bot = opened();
    const id = bot.fill();
    const release = (): readonly string[] => [
      parametersFor(bot).release.kind,
      parametersFor(new Keeping({ writer: "bot00002", entries: bot.entries })).release.kind,
    ];
    bot.trades([tradeOf(id)]);
    expect([bot.state(id), release()]).toEqual(["confirmed", ["person", "person"]]);
    bot.balances({ CHF: "899.95", VCHF: "100" });
    expect([bot.state(id), release()]).toEqual(["settled", ["up-to", "up-to"]]);
  });
});

describe("an order that is confirmed late", () => {
  const unread = (bot: Keeping, second: number): void => {
    const question = { witness: "trades", askedAt: bot.now.mono, code: "venue-down" } as const;
    bot.at(second).take((out) => bot.executor.unanswered(question, bot.now, out));
  };
  /** How late the venue shows trades, as it is known now and by whoever folds the journal. */
  const published = (bot: Keeping): readonly number[] => {
    const folded = new Keeping();
    for (const entry of bot.entries) folded.hear(entry);
    return [bot, folded].map((one) => parametersFor(one).publishedMs);
  };

  test("was published as late as history first showed it, while that was read as usual or failed for a moment", () => {
    const bot = opened();
    const id = bot.fill();
    bot.at(5).trades([]);
    unread(bot, 10);
    bot.at(30).trades([tradeOf(id)]);
    expect(published(bot)).toEqual([30_000, 30_000]);
  });
});
