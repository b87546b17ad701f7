// A trading core for rules: real books and simple accounts and prices that a test sets by hand. Half of what rules read is unknown
// until a test says it.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { OrderReport } from "../../src/domain/event.ts";
import type { Fair } from "../../src/domain/fair.ts";
import { createIds } from "../../src/domain/ids.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { Counters } from "../../src/risk/counters.ts";
import { type Approved, createGate } from "../../src/risk/gate.ts";
import { riskSchema } from "../../src/risk/limits.ts";
import type { Candidate, Gate, GateVerdict, RiskContext, Rule } from "../../src/risk/rule.ts";
import { completeConfig, mappingAt } from "../config/complete.ts";
import { anInstrument } from "../support/instrument.ts";

export const CHF = "CHF" as Asset;
export const VCHF = "VCHF" as Asset;
export const GBP = "GBP" as Asset;
export const VGBP = "VGBP" as Asset;
export const VCHF_CHF = "VCHF/CHF" as PairSymbol;
export const VGBP_GBP = "VGBP/GBP" as PairSymbol;
/** 2026-03-02 12:00 UTC. */
export const NOON = millis(Date.UTC(2026, 2, 2, 12));

const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  [VCHF_CHF]: anInstrument({ quantityMin: Quantity.of("0.1") }),
  [VGBP_GBP]: anInstrument({ symbol: VGBP_GBP, base: VGBP, quote: GBP, quantityMin: Quantity.of("0.1") }),
};

export type Holding = {
  spendable?: string | undefined;
  held?: string | undefined;
  placed?: string;
  atLeast?: string | undefined;
  atMost?: string | undefined;
};

/** What rules read, as a test may set it. */
export type Engine = RiskContext & {
  now: Millis;
  readonly counters: Counters;
  readonly holdings: Map<Asset, Holding>;
  readonly fairs: Map<PairSymbol, Fair>;
  readonly rates: Map<Asset, Price>;
  equity: string | undefined;
  /** The venue's. */
  bid: number | undefined;
};

export function aDesk(counters: Counters = new Counters(CHF)): Engine {
  const tradingCore = {
    now: NOON,
    counters,
    holdings: new Map<Asset, Holding>([
      [CHF, plenty()],
      [VCHF, plenty()],
    ]),
    fairs: new Map<PairSymbol, Fair>([[VCHF_CHF, aFair()]]),
    rates: new Map<Asset, Price>([[VCHF, Price.of("1")]]),
    equity: "100000" as string | undefined,
    bid: 1 as number | undefined,
    accounts: {
      get assets() {
        return [...tradingCore.holdings.keys()];
      },
      spendable: (asset: Asset) => money(tradingCore.holdings.get(asset)?.spendable, asset),
      held: (asset: Asset) => money(tradingCore.holdings.get(asset)?.held, asset),
      settled: (asset: Asset) => money(tradingCore.holdings.get(asset)?.held, asset),
      inFlight: (asset: Asset) => Money.zero(asset),
      flights: () => [],
      volumes: { of: () => [] },
      placed: (asset: Asset) => Money.of(tradingCore.holdings.get(asset)?.placed ?? "0", asset),
      heldAtLeast: (asset: Asset) => money(tradingCore.holdings.get(asset)?.atLeast, asset),
      heldAtMost: (asset: Asset) => money(tradingCore.holdings.get(asset)?.atMost, asset),
    },
    pricing: {
      currency: CHF,
      fair: (symbol: PairSymbol): Fair => tradingCore.fairs.get(symbol) ?? { kind: "none", reason: "missing" },
      bid: () => tradingCore.bid,
      rate: (asset: Asset) => (asset === CHF ? Price.of("1") : tradingCore.rates.get(asset)),
      mark: (asset: Asset) => {
        const price = asset === CHF ? Price.of("1") : tradingCore.rates.get(asset);
        return price && { price, ageMs: 0 };
      },
      mid: (asset: Asset) => tradingCore.pricing.rate(asset),
      par: (asset: Asset) => tradingCore.pricing.rate(asset),
      equity: () => money(tradingCore.equity, CHF),
      isSurely: () => false,
      exposure: (asset: Asset): Money | undefined => {
        const held = tradingCore.accounts.heldAtMost(asset);
        return held?.isZero() ? Money.zero(CHF) : rateAnd(held, tradingCore.pricing.rate(asset));
      },
      grossExposure: (): Money | undefined => {
        const all = tradingCore.accounts.assets
          .filter((asset) => asset !== CHF)
          .map((asset) => tradingCore.pricing.exposure(asset)?.size());
        const known = all.filter((value) => value !== undefined);
        return known.length === all.length ? Money.sum(known, CHF) : undefined;
      },
    },
  };
  return tradingCore;
}

export function plenty(): Holding {
  return { spendable: "100000", held: "100000", atLeast: "100000", atMost: "100000" };
}

export function aFair(changes: Partial<Extract<Fair, { kind: "fair" }>> = {}): Fair {
  return { kind: "fair", value: 1, ageMs: 100, sources: 2, disagreementBps: 1, ...changes };
}

