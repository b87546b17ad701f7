// The rebalancer in a real bot on virtual time: it acts below its thresholds, asks above them, and an approval is good for exactly
// what was shown, for a while, once.

import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import { type PipelineSettings, pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../../src/journal/record.ts";
import { contentOf, digestOf } from "../../src/treasury/approval/plan-content.ts";
import { PlanLog } from "../../src/treasury/approval/plan-log.ts";
import type { HoldingName } from "../../src/treasury/plan/holding.ts";
import type { RebalancerRules } from "../../src/treasury/rebalancer/parts.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import type { TreasuryTerms } from "../../src/treasury/rebalancer/treasury-view.ts";
import { treasuryOf } from "../../src/watch/status/submission-list.ts";
import { CORE_FUNDS, PAIR } from "../support/bot-core.ts";
import type { Life } from "../support/crash-journal.ts";
import { CHF, recordsOf, SLOW_BOT, TreasuryWorld, VCHF } from "./world.ts";

const MINUTE = 60_000;
const QUICK = { settlement: { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE } };

const TERMS: TreasuryTerms = {
  targets: [{ holding: "VCHF" as HoldingName, low: undefined, target: undefined, high: Quantity.of("498000") }],
  returnTo: "edge",
  elsewhere: new Map(),
  costs: { stepCost: Quantity.of("0.1"), capitalBpsPerYear: 500, riskBpsPerDay: 5 },
  orders: {
    slippageBps: 10,
    ordersMax: 3,
    feeBps: 0,
    valueMax: Quantity.of("50000"),
    quantityMax: () => Quantity.of("50000"),
    refillMs: 30_000,
  },
  symbols: new Set([PAIR]),
  mints: [],
  rails: [],
  unused: [],
  reserveBps: 100,
  feeBpsMax: 20,
};

/** For the better part of an hour: prices are read just often enough to be believed. */
const SELDOM = {
  ...pipelineDefaults,
  tickMs: 4_000,
  polls: { ...pipelineDefaults.polls, quotesMs: 4_000, balancesMs: 60_000, historiesMs: 600_000 },
};

const MINT = {
  asset: VCHF,
  fiat: CHF,
  chain: "ETH",
  feeBpsMax: 10,
  minimum: Money.of("110000", CHF),
  marginBps: 0,
  quantityMax: undefined,
  feeBps: 0,
  feeFixed: Quantity.zero,
  hours: { opens: 0, cutOff: undefined, settlementMs: MINUTE },
};

const RULES: RebalancerRules = {
  automatic: true,
  costBpsMax: 100,
  lookMs: 10_000,
  orderValueMax: Quantity.of("5000"),
  mintValueMax: undefined,
  railValueMax: undefined,
  dayValueMax: Quantity.of("100000"),
  expiryMs: 5 * MINUTE,
  persons: 1,
  people: [],
};

type Change = { readonly terms?: Partial<TreasuryTerms>; readonly rules?: Partial<RebalancerRules> };

async function started(change: Change = {}): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(1, QUICK);
  await startedIn(world, change);
  return world;
}

const plans = (world: TreasuryWorld): PlanRecord[] => recordsOf(world, "plan");
const statesOf = (world: TreasuryWorld, id: string): PlanProgress["state"][] =>
  recordsOf(world, "plan-progress").flatMap((one) => (one.id === id ? [one.state] : []));
const held = (world: TreasuryWorld): number => world.reader().books.accounts.held(VCHF)?.toNumber() ?? 0;

const shownIn = (world: TreasuryWorld) => treasuryOf(world.tradingCore as Engine, millis(world.time.clock.now()));

async function approve(world: TreasuryWorld, change: Partial<ApprovalRecord> = {}): Promise<PlanRecord> {
  const plan = plans(world).at(-1) as PlanRecord;
  const at = millis(world.time.clock.now());
  const { id, digest } = plan;
  await world.decide({ kind: "approval", at, id, digest, by: "anna", ...change });
  await world.pass(10_000);
  return plan;
}

