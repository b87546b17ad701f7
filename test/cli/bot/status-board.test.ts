import { expect, test } from "vitest";
import { createStatusBoard } from "../../../src/cli/bot/status-board.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";

test("the budget is told by itself, also where no whole status can be made: who looks at it each second must not end the bot", () => {
  const board = createStatusBoard({
    clock: { now: () => millis(1_794_731_400_000), monotonic: () => mono(0) },
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
    ledger: () => ({
      path: "ledger.db",
      holder: undefined,
      bot: undefined,
      members: [],
      waiting: [],
      spacingMs: 2_000,
      doubtsOnly: true,
      rateLimitedMsAgo: [5],
      slots: 7,
      lastNonce: undefined,
      skewMs: undefined,
    }),
    limits: paperLimits,
    haircuts: { bps: 0, heldBps: 0 },
    targets: {},
  });
  expect(() => board.snapshot()).toThrow("no head");
  expect(board.budget()).toMatchObject({ doubtsOnly: true, spacingMs: 2_000, rateLimited: 1 });
});
