// How a search reads to people, the same on the terminal and on the page.

import { HOUR_MS, RETURNS_MIN } from "../../metric/basis/period-returns.ts";
import { duration, money, number, percent } from "../../report/format.ts";
import type { FigureName } from "../plain-figures.ts";
import type { Axis } from "./axis.ts";
import { figureOf, type Objective } from "./objective.ts";
import { faultIn, type RankedRow } from "./ranking.ts";

/** Those that are a statistic of returns, an hour each at first. */
const OF_RETURNS: ReadonlySet<Objective> = new Set(["sharpe", "sharpe-over-holding", "sortino"]);

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** As the figure reads to people. `currency`: of the limits, which money is in; left out where the page has said it. */
export function achievedText(objective: Objective, value: number | null, currency = ""): string {
  return figureText(figureOf(objective), value, currency);
}

export function figureText(name: FigureName, value: number | null | undefined, currency = ""): string {
  if (value === null || value === undefined) return "n/a";
  switch (unitOf(name)) {
    case "money":
      return money(value, currency).trim();
    case "percent":
      return percent(value, 3);
    default:
      return number(value, 2);
  }
}

/** As charts and maps name it. */
export function unitOf(name: FigureName): "money" | "percent" | "ratio" {
  switch (name) {
    case "netProfit":
    case "profitOverHolding":
    case "profitPerRequest":
      return "money";
    case "totalReturn":
    case "drawdown":
    case "edgeCaptured":
      return "percent";
    default:
      return "ratio";
  }
}

/** Where nothing judges there is no ranking by what judges. Undefined where something does, or a failure is why. */
export function unjudgedText(objective: Objective, rows: readonly RankedRow[]): string | undefined {
  if (!rows.every(({ outOfSample, judged }) => outOfSample === null && faultIn(judged) === undefined)) return undefined;
  if (rows.every(({ inSample, chosen }) => inSample === null && faultIn(chosen) === undefined))
    return `no run has a figure for ${objective}, so nothing is ranked: give it more time, or another --objective`;
  return `no run has a figure for ${objective} out-of-sample, so the ranking is in-sample: give it more time`;
}

/** In ms; `first` is what the first round runs over, all of in-sample but for halving. */
export type Spans = { readonly first: number; readonly inSample: number; readonly outOfSample: number };

/** Known before anything runs. Undefined where the objective may have a figure over all of these times. */
export function tooShortText(objective: Objective, { first, inSample, outOfSample }: Spans): string | undefined {
  if (!OF_RETURNS.has(objective)) return undefined;
  const least = RETURNS_MIN * HOUR_MS;
  const parts = [
    ["what chooses (in-sample)", inSample, ""],
    ["what judges (out-of-sample)", outOfSample, ""],
    ["the first round of halving", first, " there, so those that stay are no choice"],
  ] as const;
  const short = parts.find(([, has]) => has < least);
  if (short === undefined) return undefined;
  const [who, has, where] = short;
  return `${objective} needs ${duration(least)} or more, and ${who} has ${duration(has)}: no set will have a figure for it${where}; take more time, or another --objective (profit-over-holding)`;
}

/** Of one time by itself, in ms: why the objective has no figure over it. Undefined where it may have one. */
export function shortText(objective: Objective, has: number): string | undefined {
  const least = RETURNS_MIN * HOUR_MS;
  if (!OF_RETURNS.has(objective) || has >= least) return undefined;
  return `${objective} needs ${duration(least)} or more, and it has ${duration(has)}`;
}

/** A count, or the mean of several. */
export function countText(count: number): string {
  return number(count, Number.isInteger(count) ? 0 : 1);
}

/** Undefined where one run judges each set. */
export function meanText(rows: readonly RankedRow[]): string | undefined {
  const runs = Math.max(0, ...rows.map(({ judged }) => judged?.states.length ?? 0));
  return runs > 1 ? `out-of-sample money, fills and orders are the mean over ${runs} seeds, for each set` : undefined;
}

/** Among those that came to be judged; undefined where it has no figure there. */
export function rankText({ rank, outOfSample }: RankedRow, rows: readonly RankedRow[]): string | undefined {
  if (outOfSample === null) return undefined;
  const judged = rows.filter((row) => row.judged !== null);
  const sharing = judged.filter((row) => row.rank === rank).length;
  return `${rank} of ${judged.length}${sharing === 1 ? "" : `, shared by ${sharing}`}`;
}

/** `edgeBps=2 size=500`. */
export function setText(axes: readonly Axis[], { values }: Pick<RankedRow, "values">): string {
  return axes.map(({ name }) => `${name}=${valueText(values[name])}`).join(" ");
}
