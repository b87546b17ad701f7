// Converts a parent size by a deadline in Fill-or-Kill slices, at an even pace. Shortfalls from unfilled orders, bad
// prices or thin quotes are caught up, at most `catchUp` slices in one order. No order is below the venue's minimum,
// and no remainder is left that could not be ordered.

import { type FillCount, NOTHING_COUNTED, newFills } from "./fill-count.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { payingParams, payOf, roomOf } from "./taking.ts";

const MINUTE = 60_000;
/** As many as the fills in a view. */
const ASKED_MAX = 32;

const params = z.object({
  /** Another text repeats the conversion: progress is counted by ticket, under any other parameters. */
  ticket: z.string().max(64).default("1"),
  symbol: z.string().default("VCHF/CHF"),
  side: z.enum(["buy", "sell"]).default("buy"),
  /** The parent size, in base units. */
  size: z.number().positive().default(10_000),
  /** From the first quote of the pair to the deadline. */
  minutes: z.number().positive().max(527_040).default(60),
  slices: z.number().int().min(1).max(10_000).default(60),
  /** The largest order, in slices, however far behind the schedule is. */
  catchUp: z.number().min(2).max(100).default(3),
  ...payingParams,
  costBpsMax: payingParams.costBpsMax.default(20),
  pauseMs: z.number().min(0).max(3_600_000).default(2_000),
});

type Params = ParamsOf<typeof params>;
type State = {
  startAt: number | undefined;
  lastAt: number | undefined;
  done: number;
  readonly count: FillCount;
  /** When the last orders were proposed; undefined before the first. */
  asked: readonly number[] | undefined;
  /** The progress so far, and the reason for a delay; empty once it is done. */
  said: string;
  why: string;
};
type Seen = View<Params, State, "quote">;

export const twap = defineStrategy({
  name: "twap",
  params,
  // Without the size: after an increase the rest is bought.
  stateParams: ["ticket", "symbol", "side"],
  state: (): State => ({
    ...{ startAt: undefined, lastAt: undefined, done: 0, said: "under way", why: "no quote was seen" },
    count: { ...NOTHING_COUNTED },
    asked: undefined,
  }),
  decide(view: Seen): Proposal | undefined {
    const { quote, params, state, now } = view;
    const { symbol, side } = params;
    const filled = newFills(state.count, view.fills, symbol, askedOf(state))[side];
    state.done += filled;
    if (filled > 0) state.why = "the last order was filled, and was not enough to catch up";
    const instrument = view.instrumentOf(symbol);
    if (quote.symbol !== symbol || instrument === undefined) return undefined;
    state.startAt ??= now;
    const left = params.size - state.done;
    if (left < 10 ** -instrument.quantityDecimals) {
      state.why = "";
      return concluded(state, `done: ${state.done}`);
    }
    if (view.openOrders.some((order) => order.symbol === symbol)) return undefined;
    if (now >= endOf(params, state)) return concluded(state, `ended with ${left} left: ${state.why}`);
    if (state.lastAt !== undefined && now - state.lastAt < params.pauseMs) return undefined;
    return ordered(view, left, instrument.quantityMin.toNumber());
  },
});

function endOf({ minutes }: Params, { startAt = 0 }: Pick<State, "startAt">): number {
  return startAt + minutes * MINUTE;
}

function ordered(view: Seen, left: number, least: number): Proposal | undefined {
  const { params, state, now } = view;
  if (left < least) return waiting(state, `${left} is below the minimum of ${least}`);
  const due = dueBy(params, now - (state.startAt as number)) - state.done;
  if (due < least && due < left) return undefined;
  const limit = limitOf(view);
  if (limit === undefined) return undefined;
  const room = Math.min(
    params.catchUp * Math.max(params.size / params.slices, least),
    roomOf(view, params.side, limit),
  );
  const size = wholeSize(Math.min(due, room), { left, least, room });
  if (size === undefined) return waiting(state, `${room} may be ordered now, which leaves or is less than ${least}`);
  // Several times are kept, because a released order may still fill and then counts.
  state.asked = [...askedOf(state), now].slice(-ASKED_MAX);
  state.lastAt = now;
  state.why = "the last order was not filled";
  const reason = `${size.toFixed(2)} of ${left.toFixed(2)} left, due ${due.toFixed(2)}`;
  return params.side === "buy"
    ? view.buy(params.symbol, { limit, size, reason })
    : view.sell(params.symbol, { limit, size, reason });
}

function askedOf({ asked, lastAt }: State): readonly number[] {
  return asked ?? (lastAt === undefined ? [] : [lastAt]);
}

/** One slice at once, and one more with each part of the time; the last part is for catching up. */
export function dueBy(
  { size, slices, minutes }: Pick<Params, "size" | "slices" | "minutes">,
  elapsedMs: number,
): number {
  const begun = Math.min(slices, Math.floor((elapsedMs * slices) / (minutes * MINUTE)) + 1);
  return begun === slices ? size : (size * begun) / slices;
}

type Bounds = { readonly left: number; readonly least: number; readonly room: number };

/** A size whose remainder is zero or can be ordered; undefined if there is none now. */
export function wholeSize(wanted: number, { left, least, room }: Bounds): number | undefined {
  const size = left - wanted >= least ? wanted : left <= room ? left : Math.min(wanted, left - least);
  return size >= least ? size : undefined;
}

/** Undefined if the shown price is too bad or fair value is unknown. */
function limitOf({ quote, fair, params, state }: Seen): number | undefined {
  if (fair === undefined) return waiting(state, "no fair value");
  const { limit, costBps } = payOf(quote, fair, params.side, params);
  if (limit === undefined) waiting(state, `the price costs ${costBps.toFixed(1)} bp, at most ${params.costBpsMax}`);
  return limit;
}

function concluded(state: State, said: string): undefined {
  state.said = said;
}

function waiting(state: State, why: string): undefined {
  state.why = why;
}
