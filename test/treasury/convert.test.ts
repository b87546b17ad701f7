// A conversion from the wish to its end, on virtual time: over orders and a mint, within its cost, and over restarts.

import { describe, expect, test } from "vitest";
import { rowsOf } from "../../src/cli/conversion/rows.ts";
import { Money } from "../../src/domain/money/money.ts";
import { linesOf } from "../../src/treasury/approval/plan-content.ts";
import { PlanLog } from "../../src/treasury/approval/plan-log.ts";
import restless from "../fixture/strategy/restless.ts";
import { CALM, expectTrue, lived, moved } from "./lives.ts";
import { approving, carrier, configOf, MINUTE, opened, progress, TWO } from "./rebalance-world.ts";
import { type BotOptions, CHF, recordsOf, type TreasuryWorld, VCHF } from "./world.ts";

const CONFIG = configOf();
const BOT: BotOptions = { ...carrier(CONFIG), settings: CALM };
const SALE = { amount: "20000", from: "VCHF", to: "CHF", maxCostBps: "60" };

function converting(world: TreasuryWorld, input: object = SALE, asking: object = {}) {
  return world.asks("convert", input, { config: CONFIG, ...asking });
}

test("coins are sold in orders until all of them are converted, and each move is as the venue has it", async () => {
  const world = await opened(BOT);
  const { code, stdout, stderr } = await world.end(converting(world), 60 * MINUTE);
  expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^done {2}R-/)]);
  expect(String(moved(world, VCHF))).toBe("-20000");
  expectTrue(world);
  // At par and without fees it has lost what it brought less than it took.
  const log = new PlanLog();
  for (const entry of world.journal.entries) log.fold(entry);
  const [row, ...more] = rowsOf(log);
  const brought = String(moved(world, CHF));
  expect([row?.left, row?.arrived, row?.value, row?.state, more]).toEqual(["20000", brought, "20000", "done", []]);
  expect(row?.cost).toBe(String(Money.of("20000", CHF).minus(moved(world, CHF))));
  expect(row?.ways.length).toBeGreaterThan(0);
});

test("what is bought is exact: no more arrives than was wanted but a lot", async () => {
  const world = await opened(BOT);
  const wish = { amount: "12000", from: "CHF", to: "VCHF", buy: true, maxCostBps: "60" };
  const { code, stderr } = await world.end(converting(world, wish), 60 * MINUTE);
  expect(code, stderr).toBe(0);
  expect(String(moved(world, VCHF))).toBe("12000");
  expectTrue(world);
});

test("a mint that is cheaper and in time goes first, and orders do the rest", async () => {
  const world = await opened(BOT);
  const wish = { amount: "125000", from: "CHF", to: "VCHF", by: "8h", maxCostBps: "60" };
  const { code, stderr } = await world.end(converting(world, wish), 600 * MINUTE);
  expect(code, stderr).toBe(0);
  expect([world.calls("mintTokens").length, world.calls("addOrder").length > 0]).toEqual([1, true]);
  expectTrue(world);
});

test("nothing is sent that costs more than it may, and at its deadline it says what is left", async () => {
  const world = await opened(BOT);
  const wish = { ...SALE, maxCostBps: "1", by: "5m" };
  const { code, stdout, stderr } = await world.end(converting(world, wish), 60 * MINUTE);
  expect([code, stdout], stderr).toEqual([3, expect.stringMatching(/^stopped {2}R-.*20000 VCHF/)]);
  expect(world.calls("addOrder")).toEqual([]);
});

test("a second conversion of the same two holdings is refused while the first goes on", async () => {
  const world = await opened(BOT);
  const first = converting(world, { ...SALE, maxCostBps: "1", by: "30m" });
  await world.pass(MINUTE);
  const { code } = await world.end(converting(world));
  expect([code, first.finished]).toEqual([3, undefined]);
});

