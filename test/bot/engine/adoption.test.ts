// What comes and goes without a trade is no profit and no loss: the bases of both losses move with it.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../../src/books/accounts/accounts.ts";
import { replayedBooks } from "../../../src/bot/bookkeeping/bookings.ts";
import { loadSaved, savedText } from "../../../src/bot/saved-text.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import type { Control } from "../../../src/domain/event.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import { isRecorded, type Step } from "../../../src/domain/step.ts";
import { Counters } from "../../../src/risk/counters.ts";
import { equityOf } from "../../../src/watch/status/shown-money.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

const CHF = "CHF" as Asset;

/** 10000 CHF and 10000 GBP at 1, which a test may reprice; the day may lose 1 %, the peak 5 %. */
function aBot() {
  const fair = { "GBP/CHF": 1 };
  const bench = strategyBench(
    { name: "idle", decide: () => undefined },
    { symbols: ["VCHF/CHF"], balances: { CHF: "10000", GBP: "10000" }, limits: { dailyLossBpsMax: 100 }, fair },
  );
  const steps: Step[] = [];
  const { engine } = bench;
  const process = engine.step.bind(engine);
  engine.step = (event) => {
    const step = process(event);
    if (isRecorded(step)) steps.push(step);
    return step;
  };
  const { counters, pricing } = engine.books;
  const bot = {
    counters,
    steps,
    bench,
    at(price: number): void {
      bench.fair("GBP/CHF", price);
      bench.pass(11_000);
    },
    /** From now on there is such a rate. */
    rate(symbol: string, price: number): void {
      bench.fair(symbol, price);
    },
    control(control: Control): void {
      bench.send({ kind: "control", control, receivedAt: bench.now });
    },
    /** Nothing but prices, for longer than the time between two looks. */
    quotesAt(price: number): void {
      bench.fair("GBP/CHF", price);
      for (let i = 0; i < 12; i++) bench.quote("VCHF/CHF", 0.9999, 1.0001);
    },
    adopt(amount: string, asset = "CHF"): void {
      const amounts = [Money.of(amount, asset as Asset)];
      bench.send({ kind: "adoption", amounts, reason: "wire", receivedAt: bench.now });
    },
    figures: (): string[] => [counters.day.opening, counters.peak, pricing.equity()].map(String),
  };
  bot.at(1);
  return bot;
}

/** With what a step of a mint or a payment is; its fees stand in the day's figures. */
function movedWith(bot: ReturnType<typeof aBot>, id: string, report: MovementReport): void {
  bot.bench.send({ kind: "movement", id, report, receivedAt: bot.bench.now });
}

const gbp = (amount: string): Money => Money.of(amount, "GBP" as Asset);
const chf = (amount: string): Money => Money.of(amount, CHF);
const vgbp = (amount: string): Money => Money.of(amount, "VGBP" as Asset);

