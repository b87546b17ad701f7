import { expect, test } from "vitest";
import { millis, mono } from "../../../src/domain/time.ts";
import type { KeyStatus } from "../../../src/exchange/budget/key-file.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { type BoardParts, createStatusBoard } from "../../../src/watch/status/status-board.ts";
import { faultOn } from "../../treasury/loss.ts";
import { SLOW_BOT, TreasuryWorld } from "../../treasury/world.ts";

const HOUR_MS = 3_600_000;
const LEDGER: KeyStatus = {
  path: "key.db",
  waiting: [],
  spacingMs: 2_000,
  doubtsOnly: true,
  paused: undefined,
  rateLimitedMsAgo: [5],
  slots: 7,
  lastNonce: undefined,
  skewMs: undefined,
};
const T0 = 1_794_731_400_000;
const PARTS: BoardParts = {
  clock: { now: () => millis(T0), monotonic: () => mono(0) },
  version: "0.1.0",
  mode: "paper",
  environment: "test",
  venue: "venue.example",
  journal: {
    head: () => {
      throw new Error("no head");
    },
  },
  journalPath: "pegbot.db",
  ledger: () => LEDGER,
  limits: paperLimits,
  haircuts: { bps: 0, heldBps: 0 },
  targets: {},
};

test("a clock that is an hour ahead of the venue's makes no doubt an hour older than it is to the bot", async () => {
  const world = await TreasuryWorld.open(1);
  world.bot(SLOW_BOT);
  await world.pass(180_000);
  world.setFaults(faultOn("mintTokens", { fault: "lost-request" }));
  expect((await world.end(world.mint())).code).toBe(4);
  const { clock } = world.time;
  const board = createStatusBoard({
    ...PARTS,
    clock: { now: () => millis(clock.now() + HOUR_MS), monotonic: () => clock.monotonic() },
    journal: { head: () => ({ ok: false, error: { code: "journal-busy", message: "busy" } as never }) },
    ledger: () => ({ ...LEDGER, skewMs: HOUR_MS }),
  });
  board.watcher.core?.(world.reader());
  expect(board.snapshot().frozen).toMatch(/^VCHF, CHF: the outcome of \S+ is unknown; a second one/);
});
