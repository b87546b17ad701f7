// Trades around a triangle of pairs when their prices disagree by more than three spreads, the fees, the price of an
// open leg, and a profit. One order at a time, the safest leg first. If a later leg does not fill, the position is
// closed the cheaper way: onwards at any price, or back.

import { CIRCLE_LEGS, circlesWith, freshOf, hasEdge, type Leg, type Offer, offerOf, sized } from "./circle-offer.ts";
import { expectedTake } from "./signal/expected-take.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { sureBps, ticketParam } from "./taking.ts";
import { rateOf, turned } from "./triangle.ts";
import type { FillView, QuoteView } from "./view.ts";

const BPS = 1e4;
const MINUTE_MS = 60_000;
/** Prices that may be further apart could be those of two polls. */
const POLLS_APART_MS = 1_000;
const bps = (most: number) => z.number().min(0).max(most);

const params = z.object({
  ...ticketParam,
  /** The pairs among which triangles are found. */
  symbols: z.array(z.string()).max(24).default(["VCHF/CHF", "USDC/CHF", "VCHF/USDC", "VGBP/VCHF", "VGBP/USDC"]),
  /** The least net edge of a whole triangle. */
  edgeBps: bps(500).default(2),
  /** The venue's fee for one leg. */
  feeBps: bps(100).default(0),
  /** The assumed chance that a leg does not fill; it prices the open legs before it. */
  killChance: z.number().min(0).max(1).default(0.2),
  /** Standard deviation over a minute: of a pair of two currencies, and of a coin against its own fiat. */
  moveBps: bps(100).default(4),
  pegMoveBps: bps(100).default(2),
  /** The largest size of one leg, in base units. */
  size: z.number().positive().default(2_500),
  depthShare: z.number().positive().max(1).default(0.5),
  /** How far a limit may go beyond the shown price: on the way around, and when unwinding. */
  slackBps: bps(50).default(0.5),
  unwindSlackBps: bps(200).default(5),
  /** The least profit of a triangle, in its starting asset: a triangle takes about seven slots. */
  profitMin: z.number().min(0).default(0.5),
  /** The maximum age of a price, and the maximum time between the prices of one poll. */
  quoteAgeMsMax: z.number().positive().max(60_000).default(3_000),
  togetherMsMax: z.number().min(0).max(60_000).default(250),
  /** After this many unfilled attempts of a leg, or this long, the position is unwound. */
  attemptsMax: z.number().int().min(1).max(20).default(3),
  legMsMax: z.number().positive().max(600_000).default(15_000),
  /** The pause between two attempts of a leg, and between two triangles. */
  retryMs: z.number().min(0).max(60_000).default(2_000),
  pauseMs: z.number().min(0).max(3_600_000).default(5_000),
  /** The pause after the gate refused a leg, during which no triangle over its pair starts. */
  refusedPauseMs: z.number().min(0).max(86_400_000).default(300_000),
});

type Out = Leg & { readonly at: number; readonly isBack: boolean };
type State = {
  /** Filled legs that the rest of the triangle has not matched yet. */
  done: Leg[];
  /** Open legs, in execution order. */
  next: Leg[];
  /** The outstanding order as last seen. */
  out: Out | null;
  attempts: number;
  /** When the triangle started waiting for the next leg. */
  since: number;
  /** The position is being unwound: limits are wider. */
  isUnwinding: boolean;
  /** Part of the position has been traded back, so the way around is closed. */
  isGoingBack: boolean;
  endedAt: number;
  /** When the gate last refused a leg, by pair; undefined before the first refusal. */
  refusedAt?: Record<string, number> | undefined;
};
type Params = ParamsOf<typeof params>;
type Seen = View<Params, State, "quote" | "report">;

export const crossRate = defineStrategy({
  name: "cross-rate",
  params,
  wakes: ["quote", "report"],
  // Open legs must be matched or traded back under any other parameters.
  stateParams: ["ticket"],
  state: (): State => ({
    done: [],
    next: [],
    out: null,
    attempts: 0,
    since: 0,
    isUnwinding: false,
    isGoingBack: false,
    endedAt: Number.NEGATIVE_INFINITY,
    refusedAt: undefined,
  }),
  decide(view: Seen): Proposal | undefined {
    const { state, wake, quote } = view;
    if (state.out !== null && !hasEnded(view, state.out)) return undefined;
    if (state.done.length > 0) return continued(view);
    if (wake !== "quote" || quote === undefined) return undefined;
    return begun(view, quote.symbol);
  },
  worth({ state, params, quote, fair, now, quoteOf }): number | undefined {
    const { symbol } = quote;
    const leg = [...state.done, ...state.next].find((one) => one.symbol === symbol);
    // The price risk of one minute with an open leg.
    if (state.done.length > 0) return leg && (leg.quantity * quote.mid * params.moveBps) / BPS;
    if (!params.symbols.includes(symbol)) return undefined;
    if (state.out !== null || now - state.endedAt < params.pauseMs) return 0;
    const deviation = params.moveBps * Math.sqrt(quote.ageMs / MINUTE_MS);
    let best = 0;
    for (const circle of circlesWith(params, symbol)) {
      const offer = offerOf(circle, params, quoteOf);
      if (offer !== undefined) best = Math.max(best, expectedTake(offer.edgeBps, offer.wantedBps, deviation));
    }
    // Each of the three pairs reports a third of a triangle's gain, so that the sum counts it once.
    return (best / BPS / CIRCLE_LEGS) * params.size * (fair ?? quote.mid);
  },
  idle({ params, state, quoteOf, ageMs }) {
    if (state.out !== null || state.done.length > 0 || params.togetherMsMax >= POLLS_APART_MS) return false;
    return !hasEdge(params, quoteOf, params.edgeBps - sureBps(params.moveBps, ageMs));
  },
});

