// Keeps an account at target weights: when a weight leaves its band, orders bring it back to target over pairs whose
// two assets are off in opposite directions. No order takes either past its target or pays more than the maximum cost:
// rebalancing is a cost, never a trade for profit.

import { type FillCount, NOTHING_COUNTED, newFills } from "./fill-count.ts";
import { defineStrategy, type IdleView, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { bps, payingParams, payOf, roomOf, ticketParam } from "./taking.ts";
import type { ViewBase } from "./view.ts";

const BPS = 1e4;

const params = z.object({
  ...ticketParam,
  /** Target weights by asset, summing to 1; other assets are not traded. */
  targets: z
    .record(z.string(), z.number().min(0).max(1))
    .default({ CHF: 0.25, VCHF: 0.25, GBP: 0.25, VGBP: 0.25 })
    .refine((targets) => Math.abs(Object.values(targets).reduce((sum, one) => sum + one, 0) - 1) < 1e-9, {
      message: "targets must add up to 1",
    }),
  /** The distance of a weight from its target that triggers a trade, in 1/10000 of the total. */
  bandBps: bps(5_000).default(300),
  /** The currency of the weights. */
  currency: z.string().default("CHF"),
  ...payingParams,
  /** The largest order, in base units. */
  size: z.number().positive().default(5_000),
  pauseMs: z.number().min(0).max(3_600_000).default(10_000),
});

type Params = ParamsOf<typeof params>;
/** The last order, and the venue's balance of the asset it buys before it. */
type Last = { symbol: string; brings: string; told: number | undefined; isFilled: boolean };
type State = { lastAt: number | undefined; last: Last | undefined; readonly count: FillCount };
type Seen = View<Params, State, "quote">;

export const rebalancer = defineStrategy({
  name: "rebalancer",
  params,
  // The outstanding amount of the last order holds under any parameters.
  stateParams: ["ticket"],
  state: (): State => ({ lastAt: undefined, last: undefined, count: { ...NOTHING_COUNTED } }),
  decide(view: Seen): Proposal | undefined {
    const { quote, fair, params, state, now } = view;
    const instrument = view.instrumentOf(quote.symbol);
    if (fair === undefined || instrument === undefined) return undefined;
    if (!(Object.hasOwn(params.targets, instrument.base) && Object.hasOwn(params.targets, instrument.quote)))
      return undefined;
    if (state.lastAt !== undefined && now - state.lastAt < params.pauseMs) return undefined;
    if (!isSettled(view)) return undefined;
    const offs = offTarget(view);
    const base = offs?.get(instrument.base);
    const counter = offs?.get(instrument.quote);
    if (base === undefined || counter === undefined) return undefined;
    const move = moveOf(base, counter, params.bandBps / BPS);
    const worth = valueIn(view, instrument.base, params.currency);
    return move === 0 || worth === undefined ? undefined : ordered(view, fair, (move * base.whole) / worth);
  },
  idle: isInside,
});

/** Whether every weight is inside its band, at any of the values that the assets may have. */
function isInside({ params, spendable, worthOf }: IdleView<Params, unknown>): boolean {
  const assets = Object.keys(params.targets).map((asset) => {
    const value = worthOf(asset, params.currency);
    const amount = spendable(asset) ?? Number.NaN;
    return {
      target: params.targets[asset] ?? 0,
      low: amount * (value?.low ?? NaN),
      high: amount * (value?.high ?? NaN),
    };
  });
  const [low, high] = [assets.reduce((sum, one) => sum + one.low, 0), assets.reduce((sum, one) => sum + one.high, 0)];
  const band = params.bandBps / BPS;
  return assets.every(({ target, ...worth }) => worth.low / high >= target - band && worth.high / low <= target + band);
}

/** Weights are known when nothing is outstanding: a purchase counts only when the venue's balances show it. */
function isSettled({ state, fills, openOrders, balanceOf }: Seen): boolean {
  const { last } = state;
  // Fills of every writer count: they are in the weights once the balances show them, too.
  const filled = newFills(state.count, fills, last?.symbol ?? "");
  if (last !== undefined && filled.buy + filled.sell > 0) last.isFilled = true;
  if (openOrders.length > 0) return false;
  if (last?.isFilled === true && balanceOf(last.brings)?.available === last.told) return false;
  state.last = undefined;
  return true;
}

/** `off` is the weight less its target. */
export type Off = { readonly off: number; readonly whole: number };

/**
 * The part of the total by which the base asset should grow (negative: shrink) against the other: as much as both need,
 * once one is outside its band.
 */
export function moveOf({ off: base }: Pick<Off, "off">, { off: counter }: Pick<Off, "off">, band: number): number {
  if (Math.max(Math.abs(base), Math.abs(counter)) <= band || base * counter >= 0) return 0;
  return -Math.sign(base) * Math.min(Math.abs(base), Math.abs(counter));
}

/** Undefined if an asset has no value or no known balance. */
function offTarget(view: Seen): ReadonlyMap<string, Off> | undefined {
  const { targets, currency } = view.params;
  const worths = new Map<string, number>();
  for (const asset of Object.keys(targets)) {
    const amount = view.balanceOf(asset)?.spendable;
    const value = valueIn(view, asset, currency);
    if (amount === undefined || value === undefined) return undefined;
    worths.set(asset, amount * value);
  }
  const whole = [...worths.values()].reduce((sum, one) => sum + one, 0);
  if (!(whole > 0)) return undefined;
  return new Map([...worths].map(([asset, worth]) => [asset, { off: worth / whole - (targets[asset] ?? 0), whole }]));
}

function ordered(view: Seen, fair: number, amount: number): Proposal | undefined {
  const { quote, params, state, now } = view;
  const instrument = view.instrumentOf(quote.symbol);
  const isBuy = amount > 0;
  const side = isBuy ? "buy" : "sell";
  const { limit, costBps } = payOf(quote, fair, side, params);
  if (instrument === undefined || limit === undefined) return undefined;
  // Above fair value the same amount moves more of the other asset; neither may pass its target.
  const wanted = Math.abs(amount) * Math.min(1, fair / (isBuy ? limit : quote.bid));
  const size = Math.min(wanted, params.size, roomOf(view, side, limit));
  if (size < instrument.quantityMin.toNumber()) return undefined;
  const brings = isBuy ? instrument.base : instrument.quote;
  state.last = { symbol: quote.symbol, brings, told: view.balanceOf(brings)?.available, isFilled: false };
  state.lastAt = now;
  const reason = `${instrument.base} is to move by ${amount.toFixed(2)} towards its target, at ${costBps.toFixed(1)} bp`;
  return isBuy ? view.buy(quote.symbol, { limit, size, reason }) : view.sell(quote.symbol, { limit, size, reason });
}

type Valuing = Pick<ViewBase<unknown, unknown>, "fairOf" | "balances">;

/** By fair values, over one pair or two that share a third asset; undefined if a price is missing. */
function valueIn(view: Valuing, asset: string, currency: string): number | undefined {
  if (asset === currency) return 1;
  const direct = hop(view, asset, currency);
  if (direct !== undefined) return direct;
  for (const { asset: middle } of view.balances) {
    const first = middle === asset || middle === currency ? undefined : hop(view, asset, middle);
    const second = first === undefined ? undefined : hop(view, middle, currency);
    if (first !== undefined && second !== undefined) return first * second;
  }
  return undefined;
}

function hop({ fairOf }: Valuing, from: string, to: string): number | undefined {
  const inverse = fairOf(`${to}/${from}`);
  return fairOf(`${from}/${to}`) ?? (inverse === undefined ? undefined : 1 / inverse);
}
