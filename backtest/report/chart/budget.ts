// What the requests were spent on through the run, and mints and rails on their way.

import { type RunRecord, type Settlement, SLOT_CLASSES, type Slots } from "../../record/run-record.ts";
import { number } from "../format.ts";
import { type Chart, compact, type Ink, seconds } from "./spec.ts";

const STRIPES_MAX = 300;
const INKS: readonly Ink[] = ["sell", "buy", "main", "second", "loss", "warn", "other", "quiet"];
const STATE_INK: Readonly<Record<Settlement["state"], Ink>> = {
  "in flight": "warn",
  held: "sell",
  settled: "main",
  rejected: "loss",
  doubt: "loss",
};

export function budgetChart({ slots }: RunRecord): Chart {
  const chart = { id: "budget", title: "Request budget", size: "wide" } as const;
  const note = "what the seconds were spent on, as a part of all there were";
  if (slots === undefined || slots.buckets === 0)
    return { ...chart, note, drawn: undefined, missing: "requests were not counted" };
  const merged = Math.ceil(slots.buckets / STRIPES_MAX);
  const stripes = Math.ceil(slots.buckets / merged);
  const layers = SLOT_CLASSES.map((label, index) => ({
    label,
    ink: INKS[index] as Ink,
    values: Array.from({ length: stripes }, (_, stripe) => compact(share(slots, index, stripe, merged), 4) ?? 0),
  }));
  return {
    ...chart,
    note,
    drawn: {
      kind: "stack",
      unit: "percent",
      spanS: (merged * slots.bucketMs) / 1_000,
      time: Array.from({ length: stripes }, (_, stripe) => seconds(slots.from + stripe * merged * slots.bucketMs)),
      layers: layers.filter(({ values }) => values.some((value) => value > 0)),
    },
    missing: undefined,
  };
}

function share({ counts, buckets, bucketMs, paceMs }: Slots, index: number, stripe: number, merged: number): number {
  const [from, to] = [stripe * merged, Math.min(buckets, (stripe + 1) * merged)];
  let used = 0;
  for (let bucket = from; bucket < to; bucket++) used += counts[bucket * SLOT_CLASSES.length + index] as number;
  return (used * paceMs) / ((to - from) * bucketMs);
}

export function settlementChart({ settlements, settings }: RunRecord): Chart {
  const chart = { id: "settlement", title: "Settlement", size: "wide" } as const;
  const note = "mints and rails from request to arrival";
  if (settlements === undefined || settlements.length === 0) {
    const missing = settlements === undefined ? "the run has no treasury" : "nothing was minted or sent by rail";
    return { ...chart, note, drawn: undefined, missing };
  }
  const lanes = new Map<string, Settlement[]>();
  for (const one of settlements) {
    const label = `${one.kind} ${one.asset}`;
    lanes.set(label, [...(lanes.get(label) ?? []), one]);
  }
  return {
    ...chart,
    note,
    drawn: {
      kind: "timeline",
      from: seconds(settings.from),
      to: seconds(settings.to),
      lanes: [...lanes].map(([label, rows]) => ({
        label,
        bars: rows.map(({ from, to, state, amount, asset, id }) => ({
          from: seconds(from),
          to: seconds(to ?? settings.to),
          ink: STATE_INK[state],
          text: `${id}: ${number(Number(amount), 2)} ${asset}, ${state}`,
        })),
      })),
    },
    missing: undefined,
  };
}
