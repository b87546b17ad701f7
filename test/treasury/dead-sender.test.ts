// A command dies after its request was on record as sent, and no bot runs: whoever moves money next counts it as a doubt.

import { expect, test } from "vitest";
import { toCloseBy, unwatchedBy } from "../../src/app/money-command/money-command.ts";
import { orderWith, wishOf } from "../../src/cli/command/order.ts";
import { survey } from "../../src/cli/command/rebalance.ts";
import { pauseOrStop } from "../../src/domain/pause.ts";
import { treasuryTermsOf } from "../../src/operation/terms/treasury-terms.ts";
import { flightsOf } from "../../src/watch/status/submission-list.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import { configOf } from "./rebalance-world.ts";
import { atArrival, atRecord, type Command, close, recordsOf, SLOW_BOT, TreasuryWorld } from "./world.ts";

const MINUTE = 60_000;
const CONFIG = configOf();

/** The books are open, and the bot that opened them is gone. */
async function alone(): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(1, {}, CORE_FUNDS);
  const bot = world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  bot.kill();
  return world;
}

function order(world: TreasuryWorld, quantity = "100"): Command {
  const wish = wishOf({ side: "buy", symbol: PAIR, quantity }, { price: "1.02" });
  return world.command((tool, person) => orderWith({ ...tool, config: CONFIG }, person, wish, { yes: true }));
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

test("an order is not sent over an order whose sender died, and RC16 says why", async () => {
  const world = await alone();
  const id = await dies(world, order(world));
  const next = await world.end(order(world, "120"));
  expect([next.code, next.stderr]).toEqual([3, expect.stringContaining("refused: RC16: orders of unknown outcome in")]);
  expect(doubted(world)).toEqual([id]);
  expect(recordsOf(world, "sending").length).toBe(1);
  expect(world.reader().executor.get(id)?.state.kind).toBe("unknown");
});

test("an order in the assets of a mint whose sender died is not sent, nor is a mint over such an order", async () => {
  const world = await alone();
  const mint = await dies(world, world.mint());
  const next = await world.end(order(world));
  const frozen = `refused: RC33: ${PAIR} is frozen: the outcome of ${mint} is unknown`;
  expect([next.code, next.stderr]).toEqual([3, expect.stringContaining(frozen)]);
  expect(world.calls("addOrder")).toEqual([]);

  const other = await alone();
  const lost = await dies(other, order(other));
  const refused = await other.end(other.mint());
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining(`RM08: the outcome of ${lost} is unknown`),
  ]);
  expect(other.calls("mintTokens")).toEqual([]);
});

test("a rail whose sender died is not registered a second time, and freezes no orders", async () => {
  const world = await alone();
  const id = await dies(world, world.rail("off", "vchf-out"));
  const again = await world.end(world.rail("off", "vchf-out"));
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining(id)]);
  const bought = await world.end(order(world));
  expect([bought.code, bought.stdout], bought.stderr).toEqual([0, expect.stringMatching(/^filled/)]);
  expect(doubted(world)).toEqual([id]);
});

test("two commands and a bot that find it at once make one doubt of it, and none of them sends", async () => {
  const world = await alone();
  const id = await dies(world, order(world));
  const both = [order(world, "120"), order(world, "130")];
  const ended = await Promise.all([world.end(both[0] as Command), world.end(both[1] as Command)]);
  world.bot(SLOW_BOT);
  await world.pass(MINUTE);
  expect(ended.map(({ code }) => code)).toEqual([3, 3]);
  const doubts = world
    .records()
    .filter(
      (record) =>
        record.kind === "step" && record.step.event.kind === "report" && record.step.event.report.kind === "doubt",
    );
  expect(doubts.length).toBe(1);
  expect(recordsOf(world, "sending").map((record) => record.id)).toEqual([id]);
});

test("a command that only looks leaves it to the bot that starts while a person thinks", async () => {
  const world = await alone();
  const id = await dies(world, order(world));
  const looking = world.command(async (tool) => {
    await survey({ ...tool, config: CONFIG }, treasuryTermsOf(CONFIG));
    await pauseOrStop(tool.timers, 60 * MINUTE, new AbortController().signal);
    return 0;
  });
  await world.pass(MINUTE);
  expect(doubted(world)).toEqual([]);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  expect(looking.finished).toBeUndefined();
  expect(doubted(world)).toEqual([id]);
  expect(recordsOf(world, "fenced").map((record) => record.id)).toEqual([id]);
});

test("an order that waits for its slot is dropped there if another's sender died meanwhile", async () => {
  const world = await alone();
  const first = order(world);
  atRecord("after", "intent")(world, first);
  await world.pass(MINUTE);
  const id = recordsOf(world, "intent").at(-1)?.id as string;
  const second = order(world, "120");
  world.journal.hook = (life, when, records) => {
    if (life !== second.life || when !== "after" || !records.some(({ kind }) => kind === "intent")) return;
    const { now } = world.time.clock;
    world.journal.write(
      [{ kind: "sending", at: now(), id, nonce: 1, digest: "0".repeat(64), host: "venue" }],
      first.life.name,
    );
  };
  const { code, stdout, stderr } = await world.end(second);
  expect([code, stdout], stderr).toEqual([3, expect.stringContaining(`the outcome of ${id} is unknown`)]);
  expect(world.calls("addOrder")).toEqual([]);
});

test("what evidence may still decide says until when a bot looks for it, and then which command closes it", async () => {
  const world = await alone();
  const id = await dies(world, world.mint());
  const sentAt = recordsOf(world, "sending").at(-1)?.at as number;
  const closing = `pegbot resolve ${id} --landed|--not-landed --reason "..."`;
  const early = await world.end(close(world, id, { notLanded: true }));
  const until = new Date(sentAt + 15 * MINUTE).toISOString().slice(0, 19);
  expect([early.code, early.stderr]).toEqual([
    3,
    expect.stringContaining(`only a running bot resolves it until ${until}Z: `),
  ]);
  expect(early.stderr).toContain(closing);
  expect([unwatchedBy(world.reader()), toCloseBy(world.reader())]).toEqual([[id], []]);
  world.bot(SLOW_BOT);
  await world.pass(20 * MINUTE);
  expect([unwatchedBy(world.reader()), toCloseBy(world.reader())]).toEqual([[], [closing]]);
  const closed = await world.end(close(world, id, { notLanded: true }));
  expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("closed as not landed")]);
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
