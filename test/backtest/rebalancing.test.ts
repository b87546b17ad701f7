// A backtest that rebalances: the rebalancer of the running bot, on virtual time, against the simulator's mints and rails.

import { expect, test } from "vitest";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { type BacktestOptions, backtestTerms, PAYERS } from "../../backtest/options.ts";
import type { Settlement } from "../../backtest/record/run-record.ts";
import { renderJson } from "../../backtest/report/export.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { RailRequest } from "../../src/domain/rail.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { depositAddressOf } from "../../src/simulator/core/venue-core.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import type { HoldingName } from "../../src/treasury/plan/holding.ts";
import type { RailTerms } from "../../src/treasury/plan/transfer-routes.ts";
import type { RebalancerParts, RebalancerRules } from "../../src/treasury/rebalancer/parts.ts";
import type { RailDrafts } from "../../src/treasury/rebalancer/rails.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import type { Target, TreasuryTerms } from "../../src/treasury/rebalancer/treasury-view.ts";
import { backtestOf, MINUTE } from "./stage.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const VGBP = "VGBP" as Asset;
const GBP = "GBP" as Asset;
const HOUR = 60 * MINUTE;
const BANK = "GB29NWBK60161331926819";
const still = () => unwrap(prepareStrategy({ name: "still", decide: () => undefined }, {}));

/** Hours of virtual time: prices are read often enough to be believed, and no more. */
const SELDOM = { ...backtestTerms, quotesMs: 3_000 };

const toll = {
  feeBps: 0,
  feeFixed: Quantity.zero,
  hours: { opens: 0, cutOff: undefined, settlementMs: 4 * HOUR },
};

const MINT: TreasuryTerms["mints"][number] = {
  asset: VCHF,
  fiat: CHF,
  chain: "ETH",
  feeBpsMax: 10,
  minimum: Money.of("130000", CHF),
  marginBps: 0,
  quantityMax: undefined,
  ...toll,
};

const RULES: RebalancerRules = {
  automatic: true,
  costBpsMax: 100,
  lookMs: MINUTE,
  orderValueMax: undefined,
  mintValueMax: Quantity.of("300000"),
  railValueMax: Quantity.of("100000"),
  dayValueMax: Quantity.of("300000"),
  expiryMs: 10 * MINUTE,
  persons: 1,
  people: [],
};

/** Without pairs mints and rails are the only routes. */
const TERMS: TreasuryTerms = {
  targets: [],
  returnTo: "edge",
  elsewhere: new Map(),
  costs: { stepCost: Quantity.of("0.1"), capitalBpsPerYear: 500, riskBpsPerDay: 5 },
  orders: {
    slippageBps: 1,
    ordersMax: 5,
    feeBps: 0,
    valueMax: undefined,
    quantityMax: () => undefined,
    refillMs: 30_000,
  },
  symbols: new Set(),
  mints: [],
  rails: [],
  unused: [],
  reserveBps: 100,
  feeBpsMax: 20,
};

function rebalancerOf(terms: Partial<TreasuryTerms>, rails: RailDrafts = new Map()): BacktestOptions["rebalancer"] {
  const parts: Omit<RebalancerParts, "writer"> = {
    terms: { ...TERMS, ...terms },
    rules: RULES,
    rails,
    wallets: [],
    saltDecimals: 2,
    quoteAgeMsMax: 60_000,
    random: createRandom(1),
  };
  return (writer) => new Rebalancer({ ...parts, writer });
}

const low = (holding: string, text: string): Target => ({
  holding: holding as HoldingName,
  low: Quantity.of(text),
  target: undefined,
  high: undefined,
});
const high = (holding: string, text: string): Target => ({
  ...low(holding, text),
  low: undefined,
  high: Quantity.of(text),
});

const railOf = (kind: RailTerms["kind"], asset: Asset, fiat: Asset, destination: string): RailTerms => ({
  template: kind,
  kind,
  asset,
  fiat,
  wallet: undefined,
  destination,
  chain: "ETH",
  minimum: Quantity.of("1000"),
  quantityMax: undefined,
  ...toll,
});

const request = (type: RailRequest["type"], asset: Asset, currency: Asset, destination: string): RailRequest => ({
  type,
  sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
  destination,
  memo: undefined,
  asset,
  currency,
  blockchain: "ETH",
});

const OFF: RailDrafts = new Map([
  ["off-ramp", { rail: request("StablecoinToFiat", VGBP, GBP, BANK), wallet: undefined, toAccount: false }],
]);

const hoursOf = ({ from, to }: Settlement): number => ((to ?? from) - from) / HOUR;

