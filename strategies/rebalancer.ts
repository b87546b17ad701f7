// Keeps an account at target weights: when a weight leaves its band, orders bring it back to target over pairs whose
// two assets are off in opposite directions. No order takes either past its target or pays more than the maximum cost:
// rebalancing is a cost, never a trade for profit. It buys what falls: a coin that loses its peg is bought until the peg
// band ends it. Do not give it other targets than the treasury's.
//
//     npx pegbot backtest --strategy strategies/rebalancer.ts --market demo --to 2026-01-01T06:00:00Z

import {
  defineStrategy,
  type FillCount,
  NOTHING_COUNTED,
  newFills,
  type ParamsOf,
  type Proposal,
  type View,
  z,
} from "pegbot/strategy";

const BPS = 1e4;

const params = z.object({
  /** Target weights by asset, summing to 1; other assets are not traded. */
  targets: z
    .record(z.string(), z.number().min(0).max(1))
    .default({ CHF: 0.25, VCHF: 0.25, GBP: 0.25, VGBP: 0.25 })
    .refine((targets) => Math.abs(Object.values(targets).reduce((sum, one) => sum + one, 0) - 1) < 1e-9, {
      message: "targets must add up to 1",
    }),
  /** The distance of a weight from its target that triggers a trade, in 1/10000 of the total. */
  bandBps: z.number().min(0).max(5_000).default(300),
  /** The currency of the weights. */
  currency: z.string().default("CHF"),
  /** How much worse than fair value a price may be; a better one is always taken. */
  costBpsMax: z.number().min(0).max(500).default(10),
  /** How far beyond the price on show a limit may go. */
  slackBps: z.number().min(0).max(50).default(1),
  /** The largest part of the shown size that one order takes: Fill-or-Kill fills completely or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
  /** The largest order, in base units. */
  size: z.number().positive().default(5_000),
  pauseMs: z.number().min(0).max(3_600_000).default(10_000),
});

type Params = ParamsOf<typeof params>;
/** The last order, and the venue's balance of the asset it buys before it. */
type Last = { symbol: string; brings: string; told: number | undefined; isFilled: boolean };
type State = { lastAt: number | undefined; last: Last | undefined; readonly count: FillCount };
type Seen = View<Params, State, "quote">;

export default defineStrategy({
  name: "rebalancer",
  params,
  // The outstanding amount of the last order holds under any parameters.
  stateParams: [],
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
});

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
type Off = { readonly off: number; readonly whole: number };

/**
 * The part of the total by which the base asset should grow (negative: shrink) against the other: as much as both need,
 * once one is outside its band.
 */
function moveOf({ off: base }: Pick<Off, "off">, { off: counter }: Pick<Off, "off">, band: number): number {
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
  const [most, slack] = [params.costBpsMax / BPS, params.slackBps / BPS];
  const costBps = (isBuy ? quote.ask / fair - 1 : 1 - quote.bid / fair) * BPS;
  if (instrument === undefined || costBps > params.costBpsMax) return undefined;
  const limit = isBuy
    ? Math.min(fair * (1 + most), quote.ask * (1 + slack))
    : Math.max(fair * (1 - most), quote.bid * (1 - slack));
  // Above fair value the same amount moves more of the other asset; neither may pass its target.
  const wanted = Math.abs(amount) * Math.min(1, fair / (isBuy ? limit : quote.bid));
  const free = view.balanceOf(isBuy ? instrument.quote : instrument.base)?.free ?? 0;
  const shown = (isBuy ? quote.askSize : quote.bidSize) ?? Number.POSITIVE_INFINITY;
  const size = Math.min(wanted, params.size, shown * params.depthShare, isBuy ? free / limit : free);
  if (size < instrument.quantityMin.toNumber()) return undefined;
  const brings = isBuy ? instrument.base : instrument.quote;
  state.last = { symbol: quote.symbol, brings, told: view.balanceOf(brings)?.available, isFilled: false };
  state.lastAt = now;
  const reason = `${instrument.base} is to move by ${amount.toFixed(2)} towards its target, at ${costBps.toFixed(1)} bp`;
  return isBuy ? view.buy(quote.symbol, { limit, size, reason }) : view.sell(quote.symbol, { limit, size, reason });
}

type Valuing = Pick<Seen, "fairOf" | "balances">;

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
