// What comes and goes without a trade is no profit and no loss: the bases of both losses move with it.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { Fold } from "../../src/bot/fold.ts";
import type { Asset } from "../../src/domain/asset.ts";
import type { Control } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Step } from "../../src/domain/step.ts";
import { createBooks } from "../../src/risk/create-books.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const CHF = "CHF" as Asset;

/** 10000 CHF and 10000 GBP at 1, which a test may reprice; the day may lose 1 %, the peak 5 %. */
function aBot() {
  const fair = { "GBP/CHF": 1 };
  const bench = strategyBench(
    { name: "idle", decide: () => undefined },
    { symbols: ["VCHF/CHF"], balances: { CHF: "10000", GBP: "10000" }, limits: { dailyLossBpsMax: 100 }, fair },
  );
  const steps: Step[] = [];
  const { books, pricing } = bench.engine.context;
  const bot = {
    books,
    steps,
    bench,
    at(price: number): void {
      bench.fair("GBP/CHF", price);
      steps.push(bench.pass(11_000));
    },
    /** From now on there is such a rate. */
    rate(symbol: string, price: number): void {
      bench.fair(symbol, price);
    },
    control(control: Control): void {
      steps.push(bench.send({ kind: "control", control, receivedAt: bench.now }));
    },
    /** Nothing but prices, for longer than the time between two looks. */
    quotesAt(price: number): void {
      bench.fair("GBP/CHF", price);
      for (let i = 0; i < 12; i++) bench.quote("VCHF/CHF", 0.9999, 1.0001);
    },
    adopt(amount: string, asset = "CHF"): void {
      const amounts = [Money.of(amount, asset as Asset)];
      steps.push(bench.send({ kind: "adoption", amounts, reason: "wire", receivedAt: bench.now }));
    },
    figures: (): string[] => [books.day.opening, books.peak, pricing.equity()].map(String),
  };
  bot.at(1);
  return bot;
}

describe("what a person adopts", () => {
  it("hides no loss when it is a deposit", () => {
    const bot = aBot();
    bot.at(0.985);
    expect(bot.figures()).toEqual(["20000", "20000", "19850"]);
    bot.adopt("100000");
    expect(bot.figures()).toEqual(["120000", "120000", "119850"]);
    bot.at(0.88);
    expect(bot.books.state).toBe("ACTIVE");
    // 120000 - 118799.9 is 1200.1, one per cent of 120000 is 1200
    bot.at(0.87999);
    expect(bot.books.standing.reason).toBe("RC05: loss of the day is 1200.1 CHF, limit is 1200 CHF");
  });

  it("halts nothing when it is a withdrawal, and a later peak is still seen", () => {
    const bot = aBot();
    bot.quotesAt(1);
    bot.adopt("-5000");
    expect(bot.books.state).toBe("ACTIVE");
    expect(bot.figures()).toEqual(["15000", "15000", "15000"]);
    bot.quotesAt(1.001);
    expect(bot.figures()).toEqual(["15000", "15010", "15010"]);
    bot.quotesAt(1.002);
    expect(bot.figures()).toEqual(["15000", "15020", "15020"]);
  });

  it("counts at its rate, in whatever asset it is", () => {
    const bot = aBot();
    bot.at(0.999);
    bot.adopt("-1000", "GBP");
    expect(bot.figures()).toEqual(["19001", "19001", "18991"]);
    expect(bot.books.state).toBe("ACTIVE");
  });

  it("stops the bot when nobody knows its value, until a person resumes and a new base is marked", () => {
    const bot = aBot();
    bot.adopt("5", "USDC");
    expect(bot.books.standing).toMatchObject({
      state: "HALTED",
      reason: "what was adopted has no rate, so losses of the day and from the peak cannot be told",
      wayOut: 'pegbot resume --reason "..."',
    });
    const control = { kind: "resume", reason: "five dollars", by: "anna" } as const;
    bot.adopt("-5", "USDC");
    bot.bench.send({ kind: "control", control, receivedAt: bot.bench.now });
    expect(bot.books.state).toBe("ACTIVE");
    expect(bot.figures()).toEqual(["20000", "20000", "20000"]);
  });

  it("hides no loss either when nobody knows its value and a person had stopped the bot: the next base counts it", () => {
    const bot = aBot();
    bot.control({ kind: "kill", reason: "wire on its way", by: "anna" });
    bot.adopt("100000", "EUR");
    bot.control({ kind: "resume", reason: "wire is here", by: "anna" });
    expect(bot.figures()).toEqual(["undefined", "undefined", "undefined"]);
    bot.rate("EUR/CHF", 1);
    bot.at(1);
    expect(bot.figures()).toEqual(["120000", "120000", "120000"]);
    bot.at(0.87999);
    expect(bot.books.standing).toMatchObject({
      state: "HALTED",
      reason: "what was adopted has no rate, so losses of the day and from the peak cannot be told",
      also: [{ reason: "RC05: loss of the day is 1200.1 CHF, limit is 1200 CHF" }],
    });
    const fold = new Fold(new Accounts(20), createBooks(CHF));
    for (const step of bot.steps) fold.step(step);
    expect(fold.books.save()).toEqual(bot.books.save());
  });

  it("moves the same bases when recorded steps are folded, without a price", () => {
    const bot = aBot();
    bot.at(0.99);
    bot.adopt("-700", "GBP");
    bot.adopt("5", "USDC");
    const fold = new Fold(new Accounts(20), createBooks(CHF));
    for (const step of bot.steps) fold.step(step);
    expect(fold.books.save()).toEqual(bot.books.save());
  });
});
