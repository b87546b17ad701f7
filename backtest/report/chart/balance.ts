// What is held of each currency, and the part of it that is on its way.

import type { AssetSamples, RunRecord } from "../../record/run-record.ts";
import { thinnedRows } from "../thin.ts";
import { type Chart, compact, SPANS, seconds } from "./spec.ts";

export function balanceCharts({ samples }: RunRecord): Chart[] {
  const { time } = samples;
  return samples.assets.map(({ asset, held, inFlight }: AssetSamples) => {
    const chart = { id: `balance-${asset}`, title: `${asset} held`, size: "half" } as const;
    const note = "all that is owned; the band is what is on its way and cannot be spent";
    if (samples.length < 2) return { ...chart, note, drawn: undefined, missing: "balances were not recorded" };
    const free = held.map((amount, row) => amount - (inFlight[row] as number));
    const rows = thinnedRows(time, [held, free], SPANS / 3);
    const values = (column: Float64Array) => rows.map((row) => compact(column[row] as number));
    const hasBand = inFlight.some((amount) => amount > 0);
    return {
      ...chart,
      note,
      drawn: {
        kind: "time",
        unit: "amount",
        time: rows.map((row) => seconds(time[row] as number)),
        lines: [
          ...(hasBand ? [{ label: "free", ink: "warn", values: values(free), stepped: true } as const] : []),
          {
            label: "held",
            ink: "main",
            values: values(held),
            stepped: true,
            ...(hasBand ? ({ fill: "before" } as const) : {}),
          },
        ],
        marks: [],
      },
      missing: undefined,
    };
  });
}
