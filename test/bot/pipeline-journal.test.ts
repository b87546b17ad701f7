// The running bot beside a journal that cannot be written.

import { describe, expect, it } from "vitest";
import { endingReport } from "../../src/app/bot/run-bot.ts";
import { err } from "../../src/domain/result.ts";
import { FRESH, RESUME } from "../../src/risk/trading-state.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { failing } from "./bench.ts";
import { expectAgreement, openWorld, records, run, stopped, watched } from "./pipeline-bench.ts";

describe("a journal that cannot be written", () => {
  const full = {
    code: "journal-full",
    message: "journal x: disk full; nothing was written: free some disk space",
  } as const;
  const locked = { code: "journal-locked", message: "journal x: locked; end the other one" } as const;

  it("is a failure of the machine, not a refusal: whoever watches over the bot begins it again", async () => {
    const world = openWorld();
    const message = "attempt to write a readonly database";
    const journal = Object.assign(journalAt(temporaryPath()), {
      append: async () => err({ code: "journal-unwritable", message } as const),
    });
    const ending = await (await run(world, { journal }, 1_000)).ended;
    expect(ending).toMatchObject({ kind: "failed", reason: message });
    const killSwitch = { standing: () => FRESH, unwritten: () => undefined };
    expect(() =>
      endingReport(recordedShell(), ending, { session: "", failure: () => undefined, journal: "", killSwitch }),
    ).toThrow(expect.objectContaining({ code: 1, message }));
  });

  it("locked: nothing is sent, the input is kept, and everything goes on when it is free again", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const before = venue.sent.length;
    journal.fault = { error: locked, when: "before" };
    await world.pass(10_000);
    expect(venue.sent.length).toBeLessThanOrEqual(before + 1);
    expect(bot.phases.at(-1)).toMatchObject({ kind: "unwritable", error: { code: "journal-locked" } });
    const during = venue.sent.length;
    journal.fault = undefined;
    await world.pass(20_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    expect(venue.sent.length).toBeGreaterThan(during);
    expect(bot.tradingCore.books.counters.state).toBe("ACTIVE");
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("full after a decision: nothing is sent, it halts durably, says what to do, and rebuilds itself when there is room", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const { tradingCore } = bot;
    const before = venue.sent.length;
    journal.fault = { error: full, when: "after", append: true };
    await world.pass(10_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.followed.at(-1)).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining("free some disk space"),
    });
    journal.fault = undefined;
    await world.pass(10_000);
    expect(bot.tradingCore).not.toBe(tradingCore);
    expect(bot.tradingCore.books.counters.tradingState).toMatchObject({ state: "HALTED" });
    expect(bot.controls).toEqual([
      {
        kind: "halt",
        cause: "journal",
        subject: "journal-full",
        reason: expect.stringMatching(/^journal-full: /),
        wayOut: RESUME,
      },
    ]);
    expect(venue.sent.length).toBe(before);
    bot.control$.next({ kind: "resume", reason: "room again", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("that may have lost a write: it halts, and the way out begins with a restart", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const before = venue.sent.length;
    const message = "what is on disk is not known: start again, which verifies it";
    journal.fault = { error: { code: "journal-suspect", message }, when: "after", append: true };
    await world.pass(10_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.followed.at(-1)).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining(message),
      wayOut: expect.stringMatching(/^restart the bot, .* pegbot resume/),
    });
    await stopped(world, bot);
  });

  it("that is full while an order is answered: it halts, and the answer is written once there is room", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = failing(journalAt(path));
    let orders = 0;
    const venue = watched(world.exchange, async (send) => {
      const outcome = await send();
      orders += 1;
      if (orders === 3) journal.fault = { error: full, when: "before", append: true };
      return outcome;
    });
    const bot = await run(world, { journal, exchange: venue.exchange }, 40_000);
    expect([venue.sent.length, bot.followed.at(-1)?.state]).toEqual([3, "HALTED"]);
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent.slice(0, 2));
    journal.fault = undefined;
    await world.pass(20_000);
    expect([venue.sent.length, bot.tradingCore.books.counters.state]).toEqual([3, "HALTED"]);
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("that cannot be announced to keeps the order at home", async () => {
    const world = openWorld();
    const inner = journalAt(temporaryPath());
    const journal = failing(inner);
    let refused = 0;
    journal.announce = () => {
      refused += 1;
      return { ok: false, error: full };
    };
    const venue = watched(world.exchange);
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    expect(refused).toBeGreaterThan(0);
    expect(venue.sent).toEqual([]);
    expect([...bot.tradingCore.executor.open()]).toEqual([]);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });
});