describe("what a mint or a payment costs", () => {
  const departed = { kind: "departed", door: "mint", spent: gbp("1010"), fee: gbp("10"), comes: vgbp("1000") } as const;
  const fees = ({ counters }: ReturnType<typeof aBot>): string[] => {
    const { mintFees, railFees } = counters.shown.day;
    return [mintFees, railFees].map(String);
  };

  it("is counted by kind at its rate of then, and folds to the same without a price", () => {
    const bot = aBot();
    bot.rate("VGBP/GBP", 1);
    bot.at(1.1);
    movedWith(bot, "M-1", departed);
    // 10 GBP * 1.1
    expect(fees(bot)).toEqual(["11", "0"]);
    bot.at(1.2);
    movedWith(bot, "payment:p1", {
      kind: "departed",
      door: "payment",
      spent: chf("0"),
      fee: chf("0"),
      comes: chf("500"),
    });
    movedWith(bot, "payment:p1", { kind: "arrived", at: "account", fee: chf("4") });
    expect(fees(bot)).toEqual(["11", "4"]);
    // Equity is 10000 + 9990 * 1.2 + 500 - 4 = 22484, of which 500 were brought; 9990 * 0.2 + 10 * 0.1 were gained.
    const shown = { today: "1984", realised: "0", fees: "0", mintFees: "11", railFees: "4" };
    expect(equityOf(bot.bench.engine)).toMatchObject(shown);
    const [text] = bot.steps.flatMap(({ event }) => (event.kind === "movement" ? [event.feeValue] : []));
    expect(String(text)).toBe("11");
    const books = replayedBooks(CHF);
    for (const step of bot.steps) books.replay(step);
    expect(books.counters.save()).toEqual(bot.counters.save());
    expect(new Counters(CHF, loadSaved(savedText(bot.counters.save()))).save()).toEqual(bot.counters.save());
  });

  it("is given back with what was returned, and a report that the books refuse costs nothing", () => {
    const bot = aBot();
    movedWith(bot, "M-1", departed);
    movedWith(bot, "M-1", departed);
    expect(fees(bot)).toEqual(["10", "0"]);
    // The same 10 GBP are 11 CHF by then: that is a gain of the holding, and the fee cost nothing.
    bot.at(1.1);
    const kept = new Accounts(20, loadSaved(savedText(bot.bench.engine.save().books.accounts)));
    expect(String(kept.movements.flight("M-1")?.feeValue)).toBe("10");
    movedWith(bot, "M-1", { kind: "returned", reason: "not today" });
    expect(fees(bot)).toEqual(["0", "0"]);
    const books = replayedBooks(CHF);
    for (const step of bot.steps) books.replay(step);
    expect(books.counters.save()).toEqual(bot.counters.save());
  });

  it("is unknown for the day where one of them has no rate, and what has one is in the sum of all days", () => {
    const bot = aBot();
    movedWith(bot, "M-1", departed);
    movedWith(bot, "M-2", { ...departed, fee: Money.of("3", "EUR" as Asset) });
    expect(fees(bot)).toEqual(["undefined", "undefined"]);
    const { mintFees, unvaluedFees } = bot.counters.shown.totals;
    expect([String(mintFees), unvaluedFees]).toEqual(["10", 1]);
  });
});

describe("what a person adopts", () => {
  it("hides no loss when it is a deposit", () => {
    const bot = aBot();
    bot.at(0.985);
    expect(bot.figures()).toEqual(["20000", "20000", "19850"]);
    bot.adopt("100000");
    expect(bot.figures()).toEqual(["120000", "120000", "119850"]);
    bot.at(0.88);
    expect(bot.counters.state).toBe("ACTIVE");
    // 120000 - 118799.9 is 1200.1, one per cent of 120000 is 1200
    bot.at(0.87999);
    expect(bot.counters.tradingState.reason).toBe("RC05: loss of the day is 1,200.1 CHF, limit is 1,200 CHF");
  });

  it("halts nothing when it is a withdrawal, and a later peak is still seen", () => {
    const bot = aBot();
    bot.quotesAt(1);
    bot.adopt("-5000");
    expect(bot.counters.state).toBe("ACTIVE");
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
    expect(bot.counters.state).toBe("ACTIVE");
  });

  it("stops the bot when nobody knows its value, until a person resumes and a new base is marked", () => {
    const bot = aBot();
    bot.adopt("5", "USDC");
    expect(bot.counters.tradingState).toMatchObject({
      state: "HALTED",
      cause: "no_rate",
      reason: "what was adopted has no rate, so losses of the day and from the peak cannot be told",
      wayOut: 'pegbot resume --reason "..."',
    });
    const control = { kind: "resume", reason: "five dollars", by: "anna" } as const;
    bot.adopt("-5", "USDC");
    bot.bench.send({ kind: "control", control, receivedAt: bot.bench.now });
    expect(bot.counters.state).toBe("ACTIVE");
    expect(bot.figures()).toEqual(["20000", "20000", "20000"]);
  });

  it("moves the same bases when recorded steps are folded, without a price", () => {
    const bot = aBot();
    bot.at(0.99);
    bot.adopt("-700", "GBP");
    bot.adopt("5", "USDC");
    const books = replayedBooks(CHF);
    for (const step of bot.steps) books.replay(step);
    expect(books.counters.save()).toEqual(bot.counters.save());
  });
});
