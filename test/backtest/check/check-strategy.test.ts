// The look-ahead check against strategies that cheat on purpose, each in another way, and against those that do not.

import { expect, it, onTestFinished } from "vitest";
import {
  type CheckReport,
  checkStrategy,
  findingLines,
  powerText,
  verdictOf,
} from "../../../backtest/check/check-strategy.ts";
import { isOutside } from "../../../backtest/check/outside-world.ts";
import { memorySource } from "../../../backtest/data/source.ts";
import { type BacktestOptions, backtestTerms } from "../../../backtest/options.ts";
import type { Recording } from "../../../backtest/recording.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { createQuoteColumns, type QuoteColumns, rowAt } from "../../../src/market/column.ts";
import { emptyTop } from "../../../src/simulator/market/market.ts";
import { DEMO_MARKET, type MarketParameters } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { prepareBuiltIn } from "../../../src/strategy/built-in.ts";
import { builtInNames } from "../../../src/strategy/built-in-names.ts";
import { prepareStrategy } from "../../../src/strategy/prepare.ts";
import type { Definition } from "../../../src/strategy/strategy.ts";
import type { QuoteView, View } from "../../../src/strategy/view.ts";
import { START } from "../../support/lockstep.ts";
import { MINUTE, optionsOf, pegArbitrage } from "../stage.ts";

const PAIR = "VCHF/CHF" as PairSymbol;
const LENGTH_MS = MINUTE;
/** For what only a changed future shows. */
const MANY = { cuts: 3 };
const ROW_MS = 250;

type Quoted = View & { readonly quote: QuoteView };

/** Walks around par, four rows a second, in memory that others could have got hold of. */
function pricesInMemory(lengthMs = LENGTH_MS): QuoteColumns {
  const rows = lengthMs / ROW_MS + 40;
  const columns = createQuoteColumns(PAIR, rows, "shared");
  const random = createRandom(7);
  let middle = 1;
  for (let row = 0; row < rows; row++) {
    middle *= 1 + 0.0004 * random.normal();
    columns.time[row] = START + row * ROW_MS;
    columns.bid[row] = middle * 0.99995;
    columns.ask[row] = middle * 1.00005;
    columns.bidSize[row] = 10_000;
    columns.askSize[row] = 10_000;
  }
  return columns;
}

function venueOf({ time, bid, ask, bidSize, askSize }: QuoteColumns): Recording {
  const source = memorySource({ kind: "quotes", symbol: PAIR }, [time, bid, ask, bidSize, askSize]);
  return { name: "file", role: "venue", source, halfSpreadBps: 0, digest: "" };
}

async function checked(
  definition: object | (() => object),
  changes: Partial<BacktestOptions> = {},
  more: { cuts?: number; mayKnowDates?: boolean } = {},
) {
  const made = typeof definition === "function" ? definition : () => definition;
  const report = await checkStrategy({
    options: optionsOf(pegArbitrage(), LENGTH_MS, changes),
    load: async () => prepareStrategy(made(), {}),
    again: (strategy) => prepareStrategy(strategy.definition, {}),
    cuts: 1,
    ...more,
  });
  return unwrap(report);
}

function kinds({ findings }: CheckReport): readonly string[] {
  return [...new Set(findings.map(({ kind }) => kind))];
}

function strategy(decide: (view: Quoted) => unknown, state: () => object = () => ({})): object {
  return { name: "planted", state, decide } as unknown as Definition;
}

const order = (view: Quoted) => view.buy(PAIR, { limit: view.quote.ask, size: 100, reason: "up" });

/** What the middle will be a while from now. */
const foreseen = (columns: QuoteColumns, now: number, aheadMs = 1_000): number => {
  const row = rowAt(columns, now + aheadMs);
  return ((columns.bid[row] as number) + (columns.ask[row] as number)) / 2;
};

