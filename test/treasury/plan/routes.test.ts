import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Plan } from "../../../src/treasury/plan/cheapest.ts";
import { assetOf, type HoldingName } from "../../../src/treasury/plan/holding.ts";
import {
  type OrderMarket,
  type OrderTerms,
  orderRoutes,
  type Top,
  TRADES_BACK,
} from "../../../src/treasury/plan/order-routes.ts";
import type { Route, Slice } from "../../../src/treasury/plan/route.ts";
import { propose, type Situation } from "../../../src/treasury/plan/routes.ts";
import { arrivalMs, type MintTerms, mintRoute, railRoute } from "../../../src/treasury/plan/transfer-routes.ts";
import { band, CHF, GBP, holding, mint, rail, situation, VCHF, VGBP } from "./market-stage.ts";

function planOf(change: Partial<Situation>): Plan {
  return propose(situation(change)).plan;
}

function stepsOf({ steps }: Pick<Plan, "steps">): string[] {
  return steps.map(({ route, quantity }) => `${route.name} ${quantity}`);
}

/** The one step of a mint or a rail. */
function sliceOf({ slices: [slice] }: Route): Slice {
  if (slice === undefined) throw new Error("there must be one");
  return slice;
}

const { now, rates, instruments, volumes } = situation({});
const around = {
  now,
  currency: CHF,
  rates,
  volumes,
  available: (holding: HoldingName) => Money.of("5000.9", assetOf(holding)),
};