/** Settles the outstanding order; true when none is outstanding any more. */
function hasEnded(view: Seen, out: Out): boolean {
  const { state, openOrders, fills, now, params, instrumentOf } = view;
  if (openOrders.some((order) => isOf(order, out))) return false;
  let filled = 0;
  for (const fill of fills) if (isOf(fill, out)) filled += fill.quantity;
  if (filled === 0 && now - out.at < params.retryMs) return false;
  state.out = null;
  const minimum = instrumentOf(out.symbol)?.quantityMin.toNumber() ?? 0;
  if (filled === 0) missed(view, out);
  else if (out.isBack) wentBack(state, out, filled, minimum);
  else advanced(state, out, filled, minimum);
  if (filled > 0) {
    state.attempts = 0;
    state.since = now;
  }
  if (state.done.length === 0 || (state.next.length === 0 && !state.isGoingBack)) end(state, now);
  return true;
}

/** Other writers may trade the same pair, so the order is identified by its proposal time. */
function isOf({ symbol, side, decidedAt }: Pick<FillView, "symbol" | "side" | "decidedAt">, out: Out): boolean {
  return symbol === out.symbol && side === out.side && decidedAt === out.at;
}

/** Unfilled, or refused by a limit. Without an open leg the triangle is abandoned. */
function missed({ state, outcomes, now }: Seen, { symbol, at, isBack }: Out): void {
  const isRefused = outcomes.some((one) => one.kind === "refused" && one.at === at && one.proposal?.symbol === symbol);
  if (isRefused && !isBack) state.refusedAt = { ...state.refusedAt, [symbol]: at };
  state.attempts++;
  if (state.done.length === 0) end(state, now);
}

function advanced(state: State, out: Out, filled: number, minimum: number): void {
  const isFirst = state.done.length === 0;
  const before = state.done.find((leg) => leg.symbol === out.symbol)?.quantity ?? 0;
  const others = state.done.filter((leg) => leg.symbol !== out.symbol);
  state.done = [...others, { symbol: out.symbol, side: out.side, quantity: before + filled }];
  // A first leg that filled smaller shrinks the triangle; a later one leaves a remainder.
  const share = isFirst ? filled / out.quantity : 1;
  state.next = state.next.flatMap((leg) => {
    if (leg.symbol !== out.symbol) return [{ ...leg, quantity: leg.quantity * share }];
    const rest = isFirst ? 0 : leg.quantity - filled;
    return rest > 0 && rest >= minimum ? [{ ...leg, quantity: rest }] : [];
  });
}

function wentBack(state: State, out: Out, filled: number, minimum: number): void {
  const rest = out.quantity - filled;
  const left =
    rest > 0 && rest >= minimum ? [{ ...turned({ symbol: out.symbol, side: out.side }), quantity: rest }] : [];
  const others = state.done.filter((leg) => leg.symbol !== out.symbol);
  state.done = [...others, ...left];
  state.isGoingBack = true;
}

function end(state: State, now: number): void {
  state.done = [];
  state.next = [];
  state.attempts = 0;
  state.isUnwinding = false;
  state.isGoingBack = false;
  state.endedAt = now;
}

function begun(view: Seen, symbol: string): Proposal | undefined {
  const { params, state, now, quoteOf } = view;
  if (!params.symbols.includes(symbol) || now - state.endedAt < params.pauseMs) return undefined;
  const offers = circlesWith(params, symbol).flatMap((circle) => {
    const offer = offerOf(circle, params, quoteOf);
    return offer === undefined || surplusOf(offer) < 0 ? [] : [offer];
  });
  offers.sort((one, other) => surplusOf(other) - surplusOf(one));
  for (const offer of offers) {
    const legs = isFree(view, offer) ? sized(view, offer) : undefined;
    const [first] = legs ?? [];
    if (legs === undefined || first === undefined || !legs.every((leg) => isAllowed(view, leg))) continue;
    state.next = [...legs];
    state.since = now;
    const { edgeBps, wantedBps } = offer;
    const way = legs.map((leg) => `${leg.side} ${leg.symbol}`).join(", ");
    return sent(view, first, false, `circle leaves ${edgeBps.toFixed(1)} bp, wanted ${wantedBps.toFixed(1)}: ${way}`);
  }
  return undefined;
}

