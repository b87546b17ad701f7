// The bench that users test their strategies on: what it tells must be what a venue would tell.

import { describe, expect, it } from "vitest";
import { defineStrategy, sma, z } from "../../src/strategy/strategy.ts";
import { bookedOf } from "../support/bench-venue.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const COIN = "VCHF/CHF";
const HOUR = 3_600_000;
const FUNDED = { symbols: [COIN], balances: { CHF: "10000", VCHF: "0" } };

/** Buys below 0.999 what it can hold, sells all of it above 1.004. */
const turner = defineStrategy({
  name: "turner",
  params: z.object({ size: z.number().default(500) }),
  state: () => ({ asked: 0, last: 0, mean: sma(2) }),
  decide({ quote, balanceOf, params, state, buy, sell, now }) {
    state.mean.next(quote.mid);
    state.last = now;
    const reason = "turn";
    if (quote.ask < 0.999) {
      state.asked++;
      return buy(quote.symbol, { limit: quote.ask, size: params.size, reason });
    }
    const held = balanceOf("VCHF")?.free ?? 0;
    return quote.bid > 1.004 && held >= 10 && sell(quote.symbol, { limit: quote.bid, size: held, reason });
  },
});

/** Says what it was shown, by what it throws. */
function shownBy<T>(show: (view: { fair: number | undefined; now: number }) => T) {
  const seen: T[] = [];
  const looker = defineStrategy({
    name: "looker",
    wakes: ["quote", "timer"],
    decide(view) {
      seen.push(show({ fair: view.fairOf("VGBP/VCHF"), now: view.now }));
      return undefined;
    },
  });
  return { looker, seen };
}

