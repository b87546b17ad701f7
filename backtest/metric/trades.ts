// How much was traded, in numbers of fills.
// Formula: fills; buys; sells; fills that closed something; fills / days since the books opened

import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known } from "./basis/figure.ts";
import { daysOpen } from "./basis/opened-at.ts";

export type Trades = {
  readonly fills: number;
  readonly buys: number;
  readonly sells: number;
  readonly closing: number;
  readonly perDay: number | undefined;
};

export function trades(record: RunRecord): Figure<Trades> {
  const { fills } = record;
  const sells = fills.side.reduce((sum, side) => sum + side, 0);
  const days = daysOpen(record);
  return known({
    fills: fills.length,
    buys: fills.length - sells,
    sells,
    closing: fills.realised.filter((result) => result !== undefined).length,
    perDay: days > 0 ? fills.length / days : undefined,
  });
}
