// What the engine makes of strategies, good and bad: each line is what a person would read of a step.

import { describe, expect, it } from "vitest";
import type { Accounts } from "../../../src/books/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { isRecorded, type Step } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import { chainedHash, entryText, GENESIS, readEntry } from "../../../src/journal/text/entry-text.ts";
import { defineStrategy, z } from "../../../src/strategy/strategy.ts";
import type { View } from "../../../src/strategy/view.ts";
import { type BenchOptions, fillAtLimit, strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
const CHF = "CHF" as Asset;
const FUNDED: BenchOptions = { symbols: [SYMBOL], balances: { CHF: "10000", VCHF: "10000" } };

/** A strategy that answers whatever it is told to. */
function answering(answer: (view: View) => unknown) {
  return { name: "answering", decide: answer };
}

function linesFor(answer: (view: View) => unknown, options: BenchOptions = FUNDED): readonly string[] {
  const bench = strategyBench(answering(answer), options);
  bench.quote(SYMBOL, 0.998, 0.999);
  return bench.lines();
}

/** As it comes back from the journal, which refuses what it could not read again: the bot ends by that. */
function readAgain(step: Step): Step {
  const entry = entryText(1, "writer01", { kind: "step", at: step.at, step });
  const { record } = unwrap(readEntry(1, entry, chainedHash(GENESIS, entry)));
  return (record as { readonly step: Step }).step;
}

describe("a proposal", () => {
  it("becomes an approved order that reserves its money at once", () => {
    const bench = strategyBench(
      answering(({ buy }) => buy(SYMBOL, { limit: 0.999, size: "500", reason: "cheap" })),
      FUNDED,
    );
    const step = bench.quote(SYMBOL, 0.998, 0.999);
    expect(bench.lines()).toEqual(["buy 500 VCHF/CHF at 0.999: cheap"]);
    expect(step.commands).toEqual([
      { kind: "submit", intent: expect.objectContaining({ symbol: SYMBOL, side: "buy" }) },
    ]);
    // 10000 - 500 x 0.999 - a fee budget of 20 bp of 499.5
    expect(String(bench.engine.books.accounts.spendable(CHF))).toBe("9499.501");
    expect(isRecorded(step)).toBe(true);
  });
});

describe("a strategy that returns nonsense is refused by name", () => {
  const proposal = { symbol: SYMBOL, side: "buy", limit: 0.999, size: 500, reason: "why not" };
  it.each([
    ["a limit that is not a number", { ...proposal, limit: Number.NaN }, "PR03 limit must be finite, was NaN"],
    ["a limit of text", { ...proposal, limit: "0.999" }, 'PR03 proposal must have a number as its limit, was "0.999"'],
    [
      "no size",
      { ...proposal, size: undefined, sise: 500 },
      "PR04 proposal must have a number or a decimal text as its size, was nothing",
    ],
    ["no reason", { ...proposal, reason: "" }, "PR05 proposal must have a reason in words, was none"],
    [
      "a lifetime in the past",
      { ...proposal, lifetimeMs: -5 },
      "PR06 proposal must have a lifetime above 0 ms, was -5",
    ],
    ["a number", 7, "PR01 a strategy must answer with a proposal, a list of them or nothing, was number"],
  ])("%s", (_, answer, message) => {
    const bench = strategyBench(
      answering(() => answer),
      FUNDED,
    );
    const step = bench.quote(SYMBOL, 0.998, 0.999);
    expect(readAgain(step)).toEqual(step);
    const lines = bench.lines();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(message);
    expect(lines[0]).toMatch(/^refused /);
  });

  it("looks at 16 of a thousand proposals and refuses the rest in one line", () => {
    const lines = linesFor(({ buy }) => Array(1000).fill(buy(SYMBOL, { limit: 0.999, size: -1, reason: "many" })));
    expect(lines).toHaveLength(17);
    expect(lines.at(-1)).toBe(
      "refused answer: PR07 a strategy may make 16 proposals of one event, was 1000: the rest is not looked at",
    );
  });
});

describe("a strategy that fails stops, and the engine goes on", () => {
  const throwing = () => {
    throw new Error("out of range");
  };
  it.each([
    ["throws", throwing, /^HALTED: strategy stopped: decide of answering threw: Error: out of range/],
    ["answers later", async () => undefined, /must answer at once, was a promise/],
    [
      "writes into a pair, by which the gate goes as well",
      (view: View) => {
        (view.instrumentOf(SYMBOL) as { quote: string }).quote = "GBP";
      },
      /TypeError/,
    ],
  ])("%s", (_, decide, line) => {
    const calls = { count: 0 };
    const bench = strategyBench(
      answering((view) => {
        calls.count++;
        return (decide as (view: View) => unknown)(view);
      }),
      FUNDED,
    );
    bench.quote(SYMBOL, 0.998, 0.999);
    expect(bench.lines()).toEqual([expect.stringMatching(line)]);
    expect(bench.engine.books.counters.state).toBe("HALTED");
    bench.quote(SYMBOL, 0.997, 0.998);
    expect(calls.count).toBe(1);
    expect(bench.lines()).toEqual([]);
    expect(bench.engine.books.sequence).toBe(5);
  });

  it("names the way out, and a resume wakes it again", () => {
    let calls = 0;
    const bench = strategyBench(
      answering(() => {
        if (calls++ === 0) throw new Error("once");
      }),
      FUNDED,
    );
    const { commands } = bench.quote(SYMBOL, 0.998, 0.999);
    // The running bot has the code that threw.
    const wayOut = 'mend the strategy, start the bot again, then pegbot resume --reason "..."';
    expect(commands[0]).toMatchObject({ kind: "state", wayOut });
    bench.send({ kind: "control", control: { kind: "resume", reason: "fixed", by: "me" }, receivedAt: bench.now });
    bench.quote(SYMBOL, 0.998, 0.999);
    expect(calls).toBe(2);
  });

  it("cannot read a view that it kept outside its call, and keeps a quote as it was", () => {
    const kept: { view: View; quote: View["quote"] }[] = [];
    const bench = strategyBench(
      answering((view) => void kept.push({ view, quote: view.quote })),
      FUNDED,
    );
    bench.quote(SYMBOL, 0.998, 0.999);
    expect(() => kept[0]?.view.now).toThrow("a view is valid only while decide runs");
    expect(() => kept[0]?.view.quoteOf(SYMBOL)).toThrow("a view is valid only while decide runs");
    bench.quote(SYMBOL, 0.997, 0.999);
    expect(kept.map(({ quote }) => quote?.bid)).toEqual([0.998, 0.997]);
  });
});

describe("the view", () => {
  it("shows prices, fair value, balances with reservations, fills and open orders", () => {
    const seen: unknown[] = [];
    const bench = strategyBench(
      defineStrategy({
        name: "looking",
        params: z.object({ size: z.string() }),
        wakes: ["quote", "report"],
        decide({ wake, quote, fair, balanceOf, openOrders, fills, params, buy, instrumentOf, quoteOf, fairOf }) {
          seen.push([wake, quote?.mid, fair, balanceOf("CHF")?.spendable, openOrders.length, fills.length]);
          expect(instrumentOf(SYMBOL)?.base).toBe("VCHF");
          expect(quoteOf(SYMBOL)?.ask).toBe(quote?.ask);
          expect([fairOf(SYMBOL), fairOf("XX/YY"), quoteOf("XX/YY")]).toEqual([1, undefined, undefined]);
          return wake === "quote" ? buy(SYMBOL, { limit: 0.999, size: params.size, reason: "look" }) : undefined;
        },
      }),
      { ...FUNDED, params: { size: "500" } },
    );
    bench.quote(SYMBOL, 0.997, 0.999);
    bench.fill();
    expect(bench.lines()).toEqual(["buy 500 VCHF/CHF at 0.999: look"]);
    expect(seen).toEqual([
      ["quote", 0.998, 1, 10000, 0, 0],
      // The venue has not told its new balance, the books have: 10000 - 499.5
      ["report", 0.998, 1, 9500.5, 0, 1],
    ]);
  });
});

describe("reports", () => {
  const buying = answering(({ buy, openOrders }) =>
    openOrders.length === 0 ? buy(SYMBOL, { limit: 0.999, size: "500", reason: "cheap" }) : undefined,
  );

  function withOrder() {
    const bench = strategyBench(buying, FUNDED);
    const { commands } = bench.quote(SYMBOL, 0.998, 0.999);
    const submit = commands[0];
    if (submit?.kind !== "submit") throw new Error("no order");
    bench.lines();
    return { bench, intent: submit.intent, accounts: bench.engine.books.accounts as Accounts };
  }

  it("book a fill once, however often it is told", () => {
    const { bench, intent, accounts } = withOrder();
    const fill = { ...fillAtLimit(intent), tradeId: undefined };
    for (const [tradeId, confirmed] of [
      [undefined, false],
      ["X1", true],
      ["X1", true],
    ] as const)
      bench.send({
        kind: "report",
        clientOrderId: intent.clientOrderId,
        report: { kind: "filled", fill: { ...fill, tradeId }, confirmed },
        receivedAt: bench.now,
      });
    expect(String(accounts.held(CHF))).toBe("9500.5");
    expect(String(accounts.held("VCHF" as Asset))).toBe("10500");
    expect(accounts.open.size).toBe(0);
    expect(bench.lines()).toEqual([]);
  });

  it("that contradict what was booked stop the bot and book nothing", () => {
    const { bench, intent, accounts } = withOrder();
    const { clientOrderId } = intent;
    bench.fill();
    const other = { ...fillAtLimit(intent), sold: Money.of("499", CHF) };
    bench.send({
      kind: "report",
      clientOrderId,
      report: { kind: "filled", fill: other, confirmed: true },
      receivedAt: bench.now,
    });
    expect(bench.lines()[0]).toMatch(/^HALTED: fill of \S+ must be 500 VCHF for 499.5 CHF/);
    expect(String(accounts.held(CHF))).toBe("9500.5");
  });

  it("free the money of a rejected order, and keep that of one in doubt", () => {
    const { bench, intent, accounts } = withOrder();
    const { clientOrderId } = intent;
    bench.send({ kind: "report", clientOrderId, report: { kind: "doubt", cause: "timeout" }, receivedAt: bench.now });
    expect(String(accounts.spendable(CHF))).toBe("9499.501");
    bench.send({
      kind: "report",
      clientOrderId,
      report: { kind: "dead", reason: "three witnesses" },
      receivedAt: bench.now,
    });
    expect(String(accounts.spendable(CHF))).toBe("10000");
  });

  it("of a fill after the order was given up are booked, and stop the bot", () => {
    const { bench, intent, accounts } = withOrder();
    const { clientOrderId } = intent;
    bench.send({ kind: "report", clientOrderId, report: { kind: "dead", reason: "gone" }, receivedAt: bench.now });
    bench.send({
      kind: "report",
      clientOrderId,
      report: { kind: "filled", fill: fillAtLimit(intent), confirmed: true },
      receivedAt: bench.now,
    });
    expect(bench.lines()[0]).toMatch(
      /^HALTED: order \S+ filled after it had been given up: bought 500 VCHF for 499.5 CHF, fee 0 CHF; the fill is booked$/,
    );
    expect(String(accounts.held(CHF))).toBe("9500.5");
  });

  it("of an order that nobody knows stop the bot", () => {
    const { bench } = withOrder();
    const clientOrderId = "T-unknown0-1" as never;
    bench.send({
      kind: "report",
      clientOrderId,
      report: { kind: "rejected", code: "x", message: "y" },
      receivedAt: bench.now,
    });
    expect(bench.lines()).toEqual([expect.stringMatching(/^HALTED: order T-unknown0-1 was reported rejected/)]);
  });
});

describe("time", () => {
  it("never goes back: an older event is processed at the engine's time", () => {
    const seen: number[] = [];
    const bench = strategyBench(
      answering(({ now }) => void seen.push(now)),
      FUNDED,
    );
    bench.quote(SYMBOL, 0.998, 0.999);
    const late = millis(bench.now - 10_000);
    const quote = {
      symbol: SYMBOL as PairSymbol,
      bid: 0.998,
      ask: 0.999,
      bidSize: 1,
      askSize: 1,
      source: "venue",
      at: undefined,
    };
    const step = bench.send({ kind: "quote", ...quote, receivedAt: late });
    expect(seen).toEqual([bench.now, bench.now]);
    expect(step.at).toBe(bench.now);
  });
});
