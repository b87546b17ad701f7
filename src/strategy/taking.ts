// Takes the venue's quote when it beats a value by the required edge; shared by the strategies that do so. A
// Fill-or-Kill order at the shown price, no larger than the free balance and the shown size, one order of a pair at a
// time. Also what trades at a cost may pay and how large an order can be.

import type { Side } from "../domain/order.ts";
import { ScreenAccount, type ScreenColumns, type ScreenPair, type ScreenResult } from "./screen.ts";
import { type Proposal, type View, z } from "./strategy.ts";
import type { QuoteView } from "./view.ts";

const BPS = 1e4;
export const bps = (most: number) => z.number().min(0).max(most);

export const takingParams = {
  /** The least edge of a trade after the fee. */
  edgeBps: bps(500).default(1),
  /** The venue's fee. */
  feeBps: bps(100).default(0),
  /** The extra edge required for the last of the balance; proportional below. */
  skewBps: bps(500).default(10),
  /** The largest order, in base units. */
  size: z.number().positive().default(2_500),
  /** The largest part of the shown size that one order takes: Fill-or-Kill fills completely or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
  /** How far a limit may go beyond the shown price while the trade keeps its edge. */
  slackBps: bps(50).default(1),
  /** The pause between two orders of a pair. */
  pauseMs: z.number().min(0).max(3_600_000).default(5_000),
  /** The least gain of an order over fair value, in the quote asset: the price of its slot. */
  profitMin: z.number().min(0).default(0.05),
  /** The orders of a UTC day where the venue shows no quotes: sent ahead of an even pace, they must gain more. */
  ordersPerDay: z.number().int().min(1).max(86_400).default(190),
  /** The share of those orders whose limit is drawn at random among welcome ones, and what a UTC day of them may cost, in the quote asset. */
  exploreShare: z.number().min(0).max(0.5).default(0),
  exploreLossMax: z.number().min(0).default(5),
};

export type TakingParams = z.output<z.ZodObject<typeof takingParams>>;
export type Taking = {
  readonly lastAt: Record<string, number>;
  short?: Short | undefined;
  /** The orders without a quote of the last day with one; undefined before the first. */
  asked?: Asked | undefined;
};
/** `worth`: what an order had to gain as of `at`; `lost`: what drawn limits were expected to gain less than the best. */
type Asked = { readonly day: number; readonly orders: number } & Partial<
  Readonly<Record<"worth" | "at" | "lost", number>>
>;
/** Pairs, with the side whose price is worth taking but whose balance is too small; undefined before the first. */
type Short = Readonly<Record<string, Side | undefined>>;
type TakingView = View<TakingParams, Readonly<Taking>, "quote">;
type Taker = View<TakingParams, Taking, "quote">;

/** The balances of both sides of a pair, and the base asset's share of them. */
export type Holdings = { readonly base: number; readonly quote: number; readonly baseShare: number };
/** The edge required on top of edge and fee, given the holdings. */
export type Premium = (side: Side, held: Holdings) => number;

/** Computed only for traded pairs. */
export function fairOf(view: View<{ readonly symbols: readonly string[] }, unknown, "quote">): number | undefined {
  return view.params.symbols.includes(view.quote.symbol) ? view.fair : undefined;
}

export function takeIfWorth(view: Taker, value: number, premium: Premium): Proposal | undefined {
  const { quote, params } = view;
  const least = params.edgeBps + params.feeBps;
  const { side, edgeBps } = betterSide(quote, value, least);
  if (edgeBps < least) return waits(view, undefined);
  if (!isTurn(view)) return undefined;
  const held = holdingsOf(view, quote.symbol, value);
  if (held === undefined) return undefined;
  return taken(view, { side, value, wantedBps: least + premium(side, held), edgeBps });
}

function betterSide(
  { bid, ask }: Pick<QuoteView, "bid" | "ask">,
  value: number,
  least: number,
): { readonly side: Side; readonly edgeBps: number } {
  const buyBps = (1 - ask / value) * BPS;
  const sellBps = (bid / value - 1) * BPS;
  return buyBps >= least ? { side: "buy", edgeBps: buyBps } : { side: "sell", edgeBps: sellBps };
}

