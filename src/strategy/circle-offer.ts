// The offer of a triangle of pairs at the shown prices: its edge, the price of an open leg, the order of the legs with
// the safest first, and the size.

import type { Side } from "../domain/order.ts";
import { type Circle, circlesOf, isSameCurrency, type Prices, rateOf, spreadBps } from "./triangle.ts";
import type { QuoteView, ViewBase } from "./view.ts";

const BPS = 1e4;
export const CIRCLE_LEGS = 3;
const NOISE = 1e-12;

export type Leg = { readonly symbol: string; readonly side: Side; readonly quantity: number };

type Params = {
  readonly symbols: readonly string[];
  readonly edgeBps: number;
  readonly feeBps: number;
  readonly killChance: number;
  readonly moveBps: number;
  readonly pegMoveBps: number;
  readonly size: number;
  readonly depthShare: number;
  readonly profitMin: number;
  readonly quoteAgeMsMax: number;
  readonly togetherMsMax: number;
};

type Circles = { readonly all: readonly Circle[]; readonly of: ReadonlyMap<string, readonly Circle[]> };
const known = new WeakMap<object, Circles>();

export function circlesWith(params: Params, symbol: string): readonly Circle[] {
  return circlesIn(params).of.get(symbol) ?? [];
}

function circlesIn(params: Params): Circles {
  const before = known.get(params);
  if (before !== undefined) return before;
  const all = circlesOf(params.symbols);
  const withPair = (symbol: string) => all.filter((circle) => circle.some((edge) => edge.symbol === symbol));
  const circles = { all, of: new Map(params.symbols.map((symbol) => [symbol, withPair(symbol)])) };
  known.set(params, circles);
  return circles;
}

/** Whether a circle has this edge at these prices, before the risk of open legs. */
export function hasEdge(
  params: Params,
  quoteOf: (symbol: string) => Prices | undefined,
  edgeBps = params.edgeBps,
): boolean {
  const least = 1 + edgeBps / BPS;
  return circlesIn(params).all.some((circle) => {
    let product = 1;
    for (const { symbol, side } of circle) {
      const quote = quoteOf(symbol);
      product *= quote === undefined ? Number.NaN : rateOf(side, quote);
    }
    // Float noise counts as an edge.
    return product * (1 + NOISE) >= least;
  });
}

export type Offer = { readonly edgeBps: number; readonly wantedBps: number; readonly circle: Circle };
type QuoteOf = (symbol: string) => QuoteView | undefined;

/** Undefined unless all three prices are present, fresh and from one poll. */
export function offerOf(circle: Circle, params: Params, quoteOf: QuoteOf): Offer | undefined {
  const quotes = circle.map(({ symbol }) => freshOf(symbol, params, quoteOf));
  if (quotes.some((quote) => quote === undefined)) return undefined;
  const prices = quotes as QuoteView[];
  const ages = prices.map(({ ageMs }) => ageMs);
  if (Math.max(...ages) - Math.min(...ages) > params.togetherMsMax) return undefined;
  let product = 1;
  for (const [index, { side }] of circle.entries()) product *= rateOf(side, prices[index] as QuoteView);
  const risks = circle.map((edge, index) => ({ edge, riskBps: riskOf(edge, prices[index] as QuoteView, params) }));
  risks.sort((one, other) => one.riskBps - other.riskBps);
  // If the second leg does not fill, the first stays open; if the third does not, the position that only the third
  // closes stays open.
  const standingBps = (risks[0]?.riskBps ?? 0) + (risks[2]?.riskBps ?? 0);
  return {
    circle: risks.map(({ edge }) => edge) as unknown as Circle,
    edgeBps: (product - 1) * BPS,
    wantedBps: params.edgeBps + CIRCLE_LEGS * params.feeBps + params.killChance * standingBps,
  };
}

/** The cost of holding this leg alone: a spread to undo it, and its price move in the meantime. */
function riskOf({ from, to }: Circle[0], quote: QuoteView, params: Params): number {
  return spreadBps(quote) + (isSameCurrency(from, to) ? params.pegMoveBps : params.moveBps);
}

export function freshOf(
  symbol: string,
  { quoteAgeMsMax }: Pick<Params, "quoteAgeMsMax">,
  quoteOf: QuoteOf,
): QuoteView | undefined {
  const quote = quoteOf(symbol);
  return quote !== undefined && quote.ageMs <= quoteAgeMsMax ? quote : undefined;
}

/** The largest size that quote sizes, depth and holdings allow, for legs in this order; undefined if too small. */
export function sized(
  view: Pick<ViewBase<Params, unknown>, "params" | "quoteOf" | "balanceOf" | "instrumentOf">,
  { circle, edgeBps }: Offer,
): readonly Leg[] | undefined {
  const { params, quoteOf, balanceOf, instrumentOf } = view;
  const start = circle[0].from;
  let amount = 1;
  let most = Number.POSITIVE_INFINITY;
  const units = new Map<string, number>();
  for (let edge = from(circle, start); units.size < CIRCLE_LEGS; edge = from(circle, edge.to)) {
    const quote = quoteOf(edge.symbol);
    const free = balanceOf(edge.from)?.free;
    if (quote === undefined || free === undefined) return undefined;
    const received = amount * rateOf(edge.side, quote);
    const unit = edge.side === "sell" ? amount : received;
    const shown = (edge.side === "sell" ? quote.bidSize : quote.askSize) ?? Number.POSITIVE_INFINITY;
    most = Math.min(most, params.size / unit, (shown * params.depthShare) / unit, free / amount);
    units.set(edge.symbol, unit);
    amount = received;
  }
  if ((most * edgeBps) / BPS < params.profitMin) return undefined;
  const legs = circle.map(({ symbol, side }) => ({ symbol, side, quantity: most * (units.get(symbol) ?? 0) }));
  const isEnough = legs.every(({ symbol, quantity }) => {
    const minimum = instrumentOf(symbol)?.quantityMin.toNumber();
    return minimum !== undefined && quantity >= minimum;
  });
  return isEnough ? legs : undefined;
}

function from(circle: Circle, asset: string): Circle[0] {
  const edge = circle.find((one) => one.from === asset);
  if (edge === undefined) throw new Error(`no edge of the circle begins at ${asset}`);
  return edge;
}
