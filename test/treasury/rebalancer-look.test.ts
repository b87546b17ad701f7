// What a look of the rebalancer makes of the holdings that it sees: the rebalancer alone, with hands that are told what to show.

import { expect, test } from "vitest";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../../src/journal/record.ts";
import { contentOf, digestOf, wishRecord } from "../../src/treasury/approval/plan-content.ts";
import type { Approver } from "../../src/treasury/approval/plan-log.ts";
import type { Plan, PlanStep } from "../../src/treasury/plan/cheapest.ts";
import type { HoldingName } from "../../src/treasury/plan/holding.ts";
import type { Hands } from "../../src/treasury/rebalancer/parts.ts";
import { whyAsked } from "../../src/treasury/rebalancer/planner.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import { CHF } from "./world.ts";

const LOOK = 10_000;
const target = (holding: string, low: string) => ({
  ...{ holding: holding as HoldingName, target: undefined, high: undefined },
  low: Quantity.of(low),
});
const BOUNDS = {
  ...{ costBpsMax: 100, orderValueMax: Quantity.of("5000") },
  ...{ mintValueMax: undefined, railValueMax: undefined, dayValueMax: Quantity.of("100000") },
};

type Staged = {
  readonly asked?: typeof BOUNDS & { readonly persons?: number };
  readonly more?: readonly object[];
  /** The lower edge of its band. */
  readonly vgbp?: string;
  readonly heldOf?: (asset: Asset, look: number) => string;
  readonly people?: readonly Approver[];
  readonly terms?: object;
  /** Of the first plan. */
  readonly approvedAt?: number;
};

/** `rated`: what has a rate at which look. 1,000 of each coin are there, and plenty of CHF. */
function lookedAt(
  looks: number,
  rated: (asset: Asset, look: number) => boolean,
  { asked = BOUNDS, more = [], vgbp = "0", heldOf = () => "1000", people = [], terms = {}, approvedAt }: Staged = {},
) {
  const symbols = ["VCHF/CHF", "VGBP/CHF"] as PairSymbol[];
  const instrumentOf = (symbol: PairSymbol) => ({
    ...{ symbol, ...assetsOf(symbol), status: "online", quantityDecimals: 2, priceDecimals: 6 },
    quantityMin: Quantity.of("1"),
  });
  const rebalancer = new Rebalancer({
    terms: {
      targets: [target("VCHF", "2000"), target("VGBP", vgbp), target("VEUR", "0")],
      ...{ returnTo: "edge", elsewhere: new Map(), mints: [], reserveBps: 0, feeBpsMax: 0 },
      rails: [],
      costs: { stepCost: Quantity.zero, capitalBpsPerYear: 0, riskBpsPerDay: 0 },
      orders: {
        ...{ slippageBps: 1, ordersMax: 1, feeBps: 0, refillMs: 30_000 },
        ...{ valueMax: undefined, quantityMax: () => undefined },
      },
      symbols: new Set<string>(symbols),
      ...terms,
    },
    rules: { automatic: true, lookMs: LOOK, expiryMs: 600_000, persons: 1, people, ...asked },
    rails: new Map(),
    ...{ wallets: [], saltDecimals: 2, quoteAgeMsMax: 10_000, writer: "w", random: createRandom(7) },
  });
  for (const record of more) rebalancer.log.fold({ record: record as PlanRecord, writer: "x" });
  let look = 0;
  const amount = (asset: Asset): Money => Money.of(asset === CHF ? "100000" : heldOf(asset, look), asset);
  const records: (PlanRecord | PlanProgress)[] = [];
  const left: string[] = [];
  const notes: string[] = [];
  const hands = {
    strategy: { wakes: new Set(["quote"]) },
    books: {
      counters: { state: "ACTIVE", recent: { countAfter: () => 0 } },
      accounts: {
        assets: ["CHF", "VCHF", "VGBP", "VEUR"],
        ...{ held: amount, spendable: amount, settled: amount, placed: Money.zero, flights: () => [] },
      },
      pricing: {
        ...{ currency: CHF, fair: () => ({ kind: "fair", value: 1 }) },
        rate: (asset: Asset) => (rated(asset, look) ? Price.of("1") : undefined),
      },
      instruments: new Map(symbols.map((symbol) => [symbol, instrumentOf(symbol)])),
      topOf: () => ({ bid: 0.9999, ask: 1.0001, bidSize: 50_000, askSize: 50_000, ageMs: 0 }),
    },
    unjudged: () => undefined,
    executor: {
      ...{ freeze: () => ({ kind: "none" }), open: () => [] },
      treasury: {
        ...{ payments: { expectations: () => [], givenUp: () => [] }, mintsSince: () => [] },
        ...{ refusal: () => undefined, requests: () => [] },
      },
      get: (id: string) => ({ id, kind: "order", state: { kind: "sending" } }),
    },
    record: (record: PlanRecord | PlanProgress) => void records.push(record),
    note: (text: string) => void notes.push(text),
    order: () => ({ kind: "approved", capped: [], intent: { clientOrderId: "o-1" } }),
  } as unknown as Hands;
  for (look = 1; look <= looks; look++) {
    const at = look * LOOK;
    const [first] = records;
    if (look === approvedAt && first?.kind === "plan") {
      const approval = { kind: "approval", at: millis(at), id: first.id, digest: first.digest, by: "ann" } as const;
      rebalancer.log.fold({ record: approval as ApprovalRecord, writer: "x" });
    }
    rebalancer.look({ ...hands, now: { at: millis(at), mono: mono(at) } });
    left.push(
      rebalancer
        .left()
        .map(({ holding }) => holding)
        .join(" "),
    );
  }
  const underWay = rebalancer.underWay();
  const plans = records.flatMap((one) => (one.kind === "plan" ? [one] : []));
  return { records, left, notes, rebalancer, underWay, plans };
}

