// The running bot after an earlier process: its own, one that a bug ended, or somebody else's that died.

import { describe, expect, it } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import { RESUME } from "../../src/risk/trading-state.ts";
import { saveState } from "../../src/strategy/state.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { type RunningBot, startBot, tradesInTurn } from "./bench.ts";
import { expectAgreement, openWorld, records, run, start, stopped, untilSent, watched } from "./pipeline-bench.ts";

describe("a restart", () => {
  it("beside balances that moved meanwhile is one stop for one cause, with the whole way out", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    await stopped(world, await run(world, { journal }, 15_000));
    journal.close();
    const now = world.clock.now();
    for (const asset of ["VGBP", "GBP"] as Asset[])
      world.venue.credit(world.key, asset, Quantity.of("500"), { venue: now, settlement: now });
    const bot = await run(world, { journal: journalAt(path) }, 30_000);
    const frozen = bot.tradingCore.executor.freeze({ at: world.clock.now(), mono: world.clock.monotonic() });
    expect(frozen).toMatchObject({ kind: "assets", assets: expect.arrayContaining(["GBP", "VGBP"]) });
    await world.pass(130_000);
    expect(bot.tradingCore.books.counters.tradingState).toMatchObject({
      state: "HALTED",
      cause: "balances",
      reason: expect.stringMatching(
        /^the venue has .* a difference of 500, since .*; the venue has .* a difference of 500, since .*; nothing of ours is open there$/,
      ),
      wayOut: `pegbot adopt, then ${RESUME}`,
      also: [],
    });
    await stopped(world, bot);
  });

  it("with a clock a day ahead has the venue's time in its books from the first step on, and trades with a right one later", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const clock = { ...world.clock, now: () => millis(world.clock.now() + 86_400_000) };
    const ahead = await run({ ...world, clock }, { journal: journalAt(path) }, 20_000);
    await stopped(world, ahead);
    expect(Math.max(...records(path, "step").map(({ at }) => at))).toBeLessThanOrEqual(world.clock.now());
    const orders = records(path, "intent").length;
    const right = await run(world, { journal: journalAt(path) }, 20_000);
    expect(records(path, "intent").length).toBeGreaterThan(orders);
    expect(right.warnings).toEqual([]);
    await stopped(world, right);
  });

  it("over a journal whose time is ahead orders nothing and says so once, with how long and until when", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    await stopped(world, await run(world, { journal }, 10_000));
    const later = journalAt(path);
    const until = millis(world.clock.now() + 3_600_000);
    await later.append([{ kind: "control", at: until, control: { kind: "heartbeat", by: "ops" } }]);
    const orders = records(path, "intent").length;
    const bot = await run(world, { journal: later }, 20_000);
    expect(records(path, "intent")).toHaveLength(orders);
    expect(bot.warnings).toEqual([
      expect.stringMatching(
        /^the journal's time is \d:\d\d:\d\d ahead of the clock: .* nothing is ordered; then it goes on by itself\./,
      ),
    ]);
    expect(bot.warnings[0]).toContain(`Until ${new Date(until).toISOString()} every price counts as old`);
    await stopped(world, bot);
  });

  it("continues from the journal: books, strategy state, and an account that agrees", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const first = await run(world, { journal: journalAt(path) }, 40_000);
    await stopped(world, first);
    const count = (first.tradingCore.strategy.state as { count: number }).count;
    const second = await run(world, { journal: journalAt(path) }, 40_000);
    expect(second.notes).toEqual(["strategy in-turn continues from its last safe point"]);
    expect((second.tradingCore.strategy.state as { count: number }).count).toBeGreaterThan(count);
    await stopped(world, second);
    expect(records(path, "adoption")).toHaveLength(1);
    await expectAgreement(world, second);
  });

  it("is refused where the strategy's state belongs to other parameters, and begins anew only with --fresh-state", async () => {
    const world = openWorld();
    const path = temporaryPath();
    await stopped(world, await run(world, { journal: journalAt(path) }, 40_000));
    const [lines, strategy] = [records(path, "started").length, await tradesInTurn({ everyMs: 3_000 })];
    const refused = startBot({ world, journal: journalAt(path), strategy });
    const { kind, reason } = await refused.ended;
    expect([kind, reason.includes("--fresh-state"), records(path, "started").length]).toEqual(["refused", true, lines]);
    const anew = await run(world, { journal: journalAt(path), strategy, isFresh: true }, 40_000);
    expect(records(path, "fresh-start")).toHaveLength(1);
    await stopped(world, anew);
    // The flag stays in a unit file: the state that fits now goes on.
    const again = await run(world, { journal: journalAt(path), strategy, isFresh: true }, 40_000);
    expect(records(path, "fresh-start")).toHaveLength(1);
    await stopped(world, again);
  });

  it("after a kill continues from the last safe point: the average goes on where it was recorded", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await run(world, { journal }, 45_000);
    const { count } = first.tradingCore.strategy.state as { count: number };
    // As good as dead: nothing of it reaches the disk any more, and so nothing leaves.
    first.ended.catch(() => undefined);
    journal.close();
    const saved = records(path, "state").at(-1)?.state as { state: { count: number } };
    expect(saved.state.count).toBeGreaterThan(count - 6);
    const second = startBot({ world, journal: journalAt(path), strategy: await tradesInTurn() });
    for (let waited = 0; second.notes.length === 0 && waited < 30_000; waited += 10) await world.pass(10);
    expect(second.notes).toEqual(["strategy in-turn continues from its last safe point"]);
    expect(saveState(second.tradingCore.strategy.state)).toEqual({ ok: true, value: saved.state });
    await world.pass(10_000);
    expect((second.tradingCore.strategy.state as { count: number }).count).toBeGreaterThan(saved.state.count);
    await stopped(world, second);
    first.stop();
    await world.pass(20_000);
  });

  it("resolves what was sent and not answered before the strategy runs, however late history shows it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const deaf = watched(world.exchange, (send) => send().then(() => new Promise(() => {})));
    const first = await start(world, { journal: journalAt(path), exchange: deaf.exchange });
    await untilSent(world, deaf.sent);
    const ending = await stopped(world, first);
    const [id] = deaf.sent as [string];
    expect(ending.abandoned).toEqual([id]);
    expect(ending.open.map((one) => one.id)).toEqual([id]);
    const from = world.clock.monotonic();
    const late: Exchange = {
      ...world.exchange,
      async trades(want) {
        const reading = await world.exchange.trades(want);
        return reading.kind === "read" && world.clock.monotonic() - from < 30_000 ? { ...reading, value: [] } : reading;
      },
    };
    const second = await run(world, { journal: journalAt(path), exchange: late }, 60_000);
    expect(second.phases).toEqual([
      { kind: "restoring" },
      { kind: "reading" },
      { kind: "resolving", open: 1 },
      { kind: "trading" },
    ]);
    const turnOf = (isIt: (turn: RunningBot["turns"][number]) => boolean) => second.turns.findIndex(isIt);
    const booked = turnOf(({ turn }) =>
      turn.steps.some(({ event }) => event.kind === "report" && event.report.kind === "filled"),
    );
    const hosted = turnOf(({ input }) => input.kind === "strategy");
    expect(booked).toBeGreaterThan(0);
    expect(hosted).toBeGreaterThan(booked);
    expect(turnOf(({ turn }) => turn.sends.length > 0)).toBeGreaterThan(hosted);
    await stopped(world, second);
    await expectAgreement(world, second);
  });
});

describe("a bug", () => {
  it("ends the bot; the halt is kept and journaled, and the next start recovers into it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await start(world, { journal });
    const failed = expect(first.ended).rejects.toThrow("a made-up bug");
    await world.pass(15_000);
    first.tradingCore.executor.time = () => {
      throw new Error("a made-up bug");
    };
    await world.pass(5_000);
    await failed;
    expect(first.followed.at(-1)).toMatchObject({
      state: "HALTED",
      cause: "bug",
      reason: "stopped by a bug: a made-up bug",
    });
    journal.close();
    const venue = watched(world.exchange);
    const second = await run(world, { journal: journalAt(path), exchange: venue.exchange }, 20_000);
    expect(second.tradingCore.books.counters.tradingState).toMatchObject({ state: "HALTED" });
    expect(venue.sent).toEqual([]);
    await stopped(world, second);
  });
});
