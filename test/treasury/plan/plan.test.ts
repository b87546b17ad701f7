// What a plan says, to the last digit: doors made by hand, and every figure that people read, approve or are limited by.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { assetOf, type PotName } from "../../../src/treasury/plan/holding.ts";
import { lotsOver } from "../../../src/treasury/plan/order-routes.ts";
import {
  makePlan,
  type Plan,
  type PlanInput,
  type PlanStep,
  withoutIdle,
  withoutTuning,
} from "../../../src/treasury/plan/plan.ts";
import { countedCost, type Door, moneyOfValue, roundedUp, valueWith } from "../../../src/treasury/plan/route.ts";
import { alternativesTo } from "../../../src/treasury/plan/situation.ts";
import { band, CHF, holding } from "./market-stage.ts";

const DAY_MS = 86_400_000;
const money = (text: string, pot: string): Money => Money.of(text, assetOf(pot as PotName));

type Edges = readonly [low: string | undefined, high?: string];

/** One lot takes one and brings one, at once and for nothing. */
function door(from: string, to: string, change: Partial<Door> = {}): Door {
  return {
    name: `${from} to ${to}`,
    way: { kind: "order" } as Door["way"],
    from: from as PotName,
    to: to as PotName,
    lot: Quantity.of("1"),
    min: 1,
    max: 1_000,
    takes: money("1", from),
    brings: money("1", to),
    keeps: money("0", to),
    short: money("0", to),
    arrivesMs: 0,
    isExposed: false,
    exclusive: undefined,
    ...change,
  };
}

const FREE = { stepCost: money("0", "CHF"), capitalBpsPerYear: 0, riskBpsPerDay: 0 };

function input(change: Partial<PlanInput>): PlanInput {
  return { currency: CHF, rates: () => Price.of("1"), holdings: [], bands: [], doors: [], costs: FREE, ...change };
}

const planOf = (change: Partial<PlanInput>): Plan => unwrap(makePlan(input(change)));
const namesOf = ({ steps }: Pick<Plan, "steps">): string[] => steps.map(({ door: { name } }) => name);

test("a step has all that it takes, brings and costs, and the quickest is the first", () => {
  const mint = door("GBP", "VGBP", {
    takes: money("1.001", "GBP"),
    keeps: money("5", "VGBP"),
    short: money("1", "VGBP"),
    arrivesMs: DAY_MS,
    isExposed: true,
    max: 100,
  });
  // Better than fair by 0.998 %. A tenth of a basis point is 0.00001, so that it counts 0.00001^2 / (0.00002 + 0.00998).
  const buy = door("CHF", "VCHF", { brings: money("1.00998", "VCHF"), lot: Quantity.of("0.1"), max: 100 });
  const plan = planOf({
    rates: (asset) => Price.of(asset.endsWith("GBP") ? "2" : "1"),
    holdings: [holding("GBP", "500"), holding("VGBP", "4", "2"), holding("CHF", "100"), holding("VCHF", "0")],
    bands: [band("VGBP", "100"), band("VCHF", "100.998")],
    doors: [mint, buy],
    costs: { stepCost: money("0.5", "CHF"), capitalBpsPerYear: 365, riskBpsPerDay: 5 },
  });
  const said = plan.steps.map(({ door: { name }, ...figures }) => [name, ...Object.values(figures).map(String)]);
  // Quantity, takes, brings, lost, time, risk, cost, value: 100 lots less 5 and 1; 0.2 and 10 of fees, 1 bp and 5 bp of 200.2 for a day.
  expect(said).toEqual([
    ["CHF to VCHF", "10", "100", "100.998", "-0.998", "0", "0", "0.500001", "100"],
    ["GBP to VGBP", "100", "100.1", "94", "10.2", "0.02002", "0.1001", "10.82012", "200.2"],
  ]);
  expect([String(plan.cost), plan.arrivesMs, plan.proven]).toEqual(["11.320121", DAY_MS, true]);
  expect(plan.pots.map(({ pot, before, after, reason }) => `${pot} ${before} ${after} ${reason}`)).toEqual([
    "VGBP 6 100 undefined",
    "VCHF 0 100.998 undefined",
    "GBP 500 399.9 undefined",
    "CHF 100 0 undefined",
  ]);
});

test("a plan is made beside a pot that is overdrawn, and none of what has no rate", () => {
  const doors = [door("CHF", "VCHF"), door("USDC", "VCHF")];
  const overdrawn = [holding("CHF", "10"), holding("USDC", "-5")];
  const plan = planOf({ holdings: overdrawn, bands: [band("VCHF", "3"), band("USDC", "0")], doors });
  expect([namesOf(plan), String(plan.pots[1]?.missingAfter)]).toEqual([["CHF to VCHF"], "5"]);
  const none = makePlan(input({ rates: () => undefined, bands: [band("VCHF", "3")] }));
  expect(none).toEqual({ ok: false, error: "there is no rate of VCHF in CHF" });
  // What is held and neither wanted nor used needs none.
  const known = (asset: Asset) => (asset === "VEUR" ? undefined : Price.of("1"));
  expect(namesOf(planOf({ rates: known, holdings: [holding("VEUR", "1")] }))).toEqual([]);
  expect(planOf({}).arrivesMs).toBe(0);
});

