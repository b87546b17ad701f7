// The size of an order at which the edge is gone, by a straight line through the edges of the fills that were had. Only
// given where edge falls with size beyond doubt: it says nothing about sizes that nobody tried, less so the further out.
// Formula: least squares of edge after fees in bp on worth; -intercept / slope, where slope / its standard error < -2, intercept > 0 and worth varies by 2 % or more

import type { RunRecord } from "../record/run-record.ts";
import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { fillEdges } from "./basis/fill-edges.ts";
import { feeWorth, fillMoney } from "./basis/fill-money.ts";

const FILLS_MIN = 30;
const CERTAIN = -2;
/** Standard deviation of worth, as a part of its mean: below it only prices move, and a lower price is more edge by itself. */
const VARIES_MIN = 0.02;

/** In the currency. */
export function capacity({ fills, settings: { currency } }: RunRecord): Figure<number> {
  const { worth, captured } = fillEdges(fills);
  const points: { readonly size: number; readonly edge: number }[] = [];
  fillMoney(fills).forEach((money, row) => {
    const fee = feeWorth(money, currency)?.toNumber() ?? NaN;
    const size = worth[row] as number;
    const edge = (((captured[row] as number) - fee) / size) * 10_000;
    if (Number.isFinite(edge)) points.push({ size, edge });
  });
  const few = enough(points.length, "fills with a fair value", FILLS_MIN);
  if (few !== undefined) return few;
  const line = leastSquares(points);
  if (line === undefined) return notAvailable("orders did not vary in size");
  if (!(line.intercept > 0)) return notAvailable("there is no edge at any size");
  if (!(line.slope / line.slopeError < CERTAIN)) return notAvailable("edge does not fall with size in what was tried");
  return known(-line.intercept / line.slope);
}

function leastSquares(
  points: readonly { readonly size: number; readonly edge: number }[],
): { readonly slope: number; readonly intercept: number; readonly slopeError: number } | undefined {
  const n = points.length;
  const size = points.reduce((sum, point) => sum + point.size, 0) / n;
  const edge = points.reduce((sum, point) => sum + point.edge, 0) / n;
  let [sizes, both] = [0, 0];
  for (const point of points) {
    sizes += (point.size - size) ** 2;
    both += (point.size - size) * (point.edge - edge);
  }
  if (!(sizes > n * (size * VARIES_MIN) ** 2)) return undefined;
  const slope = both / sizes;
  const intercept = edge - slope * size;
  const rest = points.reduce((sum, point) => sum + (point.edge - intercept - slope * point.size) ** 2, 0);
  return { slope, intercept, slopeError: Math.sqrt(rest / (n - 2) / sizes) };
}
