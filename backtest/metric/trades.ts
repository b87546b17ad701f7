// How much was traded, in numbers of fills.
// Formula: fills; buys; sells; fills that closed something; fills / days of the run

import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known } from "./basis/figure.ts";

export type Trades = {
  readonly fills: number;
  readonly buys: number;
  readonly sells: number;
  readonly closing: number;
  readonly perDay: number | undefined;
};

export function trades({ fills, settings }: RunRecord): Figure<Trades> {
  const sells = fills.side.reduce((sum, side) => sum + side, 0);
  const days = (settings.to - settings.from) / 86_400_000;
  return known({
    fills: fills.length,
    buys: fills.length - sells,
    sells,
    closing: fills.realised.filter((result) => result !== undefined).length,
    perDay: days > 0 ? fills.length / days : undefined,
  });
}