describe("a route", () => {
  const routeOf = (terms: MintTerms): Route => mintRoute(terms, around) as Route;

  test("of a rail takes its fee off what arrives, and leads no more than there is or may be", () => {
    const route = railRoute(rail("off-ramp"), around);
    const { takes, brings, min } = sliceOf(route);
    expect([route.from, route.to, String(takes), String(brings), min]).toEqual([
      "VCHF",
      "CHF@BANK",
      "1",
      "0.9998",
      1_000,
    ]);
    // Into the currency of the limits it carries no risk of rates.
    expect(route.isExposed).toBe(false);
    const most = [undefined, "6000", "3000"].map((max) => (max === undefined ? undefined : Quantity.of(max)));
    expect(most.map((quantityMax) => sliceOf(railRoute({ ...rail("off-ramp"), quantityMax }, around)).max)).toEqual([
      5_000, 5_000, 3_000,
    ]);
    const overdrawn = { ...around, available: (holding: HoldingName) => Money.of("-1", assetOf(holding)) };
    expect(sliceOf(railRoute(rail("off-ramp"), overdrawn)).max).toBe(0);
  });

  test("of a mint takes its fee beside the quantity, is one of its coin, and stays above the minimum wherever that is counted", () => {
    const route = routeOf({ ...mint(VCHF, CHF), feeBps: 10 });
    const { takes, brings, max } = sliceOf(route);
    expect([String(takes), String(brings), max, route.group]).toEqual(["1.001", "1", 5_000, "mint VCHF"]);
    const inFrancs = { ...mint(VGBP, GBP), minimum: Money.of("100000", CHF) };
    // A lot more, and where it is counted in another currency 1 % more: 114,000 and 87,719.3.
    const routes = [routeOf(mint(VGBP, GBP)), routeOf(mint(VCHF, CHF)), routeOf(inFrancs)];
    expect(routes.map((one) => sliceOf(one).min)).toEqual([100_001, 115_141, 88_598]);
    expect(routes.map(({ isExposed }) => isExposed)).toEqual([true, false, true]);
  });

  const TERMS = {
    ...situation({}).orders,
    slippageBps: 10,
    ordersMax: 2,
    feeBps: 10,
    valueMax: undefined,
  };
  const TOP = { bid: 0.9994, ask: 1.0006, bidSize: 99.999999, askSize: 200 };

  function orders(terms: Partial<OrderTerms> = {}, top: Partial<Top> = {}, change: Partial<OrderMarket> = {}) {
    const market = { topOf: () => ({ ...TOP, ...top }), hasFair: () => true, now, currency: CHF, rates, volumes };
    const only = instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    return orderRoutes({ ...market, instruments: only, ...change }, { ...TERMS, ...terms });
  }

  test("of an order has the venue's price, worse by the slippage, the fee, and the size that is shown", () => {
    const shown = orders().open.flatMap(({ name, slices }) =>
      slices.map(({ via, takes, brings, min, max, arrivesMs }) => [
        via.kind === "order" && `${via.side} ${via.limit}`,
        `${takes} for ${brings}`,
        [min, max, arrivesMs],
        name,
      ]),
    );
    expect(shown).toEqual([
      ["buy 1.001601", "1.002602601 for 1", [30, 200, 0], "buy VCHF/CHF"],
      ["buy 1.002602", "1.003604602 for 1", [30, 200, 30_000], "buy VCHF/CHF"],
      ["sell 0.9984", "1 for 0.9974016", [30, 99, 0], "sell VCHF/CHF"],
      ["sell 0.997401", "1 for 0.996403599", [30, 99, 30_000], "sell VCHF/CHF"],
    ]);
  });

  test("of an order is as large as one order may be, and none where the venue shows no size", () => {
    const most = (terms: Partial<OrderTerms>, top?: Partial<Top>) => orders(terms, top).open[0]?.slices[0]?.max;
    expect([
      most({ quantityMax: () => Quantity.of("50") }),
      most({ valueMax: Quantity.of("60") }),
      most({}, { askSize: undefined }),
      most({}, { askSize: 0 }),
      most({}, { askSize: Number.NaN }),
      most({}, { askSize: 1e300 }),
    ]).toEqual([50, 59, 0, 0, 0, 1_000_000_000]);
    // More steps than a number counts: then as deep as is shown in whole coins.
    const fine = instruments
      .filter(({ symbol }) => symbol === "VCHF/CHF")
      .map((one) => ({ ...one, quantityDecimals: 8 }));
    expect(orders({}, { askSize: 1e8 + 0.5 }, { instruments: fine }).open[0]?.slices[0]?.max).toBe(100_000_000);
    // 114 francs are 100 pounds.
    const pounds = instruments.filter(({ symbol }) => symbol === "VGBP/GBP");
    const plain = { slippageBps: 0, feeBps: 0, ordersMax: 1 };
    const inPounds = orders({ ...plain, valueMax: Quantity.of("114") }, { bid: 1, ask: 1 }, { instruments: pounds });
    expect(inPounds.open.map((one) => sliceOf(one).max)).toEqual([100, 99]);
  });

  test("by the hours of a bank is served from its opening to its cut-off, on working days", () => {
    const HOUR = 3_600_000;
    const hours = { opens: 480, cutOff: 900, settlementMs: HOUR };
    // Of November 2026: a Thursday before and after the opening, at the cut-off, and a Saturday.
    const days = [
      Date.UTC(2026, 10, 12, 6),
      Date.UTC(2026, 10, 12, 9),
      Date.UTC(2026, 10, 12, 15),
      Date.UTC(2026, 10, 14, 9),
    ];
    expect(days.map((at) => arrivalMs(hours, millis(at)) / HOUR)).toEqual([3, 1, 18, 48]);
    // After the cut-off of the day before Christmas, a Thursday: from Monday, or from Tuesday where that is a holiday too.
    const eve = millis(Date.UTC(2026, 11, 24, 16));
    const also = { ...hours, holidays: new Set(["2026-12-28"]) };
    expect([hours, also].map((one) => arrivalMs(one, eve) / HOUR)).toEqual([3 * 24 + 17, 4 * 24 + 17]);
    // In the morning of New Year: from the Monday after.
    expect(arrivalMs(hours, millis(Date.UTC(2027, 0, 1, 7))) / HOUR).toBe(3 * 24 + 2);
    const always = { ...hours, cutOff: undefined };
    expect(days.map((at) => arrivalMs(always, millis(at)))).toEqual(days.map(() => hours.settlementMs));
  });
});