describe("the bench for strategies", () => {
  it("lets what was bought be sold again", () => {
    const bench = strategyBench(turner, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    bench.fill();
    bench.pass(20_000);
    bench.quote(COIN, 1.0045, 1.0049);
    // 1 % of the 500 stay as the reserve, and 20 bp of what is sold for the fee: 495 / 1.002.
    expect(bench.lines()).toEqual(["buy 500 VCHF/CHF at 0.9989: turn", "sell 494.01 VCHF/CHF at 1.0045: turn"]);
  });

  it("says how orders ended where that is wanted, in the order of what happened", () => {
    const bench = strategyBench(turner, { ...FUNDED, ends: true, feeBps: 10 });
    const ends = [() => bench.fill(0.998), () => bench.kill(), () => bench.reject("below-minimum")];
    for (const end of ends) {
      bench.quote(COIN, 0.9985, 0.9989);
      end();
      bench.pass(20_000);
    }
    expect(bench.lines()).toEqual([
      "buy 500 VCHF/CHF at 0.9989: turn",
      // 500 at 0.998 are 499, and 10 bp of them 0.499.
      "filled buy 500 VCHF/CHF at 0.9989: 500 VCHF for 499 CHF, fee 0.499 CHF",
      "buy 500 VCHF/CHF at 0.9989: turn",
      "rejected buy 500 VCHF/CHF at 0.9989: unfilled",
      "buy 500 VCHF/CHF at 0.9989: turn",
      "rejected buy 500 VCHF/CHF at 0.9989: below-minimum",
    ]);
  });

  it("fills at a better price and takes the fee that it was told of", () => {
    const bench = strategyBench(turner, { ...FUNDED, feeBps: 10 });
    bench.quote(COIN, 0.9985, 0.9989);
    expect(() => bench.fill(0.999)).toThrow("a buy at 0.9989 fills at most at that price, was 0.999");
    bench.fill(0.998);
    // 500 at 0.998 are 499, and 10 bp of them 0.499.
    expect(bookedOf(bench, "CHF")).toBe(9_500.501);
  });

  it("refuses a pair, a limit and an option that it does not have, with those that there are", () => {
    const bench = strategyBench(turner, FUNDED);
    const close = { open: 1, high: 1, low: 1, close: 1 };
    for (const asked of [() => bench.quote("VCHFCHF", 1, 1), () => bench.bar("VCHFCHF", close)])
      expect(asked).toThrow('the bench has no pair "VCHFCHF": there are VCHF/CHF; did you mean VCHF/CHF?');
    const mistyped = { ...FUNDED, limits: { colarBps: 5 } as object };
    expect(() => strategyBench(turner, mistyped)).toThrow(/no limit "colarBps": .*; did you mean collarBps\?$/);
    const stray = { ...FUNDED, parms: {} };
    expect(() => strategyBench(turner, stray)).toThrow(/no option "parms": .*; did you mean params\?$/);
    expect(() => strategyBench(turner, { ...FUNDED, start: "noon" })).toThrow(/start must be a time such as .*"noon"$/);
    expect(() => bench.fair("GBPCHF", 1)).toThrow('symbol must look like BASE/QUOTE, was "GBPCHF"');
    expect(() => bench.pass(-1)).toThrow("time must pass by 0 ms or more, was -1");
  });

  it("has the grid and minimum of paper trading, unless told", () => {
    const sized = defineStrategy({
      name: "sized",
      params: z.object({ size: z.string() }),
      decide: ({ quote, params, buy }) => buy(quote.symbol, { limit: quote.ask, size: params.size, reason: "a size" }),
    });
    const balances = { CHF: "10000", VCHF: "10000", VGBP: "0" };
    const linesAt = (symbol: string, size: string, grids = {}) => {
      const options = { symbols: [symbol], balances, fair: { "GBP/CHF": 1.05 }, params: { size }, grids };
      const bench = strategyBench(sized, options);
      const price = symbol === COIN ? 0.9991234 : 1.0501234;
      bench.quote(symbol, price - 1e-4, price);
      return bench.lines();
    };
    expect(linesAt(COIN, "5")).toEqual(["buy 5 VCHF/CHF at 0.999123: a size"]);
    expect(linesAt("VGBP/VCHF", "39.99")).toEqual([
      "refused buy 39.99 VGBP/VCHF: PR04 size of VGBP/VCHF must be at least the minimum 40, was 39.99",
    ]);
    expect(linesAt("VGBP/VCHF", "40.123456")).toEqual(["buy 40.12345 VGBP/VCHF at 1.050123: a size"]);
    const coarse = { priceDecimals: 4, quantityDecimals: 1, quantityMin: "10" };
    expect(linesAt("VGBP/VCHF", "39.99", { "VGBP/VCHF": coarse })).toEqual(["buy 39.9 VGBP/VCHF at 1.0501: a size"]);
    expect(() => linesAt(COIN, "5", { [COIN]: { minimum: "1" } })).toThrow(/a grid has no "minimum": there are /);
    expect(() => linesAt(COIN, "5", { "VGBP/GBP": {} })).toThrow(
      'the bench has no pair "VGBP/GBP": there are VCHF/CHF',
    );
  });

  it("kills an order that nobody takes, and rejects one only with a code that a venue's answer may have", () => {
    const ends: unknown[] = [];
    const asker = defineStrategy({
      name: "asker",
      wakes: ["quote", "report"],
      decide({ wake, report, quote, buy }) {
        if (report !== undefined) ends.push(`${report.kind} ${"code" in report && report.code}`);
        return wake === "quote" && buy(COIN, { limit: quote?.ask ?? 1, size: 100 + ends.length, reason: "ask" });
      },
    });
    const bench = strategyBench(asker, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    bench.kill();
    bench.quote(COIN, 0.9985, 0.9989);
    for (const code of ["killed", "unfilled", "below-minimun"])
      expect(() => bench.reject(code as "rejected")).toThrow(
        /with \(kill\(\) ends one that nobody takes\) ".*": there are /,
      );
    bench.reject("below-minimum");
    bench.quote(COIN, 0.9985, 0.9989);
    bench.reject();
    expect(ends).toEqual(["rejected unfilled", "rejected below-minimum", "rejected rejected"]);
  });

  it("shows the price of a fill as a person would write it, and the minimum of a pair as a number", () => {
    const shown: unknown[] = [];
    const looker = defineStrategy({
      name: "looker",
      wakes: ["quote", "report"],
      decide({ wake, fills, instrumentOf, buy }) {
        shown.push(...fills.map(({ price }) => price));
        expect(instrumentOf(COIN)?.quantityMin.toNumber()).toBe(0.1);
        return wake === "quote" && buy(COIN, { limit: 0.99893, size: "102.13", reason: "look" });
      },
    });
    const bench = strategyBench(looker, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    bench.fill();
    // 102.13 x 0.99893 / 102.13 is 0.9989300000000001 in floats.
    expect(shown).toEqual([0.99893]);
  });

  it("stops with a state that cannot be saved, as the bot does", () => {
    const dated = defineStrategy({
      name: "dated",
      state: () => ({ at: null as unknown }),
      decide({ quote, state, buy }) {
        state.at = new Date(0);
        return buy(COIN, { limit: quote.ask, size: 100, reason: "ask" });
      },
    });
    const bench = strategyBench(dated, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    expect(bench.lines()).toEqual([
      "buy 100 VCHF/CHF at 0.9989: ask",
      "HALTED: the state of strategy dated cannot be recorded: state.at must be plain data or a signal, was a Date",
    ]);
    bench.quote(COIN, 0.9985, 0.9989);
    expect(bench.lines()).toEqual([]);
  });

  it("refuses a state that keeps the view, and says what to keep instead", () => {
    const keeping = defineStrategy({
      name: "keeping",
      state: () => ({ last: null as unknown }),
      decide(view) {
        view.state.last = view;
        return view.buy(COIN, { limit: view.quote.ask, size: 100, reason: "ask" });
      },
    });
    const bench = strategyBench(keeping, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    expect(bench.lines().at(-1)).toMatch(/^HALTED: .*state\.last must be plain data or a signal, was the view, /);
  });

  it("makes a rate of two currencies that of their coins, over hours, until it is told another or none", () => {
    const { looker, seen } = shownBy(({ fair }) => fair);
    const bench = strategyBench(looker, {
      symbols: ["VGBP/VCHF"],
      balances: { VCHF: "1000" },
      fair: { "GBP/CHF": 1.05 },
    });
    bench.quote("VGBP/VCHF", 1.049, 1.051);
    for (let hour = 0; hour < 5; hour++) bench.pass(HOUR);
    bench.fair("GBP/CHF", 1.06);
    bench.pass(1_000);
    bench.fair("GBP/CHF", undefined);
    bench.pass(HOUR);
    expect(seen).toEqual([1.05, 1.05, 1.05, 1.05, 1.05, 1.05, 1.06, undefined]);
  });

  it("begins when it is told to, and its currencies close for the weekend", () => {
    const { looker, seen } = shownBy(({ fair, now }) => `${new Date(now).toISOString()} ${fair}`);
    const options = { symbols: ["VGBP/VCHF"], balances: {}, fair: { "GBP/CHF": 1.05 } };
    // 17:00 in New York is 22:00 in winter; 2026-01-09 is a Friday.
    const bench = strategyBench(looker, { ...options, start: "2026-01-09T21:00:00Z" });
    bench.quote("VGBP/VCHF", 1.049, 1.051);
    bench.pass(HOUR - 1_001);
    bench.pass(1);
    bench.pass(48 * HOUR);
    expect(seen.slice(1)).toEqual([
      "2026-01-09T21:59:59.999Z 1.05",
      "2026-01-09T22:00:00.000Z undefined",
      "2026-01-11T22:00:00.000Z 1.05",
    ]);
  });

  it("shows the sizes on show", () => {
    const sizes: unknown[] = [];
    const decide = ({ quote }: { quote: { bidSize: unknown; askSize: unknown } }) =>
      void sizes.push([quote.bidSize, quote.askSize]);
    const bench = strategyBench({ name: "sizes", decide }, FUNDED);
    bench.quote(COIN, 0.999, 1.001, { askSize: 250 });
    bench.quote(COIN, 0.999, 1.001);
    expect(sizes).toEqual([
      [undefined, 250],
      [undefined, undefined],
    ]);
  });

  it("gives the state to read; a restart with other parameters is refused unless it is fresh", () => {
    const bench = strategyBench(turner, FUNDED);
    bench.quote(COIN, 0.9985, 0.9989);
    bench.lines();
    bench.restart();
    expect(bench.lines()).toEqual(["strategy turner continues from its last safe point"]);
    expect(bench.state.asked).toBe(1);
    // The average goes on as well: of 0.9987 and 1.
    bench.quote(COIN, 0.9995, 1.0005);
    expect(bench.state.mean.value).toBeCloseTo(0.99935, 10);
    expect(() => bench.restart({ params: { size: 100 } })).toThrow("size was 500, is 100");
    bench.restart({ fresh: true });
    expect(bench.state.asked).toBe(0);
  });

  it("shows what a hard end takes back: what quotes have changed since the last order, report or ten seconds, and no more", () => {
    const bench = strategyBench(turner, FUNDED);
    bench.quote(COIN, 0.9995, 1.0005);
    bench.restart({ hard: true });
    // Nothing was recorded yet.
    expect(bench.lines()).toEqual(["strategy turner starts"]);
    expect(bench.state.last).toBe(0);
    bench.quote(COIN, 0.9985, 0.9989);
    const ordered = bench.now;
    bench.quote(COIN, 0.9995, 1.0005);
    bench.lines();
    bench.restart({ hard: true });
    expect(bench.lines()).toEqual(["strategy turner continues from its last safe point"]);
    expect(bench.state).toMatchObject({ asked: 1, last: ordered });
    const counter = defineStrategy({
      name: "counter",
      state: () => ({ fills: 0 }),
      wakes: ["quote", "report"],
      decide({ report, quote, state, buy }) {
        if (report?.kind === "filled") state.fills++;
        return quote && !report && buy(quote.symbol, { limit: quote.ask, size: 100, reason: "count" });
      },
    });
    const counting = strategyBench(counter, FUNDED);
    counting.quote(COIN, 0.9985, 0.9989);
    counting.fill();
    counting.restart({ hard: true });
    expect(counting.state.fills).toBe(1);
  });
});
