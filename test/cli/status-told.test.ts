// What `status` learns from the owner of the key itself, through its socket, and what it says where that is silent.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { botConfig } from "../../src/app/config/bot-config.ts";
import type { Answers } from "../../src/app/owner/answer.ts";
import { openDoor } from "../../src/app/owner/door.ts";
import { type Found, lookFor, printStatus } from "../../src/cli/command/status.ts";
import { millis } from "../../src/domain/time.ts";
import { judged } from "../../src/watch/status/status-board.ts";
import type { Status } from "../../src/watch/status.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { statusAt, T0 } from "../watch/dashboard/stage.ts";

const MARKED = { equity: "1", at: millis(T0 - 3_600_000) };

/** The answer of a bot that stands so. */
function toldOf(unready: readonly string[], change: Parameters<typeof statusAt>[0] = {}): Found {
  return { told: statusAt({ unready, ...change }) };
}

function place() {
  const configFile = join(temporaryFolder(), "pegbot.yaml");
  writeFileSync(configFile, "journal: { path: ./p.db }\n");
  return { shell: recordedShell({ configFile }), journal: join(configFile, "../p.db") };
}

/** What `status` is told through the socket of an owner that answers so. */
async function askedOf(answer: Answers): Promise<Found> {
  const { shell, journal } = place();
  const door = await openDoor(journal, answer);
  onTestFinished(() => door.close());
  return lookFor(shell, botConfig(shell));
}

function shown({ told, silent }: Found = {}, change: Partial<Status> = {}, columns?: number): string {
  const { terminal, stdout } = recordedShell(columns === undefined ? {} : { columns });
  const bot = { pid: 4711, since: T0, folder: ".", page: "http://127.0.0.1:8787/" };
  const seen = told ?? { ...statusAt(), recordedAt: T0, marked: MARKED };
  printStatus(terminal, judged({ ...seen, bot, silent, ...change }));
  return stdout();
}

test("status has the day's change beside equity, and each limit from 70 % on by the bot's own measure", async () => {
  const row = { rule: "RC05", name: "loss of the day", unit: "CHF", key: "daily-loss" } as const;
  const orders = { rule: "RC10", name: "orders of the day", unit: "", key: "orders-day" } as const;
  const age = { rule: "RC16", name: "oldest order in doubt", unit: "s", key: "doubt-age" } as const;
  const full = [
    { ...row, used: 631.014, limit: 700, usedBps: 9_014 },
    { ...orders, used: 14_000, limit: 20_000, usedBps: 7_000 },
    { ...age, used: 629.9, limit: 900, usedBps: 6_999 },
  ];
  const { equity } = statusAt();
  const told = toldOf([], { limits: full, equity: { ...equity, today: "-631.01" } });
  const text = shown(told);
  expect(text).toMatch(/^equity {3}428,139\.63 CHF at 2026-11-15T08:00:00Z; today -631\.01$/m);
  expect(text.split("\n").filter((line) => line.startsWith("limit"))).toEqual([
    "limit    loss of the day is at 90 %: 631.01 CHF of 700.00 CHF (RC05)",
    "limit    orders of the day is at 70 %: 14,000 of 20,000 (RC10)",
  ]);
  // Nobody knows what an hour or a day that is over still counts.
  expect(shown(undefined, { limits: full, bot: undefined })).not.toMatch(/^limit|today/m);
});

test("status says why an owner gives no status, and then shows what the journal has", async () => {
  const { shell } = place();
  expect(await lookFor(shell, botConfig(shell))).toEqual({});
  expect(await askedOf(async () => ({ kind: "failed", exit: 1, error: "it starts" }))).toEqual({ silent: "it starts" });
  // Of a version whose status has another shape.
  const other = await askedOf(async () => ({ kind: "answer", value: { state: "ACTIVE" } }));
  expect(other).toMatchObject({ silent: expect.stringContaining("another version") });
  const late: Found = { silent: "it does not answer" };
  const unknown = { ...statusAt().equity, now: undefined };
  const text = shown(late, { equity: unknown, frozen: "everything: the outcome of T-2 is unknown" });
  expect(text).toContain("ready    unknown: it does not answer\n");
  expect(text).toContain("frozen   everything: the outcome of T-2 is unknown\n");
  const since = "last marked 1:00:00 ago (a day's opening or a new high, not the latest): 1.00 CHF";
  const marked = `${since} at 2026-11-15T07:00:00Z\n`;
  expect(text).toContain(`equity   not known; ${marked}`);
  expect(shown(undefined, { bot: undefined })).toContain(`equity   not known while no bot runs; ${marked}`);
});
