// Looks at equity: a new day, a peak and a breach are seen at the event that brings them.

import { describe, expect, it } from "vitest";
import type { Accounts } from "../../../src/books/accounts/accounts.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Step } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import type { View } from "../../../src/strategy/view.ts";
import { type StrategyBench, strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const RATE = "GBP/CHF" as PairSymbol;
const START = Date.UTC(2026, 0, 5, 22);

/** An order now and then, so that something is open while rates move. */
function seldom({ quote, now, buy, openOrders }: View): unknown {
  if (quote === undefined || Math.floor(now / 1_000) % 97 !== 0 || openOrders.length > 0) return undefined;
  return buy(quote.symbol, { limit: quote.ask * 1.003, size: "9000", reason: "now and then, and dear" });
}

function benchWith(decide = seldom): StrategyBench {
  const limits = { dailyLossBpsMax: 25, drawdownBpsMax: 30, heartbeatMsMax: 1_500_000 };
  const balances = { CHF: "10000", VCHF: "10000", GBP: "10000", VGBP: "0" };
  const options = { symbols: [SYMBOL, "VGBP/GBP"], balances, limits };
  return strategyBench({ name: "at-times", decide }, options);
}

describe("a look while an order is open", () => {
  const COIN = "VGBP/GBP" as PairSymbol;

  /** Orders once, dear; then the prices of one pair go down. Gives the reasons to stop, by price. */
  function stopsOf(ordered: PairSymbol, size: string, falling: PairSymbol, mids: number[]) {
    const bench = benchWith(({ quote, buy, openOrders }: View) =>
      quote?.symbol === ordered && openOrders.length === 0
        ? buy(ordered, { limit: quote.ask * 1.0045, size, reason: "dear" })
        : undefined,
    );
    let receivedAt = millis(START);
    const hear = (symbol: PairSymbol, mid: number, source: string): Step => {
      const prices = { symbol, bid: mid, ask: mid, bidSize: undefined, askSize: undefined };
      return bench.send({ kind: "quote", ...prices, source, at: undefined, receivedAt });
    };
    bench.send({ kind: "control", control: { kind: "heartbeat", by: "anna" }, receivedAt });
    for (const source of ["a", "b"]) hear(RATE, 1.12, source);
    for (const symbol of [SYMBOL, COIN]) hear(symbol, 1, "venue");
    expect(isOrdering(bench)).toBe(true);
    return mids.map((mid) => {
      receivedAt = millis(receivedAt + 100);
      const heard = ["a", "b"].map((source) => hear(falling, mid, source));
      const steps = [...heard, bench.send({ kind: "timer", receivedAt })];
      const commands = steps.flatMap((step) => step.commands);
      return commands.map((command) => (command.kind === "state" ? command.reason.slice(0, 4) : command.kind));
    });
  }

  // 25 bp of 31,200 are 78.
  it("finds the loss that its fill would be, with what rates took", () => {
    // Filled at 1.0045 and a fee of 20 bp, 9,000 lose 58.58; the rate takes 10, then 20.
    expect(stopsOf(SYMBOL, "9000", RATE, [1.12, 1.119, 1.118])).toEqual([[], [], ["RC05"]]);
  });

  it("finds that loss also where nothing is held of what it buys", () => {
    // Filled, 8,000 lose 58.32 at par; at 0.9975 of it they are worth 22.4 less.
    expect(stopsOf(COIN, "8000", COIN, [1, 0.9999, 0.9975])).toEqual([[], [], ["RC05"]]);
  });
});

describe("a day that begins while all prices are too old to trade by", () => {
  it("is opened at the last of them", () => {
    const bench = benchWith();
    const hear = (at: number, rate: number): (string | undefined)[] => {
      const receivedAt = millis(at);
      const sizes = { bidSize: undefined, askSize: undefined, at: undefined, receivedAt };
      const quote = (symbol: PairSymbol, mid: number, source: string): Step =>
        bench.send({ kind: "quote", symbol, bid: mid, ask: mid, source, ...sizes });
      const steps = [quote(SYMBOL, 1, "venue"), quote(RATE, rate, "a"), quote(RATE, rate, "b")];
      return [...steps, bench.send({ kind: "timer", receivedAt })].map(({ mark }) => mark?.toString());
    };
    const midnight = Date.UTC(2026, 0, 6);
    bench.send({ kind: "control", control: { kind: "heartbeat", by: "anna" }, receivedAt: millis(midnight - 3_000) });
    expect(hear(midnight - 2_000, 1.12)).toContain("31200");
    expect(bench.send({ kind: "timer", receivedAt: millis(midnight + 60_000) }).mark?.toString()).toBe("31200");
    expect(hear(midnight + 61_000, 1.1195)).toEqual([undefined, undefined, undefined, undefined]);
    expect(bench.engine.books.counters.day.opening?.toString()).toBe("31200");
  });
});

describe("a look before an order", () => {
  it("finds the loss since the last look, and is part of the step", () => {
    const bench = benchWith(({ buy, openOrders }: View) =>
      openOrders.length === 0 ? buy(SYMBOL, { limit: 1, size: "10", reason: "always" }) : undefined,
    );
    const hear = (afterMs: number, symbol: PairSymbol, mid: number, source: string): Step => {
      const prices = { symbol, bid: mid, ask: mid, bidSize: undefined, askSize: undefined };
      return bench.send({ kind: "quote", ...prices, source, at: undefined, receivedAt: millis(START + afterMs) });
    };
    bench.send({ kind: "control", control: { kind: "heartbeat", by: "anna" }, receivedAt: millis(START) });
    for (const source of ["a", "b"]) hear(0, RATE, 1.12, source);
    const calm = hear(0, SYMBOL, 1, "venue");
    expect(calm.decisions.map(({ verdict }) => verdict.kind)).toEqual(["approved"]);
    bench.reject();
    // Within the second: 10,000 GBP lose 90, and 25 bp of 31,200 are 78.
    for (const source of ["a", "b"]) expect(hear(200, RATE, 1.111, source).commands).toEqual([]);
    const { decisions, commands } = hear(300, SYMBOL, 1, "venue");
    expect(commands).toMatchObject([
      { kind: "state", state: "HALTED", cause: "loss", reason: expect.stringMatching(/^RC05: /) },
    ]);
    expect(decisions.map(({ verdict }) => verdict.kind)).toEqual(["refused"]);
  });
});

function isOrdering({ engine }: StrategyBench): boolean {
  return (engine.books.accounts as Accounts).open.size > 0;
}
