// Taking the venue's quote when it beats a value by what is wanted: shared by the strategies that live on that. A Fill-or-Kill
// order at the price on show, no larger than what may be spent and what is shown, one of a pair at a time.

import type { Side } from "../domain/order.ts";
import { affordable, roomOf } from "./room.ts";
import { type Proposal, type View, z } from "./strategy.ts";

const BPS = 1e4;
export const bps = (most: number) => z.number().min(0).max(most);

export const takingParams = {
  /** What a trade must leave at least, after the fee. */
  edgeBps: bps(500).default(1),
  /** What the venue keeps of a trade. */
  feeBps: bps(100).default(0),
  /** What is asked on top for the last of the money: for a share of it, that share. */
  skewBps: bps(500).default(10),
  /** Base units of one order at most. */
  size: z.number().positive().default(2_500),
  /** Part of the size on show that an order takes at most: Fill-or-Kill fills whole or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
  /** How far beyond the price on show a limit may go while the trade still leaves its edge. */
  slackBps: bps(50).default(1),
  /** Between two orders of a pair. */
  pauseMs: z.number().min(0).max(3_600_000).default(5_000),
  /** Standard deviation of the price over a minute: how fast a quote grows too old to know its edge. */
  moveBps: bps(100).default(2),
  /** What an order must promise over fair value, in the quote asset: what the slot that it takes is worth. */
  profitMin: z.number().min(0).default(0.05),
};

type TakingParams = z.output<z.ZodObject<typeof takingParams>>;
export type Taking = { readonly lastAt: Record<string, number>; short?: Short | undefined };
/** Pairs, and the side on which a price is worth taking and the money too little for it; undefined before the first. */
type Short = Readonly<Record<string, Side | undefined>>;
export type TakingView = View<TakingParams, Readonly<Taking>, "quote">;
type Taker = View<TakingParams, Taking, "quote">;

/** What is on both sides of a pair, and the base asset's part of it. */
export type Holdings = { readonly base: number; readonly quote: number; readonly baseShare: number };
/** What is wanted over edge and fee, given what is held. */
export type Premium = (side: Side, held: Holdings) => number;

export function takeIfWorth(view: Taker, value: number, premium: Premium): Proposal | undefined {
  const { quote, params } = view;
  const least = params.edgeBps + params.feeBps;
  const buyBps = (1 - quote.ask / value) * BPS;
  const sellBps = (quote.bid / value - 1) * BPS;
  if (buyBps < least && sellBps < least) return waits(view, undefined);
  if (!isTurn(view)) return undefined;
  const held = holdingsOf(view, value);
  if (held === undefined) return undefined;
  const side = buyBps >= least ? "buy" : "sell";
  const wantedBps = least + premium(side, held);
  return taken(view, { side, value, wantedBps, edgeBps: side === "buy" ? buyBps : sellBps });
}

/** For a share of the money, that share of the skew. */
export function skewOf({ params }: TakingView, side: Side, { baseShare }: Holdings): number {
  return params.skewBps * (side === "buy" ? baseShare : 1 - baseShare);
}

export function isTurn({ quote, params, state, now, openOrders }: TakingView): boolean {
  const last = state.lastAt[quote.symbol];
  if (last !== undefined && now - last < params.pauseMs) return false;
  return !openOrders.some((order) => order.symbol === quote.symbol);
}

export function holdingsOf(view: TakingView, value: number): Holdings | undefined {
  const instrument = view.instrumentOf(view.quote.symbol);
  if (instrument === undefined) return undefined;
  const base = view.balanceOf(instrument.base)?.spendable;
  const quote = view.balanceOf(instrument.quote)?.spendable;
  if (base === undefined || quote === undefined) return undefined;
  const worth = base * value + quote;
  return { base, quote, baseShare: worth > 0 ? (base * value) / worth : 0 };
}

type Offer = { readonly side: Side; readonly value: number; readonly edgeBps: number; readonly wantedBps: number };

function taken(view: Taker, offer: Offer): Proposal | undefined {
  const { quote, params, state, now } = view;
  const { side, value, edgeBps, wantedBps } = offer;
  if (edgeBps < wantedBps) return waits(view, undefined);
  const instrument = view.instrumentOf(quote.symbol);
  if (instrument === undefined) return undefined;
  const limit = limitOf(view, offer);
  const size = sizeOf(view, side, limit);
  const isTooSmall = (units: number): boolean =>
    units < instrument.quantityMin.toNumber() || (units * value * edgeBps) / BPS < params.profitMin;
  if (isTooSmall(size)) return waits(view, isTooSmall(affordable(view, side, limit)) ? side : undefined);
  waits(view, undefined);
  state.lastAt[quote.symbol] = now;
  const ask = { limit, size, reason: reasonOf(view, offer) };
  return side === "buy" ? view.buy(quote.symbol, ask) : view.sell(quote.symbol, ask);
}

/** Says what is short, once something was: whoever sees an edge on the screen asks why nobody takes it. */
function waits({ quote, state, note, instrumentOf }: Taker, side: Side | undefined): undefined {
  if (side === undefined && state.short === undefined) return undefined;
  if (state.short?.[quote.symbol] !== side) state.short = { ...state.short, [quote.symbol]: side };
  const short = state.short ?? {};
  let word = words.get(short);
  if (word === undefined) {
    word = shortText(short, instrumentOf);
    words.set(short, word);
  }
  return note(word);
}

/** Said at every quote, and seldom another one. */
const words = new WeakMap<Short, string>();

function shortText(short: Short, instrumentOf: TakingView["instrumentOf"]): string {
  const lacks = Object.entries(short).flatMap(([symbol, side]) => {
    const instrument = side && instrumentOf(symbol);
    if (instrument === undefined) return [];
    const { base, quote } = instrument;
    return side === "sell" ? `too little ${base} left to sell` : `too little ${quote} left to buy ${base} with`;
  });
  // Also said with an order.
  if (lacks.length === 0) return "takes any price that is worth an order";
  return `has ${lacks.join(", ")} beyond what the limits keep back`;
}

/** What is wanted, shown and free to spend at that price. */
export function sizeOf(view: TakingView, side: Side, price: number): number {
  return Math.min(view.params.size, roomOf(view, side, price));
}

/** The worst price that still leaves what is wanted, but no further from the price on show than the slack. */
function limitOf({ quote, params }: TakingView, { side, value, wantedBps }: Offer): number {
  return side === "buy"
    ? Math.min(value * (1 - wantedBps / BPS), quote.ask * (1 + params.slackBps / BPS))
    : Math.max(value * (1 + wantedBps / BPS), quote.bid * (1 - params.slackBps / BPS));
}

function reasonOf({ quote }: TakingView, { side, value, edgeBps, wantedBps }: Offer): string {
  const [name, price, where] = side === "buy" ? ["ask", quote.ask, "under"] : ["bid", quote.bid, "over"];
  const [found, wanted] = [edgeBps.toFixed(1), wantedBps.toFixed(1)];
  return `${name} ${price.toFixed(5)} is ${found} bp ${where} fair ${value.toFixed(5)}, wanted ${wanted}`;
}