test("a proposal of a person that waits holds up the bot's own plans as one of its own does, until it expires or is declined", () => {
  const via = { kind: "mint", asset: "VEUR" as Asset, chain: "ETH", feeBpsMax: 0 } as const;
  const step = { name: "mint VEUR", via, quantity: "500", takes: "500 EUR", brings: "500 VEUR", value: "500" };
  const terms = { at: millis(0), expiresAt: millis(3.5 * LOOK), persons: 2, by: "anna", why: undefined };
  const wish = wishRecord(step, Money.zero(CHF), terms);
  const waiting = lookedAt(4, () => true, { more: [wish] });
  expect(waiting.plans.map(({ at }) => at)).toEqual([4 * LOOK]);
  const declined = { kind: "plan-progress", at: millis(1), id: wish.id, state: "declined", text: "ben: no" };
  expect(lookedAt(1, () => true, { more: [wish, declined] }).plans.map(({ at }) => at)).toEqual([LOOK]);
});

test("a plan whose approval this bot does not count waits, with that reason, and shows nobody who has approved it", () => {
  const via = { kind: "order", symbol: "VCHF/CHF", side: "buy", limit: "1" };
  const step = { name: "buy VCHF/CHF", via, quantity: "1000", takes: "1000 CHF", brings: "1000 VCHF", value: "1000" };
  const content = JSON.stringify({ at: 0, currency: "CHF", cost: "1", steps: [step] });
  const body = { content, expiresAt: millis(500_000), persons: 1 };
  const plan = { ...body, kind: "plan", at: millis(0), id: "R-1", digest: digestOf(body), by: "bot" };
  const approval = { kind: "approval", at: millis(0), id: "R-1", digest: plan.digest, by: "mallory" };
  const people = [{ name: "anna" }];
  const { notes, records, rebalancer } = lookedAt(2, () => true, { more: [plan, approval], people });
  const why =
    "0 of 1 people have approved it, and others that do not count (treasury.approvals.people as this bot was started with)";
  expect([records, notes, rebalancer.heldUp("R-1")]).toEqual([
    [],
    [`rebalancing R-1 waits, it is not begun: ${why}`],
    why,
  ]);
  expect(rebalancer.waiting(millis(1)).map(({ approvals }) => approvals)).toEqual([[]]);
});

