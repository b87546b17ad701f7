// One strategy file, two worlds: in process on virtual time, and in lockstep through the real client, its signatures, the key's
// ledger on disk and the simulator's HTTP server. Decisions, fills, times and balances are the same to the last digit.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalAt } from "../../journal/place.ts";
import { opening } from "../../journal/samples.ts";
import { openInProcess } from "../../support/in-process.ts";
import { openLockstep } from "../../support/lockstep.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import { type BotOptions, type RunningBot, startBot, tradesInTurn } from "../bench.ts";

const RUN_MS = 120_000;
const funds = { CHF: "100000", VCHF: "100000" };

type World = BotOptions["world"] & { pass(ms: number): Promise<void>; close(): Promise<void> };

async function runIn(world: World, journal: BotOptions["journal"]): Promise<RunningBot> {
  const bot = startBot({ world, journal, strategy: await tradesInTurn() });
  await world.pass(RUN_MS);
  bot.stop();
  await world.pass(10_000);
  await bot.ended;
  await world.close();
  return bot;
}

describe.each([1, 20_261_115])("with seed %i", (seed) => {
  it("the trace in process is the trace through HTTP", async () => {
    const virtual = await runIn(openInProcess({ seed, funds }), new MemoryJournal(opening, "samename"));
    const lockstep = await openLockstep({ seed, funds });
    const path = join(lockstep.folder, "journal", "pegbot.db");
    const http = await runIn(lockstep, journalAt(path, { writer: "samename" }));
    expect(http.trace.lines).toEqual(virtual.trace.lines);
    expect(http.trace.lines.filter((line) => line.includes(" confirmed #")).length).toBeGreaterThan(10);
    expect(http.trace.digest(http.tradingCore.books.accounts)).toBe(
      virtual.trace.digest(virtual.tradingCore.books.accounts),
    );
  });
});
