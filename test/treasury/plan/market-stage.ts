// A whole situation for tests: the pairs of the simulator at plain prices, CHF as the currency, and every kind of route.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { assetsOf } from "../../../src/domain/asset.ts";
import type { Instrument } from "../../../src/domain/instrument.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import { Volumes } from "../../../src/domain/volumes.ts";
import { assetOf, type Band, type HoldingName, type HoldingState } from "../../../src/treasury/plan/holding.ts";
import type { Top } from "../../../src/treasury/plan/order-routes.ts";
import type { Situation } from "../../../src/treasury/plan/routes.ts";
import type { MintTerms, RailTerms } from "../../../src/treasury/plan/transfer-routes.ts";

export const CHF = "CHF" as Asset;
export const GBP = "GBP" as Asset;
export const VCHF = "VCHF" as Asset;
export const VGBP = "VGBP" as Asset;

/** Thursday, 12 November 2026, 10:00 UTC. */
const THURSDAY = millis(Date.UTC(2026, 10, 12, 10));

const RATES: Readonly<Record<string, string>> = {
  CHF: "1",
  VCHF: "1",
  GBP: "1.14",
  VGBP: "1.14",
  USDC: "0.8",
};

const TOPS: Readonly<Record<string, Top>> = {
  "VCHF/CHF": { bid: 0.9994, ask: 1.0006, bidSize: 60_000, askSize: 60_000 },
  "VGBP/GBP": { bid: 0.9994, ask: 1.0006, bidSize: 60_000, askSize: 60_000 },
  "VGBP/VCHF": { bid: 1.1388, ask: 1.1412, bidSize: 40_000, askSize: 40_000 },
  "VCHF/USDC": { bid: 1.2492, ask: 1.2508, bidSize: 40_000, askSize: 40_000 },
  "USDC/CHF": { bid: 0.7995, ask: 0.8005, bidSize: 40_000, askSize: 40_000 },
};

function instrument(symbol: string): Instrument {
  return {
    symbol: symbol as PairSymbol,
    ...assetsOf(symbol as PairSymbol),
    status: "online",
    quantityDecimals: 5,
    priceDecimals: 6,
    quantityMin: Quantity.of("30"),
  };
}

export function holding(holding: string, available: string, inFlight?: string): HoldingState {
  const asset = assetOf(holding as HoldingName);
  const arrivals = inFlight === undefined ? [] : [{ amount: Money.of(inFlight, asset), what: "a mint" }];
  return {
    holding: holding as HoldingName,
    available: Money.of(available, asset),
    bound: Money.zero(asset),
    inFlight: arrivals,
  };
}

export function band(holding: string, low: string | undefined, high?: string): Band {
  const edge = (amount: string | undefined) =>
    amount === undefined ? undefined : Money.of(amount, assetOf(holding as HoldingName));
  return { holding: holding as HoldingName, low: edge(low), high: edge(high) };
}

const ANY_TIME = { opens: 480, cutOff: undefined, settlementMs: 4 * 3_600_000 };
const BANK_HOURS = { opens: 480, cutOff: 900, settlementMs: 24 * 3_600_000 };

export function mint(asset: Asset, fiat: Asset): MintTerms {
  return {
    asset,
    fiat,
    chain: "ETH",
    feeBpsMax: 10,
    minimum: Money.of("100000", GBP),
    marginBps: 100,
    quantityMax: undefined,
    isUnderWay: false,
    feeBps: 0,
    feeFixed: Quantity.zero,
    hours: ANY_TIME,
  };
}

export function rail(kind: "on-ramp" | "off-ramp"): RailTerms {
  return {
    template: kind === "on-ramp" ? "from-bank" : "to-bank",
    kind,
    asset: VCHF,
    fiat: CHF,
    wallet: undefined,
    minimum: Quantity.of("1000"),
    quantityMax: undefined,
    feeBps: 2,
    feeFixed: Quantity.zero,
    hours: BANK_HOURS,
  };
}

export function situation(change: Partial<Situation>): Situation {
  return {
    now: THURSDAY,
    currency: CHF,
    rates: (asset) => (RATES[asset] === undefined ? undefined : Price.of(RATES[asset])),
    holdings: [holding("CHF", "400000"), holding("VCHF", "100000"), holding("GBP", "200000"), holding("VGBP", "50000")],
    bands: [],
    instruments: Object.keys(TOPS).map(instrument),
    topOf: (symbol) => TOPS[symbol],
    hasFair: () => true,
    orders: {
      slippageBps: 1,
      ordersMax: 5,
      feeBps: 0,
      valueMax: Quantity.of("50000"),
      quantityMax: () => undefined,
      refillMs: 30_000,
    },
    mints: [mint(VCHF, CHF), mint(VGBP, GBP)],
    rails: [rail("on-ramp"), rail("off-ramp")],
    unused: [],
    volumes: new Volumes(),
    costs: { stepCost: Money.of("0.1", CHF), capitalBpsPerYear: 500, riskBpsPerDay: 5 },
    ...change,
  };
}