test("of doors that exclude each other those of one side are used", () => {
  const on = (side: string, name = side): Door =>
    door("CHF", "VCHF", { name, max: 5, exclusive: { group: "mint VCHF", side } });
  const through = (...doors: readonly Door[]) =>
    namesOf(planOf({ holdings: [holding("CHF", "10")], bands: [band("VCHF", "10")], doors })).length;
  expect([through(on("ETH"), on("SOL")), through(on("ETH"), on("ETH", "again"))]).toEqual([1, 2]);
  expect(() => through(door("CHF", "VCHF", { min: 0 }))).toThrow("lots must be whole, from 1");
  expect(() => through(door("CHF", "VCHF", { max: 2 ** 53 }))).toThrow("lots must be whole, from 1");
});

test("a pot that misses its band already gives nothing to one that would come nearer by less than twice as much", () => {
  const plan = (brings: string) =>
    planOf({
      holdings: [holding("VCHF", "5"), holding("USDC", "0")],
      bands: [band("VCHF", "10"), band("USDC", "100")],
      doors: [door("VCHF", "USDC", { brings: money(brings, "USDC") })],
    });
  expect([namesOf(plan("1.99")), namesOf(plan("2"))]).toEqual([[], ["VCHF to USDC"]]);
});

test("a search that was given up early proves nothing", () => {
  const some = { holdings: [holding("CHF", "99")], doors: [door("CHF", "VCHF", { brings: money("3", "VCHF") })] };
  // 9 or 12 for 10: no bound says so at once.
  const proven = (boxesMax: number, [low, high]: Edges) =>
    planOf({ ...some, bands: [band("VCHF", low, high)], boxesMax }).proven;
  expect([proven(0, ["9"]), proven(1, ["10", "10"]), proven(9, ["10", "10"]), proven(9, ["9"])]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  // Nothing is missing, and what is cheapest is not known at once: a fee once, or more for each.
  const fee = door("CHF", "VCHF", { name: "fee", keeps: money("2", "VCHF"), max: 100 });
  const dear = door("CHF", "VCHF", { name: "dear", takes: money("1.3", "CHF"), max: 100 });
  const cheapest = (boxesMax: number) =>
    planOf({ holdings: [holding("CHF", "99")], bands: [band("VCHF", "10")], doors: [fee, dear], boxesMax });
  expect([cheapest(1).proven, cheapest(1).pots[0]?.missingAfter.isZero(), cheapest(99).proven]).toEqual([
    false,
    true,
    true,
  ]);
  expect(namesOf(cheapest(99))).toEqual(["fee"]);
});

test("why a pot stays outside its band is said for either edge", () => {
  const why = (have: string, [low, high]: Edges, ...doors: readonly Door[]) =>
    planOf({ holdings: [holding("VCHF", have)], bands: [band("VCHF", low, high)], doors }).pots[0]?.reason;
  const closed = { min: 5, max: 4 };
  expect([
    why("0", ["9"]),
    why("0", ["9"], door("VCHF", "CHF"), door("CHF", "VCHF", closed)),
    why("9", [undefined, "1"], door("CHF", "VCHF"), door("VCHF", "CHF", closed)),
    why("9", [undefined, "1"], door("VCHF", "CHF", { max: 3 })),
    why("0", ["9"], door("CHF", "VCHF", { min: 9 })),
    // 20 lots bring 20 - 4 - 3, 15 bring 15.
    why(
      "0",
      ["9"],
      door("CHF", "VCHF", { min: 20, keeps: money("4", "VCHF"), short: money("3", "VCHF") }),
      door("USDC", "VCHF", { min: 15 }),
    ),
    why("2", [undefined, "1"], door("VCHF", "CHF", { min: 2, max: 2, takes: money("2", "VCHF") })),
  ]).toEqual([
    "no door leads here",
    "no door leads here",
    "no door leads away",
    "the doors are too narrow",
    "not enough is available elsewhere, or the doors are too narrow",
    "dust: the smallest step of any door is 13 VCHF",
    "dust: the smallest step of any door is 4 VCHF",
  ]);
});

describe("of a plan that was made", () => {
  const into = door("CHF", "VCHF", { min: 35, arrivesMs: DAY_MS });
  const out = door("VCHF", "USDC", { min: 40 });
  const step = (through: Door, lots: string): PlanStep => ({
    door: through,
    quantity: Quantity.of(lots),
    takes: money(lots, through.from),
    brings: money(lots, through.to),
    lost: money("0", "CHF"),
    time: money("0", "CHF"),
    risk: money("0", "CHF"),
    cost: money("2", "CHF"),
    value: money(lots, "CHF"),
  });
  const made = (steps: readonly PlanStep[], bands: PlanInput["bands"], holdings: PlanInput["holdings"]): Plan => ({
    ...planOf({ bands, holdings }),
    steps,
    cost: money(String(2 * steps.length), "CHF"),
    arrivesMs: DAY_MS,
  });
  const rates = () => Price.of("1");

  const smallest = { min: 30, max: 30 };
  test.each([door("GBP", "VCHF", smallest), door("VCHF", "GBP", smallest)])(
    "steps into a pot and out of it go where that leaves less than the smallest step of its doors, $name",
    (least) => {
      // Elsewhere there are smaller steps, and a door that is closed has none.
      const doors = [into, out, door("GBP", "USDC"), door("CHF", "VCHF", { max: 0 }), least];
      const tuned = (have: string, [low, high]: Edges, lots: string) => {
        // What another pot misses anyway is no part of it.
        const bands = [band("VCHF", low, high), band("GBP", "99")];
        const plan = made([step(into, lots), step(out, "40")], bands, [holding("VCHF", have)]);
        const after = withoutTuning(plan, { rates, doors });
        const [vchf] = after.pots;
        return [namesOf(after), String(after.cost), after.arrivesMs, String(vchf?.missingAfter), after === plan];
      };
      const { name } = into;
      // 90 + 50 - 40 = 100: without them 10 are missing. 70 + 70 - 40: 30 are, as much as a step; 40 too much without the second.
      expect(tuned("90", ["100", "100"], "50")).toEqual([[], "0", 0, "10", false]);
      expect(tuned("70", ["100", "100"], "70")).toEqual([[name, out.name], "4", DAY_MS, "30", true]);
      expect(tuned("70", ["100", "139.9"], "70")).toEqual([[name], "2", DAY_MS, "0.1", false]);
      expect(tuned("70.1", ["100", "100"], "69.9")).toEqual([[], "0", 0, "29.9", false]);
    },
  );

  test("steps go that bring no pot nearer to its band now, or take from another more than half as much", () => {
    const buy = step(door("CHF", "VCHF"), "50");
    const refill = step(door("USDC", "CHF"), "50");
    const idle = (low: string, ...steps: readonly PlanStep[]): readonly unknown[] => {
      const holdings = [holding("VCHF", "50"), holding("CHF", "100")];
      const plan = made(steps, [band("VCHF", "100"), band("CHF", low)], holdings);
      const left = withoutIdle(plan, rates);
      return [...namesOf(left), String(left.cost)];
    };
    expect(idle("100", buy, refill)).toEqual(["CHF to VCHF", "USDC to CHF", "4"]);
    expect(idle("100", refill)).toEqual(["0"]);
    expect(idle("50", buy, refill)).toEqual(["CHF to VCHF", "2"]);
    // 50 nearer for 25, and for a little more.
    expect(idle("75", buy)).toEqual(["CHF to VCHF", "2"]);
    expect(idle("75.000001", buy)).toEqual(["0"]);
  });
});

test("beside a plan stand those with one kind of door, of what there is, and nothing", () => {
  const mint = door("CHF", "VCHF", { name: "mint", way: { kind: "mint" } as Door["way"] });
  const change = { holdings: [holding("CHF", "10")], bands: [band("VCHF", "3")] };
  const beside = (...doors: readonly Door[]) =>
    unwrap(alternativesTo(input({ ...change, doors }))).map(({ name, plan }) => [name, ...namesOf(plan)]);
  expect(beside(door("CHF", "VCHF"), mint)).toEqual([
    ["orders only", "CHF to VCHF"],
    ["mints only", "mint"],
    ["nothing"],
  ]);
  const rail = door("CHF", "VCHF", { name: "rail", way: { kind: "on-ramp" } as Door["way"] });
  expect(beside(rail)).toEqual([["rails only", "rail"], ["nothing"]]);
});

test("costs are rounded up, and moving costs at least the smallest amount there is", () => {
  const texts = [0n, 1n, -1n, 10n ** 18n + 1n].map((value) => String(moneyOfValue(value, CHF)));
  expect(texts).toEqual(["0", "0.000000000000000001", "0", "0.000000000000000002"]);
  expect([roundedUp(0n, 5n), roundedUp(1n, 5n), roundedUp(5n, 5n), roundedUp(6n, 5n)]).toEqual([0n, 1n, 1n, 2n]);
  expect(() => roundedUp(-1n, 5n)).toThrow("not negative");
  expect(() => roundedUp(1n, 0n)).toThrow("not negative");
  const counted = (lost: bigint, taken: bigint) => countedCost({ lost, time: 0n, risk: 0n }, taken);
  expect([counted(-5n, 99_999n), counted(0n, 99_999n), counted(5n, 99_999n), counted(0n, 200_000n)]).toEqual([
    1n,
    1n,
    5n,
    1n,
  ]);
  expect(countedCost({ lost: 7n, time: 5n, risk: 3n }, 1n)).toBe(15n);
  expect(valueWith(() => undefined)(money("1", "CHF"))).toBeUndefined();
  expect(lotsOver(Quantity.of("30.000000000000000001"), Quantity.of("1"))).toBe(31);
});
