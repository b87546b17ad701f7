// A backtest is repeatable, and is what the bot does in lockstep through the real client, its signatures, the key's ledger
// on disk and the simulator's HTTP server: one hash over every decision, fill, time and balance.

import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { backtestTerms } from "../../backtest/terms.ts";
import { unwrap } from "../../src/domain/result.ts";
import { MemoryJournal } from "../../src/journal/memory-journal.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { startBot, tradesInTurn } from "../bot/bench.ts";
import { opening } from "../journal/samples.ts";
import { openLockstep } from "../support/lockstep.ts";
import { backtestOf, MINUTE, pegArbitrage } from "./stage.ts";

const RUN_MS = 2 * MINUTE;
const funds = { CHF: "100000", VCHF: "100000" };

const restless = async (): Promise<Strategy> =>
  unwrap(await loadStrategyFile(resolve("test/fixture/strategy/restless.ts"), { missEvery: 3 }));

/** Wants less than nothing and waits for nothing: it trades in every market. */
const eager = async (): Promise<Strategy> =>
  pegArbitrage({ edgeBps: 0, skewBps: 0, pauseMs: 0, symbols: ["VCHF/CHF"] });

describe.each([
  ["trades in turn", tradesInTurn, 1],
  ["is restless and often misses", restless, 20_261_115],
  ["is the built-in one", eager, 7],
] as const)("with a strategy that %s", (_, strategy, seed) => {
  it(`has the hash of lockstep paper through HTTP on seed ${seed}`, async () => {
    const world = await openLockstep({ seed, funds });
    const bot = startBot({ world, journal: new MemoryJournal(opening, "samename"), strategy: await strategy() });
    await world.pass(RUN_MS);
    bot.stop();
    await world.pass(10_000);
    await bot.ended;
    await world.close();

    const { traceHash, record } = backtestOf(await strategy(), RUN_MS, { seed, funds, references: [] });
    expect(record.fills.length).toBeGreaterThan(5);
    expect(traceHash).toBe(bot.trace.digest(bot.desk.engine.context.accounts));
  }, 120_000);
});

describe("a backtest", () => {
  const hashOf = (seed: number): string =>
    backtestOf(pegArbitrage({ edgeBps: 0, skewBps: 0 }), 15 * MINUTE, { seed }).traceHash;

  it("run twice on one seed has one hash, on another seed another", () => {
    const [first, second, other] = [hashOf(5), hashOf(5), hashOf(6)];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it("has another hash when a single assumption is another", () => {
    const strategy = () => pegArbitrage({ edgeBps: 0, skewBps: 0 });
    const base = backtestOf(strategy(), 15 * MINUTE, { seed: 5 });
    const changes = { latencyMs: 80, decisionMs: 300, paceMs: 2_000, quotesMs: 3_000, feeBps: 2, publicationMs: 4_000 };
    for (const [name, value] of Object.entries(changes)) {
      const terms = { ...backtestTerms, [name]: value };
      expect(backtestOf(strategy(), 15 * MINUTE, { seed: 5, terms }).traceHash, name).not.toBe(base.traceHash);
    }
  });
});
