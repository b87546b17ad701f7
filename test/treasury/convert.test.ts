// A conversion from the wish to its end, on virtual time: over orders and a mint, over restarts, within its cost.

import { expect, test } from "vitest";
import { personHere } from "../../src/operation/person.ts";
import { carrier, configOf, MINUTE, opened } from "./rebalance-world.ts";
import { recordsOf, type TreasuryWorld } from "./world.ts";

const CONFIG = configOf();

function moves(world: TreasuryWorld) {
  return recordsOf(world, "plan-progress").flatMap(({ state, move, text }) => [
    `${state} ${text} ${JSON.stringify(move)}`,
  ]);
}

test("coins are sold in orders until all of them are converted", async () => {
  const world = await opened(carrier(CONFIG));
  const command = world.asks(
    "convert",
    { amount: "20000", from: "VCHF", to: "CHF", maxCostBps: "60" },
    { config: CONFIG },
  );
  await world.pass(10 * MINUTE);
  console.log(moves(world), world.tradingCore?.rebalancer?.conversions(), world.halts());
  const { code, stdout, stderr } = await world.end(command, 60 * MINUTE);
  console.log(stdout, stderr, moves(world));
  expect(code, stderr).toBe(0);
  expect(personHere()).not.toBe("");
});

test("mint", async () => {
  const world = await opened(carrier(CONFIG));
  const command = world.asks("convert", { amount: "125000", from: "CHF", to: "VCHF", by: "8h" }, { config: CONFIG });
  const { code, stdout, stderr } = await world.end(command, 600 * MINUTE);
  console.log(stdout, stderr, moves(world));
  expect(code, stderr).toBe(0);
});
