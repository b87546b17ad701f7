// `rebalance` of a person beside a running bot, on virtual time: it shows before it acts, takes its steps in order, and ends at
// the first that does not end well.

import { describe, expect, test } from "vitest";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { configOf, MINUTE, opened, progress, rebalancing, TREASURY, thePlan } from "./rebalance-world.ts";
import { recordsOf, SLOW_BOT, type TreasuryWorld, VCHF } from "./world.ts";

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
  test("an order is filled and a mint accepted, in this order, and afterwards there is nothing to do", async () => {
    const world = await opened();
    const { code, stdout, stderr } = await world.end(rebalancing(world, configOf(), EXECUTE));
    expect(code, stderr).toBe(0);
    const { id, persons } = thePlan(world);
    expect(stdout).toMatch(new RegExp(`^done +${id} +2 steps`, "m"));
    expect([persons, progress(world)]).toEqual([
      1,
      [
        "begun: 2 steps",
        expect.stringMatching(/^step: 1 buy VCHF\/CHF: done as /),
        expect.stringMatching(/^step: 2 mint VCHF on ETH: done as /),
        "done: 2 steps",
      ],
    ]);
    expect(sent(world)).toEqual([1, 1]);
    const soon = await world.end(rebalancing(world, configOf(), EXECUTE));
    expect([soon.code, soon.stdout]).toEqual([
      0,
      expect.stringContaining("nothing to do: every holding is in its band"),
    ]);
    await world.pass(20 * MINUTE);
    expect(world.reader().books.accounts.held(VCHF)?.toNumber()).toBeGreaterThanOrEqual(625_000);
    expect([sent(world), world.halts()]).toEqual([[1, 1], []]);
  });

  test("nothing happens without a confirmation", async () => {
    const world = await opened();
    const { code, stderr } = await world.end(rebalancing(world, configOf(), { execute: true }, { yes: false }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("this needs a confirmation")]);
    expect([sent(world), recordsOf(world, "plan")]).toEqual([[0, 0], []]);
  });

  test("plan, approval and beginning are one write: no bot finds it approved and not begun", async () => {
    const world = await opened();
    const writes: string[][] = [];
    world.journal.hook = (_, when, records) => {
      if (when === "after") writes.push(records.map(({ kind }) => kind));
    };
    world.wantsJson = true;
    const { stdout } = await world.end(rebalancing(world, configOf(), EXECUTE));
    // What became of the plan is the one value of --json.
    expect(JSON.parse(stdout)).toMatchObject({
      id: thePlan(world).id,
      outcome: "done",
    });
    expect(writes.filter((kinds) => kinds.includes("plan"))).toEqual([
      ["plan", "approval", "plan-progress", "step", "intent", "operation"],
    ]);
  });

  test("of two at once one is carried out, and the other is refused", async () => {
    const world = await opened();
    const commands = [rebalancing(world, configOf(), EXECUTE), rebalancing(world, configOf(), EXECUTE)];
    const ends = [];
    for (const command of commands) ends.push(await world.end(command));
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 3]);
    expect(ends.find(({ code }) => code === 3)?.stderr).toMatch(/another plan is under way: R-.*; nothing was sent/);
    expect([sent(world), recordsOf(world, "plan").length]).toEqual([[1, 1], 1]);
  });

  const once = (rule: object): FaultsSetting => ({ rules: [{ ...rule, times: 1 }] }) as FaultsSetting;
  const ENDS = [
    {
      name: "a refused order",
      faults: once({
        fault: "error-inside",
        on: "addOrder",
        executes: false,
        ...{ status: 400, inner: 400, code: "unknown_symbol" },
      }),
      code: 3,
      calls: [1, 0],
      text: /^0 of 2 steps done; buy VCHF\/CHF: .*; not begun: mint VCHF on ETH$/,
    },
  ];

  test.each(ENDS)("$name ends the plan with exit code $code, and says what is done and what is open", async (end) => {
    const world = await opened();
    world.setFaults(end.faults);
    const { code, stdout, stderr } = await world.end(rebalancing(world, configOf(), EXECUTE));
    expect(code, stderr + stdout).toBe(end.code);
    const last = recordsOf(world, "plan-progress").at(-1);
    expect([last?.state, last?.text]).toEqual(["stopped", expect.stringMatching(end.text)]);
    // What did not go through is no step on record: whoever reads it would take the route for an open one.
    const steps = Array<string>(Number(last?.text[0])).fill("step");
    expect(recordsOf(world, "plan-progress").map(({ state }) => state)).toEqual(["begun", ...steps, "stopped"]);
    expect(stdout).toContain(`stopped  ${thePlan(world).id}  ${last?.text}`);
    expect(sent(world)).toEqual(end.calls);
  });

  test("a mint that the venue refuses ends the plan after its order, with exit code 4: the order traded", async () => {
    const world = await opened();
    const mint = { ...TREASURY.mint, minimum: "90000", quantityMax: { VCHF: "95000" } };
    const config = configOf({ targets: { VCHF: { low: "600000" } }, mint });
    const { code, stdout, stderr } = await world.end(rebalancing(world, config, EXECUTE));
    expect(code, stderr).toBe(4);
    expect(stdout).toMatch(
      /stopped .* 1 of 2 steps done; mint VCHF on ETH: .* was rejected: min_amount_below_threshold.*; not begun: none/,
    );
  });

  test("where the owner of the key ends, the plan ends before its next step", async () => {
    const world = await opened();
    const command = rebalancing(world, configOf(), EXECUTE);
    world.journal.hook = (life, when, records) => {
      if (when === "after" && records.some(({ kind }) => kind === "plan")) life.kill();
    };
    await world.pass(MINUTE);
    expect(command.finished).toBeUndefined();
    world.journal.hook = undefined;
    world.bot({ ...SLOW_BOT, config: configOf() });
    await world.pass(3 * MINUTE);
    expect(progress(world)).toEqual(["begun: 2 steps", expect.stringContaining("stopped: its process ended before")]);
    expect(sent(world)).toEqual([0, 0]);
  });
});
