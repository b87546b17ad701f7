// Where the profit came from, step by step; and where the price went after fills.

import type { Markout } from "../../metric/execution.ts";
import type { Figures } from "../../metric/figures.ts";
import type { ProfitBridge } from "../../metric/profit.ts";
import type { Comparison } from "../comparison.ts";
import { type Chart, compact, type Ink, type Waterfall } from "./spec.ts";

export function waterfallChart({ profitBridge, fees }: Figures, currency: string): Chart {
  const chart = { id: "waterfall", title: "From quoted edge to profit", size: "half" } as const;
  const note = `in ${currency}: edge of the orders that filled, what it cost, and what the market did to what was held`;
  if (profitBridge.kind === "n/a") return { ...chart, note, drawn: undefined, missing: profitBridge.reason };
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
  return { ...chart, note, drawn: { kind: "waterfall", unit: "money", steps }, missing: undefined };
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

export function markoutChart(figures: Figures, compared: Comparison | undefined): Chart {
  const chart = { id: "markout", title: "Markout", size: "half" } as const;
  const note = "where the mid stood after a fill, in basis points, our way positive; bars are two standard errors";
  const known = figures.markout.some(({ bps }) => bps.kind === "known");
  if (!known) {
    const [first] = figures.markout;
    const missing = first?.bps.kind === "n/a" ? first.bps.reason : "no markout was recorded";
    return { ...chart, note, drawn: undefined, missing };
  }
  const curves = [{ label: "markout", ink: "main" as Ink, points: pointsOf(figures.markout) }];
  if (compared !== undefined)
    curves.push({ label: compared.label, ink: "other", points: pointsOf(compared.figures.markout) });
  const places = figures.markout.map(({ seconds }) => `${seconds} s`);
  return { ...chart, note, drawn: { kind: "curve", unit: "bps", places, curves }, missing: undefined };
}

function pointsOf(markouts: readonly Markout[]): ({ mean: number; error: number } | null)[] {
  return markouts.map(({ bps }) =>
    bps.kind === "n/a"
      ? null
      : { mean: compact(bps.value.mean, 5) ?? 0, error: compact(2 * bps.value.standardError, 4) ?? 0 },
  );
}
