// What a plan says, to the last digit: routes made by hand, and every figure that people read, approve or are limited by.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { assetOf, type HoldingName } from "../../../src/treasury/plan/holding.ts";
import { lotsOver } from "../../../src/treasury/plan/order-routes.ts";
import { makePlan, type Plan, type PlanInput } from "../../../src/treasury/plan/plan.ts";
import { countedCost, moneyOfValue, type Route, roundedUp, valueWith } from "../../../src/treasury/plan/route.ts";
import { alternativesTo } from "../../../src/treasury/plan/situation.ts";
import { band, CHF, holding } from "./market-stage.ts";

const DAY_MS = 86_400_000;
const money = (text: string, holding: string): Money => Money.of(text, assetOf(holding as HoldingName));

type Edges = readonly [low: string | undefined, high?: string];

/** One lot takes one and brings one, at once and for nothing. */
function route(from: string, to: string, change: Partial<Route> = {}): Route {
  return {
    name: `${from} to ${to}`,
    via: { kind: "order" } as Route["via"],
    from: from as HoldingName,
    to: to as HoldingName,
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
  return { currency: CHF, rates: () => Price.of("1"), holdings: [], bands: [], routes: [], costs: FREE, ...change };
}

const planOf = (change: Partial<PlanInput>): Plan => unwrap(makePlan(input(change)));
const namesOf = ({ steps }: Pick<Plan, "steps">): string[] => steps.map(({ route: { name } }) => name);

test("a step has all that it takes, brings and costs, and the quickest is the first", () => {
  const mint = route("GBP", "VGBP", {
    takes: money("1.001", "GBP"),
    keeps: money("5", "VGBP"),
    short: money("1", "VGBP"),
    arrivesMs: DAY_MS,
    isExposed: true,
    max: 100,
  });
  // Better than fair by 0.998 %. A tenth of a basis point is 0.00001, so that it counts 0.00001^2 / (0.00002 + 0.00998).
  const buy = route("CHF", "VCHF", { brings: money("1.00998", "VCHF"), lot: Quantity.of("0.1"), max: 100 });
  const plan = planOf({
    rates: (asset) => Price.of(asset.endsWith("GBP") ? "2" : "1"),
    holdings: [holding("GBP", "500"), holding("VGBP", "4", "2"), holding("CHF", "100"), holding("VCHF", "0")],
    bands: [band("VGBP", "100"), band("VCHF", "100.998")],
    routes: [mint, buy],
    costs: { stepCost: money("0.5", "CHF"), capitalBpsPerYear: 365, riskBpsPerDay: 5 },
  });
  const said = plan.steps.map(({ route: { name }, ...figures }) => [name, ...Object.values(figures).map(String)]);
  // Quantity, takes, brings, lost, time, risk, cost, value: 100 lots less 5 and 1; 0.2 and 10 of fees, 1 bp and 5 bp of 200.2 for a day.
  expect(said).toEqual([
    ["CHF to VCHF", "10", "100", "100.998", "-0.998", "0", "0", "0.500001", "100"],
    ["GBP to VGBP", "100", "100.1", "94", "10.2", "0.02002", "0.1001", "10.82012", "200.2"],
  ]);
  expect([String(plan.cost), plan.arrivesMs, plan.proven]).toEqual(["11.320121", DAY_MS, true]);
  expect(plan.holdings.map(({ holding, before, after, reason }) => `${holding} ${before} ${after} ${reason}`)).toEqual([
    "VGBP 6 100 undefined",
    "VCHF 0 100.998 undefined",
    "CHF 100 0 undefined",
    "GBP 500 399.9 undefined",
  ]);
});

test("a plan is made beside a holding that is overdrawn, and none of what has no rate", () => {
  const routes = [route("CHF", "VCHF"), route("USDC", "VCHF")];
  const overdrawn = [holding("CHF", "10"), holding("USDC", "-5")];
  const plan = planOf({ holdings: overdrawn, bands: [band("VCHF", "3"), band("USDC", "0")], routes });
  expect([namesOf(plan), String(plan.holdings[1]?.missingAfter)]).toEqual([["CHF to VCHF"], "5"]);
  const none = makePlan(input({ rates: () => undefined, bands: [band("VCHF", "3")] }));
  expect(none).toEqual({ ok: false, error: "there is no rate of VCHF in CHF" });
  // What is held and neither wanted nor used needs none.
  const known = (asset: Asset) => (asset === "VEUR" ? undefined : Price.of("1"));
  expect(namesOf(planOf({ rates: known, holdings: [holding("VEUR", "1")] }))).toEqual([]);
  expect(planOf({}).arrivesMs).toBe(0);
});

test("of routes that exclude each other those of one side are used", () => {
  const on = (side: string, name = side): Route =>
    route("CHF", "VCHF", { name, max: 5, exclusive: { group: "mint VCHF", side } });
  const through = (...routes: readonly Route[]) =>
    namesOf(planOf({ holdings: [holding("CHF", "10")], bands: [band("VCHF", "10")], routes })).length;
  expect([through(on("ETH"), on("SOL")), through(on("ETH"), on("ETH", "again"))]).toEqual([1, 2]);
  expect(() => through(route("CHF", "VCHF", { min: 0 }))).toThrow("lots must be whole, from 1");
  expect(() => through(route("CHF", "VCHF", { max: 2 ** 53 }))).toThrow("lots must be whole, from 1");
});

test("a holding that misses its band already gives nothing to one that would come nearer by less than twice as much", () => {
  const plan = (brings: string) =>
    planOf({
      holdings: [holding("VCHF", "5"), holding("USDC", "0")],
      bands: [band("VCHF", "10"), band("USDC", "100")],
      routes: [route("VCHF", "USDC", { brings: money(brings, "USDC") })],
    });
  expect([namesOf(plan("1.99")), namesOf(plan("2.01"))]).toEqual([[], ["VCHF to USDC"]]);
});

test("a search that was given up early proves nothing", () => {
  const some = { holdings: [holding("CHF", "99")], routes: [route("CHF", "VCHF", { brings: money("3", "VCHF") })] };
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
  const fee = route("CHF", "VCHF", { name: "fee", keeps: money("2", "VCHF"), max: 100 });
  const dear = route("CHF", "VCHF", { name: "dear", takes: money("1.3", "CHF"), max: 100 });
  const cheapest = (boxesMax: number) =>
    planOf({ holdings: [holding("CHF", "99")], bands: [band("VCHF", "10")], routes: [fee, dear], boxesMax });
  expect([cheapest(1).proven, cheapest(1).holdings[0]?.missingAfter.isZero(), cheapest(99).proven]).toEqual([
    false,
    true,
    true,
  ]);
  expect(namesOf(cheapest(99))).toEqual(["fee"]);
});

test("why a holding stays outside its band is said for either edge", () => {
  const why = (have: string, [low, high]: Edges, ...routes: readonly Route[]) =>
    planOf({ holdings: [holding("VCHF", have)], bands: [band("VCHF", low, high)], routes }).holdings[0]?.reason;
  const closed = { min: 5, max: 4 };
  expect([
    why("0", ["9"]),
    why("0", ["9"], route("VCHF", "CHF"), route("CHF", "VCHF", closed)),
    why("9", [undefined, "1"], route("CHF", "VCHF"), route("VCHF", "CHF", closed)),
    why("9", [undefined, "1"], route("VCHF", "CHF", { max: 3 })),
    why("0", ["9"], route("CHF", "VCHF", { min: 9 })),
    // 20 lots bring 20 - 4 - 3, 15 bring 15.
    why(
      "0",
      ["9"],
      route("CHF", "VCHF", { min: 20, keeps: money("4", "VCHF"), short: money("3", "VCHF") }),
      route("USDC", "VCHF", { min: 15 }),
    ),
    why("2", [undefined, "1"], route("VCHF", "CHF", { min: 2, max: 2, takes: money("2", "VCHF") })),
  ]).toEqual([
    "no route leads here",
    "no route leads here",
    "no route leads away",
    "the routes are too narrow",
    "not enough is available elsewhere, or the routes are too narrow",
    "dust: the smallest step of any route is 13 VCHF",
    "dust: the smallest step of any route is 4 VCHF",
  ]);
});

test("beside a plan stand those with one kind of route, of what there is, and nothing", () => {
  const mint = route("CHF", "VCHF", { name: "mint", via: { kind: "mint" } as Route["via"] });
  const change = { holdings: [holding("CHF", "10")], bands: [band("VCHF", "3")] };
  const beside = (...routes: readonly Route[]) =>
    unwrap(alternativesTo(input({ ...change, routes }))).map(({ name, plan }) => [name, ...namesOf(plan)]);
  expect(beside(route("CHF", "VCHF"), mint)).toEqual([
    ["orders only", "CHF to VCHF"],
    ["mints only", "mint"],
    ["nothing"],
  ]);
  const rail = route("CHF", "VCHF", { name: "rail", via: { kind: "on-ramp" } as Route["via"] });
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
