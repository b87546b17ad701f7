// The ranking of a search: out-of-sample first, because that figure did not influence the choice. Its texts are the same
// on terminal and page.

import { DAY_MS } from "../../src/domain/time.ts";
import type { FigureName, PlainFigures } from "../metric/figures.ts";
import { DAYS_MIN, HOUR_MS, RETURNS_MIN } from "../metric/returns.ts";
import { type Estimate, estimated } from "../metric/statistics.ts";
import { duration, money, number, percent } from "../report/format.ts";
import { achieved, achievedOverAll, compareAchieved, figureOf, type Objective } from "./search-terms.ts";
import { bestInSample, type Explored } from "./sweep.ts";
import type { SweepPlan } from "./sweep-plan.ts";
import type { TrialResult } from "./trial-result.ts";

export type RankedRow = {
  /** From 1; sets with equal results share the first of their ranks. */
  readonly rank: number;
  /** Index among the parameter sets, from 0. */
  readonly index: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** The objective; null where a run has no such figure. */
  readonly outOfSample: number | null;
  readonly inSample: number | null;
  /** The mean over its out-of-sample runs. */
  readonly judged: Side;
  readonly chosen: Side;
  /** Of the objective, from that of the set chosen in-sample, seed by seed; null with fewer than two. */
  readonly apart: Estimate | null;
};

export type Side = {
  /** Mean per run, like every figure: profit divided by fills is the profit per fill. */
  readonly fills: number;
  readonly orders: number;
  readonly figures: Readonly<Record<string, number | null>>;
  readonly states: readonly string[];
  readonly traces: readonly string[];
};

export function rankedRows({ axes, objective }: SweepPlan, explored: readonly Explored[]): readonly RankedRow[] {
  const best = bestInSample(objective, explored);
  const rows = explored.map(({ index, point, inSample, outOfSample }) => ({
    index,
    values: Object.fromEntries(axes.map(({ name }, i) => [name, point[i]])),
    outOfSample: achievedOverAll(objective, outOfSample),
    inSample: achievedOverAll(objective, inSample),
    judged: sideOf(outOfSample),
    chosen: sideOf(inSample),
    apart: apartOf(objective, outOfSample, best?.outOfSample),
  }));
  type Unranked = (typeof rows)[number];
  const compare = (one: Unranked, other: Unranked): number =>
    compareAchieved(objective, one.outOfSample, other.outOfSample) ||
    compareAchieved(objective, one.inSample, other.inSample);
  rows.sort((one, other) => compare(one, other) || one.index - other.index);
  let rank = 1;
  return rows.map((row, i) => {
    const before = rows[i - 1];
    if (before !== undefined && compare(before, row) !== 0) rank = i + 1;
    return { rank, ...row };
  });
}

function apartOf(
  objective: Objective,
  own: readonly TrialResult[],
  best: readonly TrialResult[] = [],
): Estimate | null {
  const [one, other] = [own, best].map((runs) => runs.map((run) => achieved(objective, run)));
  const values = one?.flatMap((value, i) => (value === null || other?.[i] == null ? [] : [value - other[i]])) ?? [];
  return values.length < 2 || values.length < own.length ? null : estimated(values);
}

/** The best set in-sample: the one that an honest search has to accept. */
export function chosenInSample(objective: Objective, rows: readonly RankedRow[]): RankedRow | undefined {
  return rows
    .filter(({ inSample }) => inSample !== null)
    .sort((one, other) => compareAchieved(objective, one.inSample, other.inSample) || one.index - other.index)[0];
}

/** Spearman's correlation of two rankings by the objective; undefined for fewer than five sets, or all equal ones. */
export function agreementOf(
  objective: Objective,
  pairs: readonly (readonly [one: number | null, other: number | null])[],
): number | undefined {
  const count = pairs.length;
  const isFlat = ([0, 1] as const).some((side) => new Set(pairs.map((pair) => pair[side])).size < 2);
  if (count < 5 || isFlat) return undefined;
  const ranksBy = (side: 0 | 1): readonly number[] => {
    const order = pairs.map((_, place) => place);
    order.sort((a, b) => compareAchieved(objective, pairs[a]?.[side] ?? null, pairs[b]?.[side] ?? null));
    const ranks = new Array<number>(count);
    for (const [rank, place] of order.entries()) ranks[place] = rank;
    return ranks;
  };
  const [one, other] = [ranksBy(0), ranksBy(1)];
  const apart = one.reduce((sum, rank, place) => sum + (rank - (other[place] as number)) ** 2, 0);
  return 1 - (6 * apart) / (count * (count * count - 1));
}

