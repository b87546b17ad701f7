// The running bot that is killed or stopped: what may still leave, and what is on record afterwards.

import { describe, expect, it } from "vitest";
import type { Exchange } from "../../src/exchange/port.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { openWorld, records, run, start, stopped, untilSent, watched } from "./pipeline-bench.ts";

describe("a kill", () => {
  it("lets no order out any more, is kept, and what is on its way is verified first of all", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange: venue.exchange }, 30_000);
    const before = venue.sent.length;
    expect(before).toBeGreaterThan(2);
    bot.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(30_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.followed.at(-1)).toMatchObject({ state: "HALTED", reason: "by hand" });
    expect(venue.classes).toContain("orders kill-check");
    expect(venue.classes).toContain("trades kill-check");
    const { length } = bot.turns;
    await world.pass(15_000);
    expect(bot.turns.length).toBeGreaterThan(length);
    bot.control$.next({ kind: "resume", reason: "looked", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, bot);
  });

  it("that is taken back leaves the bot's own halt that came beneath it: kept, journaled, and there after a restart", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await run(world, { journal, exchange: venue.exchange }, 30_000);
    const before = venue.sent.length;
    first.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(5_000);
    first.control$.next({ kind: "halt", cause: "foreign", reason: "foreign activity", wayOut: "pegbot adopt" });
    await world.pass(5_000);
    expect(first.followed.at(-1)).toMatchObject({
      state: "HALTED",
      also: [{ state: "HALTED", reason: "foreign activity" }],
    });
    await stopped(world, first);
    journal.close();
    const second = await run(world, { journal: journalAt(path), exchange: venue.exchange }, 20_000);
    expect(second.followed[1]).toEqual(first.followed.at(-1));
    second.control$.next({ kind: "resume", reason: "looked", by: "test" });
    await world.pass(20_000);
    expect(second.followed.at(-1)).toMatchObject({ state: "HALTED", reason: "foreign activity", also: [] });
    expect(venue.sent.length).toBe(before);
    second.control$.next({ kind: "resume", reason: "adopted", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, second);
  });

  it("that comes while an order waits for its slot drops the order", async () => {
    const world = openWorld();
    let reason: string | undefined;
    const venue = watched(world.exchange, (send) => send());
    const bot = await start(world, {
      journal: journalAt(temporaryPath()),
      exchange: venue.exchange,
      lastCheck: () => reason,
    });
    await world.pass(12_000);
    reason = "HALTED: by file";
    const before = venue.sent.length;
    await world.pass(20_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.tradingCore.books.counters.streaks.rejects.count).toBe(0);
    await stopped(world, bot);
  });
});

describe("a stop", () => {
  it("waits for the answer of the one order in flight, and journals it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const venue = watched(world.exchange, async (send) => {
      const outcome = await send();
      await new Promise<void>((resolve) => void world.timers.after(3_000, resolve));
      return outcome;
    });
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    await untilSent(world, venue.sent);
    const ending = await stopped(world, bot);
    expect(ending.abandoned).toEqual([]);
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    expect(records(path, "state").length).toBeGreaterThan(0);
  });

  it("loses no halt that the exit door raises with the last outcome", async () => {
    const world = openWorld();
    const path = temporaryPath();
    // At the door twice, as a second sending would be.
    const addOrder: Exchange["addOrder"] = (order, want) => {
      const lastCheck = (): string | undefined => {
        const refusal = want.lastCheck();
        expect(want.lastCheck()).toContain("RC21");
        return refusal;
      };
      return world.exchange.addOrder(order, { ...want, lastCheck });
    };
    const venue = watched({ ...world.exchange, addOrder }, async (send) => {
      const outcome = await send();
      await new Promise<void>((resolve) => void world.timers.after(3_000, resolve));
      return outcome;
    });
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    await untilSent(world, venue.sent);
    const ending = await stopped(world, bot);
    expect(ending.tradingState).toMatchObject({ state: "HALTED", reason: expect.stringContaining("RC21") });
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    const again = await run(world, { journal: journalAt(path) }, 20_000);
    expect((await stopped(world, again)).tradingState?.state).toBe("HALTED");
  });

  it("ends an order that still waits for its slot as not sent, at once", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const venue = watched(world.exchange);
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    const waits = () => bot.turns.some(({ turn }) => turn.sends.length > 0);
    for (let waited = 0; waited < 30_000 && !waits(); waited += 10) await world.pass(10);
    expect(venue.sent).toEqual([]);
    bot.stop();
    await world.pass(100);
    const ending = await bot.ended;
    expect(ending).toMatchObject({ abandoned: [], open: [] });
    expect(records(path, "outcome").map(({ outcome }) => outcome)).toEqual([
      { kind: "not-sent", code: "stopped", reason: "the bot is stopping" },
    ]);
    await world.pass(10_000);
    expect(venue.sent).toEqual([]);
  });
});