it("one that reads the columns behind its view is found, with the moment, the decision and what became of it", async () => {
  const columns = pricesInMemory();
  const before = columns.bid.slice();
  const cheat = strategy((view) => {
    if (view.quote.symbol !== PAIR) return undefined;
    return foreseen(columns, view.now) > view.quote.ask ? order(view) : undefined;
  });
  const report = await checked(cheat, { recordings: [venueOf(columns)] }, MANY);
  expect(verdictOf(report)).toBe("found");
  const found = report.findings.find(({ kind }) => kind === "looks-ahead");
  const [, cut = "", at = "", first, second] =
    /from (\S+) on were changed .*, at (\S+) \(.*: first (.*), then (.*)$/.exec(found?.text ?? "") ?? [];
  expect(Math.abs(Date.parse(cut) - Date.parse(at))).toBeLessThan(3_000);
  expect(first).not.toBe(second);
  // The columns are as they were.
  expect(columns.bid).toEqual(before);
  expect(findingLines(report).join("\n")).toMatch(
    /looks ahead: prices from 2\S+Z on were changed \(\w+\).*at 2\S+Z.*buy/,
  );
});

/** When a strategy is first called, in virtual time. */
const FIRST_CALL_MS = 8_372;

/** Trades towards the middle price of a while from now, which it knows by the time since its first call. */
function knowing(middleAt: (sinceFirstMs: number) => number, aheadMs: number): object {
  return strategy(
    (view) => {
      const { quote, now, state, openOrders } = view as Quoted & { state: { first: number } };
      if (quote.symbol !== PAIR || openOrders.length > 0) return undefined;
      if (state.first === 0) state.first = now;
      const since = now - state.first;
      const ask = { limit: middleAt(since), size: 100, reason: "known" };
      return middleAt(since + aheadMs) > middleAt(since) ? view.buy(PAIR, ask) : view.sell(PAIR, ask);
    },
    () => ({ first: 0 }),
  );
}

it("one that knows the generator by the time since its first call is found, by other seeds", async () => {
  const market = syntheticMarket(1, DEMO_MARKET);
  const top = emptyTop();
  const known = (since: number): number => {
    market.read(PAIR, millis(START + FIRST_CALL_MS + since), top);
    return (top.bid + top.ask) / 2;
  };
  const options = { market: DEMO_MARKET, to: millis(START + 8 * MINUTE) };
  const report = await checked(knowing(known, 5_000), options, { cuts: 0 });
  expect(kinds(report)).toEqual(["knows-run"]);
  const text = report.findings.map((one) => one.text).join("\n");
  for (const where of ["with seed 2", "with seed 3"])
    expect(text).toMatch(
      new RegExp(`its proposals come before moves of \\d+\\.\\d bp within \\d+ s, and of \\S+ bp ${where}`),
    );
});

/** Four hours of one pair, and a strategy that has all of it as a table. */
async function knowingFourHours(known: (table: Float64Array) => object) {
  const times = Array.from({ length: 4 * 3_600 }, (_, second) => START + second * 1_000);
  const random = createRandom(3);
  let log = 0;
  const mids = Float64Array.from(times, () => {
    log += 0.00003 * random.normal();
    return Math.exp(log);
  });
  const columns = createQuoteColumns(PAIR, times.length, "shared");
  for (const [row, at] of times.entries()) {
    columns.time[row] = at;
    columns.bid[row] = (mids[row] as number) * 0.99995;
    columns.ask[row] = (mids[row] as number) * 1.00005;
    columns.bidSize[row] = columns.askSize[row] = 10_000;
  }
  const terms = { ...backtestTerms, quotesMs: 30_000 };
  const options = { recordings: [venueOf(columns)], to: millis(START + 4 * 60 * MINUTE), terms };
  return checked(known(mids.slice()), options, { cuts: 0 });
}

const ahead = (ms: number) => (table: Float64Array) =>
  knowing((since) => table[Math.floor((since + FIRST_CALL_MS) / 1_000)] ?? 1, ms);

it("one that knows moves of a minute or of ten is found over hours; one of forty minutes is beyond the power that is stated", async () => {
  for (const ms of [60_000, 600_000]) expect(kinds(await knowingFourHours(ahead(ms)))).toContain("knows-run");
  const far = await knowingFourHours(ahead(2_400_000));
  expect(powerText(far)).toContain("not tested at 1 h");
  const honest = await knowingFourHours(() => knowing((since) => (since % 2 === 0 ? 1 : 0.9999), 1));
  expect(kinds(honest)).toEqual([]);
  expect(honest.power.map(({ seconds }) => seconds)).toEqual([5, 60, 600, 3_600]);
  expect(honest.power.every(({ bps }) => bps === undefined || bps > 0)).toBe(true);
});

const deciding = (work: () => unknown) => strategy((view) => (work() === view ? undefined : order(view)));
const own = Map.prototype.get;

it.each<[what: string, cheat: () => object, leave?: () => void]>([
  ["process.loadEnvFile", () => attempted(() => process.loadEnvFile("prices.env"))],
  ["process", () => deciding(() => process.env)],
  ["Temporal", () => deciding(() => Temporal.Now.instant())],
  ["performance.now", () => deciding(performance.now.bind(performance))],
  ["Intl", () => deciding(() => new Intl.DateTimeFormat("en").format())],
  [
    "globalThis.prices",
    () => deciding(() => Object.assign(globalThis, { prices: 1 })),
    () => void Reflect.deleteProperty(globalThis, "prices"),
  ],
  ["Map.prototype.get", () => deciding(hook), () => void Reflect.set(Map.prototype, "get", own)],
])("what a strategy reaches by %s is named", async (what, cheat, leave = () => {}) => {
  onTestFinished(leave);
  const report = await checked(cheat);
  expect(report.findings.map(({ text }) => / (?:uses|changes) ([^ :]+)/.exec(` ${text}`)?.[1])).toContain(what);
});

function hook(): void {
  Map.prototype.get = function (key) {
    return Reflect.apply(own, this, [key]);
  };
}

function attempted(work: () => void): object {
  try {
    work();
  } catch {
    // There is no such file.
  }
  return strategy(order);
}

it("pegbot's own simulator is named where it is imported, and so is each module of the runtime that reads", () => {
  const outside = ["../src/simulator/market/synthetic.ts", "pegbot/testing", "node:fs", "fs/promises", "node:test"];
  expect(outside.filter((one) => !isOutside(one))).toEqual([]);
  expect(["pegbot/strategy", "./table.ts", "node:util", "lodash"].filter(isOutside)).toEqual([]);
});

it("chance and the machine's clock are found by name, and that a run does not repeat", async () => {
  const tossed = await checked(strategy((view) => (Math.random() < 0.05 ? order(view) : undefined)));
  expect(kinds(tossed)).toEqual(["outside", "does-not-repeat"]);
  expect(tossed.findings[0]).toMatchObject({ kind: "outside", text: expect.stringMatching(/^uses Math\.random at 2/) });
  // The hour is the same in every run: only its use shows.
  const hours = await checked(strategy((view) => (new Date().getFullYear() > 2000 ? order(view) : undefined)));
  expect(hours.findings).toMatchObject([{ kind: "outside", text: expect.stringMatching(/^uses new Date\(\) at 2/) }]);
});

it("what decide throws is found with the file and line where it does", async () => {
  const broken = strategy(() => {
    throw new TypeError("no such thing");
  });
  const lines = findingLines(await checked(broken)).join("\n");
  expect(lines).toMatch(/^throws at 2026-.*: TypeError: no such thing \(check-strategy\.test\.ts:[0-9]+\)$/m);
});

it("timers of its own are found by name, and what it throws where nobody asked it", async () => {
  // Whoever runs these tests hears of rejections first.
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  onTestFinished(() => others.forEach((listener) => void process.on("unhandledRejection", listener)));
  let isDone = false;
  const later = {
    name: "later",
    decide({ quote, buy }: Quoted) {
      if (!isDone) {
        setTimeout(() => {}, 0);
        void Promise.reject(new Error("unheard"));
      }
      isDone = true;
      return buy(quote.symbol, { limit: quote.ask, size: 100, reason: "r" });
    },
  };
  const lines = findingLines(await checked(later)).join("\n");
  expect(lines).toMatch(/^uses setTimeout at 2026-/m);
  expect(lines).toMatch(
    /^throws in a timer or a promise of its own, where nothing can catch it: Error: unheard \(.*: a running bot is ended by that$/m,
  );
});

it("a table of what prices were on which day is found, unless dates are said to be its business", async () => {
  const table = new Set([0, 1, 2, 3].map((minute) => Math.floor(START / MINUTE) + minute));
  const dated = strategy((view) =>
    view.quote.symbol === PAIR && table.has(Math.floor(view.now / MINUTE)) ? order(view) : undefined,
  );
  expect(kinds(await checked(dated))).toEqual(["knows-dates"]);
  const scheduled = await checked(dated, {}, { mayKnowDates: true });
  expect([verdictOf(scheduled), scheduled.datesChecked]).toEqual(["clean", false]);
});

it("one that proposes nothing is not called clean", async () => {
  expect(verdictOf(await checked(strategy(() => undefined)))).toBe("nothing-decided");
});

it("one that looks back as far as it likes, in its state, is clean", async () => {
  const report = await checked(
    strategy(
      (view) => {
        const state = view.state as { last: number };
        const { last } = state;
        if (view.quote.symbol !== PAIR) return undefined;
        state.last = view.quote.mid;
        return view.quote.mid > last ? order(view) : undefined;
      },
      () => ({ last: 0 }),
    ),
    { recordings: [venueOf(pricesInMemory())] },
    MANY,
  );
  expect(report.findings).toEqual([]);
  expect(verdictOf(report)).toBe("clean");
});

const NARROW: MarketParameters = {
  ...DEMO_MARKET,
  pairs: Object.fromEntries(
    Object.entries(DEMO_MARKET.pairs).map(([symbol, pair]) => [symbol, { ...pair, halfSpreadBps: 0.2 }]),
  ),
};

// `hold` decides nothing.
for (const name of builtInNames.filter((one) => one !== "hold"))
  it(`${name}, which comes with pegbot, is clean`, async () => {
    const made = () => prepareBuiltIn(name, {});
    const funds = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000", USDC: "100000" };
    const options = optionsOf(pegArbitrage(), 2 * LENGTH_MS, { market: NARROW, funds });
    const report = unwrap(await checkStrategy({ options, load: async () => made(), again: made, cuts: 1 }));
    expect([report.findings, verdictOf(report)]).toEqual([[], "clean"]);
  });
