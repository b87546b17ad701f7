// The running bot as a whole, against the simulated venue in process and on virtual time, with its journal on disk.

import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { pollDefaults } from "../../src/bot/effects/poll-schedule.ts";
import { type Exchange, problemOf } from "../../src/exchange/port.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { tradesInTurn } from "./bench.ts";
import { expectAgreement, openWorld, records, run, stopped } from "./pipeline-bench.ts";

describe("a first start", () => {
  it("reads the venue, journals the opening entry, says so, and trades until it is stopped", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const bot = await run(world, { journal: journalAt(path) }, 60_000);
    const ending = await stopped(world, bot);
    expect(ending).toMatchObject({ kind: "stopped", reason: "the test is over", abandoned: [] });
    expect(bot.phases.map(({ kind }) => kind)).toEqual(["restoring", "reading", "trading", "stopping"]);
    expect(bot.notes[0]).toContain("100000 CHF");
    expect(records(path, "adoption")).toHaveLength(1);
    expect(bot.trace.lines.filter((line) => line.includes(" confirmed #")).length).toBeGreaterThan(5);
    expect(bot.tradingCore.books.counters.state).toBe("ACTIVE");
    await expectAgreement(world, bot);
  });

  it("decides nothing before pairs, histories, balances and the quotes of all pairs are known", async () => {
    const world = openWorld();
    const bot = await run(world, { journal: journalAt(temporaryPath()) }, 20_000);
    const hosted = bot.turns.findIndex(({ input }) => input.kind === "strategy");
    const quoted = bot.turns
      .slice(0, hosted)
      .flatMap(({ input }) => (input.kind === "event" && input.event.kind === "quote" ? [input.event.symbol] : []));
    expect(new Set(quoted)).toEqual(new Set(bot.tradingCore.books.instruments.keys()));
    const first = bot.turns.findIndex(({ turn }) => turn.sends.length > 0);
    const before = bot.turns
      .slice(0, first)
      .flatMap(({ input }) => (input.kind === "answer" ? [input.answer.witness] : []));
    expect(first).toBeGreaterThan(0);
    expect(new Set(before)).toEqual(new Set(["trades", "orders", "rails", "supply-changes", "balances"]));
    await stopped(world, bot);
  });

  it("waits ten seconds for quotes of a venue that gives none, and goes on without", async () => {
    const world = openWorld();
    const exchange: Exchange = { ...world.exchange, quotes: () => new Promise(() => {}) };
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange }, 15_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "reading" });
    await world.pass(10_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    await stopped(world, bot);
  });

  it("reads a list of pairs again of which none can be used, says what is wrong, and keeps the list that it had", async () => {
    const world = openWorld();
    let isBad = true;
    let asked = 0;
    const exchange: Exchange = {
      ...world.exchange,
      async pairs(want) {
        asked++;
        const reading = await world.exchange.pairs(want);
        return isBad && reading.kind === "read"
          ? { ...reading, value: [], problems: [problemOf("[0].min_order_size must not be negative")] }
          : reading;
      },
    };
    const settings = { polls: { ...pollDefaults, pairsMs: 60_000 } };
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange, settings }, 25_000);
    expect(asked).toBe(3);
    expect(bot.problems[0]).toMatch(/^unusable: pairs: .*\[0\]\.min_order_size must not be negative.*read again/);
    isBad = false;
    await world.pass(30_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    isBad = true;
    await world.pass(70_000);
    expect(bot.problems.length).toBeGreaterThan(3);
    expect(bot.tradingCore.books.instruments.size).toBeGreaterThan(0);
    await stopped(world, bot);
  });

  it("refuses beside a history that its journal does not know, and names adopt", async () => {
    const world = openWorld();
    await stopped(world, await run(world, { journal: journalAt(temporaryPath()) }, 20_000));
    const path = temporaryPath();
    const other = await run(world, { journal: journalAt(path) }, 20_000);
    const ending = await other.ended;
    expect(ending.kind).toBe("refused");
    expect(ending.reason).toContain("pegbot adopt");
    expect(records(path, "adoption")).toEqual([]);
    expect(records(path, "intent")).toEqual([]);
  });
});

describe("a strategy", () => {
  it("is replaced at a safe point by another that continues its state", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const strategies$ = new Subject<Strategy>();
    const bot = await run(world, { journal: journalAt(path), strategies$ }, 30_000);
    const before = bot.tradingCore.strategy;
    const { count } = before.state as { count: number };
    strategies$.next(await tradesInTurn());
    await world.pass(10_000);
    expect(bot.tradingCore.strategy).not.toBe(before);
    expect(bot.notes.at(-1)).toBe("strategy in-turn continues from its last safe point");
    expect((bot.tradingCore.strategy.state as { count: number }).count).toBeGreaterThanOrEqual(count);
    strategies$.next(await tradesInTurn({ everyMs: 3_000 }));
    await world.pass(10_000);
    expect(bot.warnings.at(-1)).toMatch(/everyMs was \d+, is 3000; the one that runs goes on/);
    await stopped(world, bot);
  });
});