describe("a plan", () => {
  test("does nothing while every holding is inside its band", () => {
    const plan = planOf({ bands: [band("VCHF", "90000", "110000"), band("CHF", "0")] });
    expect([stepsOf(plan), plan.cost.isZero(), plan.tables]).toEqual([[], true, []]);
  });

  test("buys what is small at once, and mints what is large", () => {
    const only = { mints: [mint(VCHF, CHF)], rails: [] };
    expect(stepsOf(planOf({ ...only, bands: [band("VCHF", "105000", "120000")] }))).toEqual(["buy VCHF/CHF 5000"]);
    expect(stepsOf(planOf({ ...only, bands: [band("VCHF", "400000")] }))).toEqual(["mint VCHF on ETH 300001"]);
  });

  test("counts what is in flight, and does not ask for it again", () => {
    const holdings = [holding("CHF", "400000"), holding("VCHF", "100000", "300000")];
    expect(stepsOf(planOf({ holdings, bands: [band("VCHF", "400000")] }))).toEqual([]);
  });

  test("never spends more than is available, bound money included", () => {
    const bound = { ...holding("CHF", "10000"), bound: Money.of("390000", CHF) };
    // One market is enough, and soon looked through.
    const instruments = situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const holdings = [bound, holding("VCHF", "0")];
    const plan = planOf({ instruments, holdings, bands: [band("VCHF", "50000")], rails: [] });
    const spent = Money.sum(
      plan.steps.filter(({ route }) => route.from === "CHF").map(({ takes }) => takes),
      CHF,
    );
    expect(spent.atMost(Money.of("10000", CHF))).toBe(true);
    expect(plan.holdings.find(({ holding }) => holding === "VCHF")?.reason).toMatch(
      /the other holdings have too little/,
    );
  });

  test("does not spend in one step what another step of it brings", () => {
    // GBP is empty: VGBP could only be minted from pounds that a sale of VGBP would bring.
    const holdings = [holding("GBP", "0"), holding("VGBP", "300000")];
    const plan = planOf({ holdings, bands: [band("GBP", "50000"), band("VGBP", "300000")], rails: [] });
    expect(plan.steps.every(({ route }) => route.from !== "GBP")).toBe(true);
  });

  test("takes a price better than fair for its gain, and still moves no more than is needed", () => {
    const topOf = () => ({ bid: 0.998, ask: 0.999, bidSize: 60_000, askSize: 60_000 });
    const instruments = situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const plan = planOf({ instruments, topOf, mints: [], rails: [], bands: [band("VCHF", "101000", "200000")] });
    expect(stepsOf(plan)).toEqual(["buy VCHF/CHF 1000"]);
    expect([plan.steps[0]?.lost.isNegative(), plan.cost.isNegative()]).toEqual([true, true]);
  });

  test("trades nothing back at a loss: the other routes are used, or the holding waits", () => {
    const change = { mints: [], bands: [band("VCHF", "105000", "120000")] };
    const isBack = ({ symbol, side }: { symbol: string; side: string }) => symbol === "VCHF/CHF" && side === "buy";
    const { plan } = propose(situation({ ...change, isBack }));
    expect(stepsOf(plan).some((step) => step.startsWith("buy VCHF/CHF"))).toBe(false);
    const instruments = situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const alone = propose(situation({ ...change, rails: [], instruments, isBack }));
    expect([stepsOf(alone.plan), alone.closed]).toEqual([[], [{ name: "buy VCHF/CHF", reason: TRADES_BACK }]]);
  });

  test("orders nothing of a pair without a fair value, which the gate would refuse", () => {
    const change = { hasFair: () => false, mints: [], rails: [], bands: [band("VCHF", "105000")] };
    const { plan, closed } = propose(situation(change));
    expect(plan.steps).toEqual([]);
    expect(closed).toContainEqual({ name: "VCHF/CHF", reason: "it has no fair value" });
  });

  test("leaves out a holding that has no rate, and cannot be made where none has one", () => {
    const { rates } = situation({});
    const known = (asset: Asset) => (asset === "VCHFF" ? undefined : rates(asset));
    const bands = [band("VCHFF", "1"), band("VCHF", "105000", "120000")];
    const one = propose(situation({ rates: known, bands, rails: [], mints: [] }));
    expect(one.unvalued).toEqual([{ holding: "VCHFF", why: "there is no rate of VCHFF in CHF" }]);
    expect(stepsOf(one.plan)).toEqual(["buy VCHF/CHF 5000"]);
    // Nor does a route that leads from there keep the others from it.
    const foreign = { ...rail("on-ramp"), fiat: "VCHFF" as Asset };
    const beside = propose(situation({ rates: known, bands, rails: [foreign], mints: [] }));
    expect(stepsOf(beside.plan)).toEqual(["buy VCHF/CHF 5000"]);
    const proposal = propose(situation({ rates: () => undefined, bands: [band("VCHF", "1")] }));
    expect([proposal.plan.steps, proposal.unvalued]).toEqual([
      [],
      [{ holding: "VCHF", why: "there is no rate of VCHF in CHF" }],
    ]);
  });
});