/** Proportional to the share of the balance used. */
export function skewOf(
  { params }: { readonly params: Pick<TakingParams, "skewBps"> },
  side: Side,
  { baseShare }: Holdings,
): number {
  return params.skewBps * (side === "buy" ? baseShare : 1 - baseShare);
}

export function isTurn({ quote, params, state, now, openOrders }: TakingView): boolean {
  const last = state.lastAt[quote.symbol];
  if (last !== undefined && now - last < params.pauseMs) return false;
  return !openOrders.some((order) => order.symbol === quote.symbol);
}

type Account = Pick<TakingView, "instrumentOf" | "balanceOf">;

export function holdingsOf(view: Account, symbol: string, value: number): Holdings | undefined {
  const instrument = view.instrumentOf(symbol);
  if (instrument === undefined) return undefined;
  const base = view.balanceOf(instrument.base)?.spendable;
  const quote = view.balanceOf(instrument.quote)?.spendable;
  if (base === undefined || quote === undefined) return undefined;
  return sharesOf(base, quote, value);
}

function sharesOf(base: number, quote: number, value: number): Holdings {
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
  if (isTooSmall(size)) return waits(view, isTooSmall(affordable(view, quote.symbol, side, limit)) ? side : undefined);
  const sizeMin = (params.profitMin * BPS) / (value * edgeBps);
  const order = view[side](quote.symbol, { limit, size, sizeMin, reason: reasonOf(view, offer) });
  const left = view.roomFor(order) ?? size;
  if (isTooSmall(left)) return view.note(`the limits leave ${left} ${instrument.base} to ${side}: not worth an order`);
  waits(view, undefined);
  state.lastAt[quote.symbol] = now;
  return order;
}

/** Notes the side that lacks balance, so that a visible edge that is not taken is explained. */
function waits({ quote, state, note, instrumentOf }: Taker, side: Side | undefined): undefined {
  if (side === undefined && state.short === undefined) return undefined;
  if (state.short?.[quote.symbol] !== side) state.short = { ...state.short, [quote.symbol]: side };
  const short = state.short ?? {};
  return note(shortText(short, instrumentOf));
}

function shortText(short: Short, instrumentOf: TakingView["instrumentOf"]): string {
  const lacks = Object.entries(short).flatMap(([symbol, side]) => {
    const instrument = side && instrumentOf(symbol);
    if (instrument === undefined) return [];
    const { base, quote } = instrument;
    return side === "sell" ? `too little ${base} left to sell` : `too little ${quote} left to buy ${base} with`;
  });
  // Also noted with an order.
  if (lacks.length === 0) return "takes any price that is worth an order";
  return `has ${lacks.join(", ")} beyond what the limits keep back`;
}

/** The smallest of the wanted size, the shown size and the affordable size at that price. */
function sizeOf(view: TakingView, side: Side, price: number): number {
  return Math.min(view.params.size, roomOf(view, side, price));
}

/** `takeIfWorth` over columns; `premiumOf`: of a pair, then of a row. */
export function screenTaking(
  columns: ScreenColumns,
  params: TakingParams & { readonly symbols: readonly string[] },
  premiumOf: (pair: ScreenPair) => (row: number) => Premium,
): ScreenResult {
  const account = new ScreenAccount(columns);
  const pairs = columns.pairs.filter(({ symbol }) => params.symbols.includes(symbol));
  const turns = pairs.map(() => 0);
  const premiums = pairs.map(premiumOf);
  const pause = Math.ceil(params.pauseMs / columns.stepMs);
  const least = params.edgeBps + params.feeBps;
  for (let row = 0; row < columns.length; row = Math.max(row + 1, account.nextRow))
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] as ScreenPair;
      const value = pair.fair[row] as number;
      const moved = account.moved(pair, row);
      const quote = { bid: (pair.bid[row] as number) * moved, ask: (pair.ask[row] as number) * moved };
      const { side, edgeBps } = betterSide(quote, value, least);
      if (!(edgeBps >= least) || row < (turns[i] as number)) continue;
      const held = sharesOf(account.held(pair.base), account.held(pair.quote), value);
      const wantedBps = least + (premiums[i] as (typeof premiums)[number])(row)(side, held);
      if (edgeBps < wantedBps) continue;
      const limit = limitOf({ quote, params }, { side, value, wantedBps });
      const free = side === "buy" ? account.free(pair.quote) / limit : account.free(pair.base);
      const size = Math.min(params.size, account.left(pair, row, side) * params.depthShare, free);
      const units = account.capped(pair, row, side, limit, size);
      if (units < pair.quantityMin || (units * value * edgeBps) / BPS < params.profitMin) continue;
      turns[i] = row + pause;
      account.order(pair, row, side, limit, units);
    }
  return account.finish();
}

