// Every signal against the plain way of working it out, and through a save in the middle.

import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { decodeState, fitProblem, saveState, stateProblem } from "../../src/strategy/state.ts";
import { change, deviation, ema, highest, lowest, sma } from "../../src/strategy/strategy.ts";

const SEED = 99;
const LENGTH = 20;

const values = (() => {
  const random = createRandom(SEED);
  let price = 1;
  return Array.from({ length: 2_000 }, () => {
    price += (random.next() - 0.5) * 0.001;
    return price;
  });
})();

const mean = (window: readonly number[]): number => window.reduce((sum, value) => sum + value, 0) / window.length;
const spread = (window: readonly number[]): number => {
  const middle = mean(window);
  const squares = window.map((value) => (value - middle) ** 2);
  return window.length < 2 ? 0 : Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / (window.length - 1));
};

const PLAIN = {
  sma: [sma, mean],
  deviation: [deviation, spread],
  highest: [highest, (window: readonly number[]) => Math.max(...window)],
  lowest: [lowest, (window: readonly number[]) => Math.min(...window)],
} as const;

describe(`signals (seed ${SEED})`, () => {
  it.each(Object.entries(PLAIN))("%s is what its window says", (_, [make, plain]) => {
    const signal = make(LENGTH);
    values.forEach((value, i) => {
      const window = values.slice(Math.max(0, i + 1 - LENGTH), i + 1);
      expect(signal.next(value)).toBeCloseTo(plain(window), 11);
    });
  });

  it("change is the distance from so many values ago", () => {
    const signal = change(3);
    expect([1, 2, 4, 8, 16].map((value) => signal.next(value))).toEqual([0, 1, 3, 7, 14]);
  });

  it("ema weighs the newest value by 2 / (length + 1)", () => {
    const signal = ema(3);
    expect(signal.value).toBeUndefined();
    expect([1, 2, 4].map((value) => signal.next(value))).toEqual([1, 1.5, 2.75]);
    expect(signal.value).toBe(2.75);
  });

  it.each([
    ["ema", ema],
    ["sma", sma],
    ["deviation", deviation],
    ["highest", highest],
    ["lowest", lowest],
    ["change", change],
  ] as const)("%s goes on to the last bit after a way through JSON", (_, make) => {
    const [through, loaded] = [make(LENGTH), make(LENGTH)];
    for (const value of values.slice(0, 777)) through.next(value);
    loaded.load(JSON.parse(JSON.stringify(through.save())));
    for (const value of values.slice(777)) expect(loaded.next(value)).toBe(through.next(value));
  });

  it("refuse what would poison them, and windows that are none", () => {
    for (const make of [ema, sma, deviation, highest, lowest, change]) {
      expect(() => make(5).next(Number.NaN)).toThrow("must be fed finite numbers, was NaN");
      expect(() => make(5).next(Number.POSITIVE_INFINITY)).toThrow("was Infinity");
      for (const length of [0, -1, 1.5, Number.NaN, 2_000_000]) expect(() => make(length)).toThrow("must look back");
      expect(() => make(5).load([1])).toThrow();
    }
  });
});

describe("the state of a strategy", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;

  it.each([
    ["a function", { deep: { run: () => 1 } }, "state.deep.run must be plain data or a signal, was a function"],
    ["a Map", { seen: new Map() }, "state.seen must be plain data or a signal, was a Map"],
    ["a Date", { list: [new Date(0)] }, "state.list[0] must be plain data or a signal, was a Date"],
    ["a class of its own", { mine: new (class Mine {})() }, "state.mine must be plain data or a signal, was a Mine"],
    ["a bigint", { big: 1n }, "state.big must be plain data or a signal, was bigint"],
    ["a symbol", { mark: Symbol("x") }, "state.mark must be plain data or a signal, was symbol"],
    ["a cycle", cycle, "state.self must not contain itself"],
    ["no object", 7, "state must be an object, was number"],
    ["a promise", Promise.resolve(), "state must be plain data or a signal, was a Promise"],
  ])("may not hold %s", (_, state, message) => {
    expect(stateProblem(state)).toBe(message);
  });

  it("comes back exactly, numbers that JSON does not know included", () => {
    const state = {
      average: ema(5),
      list: [1, Number.NaN, Number.NEGATIVE_INFINITY],
      none: undefined,
      deep: { on: true, text: "x", nothing: null },
    };
    state.average.next(1.25);
    const saved = saveState(state);
    const loaded = decodeState(JSON.parse(JSON.stringify(saved.ok && saved.value)));
    expect(loaded.ok && saveState(loaded.value)).toEqual(saved);
    expect(loaded.ok && (loaded.value as typeof state).list).toEqual(state.list);
    expect(loaded.ok && (loaded.value as typeof state).average.next(1.5)).toBe(state.average.next(1.5));
  });

  it("has room for averages over a day of seconds, and is refused beyond four megabytes by where it passes it", () => {
    expect(stateProblem({ day: sma(86_400), half: sma(43_200), list: new Array(100_000).fill(1.25) })).toBe(undefined);
    const rule = "is too much: state must have at most 4194304 bytes (8 a value, 1 a character), had";
    // The state and the list are 8 each and the key is 4: 524,285 numbers are 4,194,300 with them, and one more is too much.
    expect(stateProblem({ list: new Array(524_285).fill(1) })).toBe(undefined);
    expect(stateProblem({ list: new Array(524_286).fill(1) })).toBe(`state.list[524285] ${rule} 4194308 up to there`);
    expect(stateProblem({ text: "x".repeat(5_000_000) })).toContain(`state.text ${rule}`);
    expect(stateProblem({ ["k".repeat(5_000_000)]: 1 })).toContain(rule);
    expect(stateProblem({ long: sma(600_000) })).toContain(`state.long ${rule}`);
  });

  it("is not loaded where it does not fit the strategy any more", () => {
    const state = { average: ema(5) };
    expect(fitProblem(state, { average: ema(6) })).toBe("state.average is ema(6) now");
    expect(fitProblem(state, { other: sma(6) })).toBe("state.other is new");
    expect(decodeState({ average: { $: "magic", args: [1], is: [] } })).toMatchObject({
      error: expect.stringContaining("magic"),
    });
  });
});
