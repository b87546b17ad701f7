// What a request earned on average, whatever it was spent on: the second is the scarce thing here.
// Formula: profit over holding / requests

import type { RunRecord } from "../record/run-record.ts";
import { enough, type Figure, known, mapFigure } from "./basis/figure.ts";
import { profitOverHolding } from "./profit-over-holding.ts";
import { slotsUsed } from "./slots-used.ts";

export function profitPerRequest(record: RunRecord): Figure<number> {
  return mapFigure(
    slotsUsed(record),
    ({ total }) =>
      enough(total, "requests", 1) ??
      mapFigure(profitOverHolding(record), (profit) => known(profit.toNumber() / total)),
  );
}
