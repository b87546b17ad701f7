// The size of an order at which the edge is gone, by a straight line through the edges of the fills that were had. Only
// given where edge falls with size beyond doubt: it says nothing about sizes that nobody tried, less so the further out.
// Formula: least squares of edge after fees in bp on worth, one slope and an intercept for each pair whose quantity varies by 2 % or more; -mean intercept / slope, where slope / its standard error < -2 and mean intercept > 0, each fill counted once

import type { RunRecord } from "../record/run-record.ts";
import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { fillEdges } from "./basis/fill-edges.ts";
import { feeWorth, fillMoney } from "./basis/fill-money.ts";

const FILLS_MIN = 30;
const CERTAIN = -2;
/** Standard deviation of a pair's quantities, as a part of their mean. Not of worth, which moves with prices: a lower price is more edge by itself. */
const VARIES_MIN = 0.02;

type Point = { readonly quantity: number; readonly size: number; readonly edge: number };

/** In the currency. Pairs have prices and edges of their own: sizes are compared within each, and only the slope is common. */
export function capacity({ fills, settings: { currency } }: RunRecord): Figure<number> {
  const { worth, captured } = fillEdges(fills);
  const pairs = new Map<string, Point[]>();
  let count = 0;
  fillMoney(fills).forEach((money, row) => {
    const fee = feeWorth(money, currency)?.toNumber() ?? NaN;
    const size = worth[row] as number;
    const edge = (((captured[row] as number) - fee) / size) * 10_000;
    if (!Number.isFinite(edge)) return;
    const symbol = fills.symbol[row] as string;
    const points = pairs.get(symbol) ?? [];
    points.push({ quantity: money.base.toNumber(), size, edge });
    pairs.set(symbol, points);
    count += 1;
  });
  const varied = [...pairs.values()].filter(varies).map(cloudOf);
  const compared = varied.reduce((sum, { n }) => sum + n, 0);
  const few =
    enough(count, "fills with a fair value", FILLS_MIN) ??
    (compared === 0
      ? notAvailable("orders of no pair varied in size")
      : enough(compared, "fills of pairs that were traded in several sizes", FILLS_MIN));
  if (few !== undefined) return few;
  const line = leastSquares(varied, compared);
  if (!(line.intercept > 0)) return notAvailable("there is no edge at any size");
  if (!(line.slope / line.slopeError < CERTAIN)) return notAvailable("edge does not fall with size in what was tried");
  return known(-line.intercept / line.slope);
}

function varies(points: readonly Point[]): boolean {
  const n = points.length;
  const mean = points.reduce((sum, { quantity }) => sum + quantity, 0) / n;
  const squares = points.reduce((sum, { quantity }) => sum + (quantity - mean) ** 2, 0);
  return squares > n * (mean * VARIES_MIN) ** 2;
}

/** The fills of a pair: their means, and the sums of squares and products around them. */
type Cloud = Omit<Point, "quantity"> & {
  readonly n: number;
  readonly sizes: number;
  readonly both: number;
  readonly edges: number;
};

function cloudOf(points: readonly Point[]): Cloud {
  const n = points.length;
  const size = points.reduce((sum, point) => sum + point.size, 0) / n;
  const edge = points.reduce((sum, point) => sum + point.edge, 0) / n;
  let [sizes, both, edges] = [0, 0, 0];
  for (const point of points) {
    sizes += (point.size - size) ** 2;
    both += (point.size - size) * (point.edge - edge);
    edges += (point.edge - edge) ** 2;
  }
  return { n, size, edge, sizes, both, edges };
}

/** The intercept is that of all of them together, at their mean. */
function leastSquares(
  clouds: readonly Cloud[],
  n: number,
): { readonly slope: number; readonly intercept: number; readonly slopeError: number } {
  const sum = (of: (cloud: Cloud) => number): number => clouds.reduce((total, cloud) => total + of(cloud), 0);
  const sizes = sum((cloud) => cloud.sizes);
  const slope = sum((cloud) => cloud.both) / sizes;
  const intercept = sum((cloud) => cloud.n * (cloud.edge - slope * cloud.size)) / n;
  const rest = Math.max(0, sum((cloud) => cloud.edges) - slope ** 2 * sizes);
  return { slope, intercept, slopeError: Math.sqrt(rest / (n - clouds.length - 1) / sizes) };
}
