// Orders as routes: a series per tradable pair and side, each order for the size that the venue shows, the first slightly
// worse than its price and each further one by the same step. Limits are on the venue's grid and never better than its
// price, so that they fill.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, type Price, Quantity } from "../../domain/money/money.ts";
import { legs, type Side } from "../../domain/order.ts";
import { type FeesNow, type FeeTerms, feeNow } from "./fees.ts";
import { holdingOf } from "./holding.ts";
import { type ClosedRoute, lotsIn, lotsOver, type Route, type Slice } from "./route.ts";

export type OrderTerms = {
  /**
   * How much worse than the venue's price an order is planned, so that it still fills a little later; each further
   * order of the pair adds the same.
   */
  readonly slippageBps: number;
  readonly ordersMax: number;
  /** The expected fee, and the most that an order may cost. */
  readonly feeBps: number;
  readonly fees?: FeeTerms["fees"];
  readonly feeBpsMax?: number | undefined;
  /** The limits of one order; undefined if there is none. */
  readonly valueMax: Quantity | undefined;
  readonly quantityMax: (symbol: PairSymbol) => Quantity | undefined;
  /** The time until the venue shows a price again for the pair's next order. */
  readonly refillMs: number;
};

export type Top = {
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
};

export type OrderMarket = FeesNow & {
  readonly instruments: readonly Instrument[];
  readonly topOf: (symbol: PairSymbol) => Top | undefined;
  /** Without a fair value the gate refuses every order of a pair, except the sale of an off-peg coin. */
  readonly hasFair: (symbol: PairSymbol, side: Side) => boolean;
  /** Whether an order would reverse a recent order without profit; then it is not a route. */
  readonly isBack?:
    | ((order: { readonly symbol: PairSymbol; readonly side: Side; readonly limit: Price }) => boolean)
    | undefined;
};

export const TRADES_BACK = "it would trade back without profit what was ordered in the last 10 minutes";

export function orderRoutes(market: OrderMarket, given: OrderTerms): { open: Route[]; closed: ClosedRoute[] } {
  const terms = { ...given, feeBps: feeNow({ ...given, feeFixed: Quantity.zero }, "trade", market).bps };
  const open: Route[] = [];
  const closed: ClosedRoute[] = [];
  for (const instrument of market.instruments) {
    const { symbol, base, quote } = instrument;
    const reason = whyClosed(market, instrument);
    if (reason !== undefined) closed.push({ name: symbol, reason });
    else
      for (const side of (["buy", "sell"] as const).filter((one) => market.hasFair(symbol, one))) {
        const limits = limitsOf(market, instrument, side, terms);
        const kept = limits.filter((limit) => market.isBack?.({ symbol, side, limit }) !== true);
        if (kept.length < limits.length) closed.push({ name: `${side} ${symbol}`, reason: TRADES_BACK });
        const { bought, sold } = legs(side, base, quote);
        const slices = kept.map((limit, index) => sliceOf(market, instrument, { side, limit, index }, terms));
        const [from, to] = [holdingOf(sold), holdingOf(bought)];
        open.push({ name: `${side} ${symbol}`, from, to, slices, isExposed: false, group: symbol });
      }
  }
  return { open, closed };
}

function whyClosed({ topOf, hasFair, rates, currency }: OrderMarket, { symbol, base, quote, status }: Instrument) {
  if (status !== "online") return `the venue says ${status}`;
  const top = topOf(symbol);
  if (top === undefined) return "the venue quotes no price";
  if (!(top.bid > 0 && top.bid <= top.ask)) return "the venue's price is crossed";
  if (!hasFair(symbol, "sell")) return "it has no fair value";
  const unknown = [base, quote].find((asset) => rates(asset) === undefined);
  return unknown && `there is no rate of ${unknown} in ${currency}`;
}

