// An owner dies after its request was on record as sent: the next one counts it as a doubt, and looks for it.

import { expect, test } from "vitest";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import { atRecord, type Command, recordsOf, SLOW_BOT, TreasuryWorld } from "./world.ts";

const MINUTE = 60_000;

/** The books are open, and the bot that opened them is gone. */
async function alone(): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(1, {}, CORE_FUNDS);
  const bot = world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  bot.kill();
  return world;
}

function order(world: TreasuryWorld, quantity = "100"): Command {
  return world.order({ symbol: PAIR, quantity });
}

async function dies(world: TreasuryWorld, command: Command): Promise<string> {
  atRecord("after", "sending")(world, command);
  await world.pass(MINUTE);
  expect([command.life.isAlive, command.finished]).toEqual([false, undefined]);
  const id = recordsOf(world, "sending").at(-1)?.id;
  if (id === undefined) throw new Error("it must be on record as sent");
  return id;
}

function doubted(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "recovered").map(({ id }) => id);
}

test("the next owner looks for an order whose owner died before it sends another", async () => {
  const world = await alone();
  const id = await dies(world, order(world));
  const next = await world.end(order(world, "120"));
  expect([next.code, next.stderr]).toEqual([3, expect.stringContaining("refused: RC16: orders of unknown outcome")]);
  expect([...new Set(doubted(world))]).toEqual([id]);
  expect(recordsOf(world, "sending").length).toBe(1);
  world.bot(SLOW_BOT);
  await world.pass(20 * MINUTE);
  expect(recordsOf(world, "fenced").at(-1)?.id).toBe(id);
  expect(world.calls("addOrder")).toEqual([]);
});
