// Beside a bot that goes by other limits than the configuration nothing that moves money is sent by command.

import { expect, test } from "vitest";
import { orderWith, wishOf } from "../../src/cli/command/order.ts";
import { PAIR } from "../support/bot-core.ts";
import { approving, configOf, opened, rebalancing, TWO, thePlan } from "./rebalance-world.ts";
import { type Command, recordsOf, type TreasuryWorld } from "./world.ts";

const OTHER = "the running bot, process 7, goes by other limits than the configuration has: risk.x is 1 in the bot";
const CONFIG = configOf();

function order(world: TreasuryWorld): Command {
  const wish = wishOf({ side: "buy", symbol: PAIR, quantity: "100" }, { price: "1.02" });
  return world.command((tool, person) => orderWith({ ...tool, config: CONFIG }, person, wish, { yes: true }));
}

const MOVES: Readonly<Record<string, (world: TreasuryWorld) => Command>> = {
  order,
  mint: (world) => world.mint(),
  rail: (world) => world.rail("off", "vchf-out"),
  "rebalance --execute": (world) => rebalancing(world, CONFIG, { execute: true, yes: true }),
};

function nothingLeft(world: TreasuryWorld): void {
  for (const call of ["addOrder", "mint", "addPaymentRail"]) expect(world.calls(call)).toEqual([]);
  expect(recordsOf(world, "sending")).toEqual([]);
}

test.each(Object.entries(MOVES))("%s is refused, with the limits and what to do", async (_, move) => {
  const world = await opened();
  world.otherLimits = OTHER;
  const { code, stderr } = await world.end(move(world));
  expect(code).toBe(3);
  expect(stderr).toContain(`${OTHER}; nothing was sent`);
  expect(stderr).toContain(
    "given again, the command goes by the tighter of both; where neither is (approvals, destinations, par, marks), restart the bot first, so that it goes by those of the configuration, or put that back",
  );
  nothingLeft(world);
});

test.each(["order", "mint", "rail"])(
  "%s is refused too where that bot begins while the account is read",
  async (name) => {
    const world = await opened();
    const command = MOVES[name]?.(world) as Command;
    await world.pass(500);
    expect(command.finished).toBeUndefined();
    world.otherLimits = OTHER;
    const { code, stderr } = await world.end(command);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${OTHER}; nothing was sent`)]);
    nothingLeft(world);
  },
);

test("a look at what could be rebalanced, and an approval of what the bot carries out by its own limits, are none", async () => {
  const world = await opened();
  world.otherLimits = OTHER;
  expect((await world.end(rebalancing(world, CONFIG))).code).toBe(0);
  world.otherLimits = undefined;
  const people = configOf({}, TWO);
  expect((await world.end(rebalancing(world, people, { execute: true, yes: true }))).code).toBe(3);
  world.otherLimits = OTHER;
  // The same person again: refused for that, and not for limits.
  const again = await world.end(approving(world, people, thePlan(world).id));
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("has approved it already")]);
  // Unless they are about approvals: by the file it may be enough, and by the bot not.
  const beside = ["persons is 2 in the bot and 1", "people.eve is absent in the bot and without a key"];
  for (const differ of beside) {
    world.otherLimits = `the bot goes by others: treasury.approvals.${differ} in the configuration`;
    const { code, stderr } = await world.end(approving(world, people, thePlan(world).id));
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${world.otherLimits}; nothing was changed`)]);
  }
});