describe("below the thresholds", () => {
  test("the bot brings a holding back into its band by itself, through the gate, and then rests", async () => {
    const world = await started();
    const [plan] = plans(world);
    expect([plan?.persons, plan?.by]).toEqual([0, "bot"]);
    expect(statesOf(world, plan?.id ?? "")).toEqual(["begun", "sent", "step", "done"]);
    expect(held(world)).toBe(498_000);
    expect(world.calls("addOrder")).toHaveLength(1);
    await world.pass(2 * MINUTE);
    expect([plans(world).length, world.calls("addOrder").length, world.halts()]).toEqual([1, 1, []]);
  });

  test("it moves no more in a day than it may, and asks for the rest", async () => {
    const world = await started({ rules: { dayValueMax: Quantity.of("1000") } });
    expect(plans(world).map(({ persons }) => persons)).toEqual([1]);
    expect(plans(world)[0]?.why).toMatch(
      /^VCHF has 5[0-9,.]+, its band is .* to [0-9,.]+; people are asked because .*1000/,
    );
    expect(world.calls("addOrder")).toHaveLength(0);
  });

  test("it mints once, waits for the coins without asking for them again, and keeps the books of the venue", async () => {
    const targets = [
      { holding: "VCHF" as HoldingName, low: Quantity.of("620000"), target: undefined, high: undefined },
    ];
    const rules = { mintValueMax: Quantity.of("200000"), dayValueMax: Quantity.of("500000"), orderValueMax: undefined };
    const terms = { targets, mints: [MINT], symbols: new Set<string>() };
    const world = await started({ terms, rules });
    await world.pass(5 * MINUTE);
    expect(world.calls("mintTokens")).toHaveLength(1);
    expect([plans(world).length, world.halts()]).toEqual([1, []]);
    expect(held(world)).toBeGreaterThanOrEqual(620_000);
  });
});

describe("a mint that is refused", () => {
  const targets = [{ holding: "VCHF" as HoldingName, low: Quantity.of("620000"), target: undefined, high: undefined }];
  const rules = { mintValueMax: Quantity.of("200000"), dayValueMax: Quantity.of("200000"), orderValueMax: undefined };
  /** Below the venue's own minimum. */
  const small = { ...MINT, minimum: Money.of("90000", CHF), quantityMax: Quantity.of("95000") };
  const terms = { targets, mints: [small], symbols: new Set<string>() };
  const spentToday = (world: TreasuryWorld): string => {
    const log = new PlanLog();
    for (const entry of world.journal.entries) log.fold(entry);
    return String(Money.sum(log.unaskedToday(millis(world.time.clock.now())), CHF));
  };
  test("rests the bot's own plans for an hour, also of the next process, and uses up nothing of the day", async () => {
    const world = await TreasuryWorld.open(1, QUICK);
    const first = await startedIn(world, { terms, rules }, SELDOM);
    await world.pass(10 * MINUTE);
    expect([world.calls("mintTokens").length, plans(world).length]).toEqual([1, 1]);
    expect(shownIn(world).conversions?.[0]?.waitsFor).toMatch(/mint VCHF on ETH: it is left alone for an hour: .*min/);
    first.kill();
    await startedIn(world, { terms, rules }, SELDOM);
    expect(world.calls("mintTokens")).toHaveLength(1);
    await world.pass(40 * MINUTE);
    expect([world.calls("mintTokens").length, spentToday(world)]).toEqual([1, "0"]);
    await world.pass(30 * MINUTE);
    expect([world.calls("mintTokens").length, world.halts()]).toEqual([2, []]);
  });
});

