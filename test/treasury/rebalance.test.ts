// `rebalance` of a person beside a running bot, on virtual time: it shows before it acts, takes its steps in order, and ends at
// the first that does not end well.

import { describe, expect, test } from "vitest";
import { contentOf } from "../../src/treasury/approval/plan-content.ts";
import { carrier, configOf, MINUTE, opened, progress, rebalancing, TREASURY, thePlan } from "./rebalance-world.ts";
import { CONFIG, close, recordsOf, type TreasuryWorld, VCHF } from "./world.ts";

const EXECUTE = { execute: true };

/** Orders and mints that reached the venue. */
function sent(world: TreasuryWorld): readonly number[] {
  return [world.calls("addOrder").length, world.calls("mintTokens").length];
}

describe("without --execute", () => {
  test("the plan is shown with what each route costs, and nothing is sent or journaled", async () => {
    const world = await opened();
    const { code, stdout, stderr } = await world.end(rebalancing(world, configOf()));
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^VCHF .* 625,000 to any +500,000\.00 ! +625,000\.\d\d/m);
    expect(stdout).toMatch(/^1 buy VCHF\/CHF at [01]\.\d+ +[0-9,.]+ CHF +5,0\d\d\.00 VCHF .* at once$/m);
    expect(stdout).toMatch(/^2 mint VCHF on ETH .* in 4:00:00$/m);
    expect(stdout).toMatch(
      /^buy VCHF\/CHF and mint VCHF on ETH +[0-9.]+ +[0-9.]+ +1[12]\d,\d{3}\.00 +in 4:00:00 +0\.00$/m,
    );
    expect(stdout).toMatch(/^mint VCHF on ETH .* 5,001\.00$/m);
    expect([sent(world), recordsOf(world, "plan"), world.halts()]).toEqual([[0, 0], [], []]);
  });

  test("--json has the same plan as data, amounts as texts", async () => {
    const world = await opened();
    world.wantsJson = true;
    const { code, stdout, stderr } = await world.end(rebalancing(world, configOf()));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      currency: "CHF",
      steps: [
        {
          kind: "order",
          symbol: "VCHF/CHF",
          side: "buy",
          from: "CHF",
          to: "VCHF",
          limit: expect.stringMatching(/^[01]\.\d+$/),
        },
        { kind: "mint", asset: "VCHF", chain: "ETH", quantity: expect.stringMatching(/^1[12]\d{4}$/) },
      ],
      holdings: expect.arrayContaining([
        expect.objectContaining({
          holding: "VCHF",
          before: "500000",
          low: "625000",
          high: null,
          missingBefore: "125000",
        }),
      ]),
      closed: [],
    });
  });

  test("no targets are wrong usage", async () => {
    const world = await opened();
    const { code, stderr } = await world.end(rebalancing(world, configOf({ targets: {} })));
    expect([code, stderr]).toEqual([2, expect.stringContaining("there are no targets to reach")]);
  });
});

