// Takes the venue's quote when it beats fair value by costs plus uncertainty. Fair value comes from references that are
// free; it is unsure by their noise and by how far the rate walks until an order arrives, which is measured as it goes.

import { lookWorth } from "./look-worth.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { bps, skewOf, type Taking, takeIfWorth, takingParams } from "./taking.ts";
import { ticketParam } from "./ticket.ts";

const BPS = 1e4;
const SECOND = 1_000;
const MOVES_MIN = 10;

const params = z.object({
  ...ticketParam,
  /** Pairs that references can price. */
  symbols: z.array(z.string()).default(["VGBP/VCHF", "VCHF/USDC", "VGBP/USDC", "USDC/CHF"]),
  ...takingParams,
  edgeBps: takingParams.edgeBps.default(2),
  /** How far references are from the truth, one standard deviation. */
  noiseBps: bps(100).default(1),
  /** From the price on show to the arrival of an order: the wait for a slot, and the way. */
  delayMs: z.number().min(0).max(60_000).default(2_000),
  /** So many standard deviations of what is not known are wanted on top. */
  sigmas: z.number().min(0).max(10).default(2),
  /** Over so many looks the walk of fair value is averaged. */
  looks: z.number().int().min(MOVES_MIN).max(100_000).default(200),
});

type Params = ParamsOf<typeof params>;
/** How fair value walks: the mean square of its moves a second, in square basis points. */
type Walk = { value: number; at: number; moves: number; variance: number };
type State = Taking & { readonly walks: Record<string, Walk> };
type Seen = View<Params, State, "quote">;

export const referenceTaker = defineStrategy({
  name: "reference-taker",
  params,
  // A walk is measured by the second; one over fewer looks takes what it has for those.
  stateParams: ["ticket"],
  state: (): State => ({ lastAt: {}, walks: {} }),
  decide(view: Seen): Proposal | undefined {
    const { quote, fair, params } = view;
    if (fair === undefined || !params.symbols.includes(quote.symbol)) return undefined;
    const variance = walked(view, fair);
    if (variance === undefined) return undefined;
    const unsureBps = uncertaintyBps(params, variance, quote.ageMs);
    return takeIfWorth(view, fair, (side, held) => unsureBps + skewOf(view, side, held));
  },
  worth(view) {
    const { quote, fair, params, state } = view;
    const variance = params.symbols.includes(quote.symbol) ? knownVariance(state.walks[quote.symbol]) : undefined;
    if (fair === undefined || variance === undefined) return undefined;
    // The quote that is worth having will be fresh.
    const unsureBps = uncertaintyBps(params, variance, 0);
    return lookWorth(view, fair, (side, held) => unsureBps + skewOf(view, side, held));
  },
});

export function uncertaintyBps(
  { noiseBps, delayMs, sigmas }: Pick<Params, "noiseBps" | "delayMs" | "sigmas">,
  variance: number,
  ageMs: number,
): number {
  return sigmas * Math.sqrt(noiseBps ** 2 + (variance * (ageMs + delayMs)) / SECOND);
}

/** Undefined until there are some moves to measure: who knows little of the walk does not trade. */
function walked({ quote, params, state, now }: Seen, fair: number): number | undefined {
  const walk = state.walks[quote.symbol];
  if (walk === undefined) {
    state.walks[quote.symbol] = { value: fair, at: now, moves: 0, variance: 0 };
    return undefined;
  }
  if (now > walk.at) {
    const moved = ((fair / walk.value - 1) * BPS) ** 2 / ((now - walk.at) / SECOND);
    walk.moves = Math.min(walk.moves + 1, params.looks);
    walk.variance += (moved - walk.variance) / walk.moves;
    walk.value = fair;
    walk.at = now;
  }
  return knownVariance(walk);
}

function knownVariance(walk: Readonly<Walk> | undefined): number | undefined {
  return walk === undefined || walk.moves < MOVES_MIN ? undefined : walk.variance;
}
