// How much of the edge that was seen was had. Quoted is what the touch at the decision was better than fair value, for
// every order, also for those that were killed; captured is what the price of the fill was better.
// Formula: sum over fills of +-(fair - price) * size * rate / sum over orders of +-(fair - touch) * size * rate; captured / worth of the fills in bp

import type { RunRecord } from "../record/run-record.ts";
import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { fillEdges, sumOfKnown } from "./basis/fill-edges.ts";

export type EdgeCaptured = {
  /** Captured of quoted; undefined when nothing was quoted. */
  readonly share: number | undefined;
  /** In the currency, before fees. */
  readonly captured: number;
  readonly quoted: number;
  readonly capturedBps: number;
};

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