describe("with --execute", () => {
  test("it is a conversion by a mint and orders that ends when its band is reached, and then there is nothing to do", async () => {
    const world = await opened(carrier(configOf()));
    const { code, stdout, stderr } = await world.end(rebalancing(world, configOf(), EXECUTE), 60 * MINUTE);
    expect(code, stderr).toBe(0);
    const { id, persons, content } = thePlan(world);
    const aim = { holding: "VCHF", low: "625000" };
    expect(contentOf({ content }).conversion).toMatchObject({ from: "CHF", to: "VCHF", isBuy: true, aim });
    expect(stdout).toMatch(new RegExp(`^done +${id}`, "m"));
    expect([persons, progress(world)[0], progress(world).at(-1)]).toEqual([
      1,
      "begun: a conversion",
      "done: all of it",
    ]);
    const [orders = 0, mints] = sent(world);
    expect([orders > 0, mints]).toEqual([true, 1]);
    const soon = await world.end(rebalancing(world, configOf(), EXECUTE));
    expect([soon.code, soon.stdout]).toEqual([
      0,
      expect.stringContaining("nothing to do: every holding is in its band"),
    ]);
    await world.pass(20 * MINUTE);
    expect(world.reader().books.accounts.held(VCHF)?.toNumber()).toBeGreaterThanOrEqual(625_000);
    expect([sent(world), world.halts()]).toEqual([[orders, 1], []]);
  });

  test("nothing happens without a confirmation", async () => {
    const world = await opened();
    const { code, stderr } = await world.end(rebalancing(world, configOf(), { execute: true }, { yes: false }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("this needs a confirmation")]);
    expect([sent(world), recordsOf(world, "plan")]).toEqual([[0, 0], []]);
  });

  test("plan, approval and beginning are one write: no bot finds it approved and not begun", async () => {
    const world = await opened(carrier(configOf()));
    const writes: string[][] = [];
    world.journal.hook = (_, when, records) => {
      if (when === "after") writes.push(records.map(({ kind }) => kind));
    };
    world.wantsJson = true;
    const { stdout } = await world.end(rebalancing(world, configOf(), EXECUTE), 60 * MINUTE);
    // What became of the plan is the one value of --json.
    expect(JSON.parse(stdout)).toMatchObject({
      id: thePlan(world).id,
      outcome: "done",
    });
    expect(writes.filter((kinds) => kinds.includes("plan"))).toEqual([
      ["plan", "approval", "plan-progress", "operation"],
    ]);
  });

  test("of two at once one is carried out, and the other is refused", async () => {
    const world = await opened(carrier(configOf()));
    const commands = [rebalancing(world, configOf(), EXECUTE), rebalancing(world, configOf(), EXECUTE)];
    const ends = [];
    for (const command of commands) ends.push(await world.end(command, 60 * MINUTE));
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 3]);
    expect(ends.find(({ code }) => code === 3)?.stderr).toMatch(
      /R-.* converts between CHF and VCHF already: .*; nothing was sent/,
    );
    expect([sent(world)[1], recordsOf(world, "plan").length]).toEqual([1, 1]);
  });

  test("several holdings are several conversions of one turn, and the command follows them all", async () => {
    const { destinations, rails } = CONFIG.treasury;
    const planning = { orders: { slippageBps: 10 }, rails: { "vchf-out": { minimum: "1000" } } };
    const targets = { CHF: { low: "1001000" }, "CHF@BANK": { low: "5000" } };
    const config = configOf({ targets, destinations, rails, planning });
    const world = await opened(carrier(config));
    const command = rebalancing(world, config, EXECUTE);
    await world.pass(2 * MINUTE);
    const aims = recordsOf(world, "plan").map(({ content }) => contentOf({ content }).conversion?.aim?.holding);
    expect([aims.sort(), command.finished]).toEqual([["CHF", "CHF@BANK"], undefined]);
    expect(progress(world).filter((text) => text.startsWith("done"))).toHaveLength(1);
    for (const { plan } of world.tradingCore?.rebalancer?.log.conversions() ?? [])
      await world.end(world.asks("conversion", { id: plan.id, end: "finish", reason: "enough" }, { config }));
    const [payment] = world.reader().executor.treasury.payments.expectations();
    expect((await world.end(close(world, payment?.id ?? "", { notLanded: true }))).code).toBe(0);
    // One of the two did what it was for.
    expect((await world.end(command)).code).toBe(4);
  });

  test("a mint that the venue refuses is left alone for an hour, and orders go on within the cost that was approved", async () => {
    const mint = { ...TREASURY.mint, minimum: "90000", quantityMax: { VCHF: "95000" } };
    const config = configOf({ targets: { VCHF: { low: "600000" } }, mint });
    const world = await opened(carrier(config));
    rebalancing(world, config, EXECUTE);
    await world.pass(10 * MINUTE);
    expect(progress(world)).toContainEqual(expect.stringMatching(/^step: .*rejected: .*min_/));
    const [orders = 0, mints] = sent(world);
    expect([orders > 0, mints]).toEqual([true, 1]);
  });

  test("where the owner of the key ends, the next one goes on with it", async () => {
    const world = await opened(carrier(configOf()));
    const command = rebalancing(world, configOf(), EXECUTE);
    world.journal.hook = (life, when, records) => {
      if (when === "after" && records.some(({ kind }) => kind === "plan")) life.kill();
    };
    await world.pass(MINUTE);
    expect(command.finished).toBeUndefined();
    world.journal.hook = undefined;
    world.bot(carrier(configOf()));
    await world.pass(20 * MINUTE);
    expect([progress(world).at(-1), sent(world)[1]]).toEqual(["done: all of it", 1]);
  });
});
