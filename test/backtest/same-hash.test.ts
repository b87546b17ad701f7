// A backtest is repeatable, and is what the bot does in lockstep through the real client, its signatures, the key's ledger
// on disk and the simulator's HTTP server: one hash over every decision, fill, time and balance.

import { resolve } from "node:path";
import { merge, type Observable } from "rxjs";
import { describe, expect, it } from "vitest";
import { backtestTerms } from "../../backtest/options.ts";
import type { Lockstep } from "../../src/app/parity/lockstep.ts";
import { ratePairs } from "../../src/bot/core.ts";
import { createTrace } from "../../src/bot/trace/trace.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import { referenceFeed } from "../../src/market/reference-feed.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { LIMITS, startBot, tradesInTurn } from "../bot/bench.ts";
import { opening } from "../journal/samples.ts";
import { openLockstep } from "../support/lockstep.ts";
import { MemoryJournal } from "../support/memory-journal.ts";
import { backtestOf, MINUTE, pegArbitrage } from "./stage.ts";

const RUN_MS = MINUTE;
const funds = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000" };

// Trades of VGBP/GBP are counted in CHF at the rate that the reference feeds tell.
const inTurn = (): Promise<Strategy> => tradesInTurn({ symbol: "VGBP/GBP" });

const restless = async (): Promise<Strategy> =>
  unwrap(await loadStrategyFile(resolve("test/fixture/strategy/restless.ts"), { missEvery: 3, symbol: "VGBP/GBP" }));

/** Wants less than nothing and waits for nothing: it trades in every market. */
const eager = async (): Promise<Strategy> => pegArbitrage({ edgeBps: 0, skewBps: 0, pauseMs: 0 });

/** Is woken by the feeds and sizes its orders by what they say. */
const listening = async (): Promise<Strategy> => {
  const definition = defineStrategy({
    name: "listening",
    wakes: ["reference"],
    state: () => ({ last: 0, count: 0 }),
    decide({ quoteOf, fairOf, state, buy, sell, openOrders }) {
      const rate = fairOf("GBP/CHF");
      const quote = quoteOf("VGBP/GBP");
      if (rate === undefined || quote === undefined || openOrders.length > 0 || rate === state.last) return undefined;
      const isRising = rate > state.last;
      state.last = rate;
      state.count += 1;
      const ask = { size: 100 + state.count * rate, reason: `the rate is ${rate}` };
      return isRising
        ? buy("VGBP/GBP", { ...ask, limit: quote.ask * 1.001 })
        : sell("VGBP/GBP", { ...ask, limit: quote.bid * 0.999 });
    },
  });
  return unwrap(prepareStrategy(definition, {}));
};

describe.each([
  ["trades in turn", inTurn, 1],
  ["is restless and often misses", restless, 20_261_115],
  ["is the built-in one", eager, 7],
  ["is woken by references", listening, 5],
] as const)("with a strategy that %s", (_, strategy, seed) => {
  it(`has the hash of lockstep paper through HTTP, reference feeds included, on seed ${seed}`, async () => {
    const world = await openLockstep({ seed, funds });
    const references$ = referencesOf(world, seed);
    const journal = new MemoryJournal(opening, "samename");
    const bot = startBot({ world, journal, strategy: await strategy(), references$ });
    await world.pass(RUN_MS);
    bot.stop();
    await world.pass(10_000);
    await bot.ended;
    await world.close();

    const trace = createTrace({ keep: true });
    const watch = { step: (step: Step) => trace.take(step) };
    const { tradingCore, traceHash, record } = backtestOf(await strategy(), RUN_MS, { seed, funds, watch });
    expect(record.fills.length).toBeGreaterThan(5);
    expect(trace.lines).toEqual(bot.trace.lines);
    const { accounts } = tradingCore.books;
    expect(trace.digest(accounts)).toBe(bot.trace.digest(bot.tradingCore.books.accounts));
    const deaf = backtestOf(await strategy(), RUN_MS, { seed, funds, references: [] });
    expect(deaf.traceHash).not.toBe(traceHash);
  });
});

/** The two feeds of the simulator as the bot on paper hears them, once a second. */
function referencesOf(world: Lockstep, seed: number): Observable<QuoteEvent> {
  const { clock, timers, url, readFeed } = world;
  const parts = { clock, timers, random: createRandom(seed), read: readFeed };
  const symbols = ratePairs(
    LIMITS,
    DEFAULT_REFERENCES.flatMap((feed) => feed.symbols),
  );
  const feeds = ["a", "b"].map((path) =>
    referenceFeed({ name: `simulator-${path}`, url: `${url}/reference/${path}`, symbols }, parts),
  );
  return merge(...feeds);
}

describe("a backtest", () => {
  const hashOf = (seed: number): string =>
    backtestOf(pegArbitrage({ edgeBps: 0, skewBps: 0 }), 15 * MINUTE, { seed }).traceHash;

  it("run twice on one seed has one hash, on another seed another", () => {
    const [first, second, other] = [hashOf(5), hashOf(5), hashOf(6)];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it("without an order has another hash where prices or requests are others", () => {
    const never = unwrap(prepareStrategy(defineStrategy({ name: "never", decide: () => undefined }), {}));
    const hash = (seed: number, paceMs: number): string =>
      backtestOf(never, 2 * MINUTE, { seed, terms: { ...backtestTerms, paceMs } }).traceHash;
    const [one, again, seed, pace] = [hash(5, 1_000), hash(5, 1_000), hash(6, 1_000), hash(5, 1_250)];
    expect(again).toBe(one);
    expect(new Set([one, seed, pace]).size).toBe(3);
  });

  it("has another hash when a single assumption is another", () => {
    const strategy = () => pegArbitrage({ edgeBps: 0, skewBps: 0 });
    const base = backtestOf(strategy(), 15 * MINUTE, { seed: 5 });
    const changes = {
      latencyMs: 80,
      decisionMs: 1_200,
      paceMs: 2_000,
      quotesMs: 3_000,
      feeBps: 2,
      publicationMs: 4_000,
    };
    for (const [name, value] of Object.entries(changes)) {
      const terms = { ...backtestTerms, [name]: value };
      expect(backtestOf(strategy(), 15 * MINUTE, { seed: 5, terms }).traceHash, name).not.toBe(base.traceHash);
    }
  });
});
