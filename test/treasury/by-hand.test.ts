// Where mints and rails are for approved plans alone, the commands of one person send none; a plan's own steps go out.

import { expect, test } from "vitest";
import type { Config } from "../../src/config/schema.ts";
import { carrier, configOf, MINUTE, opened, progress, rebalancing } from "./rebalance-world.ts";
import { CONFIG, type Command, recordsOf, type TreasuryWorld } from "./world.ts";

const DESTINATIONS = { destinations: CONFIG.treasury.destinations, rails: CONFIG.treasury.rails };

const TWO = { persons: 2, people: [{ name: "anna" }, { name: "ben" }] };
const PLANS = "mints and rails go out with a plan that";
const WAY = "and pegbot approve, unless byHand is true; nothing was sent";
const REBALANCE = "pegbot rebalance --execute";
const ALONE = {
  "where two must approve": [
    TWO,
    `treasury.approvals.persons is 2: ${PLANS} 2 people have approved, by --propose or ${REBALANCE}, ${WAY}`,
  ],
  "where it is told": [
    { byHand: false },
    `treasury.approvals.byHand is false: ${PLANS} a person has approved, by ${REBALANCE} ${WAY}`,
  ],
} as const;

const MOVES: Readonly<Record<string, (world: TreasuryWorld, config: Config) => Command>> = {
  mint: (world, config) => world.mint({}, { config }),
  rail: (world, config) => world.rail("off", "vchf-out", {}, { config }),
};

for (const [where, [rules, why]] of Object.entries(ALONE))
  test.each(Object.entries(MOVES))(
    `%s of one person is refused ${where}, with the way that is left`,
    async (_, move) => {
      const world = await opened();
      const { code, stderr } = await world.end(move(world, configOf(DESTINATIONS, rules)));
      expect(code).toBe(3);
      expect(stderr).toContain(why);
      expect(recordsOf(world, "sending")).toEqual([]);
    },
  );

test("one person mints where that is said, although plans need two", async () => {
  const world = await opened();
  const config = configOf(DESTINATIONS, { ...TWO, byHand: true });
  const { code, stderr } = await world.end(MOVES.mint?.(world, config) as Command);
  expect([code, world.calls("mintTokens")], stderr).toEqual([0, [expect.anything()]]);
});

test("the mint of an approved plan goes out", async () => {
  const config = configOf(DESTINATIONS, { byHand: false });
  const world = await opened(carrier(config));
  const { code, stderr } = await world.end(rebalancing(world, config, { execute: true }), 60 * MINUTE);
  expect(code, stderr).toBe(0);
  expect(world.calls("mintTokens")).toHaveLength(1);
  expect(progress(world).at(-1)).toMatch(/^done: /);
});