/** Of each order in a row. */
function limitsOf(market: OrderMarket, instrument: Instrument, side: Side, terms: OrderTerms): readonly Price[] {
  const top = market.topOf(instrument.symbol) as Top;
  // Rounded away from us: a buyer's limit up, a seller's down.
  const shown = limitFromSignal(side === "buy" ? top.ask : top.bid, side === "buy" ? "sell" : "buy", instrument);
  if (!shown.ok) return [];
  const limits: Price[] = [];
  for (let i = 1; i <= terms.ordersMax; i++) {
    const limit = worsened(shown.value, side, i * terms.slippageBps, instrument);
    if (limit === undefined) break;
    limits.push(limit);
  }
  return limits;
}

function worsened(price: Price, side: Side, bps: number, { priceDecimals }: Instrument): Price | undefined {
  const away = side === "buy" ? "up" : "down";
  try {
    return price.shifted(side === "buy" ? bps : -bps, away).rounded(priceDecimals, away);
  } catch {
    // There is no price below one tick.
    return undefined;
  }
}

type OneOrder = { readonly side: Side; readonly limit: Price; readonly index: number };

function sliceOf(
  market: OrderMarket,
  instrument: Instrument,
  { side, limit, index }: OneOrder,
  terms: OrderTerms,
): Slice {
  const { symbol, base, quote, quantityMin } = instrument;
  const lot = lotOf(instrument, market);
  const inBase = lot.of(base);
  const worth = limit.times(lot, quote, side === "buy" ? "up" : "down");
  const fee = worth.share(terms.feeBps, "up");
  const feeMax = worth.share(Math.max(terms.feeBps, terms.feeBpsMax ?? 0), "up");
  const none = Money.zero(side === "buy" ? base : quote);
  return {
    via: { kind: "order", symbol, side, limit },
    lot,
    min: Math.max(1, lotsOver(quantityMin, lot)),
    max: lotsIn(sizeMax(market, instrument, { side, limit }, terms), lot),
    takes: side === "buy" ? worth.plus(fee) : inBase,
    brings: side === "buy" ? inBase : worth.minus(fee),
    feeMore: feeMax.minus(fee),
    keeps: none,
    short: none,
    arrivesMs: index * terms.refillMs,
  };
}

/** The size that the venue shows, capped by the limits of one order; without a shown size no order is planned. */
function sizeMax(
  { rates, currency, topOf }: OrderMarket,
  { symbol, quote, quantityDecimals }: Instrument,
  { side, limit }: Omit<OneOrder, "index">,
  { valueMax, quantityMax }: OrderTerms,
): Quantity {
  const top = topOf(symbol);
  const shown = side === "buy" ? top?.askSize : top?.bidSize;
  let size = shown === undefined || !(shown > 0) ? Quantity.zero : floored(shown, quantityDecimals);
  const most = quantityMax(symbol);
  if (most !== undefined) size = size.min(most);
  const rate = rates(quote);
  if (valueMax === undefined || rate === undefined) return size;
  const inQuote = quote === currency ? valueMax.of(quote) : valueMax.of(currency).exchanged(rate, quote, "down");
  return size.min(Quantity.affordable(inQuote, limit));
}

/** More than any plan needs. */
const SIZE_MAX = 1_000_000_000;

/** For a positive size; whole units if the size is too large to count its steps exactly. */
function floored(size: number, decimals: number): Quantity {
  const steps = Math.floor(size * 10 ** decimals);
  return steps <= Number.MAX_SAFE_INTEGER
    ? Quantity.ofSteps(steps, decimals)
    : Quantity.ofSteps(Math.floor(Math.min(size, SIZE_MAX)), 0);
}

/** The power of ten of the base asset that is worth about one unit of the currency, on the pair's grid. */
function lotOf({ base, quantityDecimals }: Instrument, { rates }: OrderMarket): Quantity {
  const rate = rates(base)?.toNumber() ?? 1;
  const decimals = Math.min(quantityDecimals, Math.max(0, Math.ceil(Math.log10(rate) - 0.5)));
  return Quantity.ofSteps(1, decimals);
}