test("shows its mint and its rail in the settlement timeline", () => {
  const rebalancer = rebalancerOf(
    {
      targets: [low("VCHF", "250000"), high("VGBP", "60000")],
      mints: [MINT],
      rails: [railOf("off-ramp", VGBP, GBP, BANK)],
    },
    OFF,
  );
  const funds = { CHF: "400000", VCHF: "100000", GBP: "1000", VGBP: "100000" };
  const { record, tradingCore, standing } = backtestOf(still(), 14 * HOUR, {
    funds,
    terms: SELDOM,
    ...(rebalancer && { rebalancer }),
  });
  expect(standing).toMatchObject({ state: "ACTIVE" });
  const settlements = record.settlements ?? [];
  // Each holding once: what is on its way is not asked for twice.
  expect(settlements.map(({ kind, asset, state }) => [kind, asset, state]).sort()).toEqual([
    ["mint", "VCHF", "settled"],
    ["off-ramp", "GBP", "settled"],
  ]);
  const mint = settlements.find(({ kind }) => kind === "mint") as Settlement;
  const ramp = settlements.find(({ kind }) => kind === "off-ramp") as Settlement;
  // Paid at once: only what comes from a bank takes its hours.
  expect(ramp.from - record.settings.from).toBeLessThan(PAYERS.onRampMs);
  expect([hoursOf(mint) > 1, hoursOf(ramp) > 1, Number(ramp.amount)]).toEqual([true, true, 40_000]);
  const { accounts } = tradingCore.books;
  expect(accounts.held(VCHF)?.toNumber()).toBeGreaterThanOrEqual(250_000);
  expect(String(accounts.held(VGBP))).toBe("60000");
  for (const { asset, amount } of record.books.closing) expect(amount).toBe(accounts.held(asset)?.toString());
  // A sample lies at either end: what was on its way counts for as long as it was.
  for (const { from, to } of [mint, ramp]) expect([...record.samples.time]).toEqual(expect.arrayContaining([from, to]));
  const figures = computeFigures(record);
  // What went to the bank is no loss.
  expect(record.books.adopted).toMatchObject([{ amounts: [{ asset: "GBP", amount: "-40000" }] }]);
  const profit = figures.netProfit.kind === "known" ? figures.netProfit.value.toNumber() : Number.NaN;
  expect(Math.abs(profit)).toBeLessThan(0.02 * 40_000);
  const json = JSON.parse(JSON.stringify(renderJson(record, figures))) as { settlements: { kind: string }[] };
  expect(json.settlements.map(({ kind }) => kind).sort()).toEqual(["mint", "off-ramp"]);
  const page = JSON.stringify(runReport(record, figures));
  expect(page).not.toContain("the run has no treasury");
  for (const kind of ["mint", "off-ramp"]) expect(page).toContain(`"${kind}`);
});

test("an on-ramp onto the account waits for its payment, is booked when it lands, and is no profit", () => {
  const address = depositAddressOf(1, "the-key-of-the-backtest", VCHF, "ETH");
  const wallet = { kind: "wallet", chain: "ETH", address, label: undefined } as const;
  const rail = request("FiatToStablecoin", VCHF, CHF, address);
  const drafts: RailDrafts = new Map([["on-ramp", { rail, wallet, toAccount: true }]]);
  const terms = {
    targets: [low("VCHF", "150000")],
    elsewhere: new Map([["CHF@BANK" as HoldingName, Quantity.of("80000")]]),
    rails: [railOf("on-ramp", VCHF, CHF, address)],
  };
  const travelRule = { originator: "us", beneficiary: "us" };
  const listed = { asset: VCHF, blockchain: "ETH", address, label: "own", status: "Confirmed", travelRule } as const;
  const rebalancer = rebalancerOf(terms, drafts);
  const { record, tradingCore, standing } = backtestOf(still(), 14 * HOUR, {
    funds: { CHF: "400000", VCHF: "100000" },
    whitelist: [listed],
    terms: SELDOM,
    ...(rebalancer && { rebalancer }),
  });
  expect(standing).toMatchObject({ state: "ACTIVE" });
  expect(record.settlements).toMatchObject([{ kind: "on-ramp", asset: "VCHF", amount: "50000", state: "settled" }]);
  expect(String(tradingCore.books.accounts.settled(VCHF))).toBe("150000");
  const [ramp] = record.settlements ?? [];
  expect((ramp?.from ?? 0) - record.settings.from).toBeGreaterThan(PAYERS.onRampMs);
  expect(hoursOf(ramp as Settlement)).toBeGreaterThan(1);
  const { netProfit: profit, drawdown } = computeFigures(record);
  expect(Math.abs(profit.kind === "known" ? profit.value.toNumber() : Number.NaN)).toBeLessThan(0.02 * 50_000);
  // Nor a peak: 50,000 of 550,000 would be a fall of 9 % when it is taken out again.
  expect(drawdown.kind === "known" ? drawdown.value.size : Number.NaN).toBeLessThan(0.01);
});