/** The worst price that keeps the required edge, within the slack of the shown price. */
function limitOf(
  {
    quote,
    params,
  }: { readonly quote: Pick<QuoteView, "bid" | "ask">; readonly params: Pick<TakingParams, "slackBps"> },
  { side, value, wantedBps }: Omit<Offer, "edgeBps">,
): number {
  return side === "buy"
    ? Math.min(value * (1 - wantedBps / BPS), quote.ask * (1 + params.slackBps / BPS))
    : Math.max(value * (1 + wantedBps / BPS), quote.bid * (1 - params.slackBps / BPS));
}

function reasonOf({ quote }: TakingView, { side, value, edgeBps, wantedBps }: Offer): string {
  const [name, price, where] = side === "buy" ? ["ask", quote.ask, "under"] : ["bid", quote.bid, "over"];
  const [found, wanted] = [edgeBps.toFixed(1), wantedBps.toFixed(1)];
  return `${name} ${price.toFixed(5)} is ${found} bp ${where} fair ${value.toFixed(5)}, wanted ${wanted}`;
}

// The largest order of one side now: limited by the shown size and by the free balance.

type Seen = Pick<
  View<{ readonly depthShare: number }, unknown, "quote">,
  "quote" | "params" | "instrumentOf" | "balanceOf"
>;

/** Base units of the quote's pair. */
export function roomOf(view: Seen, side: Side, price: number): number {
  const { quote, params } = view;
  const shown = (side === "buy" ? quote.askSize : quote.bidSize) ?? Number.POSITIVE_INFINITY;
  return Math.min(shown * params.depthShare, affordable(view, quote.symbol, side, price));
}

/** The base quantity that the free balance pays for. */
export function affordable({ instrumentOf, balanceOf }: Account, symbol: string, side: Side, price: number): number {
  const instrument = instrumentOf(symbol);
  const free = (instrument && balanceOf(side === "buy" ? instrument.quote : instrument.base)?.free) ?? 0;
  return side === "buy" ? free / price : free;
}

// The price of trades that must be made at a cost: the shown price if it is close enough to fair value, and slightly
// beyond it so that the order fills after a small move; never beyond the maximum cost.

export const payingParams = {
  /** How much worse than fair value a price may be; a better one is always taken. */
  costBpsMax: bps(500).default(10),
  /** How far beyond the price on show a limit may go. */
  slackBps: bps(50).default(1),
  /** The largest part of the shown size that one order takes: Fill-or-Kill fills completely or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
};

type Terms = { readonly costBpsMax: number; readonly slackBps: number };
/** Without a limit the price costs too much. */
type Pay = { readonly costBps: number; readonly limit: number | undefined };

export function payOf({ bid, ask }: Pick<QuoteView, "bid" | "ask">, fair: number, side: Side, terms: Terms): Pay {
  const [most, slack] = [terms.costBpsMax / BPS, terms.slackBps / BPS];
  const costBps = (side === "buy" ? ask / fair - 1 : 1 - bid / fair) * BPS;
  if (costBps > terms.costBpsMax) return { costBps, limit: undefined };
  const limit =
    side === "buy" ? Math.min(fair * (1 + most), ask * (1 + slack)) : Math.max(fair * (1 - most), bid * (1 - slack));
  return { costBps, limit };
}

export const SIDES: readonly Side[] = ["buy", "sell"];
