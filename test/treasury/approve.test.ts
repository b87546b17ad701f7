// `approve` of a person: good for exactly what was shown, for a while, once, by different people.

import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import type { Config } from "../../src/config/schema.ts";
import { personHere } from "../../src/operation/person.ts";
import {
  approving,
  carrier,
  configOf,
  declining,
  MINUTE,
  opened,
  progress,
  rebalancing,
  TREASURY,
  TWO,
  thePlan,
} from "./rebalance-world.ts";
import { CHF, recordsOf, SLOW_BOT, type TreasuryWorld } from "./world.ts";

/** A plan that the person here has proposed and approved, and that waits for the second one. */
async function proposed(
  bot: "carries" | "rests" = "rests",
  /** Of the running bot, where it is another. */
  changed: object = {},
): Promise<{ world: TreasuryWorld; config: Config; id: string }> {
  const config = configOf({}, TWO);
  const world = await opened(bot === "carries" ? carrier(configOf(changed, TWO)) : SLOW_BOT);
  const { code, stdout, stderr } = await world.end(rebalancing(world, config, { execute: true }));
  const { id } = thePlan(world);
  expect([code, stdout], stderr).toEqual([
    3,
    expect.stringContaining(`waiting  ${id}  approved by ${personHere()}; 1 more`),
  ]);
  return { world, config, id };
}

const approvers = (world: TreasuryWorld): readonly string[] => recordsOf(world, "approval").map(({ by }) => by);

describe("an approval", () => {
  test("by the second person has the running bot carry the plan out, once", async () => {
    const { world, config, id } = await proposed("carries");
    await world.pass(MINUTE);
    expect([progress(world), world.calls("addOrder").length]).toEqual([[], 0]);
    const { code, stdout, stderr } = await world.end(approving(world, config, id, { by: "ben" }));
    expect([code, stdout], stderr).toEqual([
      0,
      expect.stringMatching(/^approved +R-.* by ben; the running bot carries it out/),
    ]);
    expect(stderr).toMatch(
      /step 1 +convert CHF to 125,000 VCHF by .*\nstep 2 +buy VCHF\/CHF at .*\nstep 3 +mint VCHF on ETH, .* for .*, its fee at most 1\d\d\.?\d* CHF\n/,
    );
    // 625,000 are wanted: who agrees sees what there is now, and after it.
    expect(stderr).toMatch(
      /\nholding +VCHF: now 500,000\.00 \(outside\), after 625,\d\d\d\.\d\d, its band is 625,000 to any\n/,
    );
    expect(stderr).toMatch(/\ncost +at most \d+\.\d\d CHF at fair value\n/);
    await world.pass(5 * MINUTE);
    expect([progress(world)[0], progress(world).at(-1)]).toEqual(["begun: a conversion", "done: all of it"]);
    const orders = world.calls("addOrder").length;
    const again = await world.end(approving(world, config, id, { by: "ben" }));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("no plan")]);
    await world.pass(5 * MINUTE);
    expect([world.calls("addOrder").length, world.calls("mintTokens").length, world.halts()]).toEqual([orders, 1, []]);
  });

  test("of a mint is of the most that its fee may be, whatever the configuration says when it is sent", async () => {
    const { world, config, id } = await proposed("carries", { mint: { ...TREASURY.mint, feeBpsMax: 60 } });
    await world.end(approving(world, config, id, { by: "ben" }));
    await world.pass(5 * MINUTE);
    const [mint] = recordsOf(world, "intent").flatMap(({ request }) => (request.kind === "mint" ? [request.mint] : []));
    expect(progress(world).at(-1)).toBe("done: all of it");
    // 10 bp of what is minted.
    expect(mint?.feeMax.equals(mint.quantity.of(CHF).share(10, "up"))).toBe(true);
    expect(mint?.spentMax.equals(mint.quantity.of(CHF).plus(mint.feeMax))).toBe(true);
  });

  test("by the same person a second time counts for nothing", async () => {
    const { world, config, id } = await proposed("carries");
    const { code, stderr } = await world.end(approving(world, config, id));
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`${personHere()} has approved it already; nothing was changed`),
    ]);
    await world.pass(2 * MINUTE);
    expect([approvers(world), progress(world)]).toEqual([[personHere()], []]);
  });

  test("of a plan that somebody has declined is refused, and a no needs a reason and a plan that is not begun", async () => {
    const { world, config, id } = await proposed("carries");
    const mute = await world.end(declining(world, config, id, { by: "ben", reason: " " }));
    expect([mute.code, mute.stderr]).toEqual([2, expect.stringContaining("a reason is needed")]);
    const said = await world.end(declining(world, config, id, { by: "ben" }));
    expect([said.code, said.stdout], said.stderr).toEqual([
      0,
      expect.stringMatching(new RegExp(`^declined  ${id}  by ben; `)),
    ]);
    expect(said.stderr).toMatch(/\nholding +VCHF: now 500,000\.00 \(outside\)/);
    expect(progress(world)).toEqual(["declined: too dear"]);
    const late = await world.end(approving(world, config, id, { by: "ben" }));
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("no plan")]);
    await world.pass(MINUTE);
    expect([progress(world).length, world.calls("addOrder").length]).toEqual([1, 0]);
    expect((await world.end(rebalancing(world, config, { execute: true }))).code).toBe(3);
    const used = recordsOf(world, "plan").at(-1)?.id ?? "";
    expect((await world.end(approving(world, config, used, { by: "ben" }))).code).toBe(0);
    await world.pass(MINUTE);
    expect(progress(world)[1]).toMatch(/^begun/);
    const after = await world.end(declining(world, config, used, { by: "ben" }));
    expect([after.code, after.stderr]).toEqual([2, expect.stringContaining("no plan")]);
  });

  test("by fewer people than the running bot asks for is carried out by nobody", async () => {
    const config = configOf({}, TWO);
    const world = await opened(carrier(config));
    const alone = configOf({}, { persons: 1, people: [{ name: "anna" }] });
    const { code } = await world.end(rebalancing(world, alone, { execute: true }));
    expect(code).toBe(3);
    const { id } = thePlan(world);
    const first = await world.end(approving(world, config, id));
    expect([first.code, first.stdout], first.stderr).toEqual([0, expect.stringContaining("1 of 2 people")]);
    await world.pass(2 * MINUTE);
    expect([thePlan(world).persons, progress(world), world.calls("addOrder").length]).toEqual([1, [], 0]);
    // The status asks for the second one.
    const { rebalancer, books } = world.tradingCore as Engine;
    expect(rebalancer?.waiting(books.now).map(({ plan, approvals }) => [plan.persons, approvals.length])).toEqual([
      [2, 1],
    ]);
    expect((await world.end(approving(world, config, id, { by: "ben" }))).code).toBe(0);
    await world.pass(2 * MINUTE);
    expect(progress(world)[0]).toMatch(/^begun/);
  });

  test("without a confirmation is none", async () => {
    const { world, config, id } = await proposed();
    const { code, stderr } = await world.end(approving(world, config, id, { by: "ben", yes: false }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("this needs a confirmation")]);
    expect(approvers(world)).toEqual([personHere()]);
  });
});
