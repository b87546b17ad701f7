// Orders as routes: a few per tradable pair and side, each for the size that the venue shows, the first slightly worse
// than its price and each further one by the same step. Limits are on the venue's grid and never better than its price,
// so that they fill.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, type Price, Quantity } from "../../domain/money/money.ts";
import { legs, type Side } from "../../domain/order.ts";
import { holdingOf } from "./holding.ts";
import { type ClosedRoute, type RatesOf, type Route, unitsOf } from "./route.ts";

export type OrderTerms = {
  /**
   * How much worse than the venue's price an order is planned, so that it still fills a little later; each further
   * order of the pair adds the same.
   */
  readonly slippageBps: number;
  readonly ordersMax: number;
  /** The expected fee. */
  readonly feeBps: number;
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

export type OrderMarket = {
  readonly instruments: readonly Instrument[];
  readonly topOf: (symbol: PairSymbol) => Top | undefined;
  /** Without a fair value the gate refuses every order of a pair, except the sale of an off-peg coin. */
  readonly hasFair: (symbol: PairSymbol, side: Side) => boolean;
  readonly currency: Asset;
  readonly rates: RatesOf;
  /** Whether an order would reverse a recent order without profit; then it is not a route. */
  readonly isBack?:
    | ((order: { readonly symbol: PairSymbol; readonly side: Side; readonly limit: Price }) => boolean)
    | undefined;
};

export const TRADES_BACK = "it would trade back without profit what was ordered in the last 10 minutes";

export function orderRoutes(market: OrderMarket, terms: OrderTerms): { open: Route[]; closed: ClosedRoute[] } {
  const open: Route[] = [];
  const closed: ClosedRoute[] = [];
  for (const instrument of market.instruments) {
    const reason = whyClosed(market, instrument);
    if (reason !== undefined) closed.push({ name: instrument.symbol, kind: "order", reason });
    else
      for (const side of (["buy", "sell"] as const).filter((one) => market.hasFair(instrument.symbol, one))) {
        const { symbol } = instrument;
        const routes = ladder(market, instrument, side, terms);
        const back = routes.filter(({ limit }) => market.isBack?.({ symbol, side, limit }));
        if (back.length > 0) closed.push({ name: `${side} ${symbol}`, kind: "order", reason: TRADES_BACK });
        open.push(...routes.filter((one) => !back.includes(one)).map(({ route }) => route));
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

function ladder(market: OrderMarket, instrument: Instrument, side: Side, terms: OrderTerms): readonly Limited[] {
  const top = market.topOf(instrument.symbol) as Top;
  const signal = side === "buy" ? top.ask : top.bid;
  const depth = side === "buy" ? top.askSize : top.bidSize;
  // Rounded away from us: a buyer's limit up, a seller's down.
  const shown = limitFromSignal(signal, side === "buy" ? "sell" : "buy", instrument);
  if (!shown.ok) return [];
  const lot = lotOf(instrument, market);
  const routes: Limited[] = [];
  for (let i = 0; i < terms.ordersMax; i++) {
    const limit = worsened(shown.value, side, (i + 1) * terms.slippageBps, instrument);
    if (limit === undefined) break;
    const max = lotsIn(sizeMax(market, instrument, limit, depth, terms), lot);
    routes.push({ limit, route: routeOf(instrument, side, { limit, lot, max, index: i }, terms) });
  }
  return routes;
}

type Limited = { readonly limit: Price; readonly route: Route };
type Rung = { readonly limit: Price; readonly lot: Quantity; readonly max: number; readonly index: number };

function routeOf(instrument: Instrument, side: Side, { limit, lot, max, index }: Rung, terms: OrderTerms): Route {
  const { symbol, base, quote, quantityMin } = instrument;
  const { bought, sold } = legs(side, base, quote);
  const inBase = lot.of(base);
  const worth = limit.times(lot, quote, side === "buy" ? "up" : "down");
  const fee = worth.share(terms.feeBps, "up");
  return {
    name: `${side} ${symbol}${index === 0 ? "" : ` ${index + 1}`}`,
    via: { kind: "order", symbol, side, limit },
    from: holdingOf(sold),
    to: holdingOf(bought),
    lot,
    min: Math.max(1, lotsOver(quantityMin, lot)),
    max,
    takes: side === "buy" ? worth.plus(fee) : inBase,
    brings: side === "buy" ? inBase : worth.minus(fee),
    keeps: Money.zero(bought),
    short: Money.zero(bought),
    arrivesMs: index * terms.refillMs,
    isExposed: false,
    exclusive: { group: symbol, side },
  };
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

/** The depth that the venue shows, capped by the maximum order size. */
function sizeMax(
  { rates, currency }: OrderMarket,
  { symbol, quote, quantityDecimals }: Instrument,
  limit: Price,
  depth: number | undefined,
  { valueMax, quantityMax }: OrderTerms,
): Quantity {
  const bounds: Quantity[] = [];
  // Without a shown size no order is planned.
  bounds.push(depth === undefined || !(depth > 0) ? Quantity.zero : floored(depth, quantityDecimals));
  const most = quantityMax(symbol);
  if (most !== undefined) bounds.push(most);
  const rate = rates(quote);
  if (valueMax !== undefined && rate !== undefined) {
    const inQuote = quote === currency ? valueMax.of(quote) : valueMax.of(currency).exchanged(rate, quote, "down");
    bounds.push(Quantity.affordable(inQuote, limit));
  }
  return bounds.reduce((one, other) => one.min(other));
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

export function lotsIn(quantity: Quantity, lot: Quantity): number {
  return Number(unitsOf(quantity) / unitsOf(lot));
}

export function lotsOver(quantity: Quantity, lot: Quantity): number {
  return Number((unitsOf(quantity) + unitsOf(lot) - 1n) / unitsOf(lot));
}