/** One step of 1,000 VCHF, which a band of 2,000 needs beside 1,000 that are there. */
function planBy(by: string, { expiresAt = 500_000, persons = 1, id = "R-1" } = {}) {
  const via = { kind: "order", symbol: "VCHF/CHF", side: "buy", limit: "1.01" };
  const step = { name: "buy VCHF/CHF", via, quantity: "1000", takes: "1000 CHF", brings: "1000 VCHF", value: "1000" };
  const content = JSON.stringify({ at: 0, currency: "CHF", cost: "1", steps: [step] });
  const body = { content, expiresAt: millis(expiresAt), persons };
  const plan = { ...body, kind: "plan", at: millis(0), id, digest: digestOf(body), by };
  const approval = { kind: "approval", at: millis(0), id, digest: plan.digest, by: "anna" };
  return { plan, approval };
}

const statesOf = (records: readonly (PlanRecord | PlanProgress)[], id = "R-1") =>
  records.flatMap((one) => (one.kind === "plan-progress" && one.id === id ? [one.state] : []));

test("an approved plan is begun until its very end, and told once after it; of one that nobody approved nothing is", () => {
  const looked = (expiresAt: number, isApproved = true) => {
    const { plan, approval } = planBy("anna", { expiresAt });
    return lookedAt(2, () => true, { more: isApproved ? [plan, approval] : [plan] });
  };
  expect(statesOf(looked(LOOK).records)[0]).toBe("begun");
  const late = looked(LOOK - 1);
  const expired = late.records.filter(({ id }) => id === "R-1");
  expect(expired).toMatchObject([
    {
      state: "expired",
      text: "it was not begun: no bot was there to begin it, or it was at work on another plan",
    },
  ]);
  expect(statesOf(looked(LOOK - 1, false).records)).toEqual([]);
});

test("a plan with one step that is for people is asked for as a whole", () => {
  const { plans, records } = lookedAt(1, () => true, { vgbp: "30000" });
  expect(plans.map((plan) => [plan.persons, contentOf(plan).steps.map(({ name }) => name)])).toEqual([
    [1, ["buy VGBP/CHF", "buy VCHF/CHF"]],
  ]);
  expect(records).toEqual(plans);
});

test("without asking goes what is at a bound, and nothing beyond one, whichever it is", () => {
  const money = (text: string, asset = "CHF"): Money => Money.of(text, asset as Asset);
  const why = (change: object = {}, bounds: object = {}, before: readonly Money[] = []): string | undefined => {
    const route = { name: "a step" };
    const step = {
      route,
      value: money("5000"),
      lost: money("50"),
      via: { kind: "order" },
      cost: money("50"),
      ...change,
    } as unknown as PlanStep;
    const plan = { steps: [step], cost: step.cost, holdings: [] } as unknown as Plan;
    return whyAsked(plan, { ...BOUNDS, ...bounds }, before);
  };
  expect([why(), why({ lost: money("-1") }), why({}, {}, [money("95000")])]).toEqual([undefined, undefined, undefined]);
  expect(why({ value: money("5000.01") })).toBe("a step is worth 5,000.01 CHF, orderValueMax is 5000");
  expect(why({ lost: money("50.01") })).toBe("a step loses 50.01 CHF, 100.0 bp of its worth, costBpsMax is 100");
  expect(why({}, {}, [money("95000.01")])).toBe("with it 100,000.01 CHF are moved today, dayValueMax is 100000");
  expect(why({}, {}, [money("1", "EUR")])).toBe("what was moved today is not counted in CHF");
  expect(why({}, { dayValueMax: undefined })).toBe("without dayValueMax nothing is moved unasked");
  for (const [kind, key] of [
    ["order", "orderValueMax"],
    ["mint", "mintValueMax"],
    ["on-ramp", "railValueMax"],
    ["off-ramp", "railValueMax"],
  ] as const) {
    const via = { kind };
    const most = (text: string | undefined) => ({ [key]: text === undefined ? undefined : Quantity.of(text) });
    expect(why({ via }, most("5000"))).toBeUndefined();
    expect(why({ via }, most("4999.99"))).toBe(`a step is worth 5,000.00 CHF, ${key} is 4999.99`);
    expect(why({ via }, most(undefined))).toBe(`a step: without ${key} every such step is asked for`);
  }
});
