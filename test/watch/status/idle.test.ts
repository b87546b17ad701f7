// A bot that may trade and sends nothing gives its reason, computed from what it sees.

import { expect, test } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { prepareBuiltIn } from "../../../src/strategy/built-in.ts";
import type { Strategy } from "../../../src/strategy/prepare.ts";
import { createStatusBoard, idleOf } from "../../../src/watch/status/status-board.ts";
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

test("an edge that is not taken: the strategy's own words; and a stopped bot is stopped, not idle", async () => {
  const status = await after(2, wanting(30));
  const seen = { ...status, said: { at: status.at, text: "has too little CHF left" } };
  const best = { at: status.at, symbol: "VCHF/CHF" as PairSymbol, bps: 12.34 };
  const watched = { busyAt: status.startedAt ?? status.at, own: status.at, best, leastBps: 1, skewBps: 0 };
  expect(idleOf({ ...seen, said: { at: status.at, text: "is tired" } }, watched)).toEqual({
    since: watched.busyAt,
    reason: expect.stringMatching(/^best edge 12\.3 bp on VCHF\/CHF, needs 1\.0; .*: is tired$/),
  });
  // Without the asset that pays no price helps: that is a cap, and no quiet market.
  expect(idleOf(seen, watched)?.rule).toBe("RC17");
  const [one] = status.decisions;
  const capped = {
    ...(one as Status["decisions"][number]),
    outcome: "confirmed",
    note: "capped by RC34: full",
  } as const;
  const full = { ...seen, decisions: [capped], said: { at: status.at, text: "the limits leave 0 VCHF to buy" } };
  expect(idleOf(full, watched)).toMatchObject({
    rule: "RC34",
    reason: "best edge 12.3 bp on VCHF/CHF, but RC34: full",
  });
  // The strategy spoke of another pair since: a limit that is full still says why.
  const elsewhere = { at: status.at, text: "takes any price that is worth an order" };
  const used = (usedBps: number) => ({
    limits: [{ key: "depeg-loss", rule: "RC34", name: "", unit: "", used: 1, limit: 1, usedBps } as const],
  });
  expect(idleOf({ ...seen, said: elsewhere, ...used(9_950) }, watched)?.rule).toBe("RC34");
  expect(idleOf({ ...seen, said: elsewhere, ...used(5_000) }, watched)?.rule).toBeUndefined();
  expect(idleOf({ ...seen, standing: { ...seen.standing, state: "HALTED" } }, watched)).toBeUndefined();
});
