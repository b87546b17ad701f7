// Charts of costs: the profit step by step, the price after fills, the use of the requests, and mints and rails in
// transit.

import type { Markout } from "../../metric/execution.ts";
import type { Figures } from "../../metric/figures.ts";
import type { ProfitBridge } from "../../metric/profit.ts";
import { type RunRecord, type Settlement, SLOT_CLASSES, type Slots } from "../../record/run-record.ts";
import { horizonText } from "../figure-lines.ts";
import { number } from "../format.ts";
import { type Chart, chartOf, compact, type Ink, seconds, type Waterfall } from "./spec.ts";

export function waterfallChart({ profitBridge, fees }: Figures, currency: string): Chart {
  const note = `in ${currency}: edge of the orders that filled, what it cost, and what the market did to what was held`;
  const head = { id: "waterfall", title: "From quoted edge to profit", size: "half", note } as const;
  if (profitBridge.kind === "n/a") return chartOf(head, profitBridge.reason);
  const bridge = profitBridge.value;
  const parts: (readonly [string, number])[] = [
    ["quoted edge", bridge.quotedEdge],
    ["slippage", bridge.slippage],
    ...feeParts(bridge, fees),
    ["holding", bridge.holding],
    ["moved", bridge.rest],
  ];
  let level = 0;
  const steps: Waterfall["steps"][number][] = parts.map(([label, change]) => {
    const from = level;
    level += change;
    const ink = change < 0 ? "loss" : "gain";
    return { label, from: compact(from) ?? 0, to: compact(level) ?? 0, ink };
  });
  steps.push({ label: "net profit", from: 0, to: compact(bridge.profit) ?? 0, ink: "main" });
  return chartOf(head, { kind: "waterfall", unit: "money", steps });
}

function feeParts(bridge: ProfitBridge, fees: Figures["fees"]): (readonly [string, number])[] {
  if (fees.kind === "n/a") return [["fees", bridge.fees]];
  const { trade, mint, rail } = fees.value;
  return [
    ["trade fees", -trade.toNumber()],
    ...(mint === undefined ? [] : [["mint fees", -mint.toNumber()] as const]),
    ...(rail === undefined ? [] : [["rail fees", -rail.toNumber()] as const]),
  ];
}

export function markoutChart(figures: Figures): Chart {
  const note = "where the mid stood after a fill, in basis points, our way positive; bars are two standard errors";
  const head = { id: "markout", title: "Markout", size: "half", note } as const;
  if (!figures.markout.some(({ bps }) => bps.kind === "known")) {
    const [first] = figures.markout;
    return chartOf(head, first?.bps.kind === "n/a" ? first.bps.reason : "no markout was recorded");
  }
  const curves = [{ label: "markout", ink: "main" as Ink, points: pointsOf(figures.markout) }];
  const places = figures.markout.map(({ seconds }) => horizonText(seconds));
  return chartOf(head, { kind: "curve", unit: "bps", places, curves });
}

function pointsOf(markouts: readonly Markout[]): ({ mean: number; error: number } | null)[] {
  return markouts.map(({ bps }) =>
    bps.kind === "n/a"
      ? null
      : { mean: compact(bps.value.mean, 5) ?? 0, error: compact(2 * (bps.value.standardError ?? NaN), 4) ?? 0 },
  );
}

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
  const note = "what the seconds were spent on, as a part of all there were";
  const head = { id: "budget", title: "Request budget", size: "wide", note } as const;
  if (slots === undefined || slots.buckets === 0) return chartOf(head, "requests were not counted");
  const merged = Math.ceil(slots.buckets / STRIPES_MAX);
  const stripes = Math.ceil(slots.buckets / merged);
  const layers = SLOT_CLASSES.map((label, index) => ({
    label,
    ink: INKS[index] as Ink,
    values: Array.from({ length: stripes }, (_, stripe) => compact(share(slots, index, stripe, merged), 4) ?? 0),
  }));
  return chartOf(head, {
    kind: "stack",
    unit: "percent",
    spanS: (merged * slots.bucketMs) / 1_000,
    time: Array.from({ length: stripes }, (_, stripe) => seconds(slots.from + stripe * merged * slots.bucketMs)),
    layers: layers.filter(({ values }) => values.some((value) => value > 0)),
  });
}

function share({ counts, buckets, bucketMs, paceMs }: Slots, index: number, stripe: number, merged: number): number {
  const [from, to] = [stripe * merged, Math.min(buckets, (stripe + 1) * merged)];
  let used = 0;
  for (let bucket = from; bucket < to; bucket++) used += counts[bucket * SLOT_CLASSES.length + index] as number;
  return (used * paceMs) / ((to - from) * bucketMs);
}

export function settlementChart({ settlements, settings }: RunRecord): Chart {
  const note = "mints and rails from request to arrival";
  const head = { id: "settlement", title: "Settlement", size: "wide", note } as const;
  if (settlements === undefined) return chartOf(head, "the run has no treasury");
  if (settlements.length === 0) return chartOf(head, "nothing was minted or sent by rail");
  const lanes = Map.groupBy(settlements, ({ kind, asset }) => `${kind} ${asset}`);
  return chartOf(head, {
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
  });
}
