// How much of equity stood elsewhere than in the opening inventory, on average, and for how much of the time.
// Formula: time-weighted mean of sum(|held - untraded| * rate) / 2 / equity; part of the time in which that is above 0.1 %

import type { Asset } from "../../src/domain/asset.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";

export type Exposure = { readonly mean: number; readonly timeShare: number };

const MOVED_MIN = 0.001;

export function exposure({ samples, books }: RunRecord): Figure<Exposure> {
  const untraded = untradedAt(books);
  let [weighted, movedMs, knownMs] = [0, 0, 0];
  for (let row = 0; row + 1 < samples.length; row++) {
    const at = samples.time[row] as number;
    const spanMs = (samples.time[row + 1] as number) - at;
    let moved = 0;
    for (const { asset, held, rate } of samples.assets) {
      const away = Math.abs((held[row] as number) - untraded(asset, at));
      if (away > 0) moved += away * (rate[row] as number);
    }
    const share = moved / 2 / (samples.equity[row] as number);
    if (!Number.isFinite(share)) continue;
    knownMs += spanMs;
    weighted += share * spanMs;
    if (share > MOVED_MIN) movedMs += spanMs;
  }
  if (knownMs === 0) return notAvailable("needs at least 2 samples of equity");
  return known({ mean: weighted / knownMs, timeShare: movedMs / knownMs });
}

/** What would be held at a time, had nothing been traded. */
function untradedAt({ opening, adopted }: RunRecord["books"]): (asset: Asset, at: number) => number {
  const start = new Map(opening.map(({ asset, amount }) => [asset, Number(amount)]));
  const later = adopted.flatMap(({ at, amounts }) =>
    amounts.map((one) => ({ at, ...one, amount: Number(one.amount) })),
  );
  return (asset, at) => {
    let amount = start.get(asset) ?? 0;
    for (const one of later) if (one.asset === asset && one.at <= at) amount += one.amount;
    return amount;
  };
}