test("the strategy cannot buy back what a conversion gives, until it has ended", async () => {
  const world = await opened({ ...BOT, strategy: restless });
  const sides = (since: number): readonly string[] =>
    recordsOf(world, "step").flatMap(({ at, step }) =>
      at < since
        ? []
        : step.decisions.map(
            ({ proposal, verdict: { kind, ...more } }) =>
              `${proposal?.side} ${kind === "refused" && "refusal" in more ? more.refusal.rule : kind}`,
          ),
    );
  const began = world.clock.now();
  await world.end(converting(world, { ...SALE, maxCostBps: "1", by: "5m" }), 60 * MINUTE);
  const during = sides(began);
  expect(during).toContain("buy PR08");
  expect(during).toContain("sell approved");
  const ended = world.clock.now();
  await world.pass(5 * MINUTE);
  expect(sides(ended)).toContain("buy approved");
  expect(sides(ended)).not.toContain("buy PR08");
});

test.each([[{ from: "VCHF", to: "CHF@BANK" }], [{ from: "VCHF", to: "VCHF" }], [{ to: "XXX" }], [{ by: "8d" }]])(
  "what it cannot do is wrong usage: %o",
  async (wrong) => {
    const world = await opened(BOT);
    const { code } = await world.end(converting(world, { ...SALE, ...wrong }));
    expect([code, recordsOf(world, "plan")]).toEqual([2, []]);
  },
);

describe("where two must approve", () => {
  const STRICT = configOf({}, TWO);

  test("it waits with its terms for the other person, a second one is refused, and once approved it is carried out", async () => {
    const world = await opened({ ...BOT, config: STRICT });
    const { code } = await world.end(converting(world, SALE, { config: STRICT }));
    expect([code, world.calls("addOrder")]).toEqual([0, []]);
    const [plan] = recordsOf(world, "plan");
    if (plan === undefined) throw new Error("there must be a plan");
    expect(linesOf(plan)[0]).toMatch(/20,000 VCHF to CHF .*60 bp/);
    expect((await world.end(converting(world, SALE, { config: STRICT }))).code).toBe(3);
    expect((await world.end(approving(world, STRICT, plan.id, { by: "ben" }))).code).toBe(0);
    await world.pass(30 * MINUTE);
    expect(progress(world).at(-1)).toMatch(/^done/);
    expectTrue(world);
  });

  test("one that one person began ends where the next process asks for two", async () => {
    const world = await opened(BOT);
    converting(world, { ...SALE, maxCostBps: "1" });
    await world.pass(MINUTE);
    world.killBot();
    world.bot({ ...BOT, config: STRICT });
    await world.pass(5 * MINUTE);
    expect([progress(world).at(-1)?.split(":")[0], world.calls("addOrder")]).toEqual(["stopped", []]);
  });
});

describe("a person", () => {
  const steered = (world: TreasuryWorld, id: string, end: string) =>
    world.end(world.asks("conversion", { id, end, reason: "month end" }, { config: CONFIG }));

  test("pauses it, resumes it and finishes it early", async () => {
    const world = await opened(BOT);
    const command = converting(world, { ...SALE, amount: "400000" });
    await world.pass(MINUTE);
    const id = recordsOf(world, "plan")[0]?.id ?? "";
    expect((await steered(world, id, "pause")).code).toBe(0);
    const sent = world.calls("addOrder").length;
    await world.pass(10 * MINUTE);
    expect([world.calls("addOrder").length, command.finished]).toEqual([sent, undefined]);
    expect((await steered(world, id, "resume")).code).toBe(0);
    await world.pass(3 * MINUTE);
    expect(world.calls("addOrder").length).toBeGreaterThan(sent);
    expect((await steered(world, id, "finish")).code).toBe(0);
    await world.pass(10 * MINUTE);
    expect([(await steered(world, id, "pause")).code, command.finished?.code]).toEqual([2, 4]);
    expectTrue(world);
  });
});

const SEEDS = [5201, 5203, 5204];
const DEATHS = 20;

test.each(SEEDS)(
  `killed at ${DEATHS} drawn writes of a hostile day, it goes on, sends nothing twice and tells what the venue did, seed %i`,
  async (seed) => {
    const wish = { amount: "460000", from: "VCHF", to: "CHF", maxCostBps: "90" };
    await lived({
      seed,
      deaths: DEATHS,
      least: DEATHS,
      apart: 20,
      bot: BOT,
      begin: (world) => converting(world, wish),
    });
  },
);
