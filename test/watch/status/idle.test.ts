// A bot that may trade and sends nothing gives its reason, computed from what it sees.

import { expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { prepareBuiltIn } from "../../../src/strategy/built-in.ts";
import type { Strategy } from "../../../src/strategy/prepare.ts";
import { createStatusBoard } from "../../../src/watch/status/status-board.ts";
import type { Status } from "../../../src/watch/status.ts";
import { minuteLine } from "../../../src/watch/text/status-text.ts";
import { type BotOptions, startBot, tradesInTurn } from "../../bot/bench.ts";
import { opening } from "../../journal/samples.ts";
import { openInProcess } from "../../support/in-process.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";

const MINUTE = 60_000;

/** The status after so many minutes. */
async function after(minutes: number, strategy: Strategy, limits: BotOptions["limits"] = {}): Promise<Status> {
  const world = openInProcess({ seed: 1, funds: { CHF: "100000", VCHF: "100000" } });
  const { clock } = world;
  const journal = new MemoryJournal(opening, "samename");
  const board = createStatusBoard({
    clock,
    journal,
    journalPath: "pegbot.db",
    ledger: () => undefined,
    limits: { ...paperLimits, symbols: ["VCHF/CHF"] },
    targets: {},
    ...({ version: "0.0.0", mode: "paper", environment: "paper", venue: "here" } as const),
  });
  const bot = startBot({ world, journal, strategy, board: board.watcher, limits });
  await world.pass(minutes * MINUTE);
  const status = board.snapshot();
  bot.stop();
  await world.pass(10_000);
  await bot.ended;
  return status;
}

const wanting = (edgeBps: number): Strategy =>
  unwrap(prepareBuiltIn("peg-arbitrage", { symbols: ["VCHF/CHF"], edgeBps, feeBps: 2 }));

test("a market that offers too little: the best edge of the last minute, its pair, and what the strategy needs", async () => {
  const status = await after(5, wanting(30));
  expect(status.idle?.reason).toMatch(/^best edge -?\d+\.\d bp on VCHF\/CHF, needs 32\.0 to 42\.0 by what is held$/);
  expect(status.at - (status.idle?.since ?? 0)).toBeGreaterThan(4 * MINUTE);
  expect(minuteLine(status)).toContain(`IDLE for 0:04:5`);
  expect(minuteLine(status)).toContain(`: ${status.idle?.reason}. Frees it: `);
  // Coins that no trade bought have moved, and nothing else: the parts add up to the result.
  const { today, sources } = status.equity;
  expect(sources).toMatchObject({ trading: "0", fx: "0" });
  expect(Number(sources?.opening)).toBeCloseTo(Number(today), 1);
});

test("orders that the gate refuses: its reason", async () => {
  const { idle } = await after(5, await tradesInTurn(), { symbols: ["VGBP/GBP"] });
  expect(idle?.reason).toMatch(/^orders are refused: RC\d\d/);
});
