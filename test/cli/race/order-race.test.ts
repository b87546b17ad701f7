// Commands and the running bot want the last unit of a limit: one order in any minute. Five processes run the commands, each one
// after the other and from folders of their own, and some commands have a process for themselves; all on one journal and one scaled clock.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { type ChaosStage, openStage } from "../../simulation/chaos/stage.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { isAlive, type Program, until } from "../../support/program.ts";

const MINUTE = 60_000;
/**
 * Commands, not places: one that comes in the middle of a minute is refused by an order that was there before it, so that of so many
 * about half are for a place that two wanted. A place takes a minute of the scaled clock, and a hundred of them five real ones.
 */
const COMMANDS = 100;
const AT_A_TIME = 5;
/** The others are spared the start of a process, which takes several times as long as the race for the order. */
const ALONE_EVERY = 10;
/** Slots, and with them the race, go by this clock. */
const FACTOR = 20;
/** A busy machine stands still for what is seconds on the scaled clock: commands that could not read are started again. */
const STARTED_MAX = 375;

async function opened(risk: Readonly<Record<string, unknown>>, restMs: number): Promise<[ChaosStage, Program]> {
  const protocol = { windowMsMin: 65_000, windowPerDelay: 1, acknowledgedMin: 0, releaseBpsMax: 9_999 };
  const params = { restMs, missEvery: 1_000 };
  const stage = openStage({ seed: 11, factor: FACTOR, faults: { rules: [] }, protocol, risk, params });
  onTestFinished(() => stage.close());
  await stage.startSimulator();
  const bot = stage.startBot();
  await bot.until(() => / trading/.test(bot.stderr()), "it traded");
  return [stage, bot];
}

const order = ["order", "buy", "VCHF/CHF", "50", "--price", "1.02", "--yes"] as const;

test(`${COMMANDS} commands race the bot for the last order of a minute, from several processes and folders`, {
  // Five real minutes where nothing else runs.
  timeout: TEST_MS_MAX * 4,
}, async () => {
  // The bot wants one again when the minute is over, give or take: the commands come in between.
  const [stage, bot] = await opened({ ordersPerMinuteMax: 1 }, 1.5 * MINUTE);
  const elsewhere = mkdtempSync(join(tmpdir(), "pegbot-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  let [won, refused, started] = [0, 0, 0];
  const intentsNow = () => stage.entries().filter(({ record }) => record.kind === "intent");
  const wonByBot = () => intentsNow().filter(({ record }) => !isAskedFor(record)).length;
  // Enough of them, and both sides have had one.
  const isOver = () => won + refused >= COMMANDS && won > 0 && wonByBot() > 0;
  const race = async (lane: number): Promise<void> => {
    const host = stage.host(lane % 2 === 0 ? elsewhere : tmpdir());
    while (!isOver() && started < STARTED_MAX) {
      started += 1;
      const isAlone = started % ALONE_EVERY === 0;
      const { code, stdout, stderr } = await (isAlone ? stage.command(...order) : host.run(...order));
      // Approved is what counts: on a scaled clock the lifetime of a decision is over in a fraction of a second.
      if (code === 0 || code === 4 || stdout.startsWith("not sent")) won += 1;
      if (code === 3 && stderr.includes("RC10")) refused += 1;
    }
  };
  // Each lane begins its next one as soon as its last has ended: no core waits for the slowest of a round.
  await Promise.all(Array.from({ length: AT_A_TIME }, (_, lane) => race(lane)));
  bot.kill("SIGTERM");
  await bot.ended();
  const intents = intentsNow();
  // By the time of the decisions, which is what the limit counts by: a record is written a moment later.
  const decidedAt = intents.map(({ record }) => timeOf(record));
  const gaps = decidedAt.slice(1).map((at, i) => at - (decidedAt[i] as number));
  const byBot = wonByBot();
  process.stdout.write(
    `race: ${won + refused} commands of ${started}, ${intents.length} orders approved, ${byBot} of them the bot's, smallest gap ${Math.min(...gaps)} ms\n`,
  );
  expect(won + refused).toBeGreaterThanOrEqual(COMMANDS);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(MINUTE);
  expect(byBot).toBeGreaterThan(0);
  expect(intents.length - byBot).toBeGreaterThan(0);
  expect(intents.length - byBot).toBe(won);
  expect((await stage.command("journal", "verify")).code).toBe(0);
});

test("an order whose command is killed after sending is resolved by the running bot", async () => {
  const [stage, bot] = await opened({}, 7_200_000);
  await stage.setFaults({ rules: [{ fault: "lost-answer", on: "addOrder" }] });
  let id: string | undefined;
  const isSent = (): boolean => {
    const entries = stage.entries();
    const asked = new Set(entries.flatMap(({ record }) => ("id" in record && isAskedFor(record) ? [record.id] : [])));
    for (const { record } of entries) if (record.kind === "sending" && asked.has(record.id)) id = record.id;
    return id !== undefined;
  };
  for (let tries = 0; !isSent() && tries < 10; tries++) {
    const command = stage.launch(...order);
    await until(() => isSent() || !isAlive(command.pid), "the order to be sent");
    if (isAlive(command.pid)) command.killGroup("SIGKILL");
    await command.ended();
  }
  expect(id).toBeDefined();
  const about = (kind: string) =>
    stage.entries().find(({ record }) => record.kind === kind && "id" in record && record.id === id);
  // Killed before its first byte it is dead after the window; killed later it has filled.
  const end = () => about("settled") ?? about("resolution");
  await until(() => end() !== undefined, `${id} to be resolved`);
  bot.kill("SIGTERM");
  await bot.ended();
  expect((await stage.command("journal", "verify")).code).toBe(0);
});

function timeOf(record: JournalRecord): number {
  if (record.kind !== "intent" || record.request.kind !== "order") throw new Error("only orders race here");
  return record.request.order.decidedAt;
}

/** Whether it is the order of a command. */
function isAskedFor(record: JournalRecord): boolean {
  return (
    record.kind === "intent" && record.request.kind === "order" && record.request.order.reason.startsWith("ordered")
  );
}
