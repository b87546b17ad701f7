// Execution figures: how orders ended, the edge captured, the price after fills, and what size does to both.

import { DAY_MS } from "../../src/domain/time.ts";
import type { WantClass } from "../../src/exchange/port.ts";
import {
  type Fills,
  MARKOUT_SECONDS,
  type RunRecord,
  SLOT_CLASSES,
  type Slots,
  UNFILLED_ENDS,
  type UnfilledEnd,
} from "../record/run-record.ts";
import { enough, type Figure, known, mapFigure, notAvailable } from "./figure.ts";
import { fillEdges, fillMoney, sumOfKnown } from "./fills.ts";
import { profitOverHolding } from "./profit.ts";
import { HOUR_MS } from "./returns.ts";
import { type Clustered, clusteredMean, quantileOf } from "./statistics.ts";

export type FillRate = {
  readonly rate: number;
  readonly filled: number;
  readonly orders: number;
  readonly ends: Readonly<Record<UnfilledEnd, number>>;
};

/** Ends that no answer of the venue decided. */
const APART: readonly UnfilledEnd[] = ["not-sent", "doubt"];

/**
 * How Fill-or-Kill orders ended: the fraction filled of those sent, and a count for every end.
 * Formula: filled / (filled + unfilled + rejected + released); not sent and still in doubt are counted apart
 */
export function fillRate({ fills, unfilled }: Pick<RunRecord, "fills" | "unfilled">): Figure<FillRate> {
  const ends = Object.fromEntries(UNFILLED_ENDS.map((name) => [name, 0])) as Record<UnfilledEnd, number>;
  for (const end of unfilled.end) ends[UNFILLED_ENDS[end] as UnfilledEnd]++;
  const orders = fills.length + unfilled.length;
  const decided = orders - APART.reduce((sum, name) => sum + ends[name], 0);
  if (decided === 0 && orders > 0)
    return notAvailable(
      `the venue decided none of ${orders} orders: ${APART.map((name) => `${ends[name]} ${name}`).join(", ")}`,
    );
  return enough(decided, "orders", 1) ?? known({ rate: fills.length / decided, filled: fills.length, orders, ends });
}

export type EdgeCaptured = {
  /** Captured edge over quoted edge; undefined when none was quoted. */
  readonly share: number | undefined;
  /** In the currency, before fees. */
  readonly captured: number;
  readonly quoted: number;
  readonly capturedBps: number;
};

/**
 * How much of the visible edge was captured. Quoted is the advantage of the touch over fair value at the decision, for
 * every order, including those that did not fill; captured is the advantage of the fill price.
 * Formula: sum over fills of +-(fair - price) * size * rate / sum over orders of +-(fair - touch) * size * rate; captured / worth of the fills in bp
 */
export function edgeCaptured({ fills, unfilled }: Pick<RunRecord, "fills" | "unfilled">): Figure<EdgeCaptured> {
  const edges = fillEdges(fills);
  const captured = sumOfKnown(edges.captured);
  const few = enough(captured.count, "fills with a fair value");
  if (few !== undefined) return few;
  const lost = sumOfKnown(unfilled.quantity.map((quantity, row) => quotedEdge(unfilled, row) * quantity));
  const quoted = sumOfKnown(edges.quoted).sum + lost.sum;
  const worth = sumOfKnown(edges.worth.map((value, row) => (Number.isNaN(edges.captured[row]) ? NaN : value))).sum;
  if (!(worth > 0)) return notAvailable("fills were worth nothing");
  return known({
    share: quoted > 0 ? captured.sum / quoted : undefined,
    captured: captured.sum,
    quoted,
    capturedBps: (captured.sum / worth) * 10_000,
  });
}

function quotedEdge({ side, fair, touch, rate }: RunRecord["unfilled"], row: number): number {
  const sign = side[row] === 0 ? 1 : -1;
  return sign * ((fair[row] as number) - (touch[row] as number)) * (rate[row] as number);
}

/**
 * What fills paid beyond the price on show at the decision.
 * Formula: sum of +-(price - quoted price) / quoted price * worth / sum of worth, in bp; standard error clustered by hour
 */
export function arrivalCost(fills: Fills): Figure<Clustered & { readonly fills: number }> {
  const rows = movesOf(fills, fills.touch, fillEdges(fills).price, HOUR_MS);
  return enough(rows.length, "fills with a quoted price") ?? known({ ...clusteredMean(rows), fills: rows.length });
}

export type Markout = { readonly seconds: number; readonly bps: Figure<Clustered & { readonly fills: number }> };

/**
 * Where the price went after a fill: positive is in our favour, negative means that the counterparty was better
 * informed. A fill has none where the market is closed (a hole in the data) or the run is over. The last price
 * within the later two thirds of the horizon counts.
 * Formula: for each horizon, sum of +-(mid after - price) / price * worth / sum of worth, in bp; standard error clustered by hour (UTC) of the fill, by day from 4 h on: sqrt(c / (c - 1) * sum over c clusters of (sum of worth * (move - mean))^2) / sum of worth
 */
export function markout(fills: Fills): readonly Markout[] {
  const { price } = fillEdges(fills);
  return MARKOUT_SECONDS.map((seconds, horizon) => {
    const rows = movesOf(fills, price, fills.mids[horizon] as Float64Array, seconds > 3_600 ? DAY_MS : HOUR_MS);
    const few = enough(rows.length, "fills with a later price");
    return { seconds, bps: few ?? known({ ...clusteredMean(rows), fills: rows.length }) };
  });
}

