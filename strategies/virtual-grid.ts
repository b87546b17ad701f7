// A grid without resting orders: the venue fills or kills at once, so the levels are kept here and an order is sent
// when the price reaches one. Two neighbouring levels bound a cell. An empty cell buys at its lower level, a full one
// sells at its upper level, and each fill arms it the other way: a round trip earns the step between the levels, which
// must be more than two fees. It has no stop: below the grid all cells are full, and it waits.
//
//     npx pegbot backtest --strategy strategies/virtual-grid.ts --market demo --to 2026-01-01T06:00:00Z

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
  symbol: z.string().default("VCHF/CHF"),
  /** The middle of the grid; by default fair value at the first quote. */
  centre: z.number().positive().optional(),
  stepBps: z.number().min(0.1).max(1_000).default(10),
  /** The number of cells, half of them below the centre. */
  cells: z.number().int().min(2).max(200).default(8),
  /** Base units of a cell. */
  size: z.number().positive().default(2_000),
  pauseMs: z.number().min(0).max(3_600_000).default(5_000),
});

type Params = ParamsOf<typeof params>;
type State = {
  centre: number | undefined;
  /** Base units in each cell, the lowest first. */
  readonly cells: number[];
  /** The cell whose order is outstanding. */
  ordered: number | undefined;
  lastAt: number | undefined;
  readonly count: FillCount;
};
type Seen = View<Params, State, "quote">;

export default defineStrategy({
  name: "virtual-grid",
  params,
  // The parameters that define the levels. Full cells keep their size.
  stateParams: ["symbol", "centre", "stepBps", "cells"],
  state: ({ cells, size }): State => ({
    centre: undefined,
    cells: Array.from({ length: cells }, (_, cell) => (cell < cells / 2 ? 0 : size)),
    ordered: undefined,
    lastAt: undefined,
    count: { ...NOTHING_COUNTED },
  }),
  decide(view: Seen): Proposal | undefined {
    const { quote, params, state, now } = view;
    if (quote.symbol !== params.symbol) return undefined;
    const askedAt = state.lastAt === undefined ? [] : [state.lastAt];
    const { buy, sell } = newFills(state.count, view.fills, params.symbol, askedAt);
    if (state.ordered !== undefined) state.cells[state.ordered] = cellAfter(view, buy - sell);
    if (view.openOrders.some((order) => order.symbol === params.symbol)) return undefined;
    state.ordered = undefined;
    state.centre ??= params.centre ?? view.fair;
    if (state.centre === undefined || view.fair === undefined) return undefined;
    if (state.lastAt !== undefined && now - state.lastAt < params.pauseMs) return undefined;
    const cell = reached(view, state.centre);
    return cell === undefined ? undefined : ordered(view, cell, state.centre);
  },
});

/** Level `index` of `cells` + 1, the lowest first. */
function levelOf({ stepBps, cells }: Pick<Params, "stepBps" | "cells">, centre: number, index: number): number {
  return centre * (1 + ((index - cells / 2) * stepBps) / BPS);
}

/** An unfilled order leaves its cell unchanged; a remainder that could not be ordered counts as zero. */
function cellAfter({ params, state, instrumentOf }: Seen, bought: number): number {
  const held = (state.cells[state.ordered as number] as number) + bought;
  return held < (instrumentOf(params.symbol)?.quantityMin.toNumber() ?? 0) ? 0 : held;
}

/** The cell that the price has passed furthest. */
function reached({ quote, params, state }: Seen, centre: number): number | undefined {
  const { cells } = state;
  for (let cell = cells.length - 1; cell >= 0; cell--)
    if (cells[cell] === 0 && quote.ask <= levelOf(params, centre, cell)) return cell;
  for (let cell = 0; cell < cells.length; cell++)
    if (cells[cell] !== 0 && quote.bid >= levelOf(params, centre, cell + 1)) return cell;
  return undefined;
}

function ordered(view: Seen, cell: number, centre: number): Proposal | undefined {
  const { params, state, now, quote } = view;
  const { symbol } = params;
  const isBuy = state.cells[cell] === 0;
  const size = isBuy ? params.size : (state.cells[cell] as number);
  const limit = levelOf(params, centre, isBuy ? cell : cell + 1);
  const instrument = view.instrumentOf(symbol);
  const shown = (isBuy ? quote.askSize : quote.bidSize) ?? Number.POSITIVE_INFINITY;
  const free = instrument && view.balanceOf(isBuy ? instrument.quote : instrument.base)?.free;
  // A cell is traded whole: half of one would leave a remainder that no level covers.
  if (free === undefined || free < (isBuy ? size * limit : size) || shown < size) return undefined;
  state.ordered = cell;
  state.lastAt = now;
  const reason = `cell ${cell} of ${params.cells} ${isBuy ? "buys at" : "sells at"} ${limit.toFixed(5)}`;
  return isBuy ? view.buy(symbol, { limit, size, reason }) : view.sell(symbol, { limit, size, reason });
}