/** How a run ended, in words. */
export function endOf(result: TrialResult): string {
  if (result.kind === "refused") return `refused: ${result.reason}`;
  return result.fault === undefined ? result.state : `${FAILED}${result.fault}`;
}

/** The fault of a failed run: the set then cannot be chosen in-sample, and ranks last out-of-sample. */
export function faultIn({ states }: Side): string | undefined {
  return states.find((state) => state.startsWith(FAILED));
}

const FAILED = "failed: ";

function sideOf(results: readonly TrialResult[]): Side {
  const ran = results.flatMap((result) => (result.kind === "ran" ? [result] : []));
  const names = Object.keys(ran[0]?.figures ?? {}) as FigureName[];
  const isWhole = ran.length === results.length;
  return {
    fills: mean(ran.map(({ fills }) => fills)),
    orders: mean(ran.map(({ orders }) => orders)),
    figures: Object.fromEntries(
      names.map((name) => [
        name,
        isWhole
          ? meanOf(
              name,
              ran.map(({ figures }) => figures),
            )
          : null,
      ]),
    ),
    states: results.map(endOf),
    traces: ran.map(({ traceHash }) => traceHash),
  };
}

function meanOf(name: FigureName, all: readonly PlainFigures[]): number | null {
  const values = all.map((figures) => figures[name]);
  return values.includes(null) ? null : mean(values as number[]);
}

/** Zero where nothing ran: no figure is shown then. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The least time of objectives that need one: a statistic of returns, which start at one per hour, or annual growth. */
const LEAST_MS: { readonly [O in Objective]?: number } = {
  sharpe: RETURNS_MIN * HOUR_MS,
  "sharpe-over-holding": RETURNS_MIN * HOUR_MS,
  sortino: RETURNS_MIN * HOUR_MS,
  calmar: DAYS_MIN * DAY_MS,
};

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The figure as text. `currency`: the currency of the limits; omitted where the page states it. */
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

/** The unit's name in charts and maps. */
export function unitOf(name: FigureName): "money" | "percent" | "ratio" {
  switch (name) {
    case "netProfit":
    case "profitOverHolding":
    case "profitPerRequest":
      return "money";
    case "totalReturn":
    case "drawdown":
    case "drawdownOverHolding":
    case "edgeCaptured":
    case "fillRate":
    case "roundTripWinRate":
      return "percent";
    default:
      return "ratio";
  }
}

/** Why there is no out-of-sample ranking. Undefined where there is one, or where a failure is the reason. */
export function unjudgedText(objective: Objective, rows: readonly RankedRow[]): string | undefined {
  if (!rows.every(({ outOfSample, judged }) => outOfSample === null && faultIn(judged) === undefined)) return undefined;
  if (rows.every(({ inSample, chosen }) => inSample === null && faultIn(chosen) === undefined))
    return `no run has a figure for ${objective}, so nothing is ranked: give it more time, or another --objective`;
  return `no run has a figure for ${objective} out-of-sample, so the ranking is in-sample: give it more time`;
}

export type Spans = { readonly inSampleMs: number; readonly outOfSampleMs: number };

/** Known before anything runs. Undefined where both times are long enough for the objective. */
export function tooShortText(objective: Objective, { inSampleMs, outOfSampleMs }: Spans): string | undefined {
  const parts = [
    ["in-sample", inSampleMs],
    ["out-of-sample", outOfSampleMs],
  ] as const;
  return parts
    .map(([who, has]) => [who, shortText(objective, has)] as const)
    .flatMap(([who, why]) =>
      why === undefined ? [] : [`${who}, ${why}: take more time, or --objective profit-over-holding`],
    )
    .at(0);
}

/** Why the objective has no figure over a time of this length in ms. Undefined where it may have one. */
export function shortText(objective: Objective, has: number): string | undefined {
  const { [objective]: least = 0 } = LEAST_MS;
  if (has >= least) return undefined;
  return `${objective} needs ${duration(least)} or more, and it has ${duration(has)}`;
}

/** A count, or the mean of several. */
export function countText(count: number): string {
  return number(count, Number.isInteger(count) ? 0 : 1);
}

/** Undefined where it has no figure out-of-sample. */
export function rankText({ rank, outOfSample }: RankedRow, rows: readonly RankedRow[]): string | undefined {
  if (outOfSample === null) return undefined;
  const sharing = rows.filter((row) => row.rank === rank).length;
  return `${rank} of ${rows.length}${sharing === 1 ? "" : `, shared by ${sharing}`}`;
}

/** `edgeBps=2 size=500`. */
export function setText(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}