describe("a plan of its own", () => {
  test("does not sell what was bought a while ago for more, until that is ten minutes ago", async () => {
    const targets = [
      { holding: "VCHF" as HoldingName, low: undefined, target: undefined, high: Quantity.of("500500") },
    ];
    const world = await TreasuryWorld.open(1, QUICK, CORE_FUNDS);
    await startedIn(world, { terms: { targets } }, SELDOM);
    const top = world.tradingCore?.books.topOf(PAIR);
    const price = ((top?.ask ?? 0) * 1.001).toFixed(5);
    const { code, stderr } = await world.end(world.order({ symbol: PAIR, quantity: "3000", price }));
    expect(code, stderr).toBe(0);
    await world.pass(3 * MINUTE);
    expect([held(world), plans(world).length]).toEqual([503_000, 0]);
    await world.pass(9 * MINUTE);
    expect(held(world)).toBe(500_500);
  });
});

describe("where the configuration has another band than the plan was made for", () => {
  const band = (high: string) => [
    { holding: "VCHF" as HoldingName, low: undefined, target: undefined, high: Quantity.of(high) },
  ];
  const restarted = async (rules: Partial<RebalancerRules>) => {
    const world = await TreasuryWorld.open(1, QUICK);
    const orders = { ...TERMS.orders, valueMax: Quantity.of("10000") };
    const first = await startedIn(world, { terms: { targets: band("300000"), orders }, rules });
    first.kill();
    const sold = world.calls("addOrder").length;
    if (rules.orderValueMax === undefined) await approve(world);
    await startedIn(world, { terms: { targets: band("600000"), orders }, rules });
    await world.pass(2 * MINUTE);
    expect([world.calls("addOrder").length, world.halts()]).toEqual([sold, []]);
    return [statesOf(world, plans(world)[0]?.id ?? "").at(-1), recordsOf(world, "plan-progress").at(-1)?.text];
  };

  test("it is not carried on", async () => {
    expect(await restarted({ orderValueMax: Quantity.of("60000"), dayValueMax: Quantity.of("900000") })).toEqual([
      "stopped",
      "it is not needed any more: treasury.targets has no such band of VCHF now",
    ]);
  });

  test("it is not begun", async () => {
    expect(await restarted({ orderValueMax: undefined })).toEqual([
      "withdrawn",
      "by treasury.targets it is not needed: VCHF has another band now",
    ]);
  });
});

test("what is beyond the cost of its band is not begun and not asked for: it waits for a price", async () => {
  const [target] = TERMS.targets as [TreasuryTerms["targets"][number]];
  const counted = async (costBpsMax: number) =>
    plans(await started({ terms: { targets: [{ ...target, costBpsMax }] } })).length;
  expect([await counted(1), await counted(60)]).toEqual([0, 1]);
});

describe("orders of a plan", () => {
  const targets = [{ holding: "VCHF" as HoldingName, low: undefined, target: undefined, high: Quantity.of("440000") }];
  const rules = { orderValueMax: Quantity.of("70000"), dayValueMax: Quantity.of("70000") };

  test("of the same pair are apart by the time that it takes until there is a price again", async () => {
    const world = await started({ terms: { targets }, rules });
    await world.pass(2 * MINUTE);
    const intents = recordsOf(world, "intent").map(({ at }) => at);
    expect([intents.length > 1, held(world), world.halts()]).toEqual([true, 440_000, []]);
    for (const [i, at] of intents.slice(1).entries())
      expect(at - (intents[i] ?? 0)).toBeGreaterThanOrEqual(TERMS.orders.refillMs - 1_000);
    expect(statesOf(world, plans(world)[0]?.id ?? "").at(-1)).toBe("done");
  });
});