function surplusOf({ edgeBps, wantedBps }: Offer): number {
  return edgeBps - wantedBps;
}

/** Whether no order is outstanding on its pairs and the gate refused none of its legs recently. */
function isFree({ state, params, now, openOrders }: Seen, { circle }: Offer): boolean {
  return circle.every(({ symbol }) => {
    const refusedAt = state.refusedAt?.[symbol];
    if (refusedAt !== undefined && now - refusedAt < params.refusedPauseMs) return false;
    return !openOrders.some((order) => order.symbol === symbol);
  });
}

/**
 * Whether the gate would approve the leg now and at the price it may have later: a triangle must not start only to stay
 * open.
 */
function isAllowed({ params, quoteOf, buy, sell, refusalOf }: Seen, { symbol, side, quantity: size }: Leg): boolean {
  const quote = quoteOf(symbol);
  if (quote === undefined) return false;
  const propose = side === "buy" ? buy : sell;
  return [-params.moveBps, params.moveBps].every((bps) => {
    const limit = limitOf(side, quote, params.slackBps) * (1 + bps / BPS);
    return refusalOf(propose(symbol, { limit, size, reason: "would it be let out?" })) === undefined;
  });
}

/**
 * With an open position: the next leg while that is no worse than trading back, otherwise back, the riskiest leg first.
 */
function continued(view: Seen): Proposal | undefined {
  const { state, params, now } = view;
  if (!isOneLook(view)) return undefined;
  if (state.attempts >= params.attemptsMax || now - state.since > params.legMsMax) state.isUnwinding = true;
  // A pair that was removed from the parameters while a leg was open is not traded through.
  const isOpen = !state.isGoingBack && state.next.every(({ symbol }) => params.symbols.includes(symbol));
  const around = isOpen ? outcomeBps(view, state.next) : undefined;
  const back = outcomeBps(view, state.done.map(turned));
  const [leg] = state.next;
  const last = state.done.at(-1);
  const margin = state.isUnwinding ? 0 : params.edgeBps;
  if (back !== undefined && last !== undefined && (around === undefined || back > around + margin)) {
    state.isUnwinding = true;
    const why = around === undefined ? "there is no other way" : `${(back - around).toFixed(1)} bp better than around`;
    return sent(view, turned(last), true, `goes back: ${why}`);
  }
  if (around === undefined || leg === undefined) return undefined;
  const why = state.isUnwinding ? "goes on, it has to go" : "goes on";
  return sent(view, leg, false, `${why}: leg ${state.done.length + 1} of ${state.done.length + state.next.length}`);
}

/** Between the first and the last quote of a poll old and new prices are mixed; both ways are compared after it. */
function isOneLook({ state, params, quoteOf }: Seen): boolean {
  const quotes = [...state.done, ...state.next].map(({ symbol }) => freshOf(symbol, params, quoteOf));
  const ages = quotes.flatMap((quote) => (quote === undefined ? [] : [quote.ageMs]));
  return ages.length > 0 && Math.max(...ages) - Math.min(...ages) <= params.togetherMsMax;
}

/**
 * Both ways lead from the holding to the asset paid for it, so they are comparable; undefined while a price is missing
 * or old.
 */
function outcomeBps({ params, quoteOf }: Seen, legs: readonly Leg[]): number | undefined {
  let log = 0;
  for (const { symbol, side } of legs) {
    const quote = freshOf(symbol, params, quoteOf);
    if (quote === undefined) return undefined;
    log += Math.log(rateOf(side, quote));
  }
  return log * BPS;
}

function sent(view: Seen, leg: Leg, isBack: boolean, reason: string): Proposal | undefined {
  const { params, state, now, quoteOf } = view;
  const quote = freshOf(leg.symbol, params, quoteOf);
  if (quote === undefined) return undefined;
  state.out = { symbol: leg.symbol, side: leg.side, quantity: leg.quantity, at: now, isBack };
  const limit = limitOf(leg.side, quote, state.isUnwinding ? params.unwindSlackBps : params.slackBps);
  const ask = { limit, size: leg.quantity, reason };
  return leg.side === "buy" ? view.buy(leg.symbol, ask) : view.sell(leg.symbol, ask);
}

function limitOf(side: Leg["side"], { bid, ask }: Pick<QuoteView, "bid" | "ask">, slackBps: number): number {
  const slack = slackBps / BPS;
  return side === "buy" ? ask * (1 + slack) : bid * (1 - slack);
}
