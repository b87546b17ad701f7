// How much of equity stood elsewhere than in the opening inventory, on average, and for how much of the time.
// Formula: time-weighted mean of sum(|held - untraded| * rate) / 2 / equity; part of the time in which that is above 0.1 %

import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";

export type Exposure = { readonly mean: number; readonly timeShare: number };

const MOVED_MIN = 0.001;

export function exposure({ samples, books }: RunRecord): Figure<Exposure> {
  const moved = movedAt(samples, books);
  let [weighted, movedMs, knownMs] = [0, 0, 0];
  for (let row = 0; row + 1 < samples.length; row++) {
    const spanMs = (samples.time[row + 1] as number) - (samples.time[row] as number);
    const share = (moved[row] as number) / 2 / (samples.equity[row] as number);
    if (!Number.isFinite(share)) continue;
    knownMs += spanMs;
    weighted += share * spanMs;
    if (share > MOVED_MIN) movedMs += spanMs;
  }
  if (knownMs === 0) return notAvailable("needs at least 2 samples of equity");
  return known({ mean: weighted / knownMs, timeShare: movedMs / knownMs });
}

/** At each sample what is held apart from what would be, had nothing been traded, in the currency; both ways counted. */
function movedAt(
  { length, time, assets }: RunRecord["samples"],
  { opening, adopted }: RunRecord["books"],
): Float64Array {
  const moved = new Float64Array(length);
  for (const { asset, held, rate } of assets) {
    const later = adopted.flatMap(({ at, amounts }) =>
      amounts.filter((one) => one.asset === asset).map(({ amount }) => ({ at, amount: Number(amount) })),
    );
    const start = Number(opening?.find((one) => one.asset === asset)?.amount ?? 0);
    for (let row = 0; row < length; row++) {
      let untraded = start;
      for (const { at, amount } of later) if (at <= (time[row] as number)) untraded += amount;
      const away = Math.abs((held[row] as number) - untraded);
      if (away > 0) moved[row] = (moved[row] as number) + away * (rate[row] as number);
    }
  }
  return moved;
}
