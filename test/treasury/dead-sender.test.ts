// An owner dies after its request was on record as sent: the next one counts it as a doubt, and looks for it.

import { expect, test } from "vitest";
import { flightsOf } from "../../src/watch/status/submission-list.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import { atArrival, atRecord, type Command, close, recordsOf, SLOW_BOT, TreasuryWorld } from "./world.ts";

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

test("a rail whose owner died is not registered a second time, and freezes no orders", async () => {
  const world = await alone();
  const id = await dies(world, world.rail("off", "vchf-out"));
  const again = await world.end(world.rail("off", "vchf-out"));
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining(id)]);
  const bought = await world.end(order(world));
  expect([bought.code, bought.stdout], bought.stderr).toEqual([0, expect.stringMatching(/^filled/)]);
  expect([...new Set(doubted(world))]).toEqual([id]);
});

test("a mint that is taken over is as old as its request: while its outcome is unknown, and in flight; no person is asked before the list was read", async () => {
  const world = await alone();
  atArrival("mintTokens")(world, world.mint());
  await world.pass(60 * MINUTE);
  const [sent] = recordsOf(world, "sending");
  const [intent] = recordsOf(world, "intent");
  if (sent === undefined || intent === undefined) throw new Error("it must be on record as sent");
  const doubts: unknown[] = [];
  world.journal.hook = (_, when, records) => {
    if (when !== "after" || !records.some(({ kind }) => kind === "recovered")) return;
    doubts.push(world.reader().executor.get(sent.id)?.state);
  };
  world.bot(SLOW_BOT);
  await world.pass(5 * MINUTE);
  expect(doubts[0]).toMatchObject({ kind: "unknown", since: sent.at });
  const spent = `${intent.request.kind === "mint" ? intent.request.mint.quantity : 0} CHF`;
  expect((await world.end(close(world, sent.id, { landed: true, spent, fee: "0 CHF" }))).code).toBe(0);
  const tradingCore = world.reader();
  const flights = flightsOf(tradingCore, { bps: 0, heldBps: 0 }, intent.at);
  expect(flights.map(({ since }) => since)).toEqual([intent.at]);
  expect(recordsOf(world, "resolution").filter(({ by }) => by === "bot")).toEqual([]);
});