describe("above the thresholds", () => {
  const ASKING: Change = { rules: { orderValueMax: Quantity.of("100") } };

  test("nothing is sent before a person approves, and one approval is used once", async () => {
    const world = await started(ASKING);
    expect([plans(world).length, world.calls("addOrder").length]).toEqual([1, 0]);
    const plan = await approve(world);
    expect(statesOf(world, plan.id)[0]).toBe("begun");
    await world.pass(MINUTE);
    const sent = world.calls("addOrder").length;
    expect(sent).toBe(1);
    await approve(world, { id: plan.id, digest: plan.digest, by: "ben" });
    expect(statesOf(world, plan.id).filter((state) => state === "begun")).toHaveLength(1);
    expect(world.calls("addOrder")).toHaveLength(sent);
  });

  test("a plan that somebody declined is not begun though it was approved, and asked for again after an hour, not before", async () => {
    const world = await TreasuryWorld.open(1, QUICK);
    await startedIn(world, { rules: { ...ASKING.rules, persons: 2, people: [] } }, SELDOM);
    const plan = await approve(world);
    const at = millis(world.time.clock.now());
    await world.decide({ kind: "plan-progress", at, id: plan.id, state: "declined", text: "too dear", by: "ben" });
    await world.pass(55 * MINUTE);
    expect([plans(world).length, statesOf(world, plan.id)]).toEqual([1, ["declined"]]);
    const why = `${plan.id} declined: too dear`;
    expect(shownIn(world)).toMatchObject({
      plans: [],
      expired: [{ id: plan.id, declinedBy: "ben", why: "too dear" }],
      rest: { why, until: at + 60 * MINUTE },
    });
    await world.pass(10 * MINUTE);
    expect([plans(world).length, shownIn(world).plans.length]).toEqual([2, 1]);
  });

  test("an approval of other content, or after the expiry, approves nothing", async () => {
    const world = await started(ASKING);
    const plan = await approve(world, { digest: "0".repeat(64) });
    expect(statesOf(world, plan.id)).toEqual([]);
    await world.pass(6 * MINUTE);
    await approve(world, { id: plan.id, digest: plan.digest });
    expect([statesOf(world, plan.id), world.calls("addOrder").length]).toEqual([["expired"], 0]);
  });

  describe("a plan whose need is gone", () => {
    async function trade(world: TreasuryWorld, side: "buy" | "sell", price: string): Promise<void> {
      const { code, stderr } = await world.end(world.order({ side, symbol: PAIR, quantity: "3000", price }));
      expect(code, stderr).toBe(0);
      await world.pass(20_000);
    }

    /** VCHF is 2,000 above its band; a person sells 3,000 at the price of the plan. */
    async function eased(rules: Partial<RebalancerRules> = {}): Promise<{ world: TreasuryWorld; plan: PlanRecord }> {
      const world = await TreasuryWorld.open(1, QUICK, CORE_FUNDS);
      await startedIn(world, { rules: { ...ASKING.rules, ...rules } });
      const plan = plans(world)[0] as PlanRecord;
      const [step] = contentOf(plan).steps;
      await trade(world, "sell", step?.via.kind === "order" ? step.via.limit : "");
      return { world, plan };
    }

    test("is not begun by an approval that comes too late, and whoever approved it is told", async () => {
      const { world, plan } = await eased({ lookMs: 30 * MINUTE });
      await approve(world);
      await world.pass(MINUTE);
      expect([statesOf(world, plan.id), world.calls("addOrder").length]).toEqual([["withdrawn"], 1]);
      expect(shownIn(world).expired).toMatchObject([
        { id: plan.id, why: expect.stringMatching(/^by treasury.targets it is not needed/) },
      ]);
    });
  });

  describe("what was approved while no bot ran", () => {
    /** The next bot hears no prices, for a minute. */
    async function approvedAlone(): Promise<{ world: TreasuryWorld; plan: PlanRecord }> {
      const world = await TreasuryWorld.open(1, QUICK);
      const first = await startedIn(world, ASKING);
      first.kill();
      const plan = await approve(world);
      world.setFaults({ rules: [{ fault: "status", status: 500, on: "quotes" }] });
      await startedIn(world, ASKING);
      expect(refusals(world)).toEqual([]);
      expect(world.tradingCore?.strategy.name).toBe("still");
      return { world, plan };
    }
    const refusals = (world: TreasuryWorld): readonly string[] =>
      recordsOf(world, "step").flatMap(({ step }) =>
        step.decisions.flatMap(({ verdict }) => (verdict.kind === "refused" ? [verdict.refusal.message] : [])),
      );

    test("sends nothing before the next one has prices", async () => {
      const { world, plan } = await approvedAlone();
      expect([statesOf(world, plan.id), world.calls("addOrder")]).toEqual([["begun"], []]);
      world.setFaults({ rules: [] });
      await world.pass(MINUTE);
      expect([statesOf(world, plan.id), refusals(world)]).toEqual([["begun", "sent", "step", "done"], []]);
    });

    test("sends nothing at prices that come after its deadline", async () => {
      const { world, plan } = await approvedAlone();
      await world.pass(10 * MINUTE);
      world.setFaults({ rules: [] });
      await world.pass(2 * MINUTE);
      expect([statesOf(world, plan.id), world.calls("addOrder").length]).toEqual([["begun", "stopped"], 0]);
    });
  });

  test("two people are two names: the same one twice, or somebody else, is not enough", async () => {
    const people = [{ name: "anna" }, { name: "ben" }];
    const world = await started({ rules: { orderValueMax: Quantity.of("100"), persons: 2, people } });
    await approve(world);
    await approve(world);
    const plan = await approve(world, { by: "eve" });
    expect(statesOf(world, plan.id)).toEqual([]);
    await approve(world, { by: "ben" });
    expect(statesOf(world, plan.id)[0]).toBe("begun");
  });

  test("the cost that is approved is the most that its steps may lose at the prices of later", async () => {
    const world = await started(ASKING);
    const { cost, conversion, steps } = contentOf(plans(world)[0] as PlanRecord);
    const value = steps.reduce((sum, step) => sum + Number(step.value), 0);
    expect(Number(cost)).toBeGreaterThanOrEqual((value * (conversion?.costBpsMax ?? 0)) / 10_000);
  });

  test("how many must approve is a part of what is approved", async () => {
    const world = await started(ASKING);
    const plan = plans(world)[0] as PlanRecord;
    expect(digestOf(plan)).toBe(plan.digest);
    expect(digestOf({ ...plan, persons: 0 })).not.toBe(plan.digest);
  });
});

