// Takes the venue's quote when it beats fair value by costs plus uncertainty. The uncertainty of fair value is the
// noise of its references and the rate's walk until an order arrives, which is measured continuously.

import { askBest } from "./blind-taker.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { bps, fairOf, screenTaking, skewOf, type Taking, takeIfWorth, takingParams } from "./taking.ts";

const BPS = 1e4;
const SECOND = 1_000;
const MOVES_MIN = 10;

const params = z.object({
  /** Pairs with reference prices. */
  symbols: z.array(z.string()).default(["VGBP/VCHF", "VCHF/USDC", "VGBP/USDC", "USDC/CHF"]),
  ...takingParams,
  edgeBps: takingParams.edgeBps.default(2),
  /** The standard deviation of references around the true rate. */
  noiseBps: bps(100).default(1),
  /** The time from the shown price to the arrival of an order: the wait for a slot, and the latency. */
  delayMs: z.number().min(0).max(60_000).default(2_000),
  /** The number of standard deviations of uncertainty added to the required edge. */
  sigmas: z.number().min(0).max(10).default(2),
  /** The number of observations over which the walk of fair value is averaged. */
  looks: z.number().int().min(MOVES_MIN).max(100_000).default(200),
});

type Params = ParamsOf<typeof params>;
/** The walk of fair value: the mean square of its moves per second, in square basis points. */
type Walk = { value: number; at: number; moves: number; variance: number };
type State = Taking & { readonly walks: Record<string, Walk> };
type Seen = View<Params, State, "quote">;

export const referenceTaker = defineStrategy({
  name: "reference-taker",
  params,
  // The walk is measured per second, so a shorter window can go on with it.
  stateParams: [],
  state: (): State => ({ lastAt: {}, walks: {} }),
  decide(view: Seen): Proposal | undefined {
    const { quote, params } = view;
    const fair = fairOf(view);
    if (fair === undefined) return undefined;
    const variance = walked(view, quote.symbol, fair);
    if (variance === undefined) return undefined;
    const unsureBps = uncertaintyBps(params, variance, quote.ageMs);
    return takeIfWorth(view, fair, (side, held) => unsureBps + skewOf(view, side, held));
  },
  blind(view) {
    const { params, state } = view;
    // Walks are measured at even steps: between two prices of a feed, its noise would count as a move.
    if (view.wake !== "timer") return undefined;
    for (const symbol of params.symbols) {
      const fair = view.fairOf(symbol);
      if (fair !== undefined) walked(view, symbol, fair);
    }
    return askBest(view, params.symbols, (symbol) => {
      const variance = knownVariance(state.walks[symbol]);
      if (variance === undefined) return undefined;
      return (side, held) => uncertaintyBps(params, variance, 0) + skewOf(view, side, held);
    });
  },
  screen: (columns, params) =>
    screenTaking(columns, params, ({ fair }) => {
      const variances = walkedOver(fair, columns.stepMs, params.looks);
      return (row) => {
        const unsureBps = uncertaintyBps(params, variances[row] as number, 0);
        return (side, held) => unsureBps + skewOf({ params }, side, held);
      };
    }),
});

export function uncertaintyBps(
  { noiseBps, delayMs, sigmas }: Pick<Params, "noiseBps" | "delayMs" | "sigmas">,
  variance: number,
  ageMs: number,
): number {
  return sigmas * Math.sqrt(noiseBps ** 2 + (variance * (ageMs + delayMs)) / SECOND);
}

/** Undefined until enough moves were measured. */
function walked(
  { params, state, now }: Pick<Seen, "params" | "state" | "now">,
  symbol: string,
  fair: number,
): number | undefined {
  const walk = state.walks[symbol];
  if (walk === undefined) {
    state.walks[symbol] = { value: fair, at: now, moves: 0, variance: 0 };
    return undefined;
  }
  return walk.at < now ? looked(walk, fair, now, params.looks) : knownVariance(walk);
}

function looked(walk: Walk, fair: number, now: number, looks: number): number | undefined {
  const moved = ((fair / walk.value - 1) * BPS) ** 2 / ((now - walk.at) / SECOND);
  walk.moves = Math.min(walk.moves + 1, looks);
  walk.variance += (moved - walk.variance) / walk.moves;
  walk.value = fair;
  walk.at = now;
  return knownVariance(walk);
}

/** The same at each row of a column; infinite until enough moves were measured. */
function walkedOver(fair: Float64Array, stepMs: number, looks: number): Float64Array {
  let walk: Walk | undefined;
  return fair.map((value, row) => {
    const now = row * stepMs;
    if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
    if (walk !== undefined) return looked(walk, value, now, looks) ?? Number.POSITIVE_INFINITY;
    walk = { value, at: now, moves: 0, variance: 0 };
    return Number.POSITIVE_INFINITY;
  });
}

function knownVariance(walk: Readonly<Walk> | undefined): number | undefined {
  return walk === undefined || walk.moves < MOVES_MIN ? undefined : walk.variance;
}
