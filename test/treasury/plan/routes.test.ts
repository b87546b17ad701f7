import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import type { Instrument } from "../../../src/domain/instrument.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
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
import { propose, routes, type Situation } from "../../../src/treasury/plan/routes.ts";
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

const { now, rates, instruments } = situation({});
const around = { now, currency: CHF, rates, available: (holding: HoldingName) => Money.of("5000.9", assetOf(holding)) };

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

  test("of a rail or a mint leads nothing of which a fee of any size would leave nothing", () => {
    const least = (feeFixed: string, minimum: string): number[] => {
      const [toll, lowest] = [{ feeFixed: Quantity.of(feeFixed), feeBps: 0 }, Quantity.of(minimum)];
      const minted = routeOf({ ...mint(VCHF, CHF), ...toll, minimum: Money.of(minimum, CHF) });
      const railed = railRoute({ ...rail("on-ramp"), ...toll, minimum: lowest }, around);
      return [sliceOf(railed).min, sliceOf(minted).min];
    };
    // Of a mint one lot more may be missing.
    expect([least("0", "1"), least("50", "1"), least("50", "50"), least("49.99", "1"), least("50", "60")]).toEqual([
      [1, 2],
      [51, 52],
      [51, 52],
      [50, 51],
      [60, 61],
    ]);
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

  test("of a mint needs a rate between its fiat and the currency of the minimum, where these are two", () => {
    const known = (...assets: readonly string[]) => ({
      ...around,
      rates: (asset: Asset) => (assets.includes(asset) ? Price.of("1") : undefined),
    });
    const inEuro = { ...mint(VGBP, GBP), minimum: Money.of("1", "EUR" as Asset) };
    for (const one of ["GBP", "EUR"])
      expect(mintRoute(inEuro, known(one))).toEqual({
        name: "mint VGBP on ETH",
        reason: "there is no rate between GBP and EUR",
      });
    expect(mintRoute(inEuro, known("GBP", "EUR"))).toMatchObject({ slices: [{ min: 3 }] });
    expect(mintRoute(mint(VGBP, GBP), known())).toMatchObject({ slices: [{ min: 100_001 }] });
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
    const market = { topOf: () => ({ ...TOP, ...top }), hasFair: () => true, currency: CHF, rates };
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

  test("of an order is none where the pair is closed, and why is said", () => {
    const [pair] = instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const offline = [{ ...(pair as Instrument), status: "offline" as const }];
    const closed = [
      orders({}, {}, { instruments: offline }),
      orders({}, {}, { topOf: () => undefined }),
      orders({}, { bid: 0 }),
      orders({}, { bid: 2 }),
      orders({}, {}, { hasFair: () => false }),
      orders({}, {}, { rates: (asset) => (asset === "CHF" ? undefined : Price.of("1")) }),
    ];
    expect(closed.map(({ open, closed: [first] }) => `${open.length} ${first?.reason}`)).toEqual([
      "0 the venue says offline",
      "0 the venue quotes no price",
      "0 the venue's price is crossed",
      "0 the venue's price is crossed",
      "0 it has no fair value",
      "0 there is no rate of CHF in CHF",
    ]);
    expect(orders({}, { bid: 1, ask: 1 }).closed).toEqual([]);
    // Of several orders one may trade back what was ordered: the others are routes.
    const isBack = ({ limit }: { limit: Price }) => String(limit) === "1.001601";
    const { open, closed: back } = orders({}, {}, { isBack });
    expect([open.map(({ name, slices }) => `${name} ${slices.length}`), back]).toEqual([
      ["buy VCHF/CHF 1", "sell VCHF/CHF 2"],
      [{ name: "buy VCHF/CHF", reason: TRADES_BACK }],
    ]);
  });

  test("of an order has a limit on the grid that fills, and lots that are worth about one", () => {
    const limits = orders({ slippageBps: 0, ordersMax: 1 }, { bid: 0.9999995, ask: 1.0000005 }).open;
    expect(limits.map(sliceOf).map(({ via }) => via.kind === "order" && String(via.limit))).toEqual([
      "1.000001",
      "0.999999",
    ]);
    // Below one tick there is no price to sell at.
    expect(orders({}, { bid: 0.000001 }).open.map(({ slices }) => slices.length)).toEqual([2, 0]);
    const lots = ["0.001", "1.14", "20", "100"].map((rate) => {
      const [buy] = orders({}, { askSize: 0.5 }, { rates: () => Price.of(rate) }).open.map(sliceOf);
      return [String(buy?.lot), buy?.min, buy?.max];
    });
    expect(lots).toEqual([
      ["1", 30, 0],
      ["1", 30, 0],
      ["0.1", 300, 5],
      ["0.01", 3_000, 50],
    ]);
    const [pair] = instruments;
    const small = [{ ...(pair as Instrument), quantityMin: Quantity.zero }];
    expect(orders({}, {}, { instruments: small }).open[0]).toMatchObject({
      slices: [{ min: 1 }, {}],
      isExposed: false,
    });
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

  test("does not mint a coin of which a mint is under way, and says so", () => {
    const mints = [{ ...mint(VCHF, CHF), isUnderWay: true }];
    const { plan, closed } = propose(situation({ mints, rails: [], bands: [band("VCHF", "130000", "140000")] }));
    expect(plan.steps.every(({ via }) => via.kind === "order")).toBe(true);
    expect(closed).toEqual([{ name: "mint VCHF on ETH", reason: "another mint of VCHF is under way" }]);
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

  test("leaves dust that no route can move, and says how small the smallest step is", () => {
    const only = { instruments: situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF") };
    const none = { ...only, mints: [], rails: [] };
    const plan = planOf({
      ...none,
      holdings: [holding("VCHF", "12"), holding("CHF", "5")],
      bands: [band("VCHF", undefined, "0")],
    });
    const left = plan.holdings.find(({ holding }) => holding === "VCHF");
    expect([stepsOf(plan), String(left?.missingAfter), left?.reason]).toEqual([
      [],
      "12",
      "dust: the smallest step of any route is 30 VCHF",
    ]);
  });

  test("takes a price better than fair for its gain, and still moves no more than is needed", () => {
    const topOf = () => ({ bid: 0.998, ask: 0.999, bidSize: 60_000, askSize: 60_000 });
    const instruments = situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const plan = planOf({ instruments, topOf, mints: [], rails: [], bands: [band("VCHF", "101000", "200000")] });
    expect(stepsOf(plan)).toEqual(["buy VCHF/CHF 1000"]);
    expect([plan.steps[0]?.lost.isNegative(), plan.cost.isNegative()]).toEqual([true, true]);
  });

  test("takes of another holding what its band can spare, and no more for a price that is better than fair", () => {
    const instruments = situation({}).instruments.filter(({ symbol }) => symbol === "VCHF/CHF");
    const topOf = () => ({ bid: 0.998, ask: 0.999, bidSize: 60_000, askSize: 60_000 });
    const holdings = [holding("CHF", "10000"), holding("VCHF", "0")];
    const bands = [band("CHF", "6000"), band("VCHF", "10000")];
    const { plan } = propose(situation({ instruments, topOf, holdings, bands, mints: [], rails: [] }));
    const [chf = 0, vchf = 0] = plan.holdings.map(({ after }) => after.toNumber());
    // To a lot of about one franc.
    expect([chf > 5_999, chf < 6_005, vchf > 3_990]).toEqual([true, true, true]);
  });

  test("uses the bank when that is cheaper, by its hours", () => {
    const holdings = [holding("CHF", "0"), holding("VCHF", "0"), holding("CHF@BANK", "500000")];
    const change = { holdings, bands: [band("VCHF", "200000"), band("CHF@BANK", "100000")] };
    const thursday = planOf({ ...change, rails: [rail("on-ramp")] });
    expect(thursday.steps.map(({ route }) => route.name)).toEqual(["on-ramp from-bank"]);
    expect(thursday.steps[0]?.arrivesMs).toBe(24 * 3_600_000);
    // After the cut-off of a Friday it is served on Monday at 8: 64 hours and a day from 16:00.
    const friday = planOf({ ...change, rails: [rail("on-ramp")], now: millis(Date.UTC(2026, 10, 13, 16)) });
    expect(friday.steps[0]?.arrivesMs).toBe((64 + 24) * 3_600_000);
  });

  test("brings coins into a wallet on a chain where that is asked for", () => {
    const rails = [{ ...rail("on-ramp"), wallet: "ETH" }];
    const holdings = [holding("CHF@BANK", "500000")];
    const plan = planOf({ holdings, rails, bands: [band("VCHF@ETH", "10000", "20000")] });
    expect(plan.holdings.find(({ holding }) => holding === ("VCHF@ETH" as HoldingName))?.missingAfter.isZero()).toBe(
      true,
    );
    expect(plan.steps.map(({ route }) => route.to)).toEqual(["VCHF@ETH"]);
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

  test("sends nothing into a holding and out of it again to tune dust", () => {
    // A whole number of francs is minted or bought: a few cents are missing at the target, or too much.
    const bands = [band("VCHF", "230000.4", "230000.4"), band("VGBP", "0"), band("USDC", "0")];
    const { plan } = propose(situation({ bands, rails: [] }));
    const into = new Set(plan.steps.map(({ route }) => route.to));
    expect([plan.steps.length > 0, plan.steps.filter(({ route }) => into.has(route.from))]).toEqual([true, []]);
    const vchf = plan.holdings.find(({ holding }) => holding === ("VCHF" as HoldingName));
    expect(vchf?.missingAfter.lessThan(Money.of("30", VCHF))).toBe(true);
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

  test("uses no second route for what is not worth one: a mint may bring one coin less", () => {
    const most = { ...mint(VCHF, CHF), minimum: Money.of("90000", CHF), quantityMax: Quantity.of("100000") };
    const change = { instruments: [], mints: [most], bands: [band("VCHF", "200000")] };
    const holdings = [holding("CHF", "400000"), holding("VCHF", "100000"), holding("CHF@BANK", "900000")];
    const { plan } = propose(situation({ ...change, holdings, rails: [rail("on-ramp")] }));
    expect(stepsOf(plan)).toEqual(["mint VCHF on ETH 100000"]);
    expect(String(plan.tables[0]?.ways[0]?.missing)).toBe("1");
  });

  test("names the worst cost: the highest fee of a mint above the expected one", () => {
    const dear = { ...mint(VCHF, CHF), feeBps: 2, feeBpsMax: 10 };
    const { plan } = propose(situation({ instruments: [], rails: [], mints: [dear], bands: [band("VCHF", "300000")] }));
    // 8 bp of 200,001.
    expect(plan.costMax.minus(plan.cost).toNumber()).toBeCloseTo(160.0008, 6);
  });
});

test("sixteen routes are planned in under 50 ms", () => {
  const rails = Array.from({ length: 13 }, (_, i) => ({
    ...rail("on-ramp"),
    template: `bank ${i}`,
    feeBps: 2 + (i % 5),
    feeFixed: Quantity.of(String(3 * i)),
    quantityMax: Quantity.of(String(20_000 + 5_000 * i)),
  }));
  const many = situation({
    holdings: [
      holding("CHF", "400000"),
      holding("VCHF", "0"),
      holding("USDC", "400000"),
      holding("CHF@BANK", "900000"),
    ],
    bands: [band("VCHF", "300000", "400000")],
    mints: [mint(VCHF, CHF)],
    rails,
  });
  // Two sides of five pairs, the mint and 13 rails; 16 of them lead into VCHF.
  expect(routes(many).open).toHaveLength(10 + 1 + 13);
  const into = (): number => propose(many).plan.tables[0]?.ways.length ?? 0;
  // Orders of two pairs, the mint, 13 rails, and the best two together.
  expect(into()).toBe(2 + 1 + 13 + 1);
  const best = Math.min(
    ...Array.from({ length: 5 }, () => {
      const from = performance.now();
      into();
      return performance.now() - from;
    }),
  );
  expect(best).toBeLessThan(50);
});
