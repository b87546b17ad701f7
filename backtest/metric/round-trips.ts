// Round trips: what was bought and sold again of a coin, or sold and bought back, first in first out.

import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { standsFor } from "../../src/domain/coin.ts";
import type { RunRecord } from "../record/run-record.ts";
import { enough, type Figure, known, notAvailable, oncePer } from "./figure.ts";
import { feeWorth, fillEdges, fillMoney } from "./fills.ts";
import { quantileOf } from "./statistics.ts";

export type RoundTrips = {
  readonly count: number;
  readonly winRate: number;
  /** Undefined where none lost. */
  readonly profitFactor: number | undefined;
  /** In the currency. */
  readonly profit: number;
  /** Between the two fills. */
  readonly heldMsMedian: number;
  readonly heldMsLongest: number;
  /** Coins bought (sold, where negative) and not yet sold (bought back), and the age of the oldest. */
  readonly open: readonly { readonly asset: Asset; readonly quantity: number; readonly ageMs: number }[];
};

/** A part of a fill: positive is bought. `price` counts in fair values of the coin, fees included. */
type Lot = { readonly at: number; quantity: number; readonly price: number };

/** `bps`: of the fair value of its size. */
type Trip = { readonly heldMs: number; readonly profit: number; readonly bps: number };

type Closed = {
  readonly trips: readonly Trip[];
  readonly lots: ReadonlyMap<Asset, readonly Lot[]>;
  readonly unpriced: number;
};

/**
 * What was bought of a coin and sold again, or the other way round, in any pair, the oldest lot first: each closed part
 * of a lot is a round trip. Prices count relative to the fair value of their decision, which keeps currency rates apart.
 * Formula: round trips with a positive result / round trips; sum of positive results / |sum of negative ones|; sum of size * (sold - bought, in fair values, after fees) * fair value at the close in the currency; median and longest time between the two fills
 */
export function roundTrips(record: RunRecord): Figure<RoundTrips> {
  const { settings } = record;
  const { trips, lots, unpriced } = closedTrips(record);
  if (unpriced > 0) return notAvailable(`${unpriced} fills have no fair value or no rate in ${settings.currency}`);
  const few = enough(trips.length, "round trips");
  if (few !== undefined) return few;
  const gain = (sign: number): number => trips.reduce((sum, { profit }) => sum + Math.max(0, sign * profit), 0);
  const [won, lost] = [gain(1), gain(-1)];
  const held = Float64Array.from(trips, ({ heldMs }) => heldMs).sort();
  return known({
    count: trips.length,
    winRate: trips.filter(({ profit }) => profit > 0).length / trips.length,
    profitFactor: lost > 0 ? won / lost : undefined,
    profit: won - lost,
    heldMsMedian: quantileOf(held, 0.5),
    heldMsLongest: held.at(-1) as number,
    open: [...lots].flatMap(([asset, own]) => stillOpen(asset, own, settings.to)),
  });
}

/** All that can be priced, in the order of their closing. */
export const closedTrips = oncePer(({ fills, settings }: RunRecord): Closed => {
  const lots = new Map<Asset, Lot[]>();
  const trips: Trip[] = [];
  const { price, sign, worth } = fillEdges(fills);
  let unpriced = 0;
  for (const [row, money] of fillMoney(fills).entries()) {
    const { base, quote } = assetsOf(fills.symbol[row] as PairSymbol);
    const [fair, rate, at] = [fills.fair[row] as number, Number(fills.rate[row]), fills.time[row] as number];
    const bought = sign[row] as number;
    const paid = (feeWorth(money, settings.currency)?.toNumber() ?? NaN) / (worth[row] as number);
    const relative = ((price[row] as number) / fair) * (1 + bought * paid);
    if (Number.isNaN(relative * rate)) {
      unpriced++;
      continue;
    }
    // Paid with, a coin counts at fair value: the edge is that of the base.
    const legs = [{ asset: base, quantity: bought * money.base.toNumber(), price: relative, unit: fair * rate }];
    if (standsFor(quote) !== undefined)
      legs.push({ asset: quote, quantity: -bought * money.quote.toNumber(), price: 1, unit: rate });
    for (const { asset, quantity, price, unit } of legs) {
      const open = lots.get(asset) ?? [];
      lots.set(asset, open);
      trips.push(...close(open, { at, quantity, price }, unit));
    }
  }
  return { trips, lots, unpriced };
});

/** Amounts have at most 9 decimals; less than that is rounding noise. */
const DUST = 1e-9;
const BPS = 1e4;

/** Closes the oldest lots against the fill; what is left of the fill becomes a lot. */
function* close(open: Lot[], fill: Lot, unit: number): Iterable<Trip> {
  const isOpposite = (lot: Lot | undefined): lot is Lot => lot !== undefined && lot.quantity * fill.quantity < 0;
  while (Math.abs(fill.quantity) > DUST && isOpposite(open[0])) {
    const [lot] = open;
    const size = Math.min(Math.abs(lot.quantity), Math.abs(fill.quantity));
    const direction = Math.sign(lot.quantity);
    const move = direction * (fill.price - lot.price);
    yield { heldMs: fill.at - lot.at, profit: size * move * unit, bps: move * BPS };
    lot.quantity -= direction * size;
    fill.quantity += direction * size;
    if (Math.abs(lot.quantity) <= DUST) open.shift();
  }
  if (Math.abs(fill.quantity) > DUST) open.push(fill);
}

function stillOpen(asset: Asset, lots: readonly Lot[], to: number): RoundTrips["open"] {
  const [oldest] = lots;
  const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0);
  return oldest === undefined ? [] : [{ asset, quantity, ageMs: to - oldest.at }];
}