test("a step whose outcome is unknown is waited for: what it moved is known before anything more is sent", async () => {
  const targets = [{ holding: "VCHF" as HoldingName, low: undefined, target: undefined, high: Quantity.of("480000") }];
  const rules = { orderValueMax: Quantity.of("60000"), dayValueMax: Quantity.of("200000") };
  const world = await TreasuryWorld.open(1, QUICK);
  world.setFaults({ rules: [{ fault: "lost-answer", on: "addOrder", times: 1 }] });
  const orders = { ...TERMS.orders, valueMax: Quantity.of("10000") };
  await startedIn(world, { terms: { targets, orders }, rules });
  // The next order is made after the history has shown the first.
  const [first, second] = ["sent", "step"].map((state) =>
    recordsOf(world, "plan-progress").findIndex((one) => one.state === state),
  );
  expect([first, second]).toEqual([1, 2]);
  await world.pass(5 * MINUTE);
  expect([world.calls("addOrder").length, held(world), world.halts()]).toEqual([2, 480_000, []]);
});

/** `settings`: without its own, a bot whose prices are young enough to order by. */
async function startedIn(
  world: TreasuryWorld,
  { terms = {}, rules = {} }: Change,
  settings: PipelineSettings = pipelineDefaults,
): Promise<Life> {
  const life = world.bot({
    ...SLOW_BOT,
    settings,
    dress: (core, writer) => ({
      ...core,
      rebalancer: new Rebalancer({
        terms: { ...TERMS, ...terms },
        rules: { ...RULES, ...rules },
        rails: new Map(),
        wallets: [],
        saltDecimals: 2,
        quoteAgeMsMax: 10_000,
        writer,
        random: createRandom(7),
      }),
    }),
  });
  await world.pass(MINUTE);
  return life;
}