describe("the table of routes", () => {
  const one = instruments.filter(({ symbol }) => symbol === "VCHF/CHF");

  test("has each single route with what it costs, ties up and leaves, and of two together the best; the first is the plan", () => {
    // Of 260,000 the orders bring 249,000 at most, the mint and the rail any; the mint costs nothing but time.
    const { plan } = propose(situation({ instruments: one, rails: [], bands: [band("VCHF", "360000")] }));
    const [table, ...others] = plan.tables;
    expect([table?.holding, String(table?.missing), others]).toEqual(["VCHF", "260000", []]);
    const ways = (table?.ways ?? []).map(({ steps, cost, tiedUp, missing }) => [
      steps.map(({ route, quantity }) => `${route.name} ${quantity}`).join(", "),
      cost.toNumber().toFixed(2),
      String(tiedUp),
      String(missing),
    ]);
    // 260,001 for 4 hours at 5 % a year are 5.94, and the step 0.10.
    expect(ways[0]).toEqual(["mint VCHF on ETH 260001", "6.04", "260001", "0"]);
    expect(ways.map(([name]) => name?.replace(/ [0-9]+/g, ""))).toEqual([
      "mint VCHF on ETH",
      "buy VCHF/CHF, mint VCHF on ETH",
      "buy VCHF/CHF, buy VCHF/CHF, buy VCHF/CHF, buy VCHF/CHF, buy VCHF/CHF",
    ]);
    expect(stepsOf(plan)).toEqual(["mint VCHF on ETH 260001"]);
  });

  test("shares an amount between two routes where that is cheaper: the mint at its most, the rest by order", () => {
    const free = { ...mint(VCHF, CHF), minimum: Money.of("90000", CHF), quantityMax: Quantity.of("100500") };
    const bands = [band("VCHF", "240000")];
    const { plan } = propose(situation({ instruments: one, rails: [], mints: [free], bands }));
    // One of the mint may be missing.
    expect(stepsOf(plan)).toEqual(["buy VCHF/CHF 39501", "mint VCHF on ETH 100500"]);
  });

  test("names the worst cost: the highest fee of a mint above the expected one", () => {
    const dear = { ...mint(VCHF, CHF), feeBps: 2, feeBpsMax: 10 };
    const { plan } = propose(situation({ instruments: [], rails: [], mints: [dear], bands: [band("VCHF", "300000")] }));
    // 8 bp of 200,001.
    expect(plan.costMax.minus(plan.cost).toNumber()).toBeCloseTo(160.0008, 6);
  });

  test("names the worst cost: the highest fee of an order above the expected one", () => {
    const orders = { ...situation({}).orders, feeBps: 1, feeBpsMax: 11 };
    const bands = [band("VCHF", "120000")];
    const { plan } = propose(situation({ instruments: one, rails: [], mints: [], bands, orders }));
    expect(plan.steps.map(({ via }) => via.kind)).toEqual(["order"]);
    // What the order takes has a fee of 1 bp in it: 10 bp of the rest, and some 20 CHF.
    const worth = (plan.steps[0]?.takes.toNumber() ?? 0) / 1.0001;
    expect(worth).toBeGreaterThan(20_000);
    expect(plan.costMax.minus(plan.cost).toNumber()).toBeCloseTo(worth / 1_000, 6);
  });
});
