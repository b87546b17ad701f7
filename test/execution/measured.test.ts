// How late the venue shows trades, and how many were acknowledged: what the window and the release without a person rest on.

import { describe, expect, test } from "vitest";
import type { Nonce } from "../../src/exchange/port.ts";
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

  test.each([110, 3_600])(
    "because the list could not be read, by %s s, says no more of the venue than the last answer without it",
    (until) => {
      const bot = opened();
      const id = bot.fill();
      bot.at(5).trades([]);
      unread(bot, 15);
      // Another list says nothing of this one.
      bot.at(20).orders([]);
      unread(bot, until - 1);
      bot.at(until).trades([tradeOf(id)]);
      expect(bot.state(id)).toBe("confirmed");
      expect(published(bot)).toEqual([5_000, 5_000]);
      expect(parametersFor(bot).windowMs).toBe(120_000);
    },
  );

  test("and of which no answer came before the list failed says nothing, but counts as acknowledged", () => {
    const bot = opened();
    const askedAt = bot.now.mono;
    const id = bot.at(10).fill();
    // Asked for before the order was answered, it could not show it.
    bot.at(12).answer({ witness: "trades", rows: [], askedAt, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce });
    unread(bot, 13);
    bot.at(3_600).trades([tradeOf(id)]);
    expect(published(bot)).toEqual([0, 0]);
    // The next one is read as usual.
    const next = bot.fill();
    bot.at(3_610).trades([tradeOf(id), tradeOf(next)]);
    expect(published(bot)).toEqual([10_000, 10_000]);
  });
});