export type Order = {
  symbol?: PairSymbol;
  side?: Side;
  size?: string;
  limit?: string;
  decidedAt?: number;
  expiresAt?: number;
  instrument?: Instrument;
};

export function aCandidate(order: Order = {}): Candidate {
  const { symbol = VCHF_CHF, side = "buy", size = "100", limit = "1" } = order;
  const instrument = order.instrument ?? (INSTRUMENTS[symbol] as Instrument);
  const quantity = Quantity.of(size);
  const price = Price.of(limit);
  return {
    symbol,
    instrument,
    side,
    quantity,
    limit: price,
    decidedAt: millis(order.decidedAt ?? NOON),
    expiresAt: millis(order.expiresAt ?? NOON + 3_000),
    reason: "test",
  };
}

export function aGate(...rules: Rule[]): Gate<Approved> {
  return createGate(rules, CHF, createIds("T", "abcdefgh"));
}

/** One order through a gate that has only this rule. */
function reviewed(rule: Rule, tradingCore: Engine, order: Order = {}): GateVerdict<Approved> {
  return aGate(rule).review(aCandidate(order), tradingCore);
}

/** `approved 100`, `RC01`, or `RC01 unknown`. */
export function verdict(rule: Rule, tradingCore: Engine, order: Order = {}): string {
  return said(reviewed(rule, tradingCore, order));
}

export function said(found: GateVerdict<Approved>): string {
  if (found.kind === "approved") return `approved ${found.intent.quantity}`;
  const { rule, value } = found.refusal;
  return value === "unknown" ? `${rule} unknown` : rule;
}

export function anIntent(order: Order & { id?: string } = {}): OrderIntent {
  const { symbol, side, quantity, limit, reason, decidedAt, expiresAt } = aCandidate(order);
  const clientOrderId = (order.id ?? "T-1") as ClientOrderId;
  return { clientOrderId, symbol, side, quantity, limit, reason, decidedAt, expiresAt };
}

export function approved(tradingCore: Engine, order: Order & { id?: string } = {}): OrderIntent {
  const intent = anIntent(order);
  tradingCore.counters.apply({
    kind: "approved",
    intent,
    rate: tradingCore.pricing.rate(INSTRUMENTS[intent.symbol]?.quote as Asset),
    at: tradingCore.now,
  });
  return intent;
}

export function reported(tradingCore: Engine, intent: OrderIntent, report: OrderReport, realised?: string): void {
  const { quote } = INSTRUMENTS[intent.symbol] as Instrument;
  tradingCore.counters.apply({
    kind: "report",
    intent,
    clientOrderId: intent.clientOrderId,
    report,
    first: true,
    realised: realised === undefined ? undefined : Money.of(realised, quote),
    at: tradingCore.now,
  });
}

export function rejected(tradingCore: Engine, order: Order & { id?: string } = {}, code = "invalid-order"): void {
  reported(tradingCore, approved(tradingCore, order), { kind: "rejected", code, message: "no" });
}

export function filled(tradingCore: Engine, order: Order & { id?: string; fee?: Money; realised?: string } = {}): void {
  const intent = approved(tradingCore, order);
  reported(tradingCore, intent, { kind: "filled", fill: aFill(intent, order.fee), confirmed: false }, order.realised);
}

export function aFill(intent: OrderIntent, fee?: Money): Fill {
  const { base, quote } = INSTRUMENTS[intent.symbol] as Instrument;
  const [baseLeg, quoteLeg] = [intent.quantity.of(base), intent.limit.times(intent.quantity, quote, "down")];
  return {
    clientOrderId: intent.clientOrderId,
    orderId: "1",
    tradeId: "1",
    symbol: intent.symbol,
    side: intent.side,
    bought: intent.side === "buy" ? baseLeg : quoteLeg,
    sold: intent.side === "buy" ? quoteLeg : baseLeg,
    fee: fee ?? Money.zero(quote),
    at: NOON,
  };
}

export function marked(tradingCore: Engine, equity: string): void {
  tradingCore.counters.apply({ kind: "mark", equity: Money.of(equity, CHF), at: tradingCore.now });
}

export function chf(text: string): Money {
  return Money.of(text, CHF);
}

/** A complete set for two pairs, with every limit set but the heartbeat. */
export function someLimits(changes: Record<string, unknown> = {}) {
  const { heartbeatMsMax: _, ...limits } = mappingAt(completeConfig(), ["risk"]);
  return riskSchema.parse({
    ...limits,
    symbols: [VCHF_CHF, VGBP_GBP],
    orderQuantityMax: { [VCHF_CHF]: "50000", [VGBP_GBP]: "50000" },
    // What the trading core holds of a coin is all of its equity.
    depegLossBpsMax: 999,
    depegAssumedBps: 100,
    ...changes,
  });
}

function rateAnd(held: Money | undefined, rate: Price | undefined): Money | undefined {
  return held && rate && held.valued(rate, CHF, "up");
}

function money(text: string | undefined, asset: Asset): Money | undefined {
  return text === undefined ? undefined : Money.of(text, asset);
}