type Move = ReturnType<typeof movesOf>[number];

/** Moves from one price to another in bp, our way positive, of the fills that have both and a worth. */
function movesOf(fills: Fills, from: Float64Array, to: Float64Array, clusterMs: number) {
  const { sign, worth } = fillEdges(fills);
  return Array.from(from, (start, row) => ({
    row,
    value: (((sign[row] as number) * ((to[row] as number) - start)) / start) * 10_000,
    weight: worth[row] as number,
    cluster: Math.floor((fills.time[row] as number) / clusterMs),
  })).filter(({ value, weight }) => Number.isFinite(value) && weight > 0);
}

const FILLS_MIN = 30;
/** Sizes in this fraction of the fills at either end count as outliers. */
const TAIL = 0.1;
/** Required range of sizes from tail to tail, as a fraction of the median. */
const SPAN_MIN = 0.1;
const IMPACT_WORTH = 10_000;

/**
 * How much further the price has moved our way a second after a fill for each 10,000 of its worth.
 * Formula: 10,000 * sum of d * move / sum of d^2, move = +-(mid after 1 s - quoted price) / quoted price in bp, d = worth less its mean in the pair, over pairs of 30 fills or more whose quantities from the 10 % to the 90 % quantile span 10 % of the median or more; standard error clustered by hour as of markout
 */
export function impact(fills: Fills): Figure<Clustered & { readonly fills: number }> {
  const moves = movesOf(fills, fills.touch, fills.mids[0] as Float64Array, HOUR_MS);
  const few = enough(moves.length, "fills with a later price", FILLS_MIN);
  if (few !== undefined) return few;
  const pairs = [...Map.groupBy(moves, ({ row }) => fills.symbol[row]).values()].filter((own) => varies(fills, own));
  if (pairs.length === 0)
    return notAvailable(
      `sizes must vary: in a pair of ${FILLS_MIN} fills or more, all but the lowest and highest tenth by ${SPAN_MIN * 100} % of the median`,
    );
  const slopes = pairs.flatMap((own) => {
    const meanOf = (of: (move: Move) => number): number => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    const [size, moved] = [meanOf(({ weight }) => weight), meanOf(({ value }) => value)];
    return own.flatMap(({ value, weight, cluster }) => {
      const apart = (weight - size) / IMPACT_WORTH;
      return apart === 0 ? [] : [{ value: (value - moved) / apart, weight: apart ** 2, cluster }];
    });
  });
  return known({ ...clusteredMean(slopes), fills: slopes.length });
}

function varies(fills: Fills, own: readonly Move[]): boolean {
  if (own.length < FILLS_MIN) return false;
  const money = fillMoney(fills);
  const sizes = Float64Array.from(own, ({ row }) => money[row]?.base.toNumber() ?? NaN).sort();
  const at = (part: number): number => quantileOf(sizes, part);
  return at(1 - TAIL) - at(TAIL) >= SPAN_MIN * at(0.5);
}

// Figures of the request budget and of settlement.

export type SlotsUsed = {
  readonly total: number;
  readonly byClass: Readonly<Record<WantClass, number>>;
  /** As a fraction; undefined for a run without length. */
  readonly utilisation: number | undefined;
};

/**
 * The use of the requests, and how much of the budget was used.
 * Formula: requests by class; all requests / (length of the run / pace)
 */
export function slotsUsed({ slots, settings }: Pick<RunRecord, "slots" | "settings">): Figure<SlotsUsed> {
  if (slots === undefined) return notAvailable("requests were not counted");
  const sums = new Float64Array(SLOT_CLASSES.length);
  for (let cell = 0; cell < slots.counts.length; )
    for (let index = 0; index < sums.length; index++, cell++)
      sums[index] = (sums[index] as number) + (slots.counts[cell] as number);
  const byClass = Object.fromEntries(SLOT_CLASSES.map((name, index) => [name, sums[index]])) as Record<
    WantClass,
    number
  >;
  const total = sums.reduce((sum, count) => sum + count, 0);
  const spanMs = settings.to - settings.from;
  const utilisation = spanMs > 0 ? (total * slots.paceMs) / spanMs : undefined;
  return known({ total, byClass, utilisation });
}

/**
 * Average profit per request, of any kind, from the moment when all holdings had a price: the slot is the scarce
 * resource here, and before that moment there is no profit to divide.
 * Formula: profit over holding / requests since the books opened, to the minute
 */
export function profitPerRequest(record: RunRecord): Figure<number> {
  const { slots, samples } = record;
  if (slots === undefined) return notAvailable("requests were not counted");
  const opened = samples.equity.findIndex((worth) => !Number.isNaN(worth));
  const requests = requestsFrom(slots, samples.time[opened] ?? slots.from);
  return (
    enough(requests, "requests", 1) ??
    mapFigure(profitOverHolding(record), (profit) => known(profit.toNumber() / requests))
  );
}

/** Counts the whole bucket that contains `at`. */
function requestsFrom({ from, bucketMs, counts }: Slots, at: number): number {
  const bucket = Math.max(0, Math.floor((at - from) / bucketMs));
  return counts.subarray(bucket * SLOT_CLASSES.length).reduce((sum, count) => sum + count, 0);
}
