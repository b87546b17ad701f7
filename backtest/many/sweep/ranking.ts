// The table of a search: out-of-sample first, because that is the figure which the choice has not seen. What did not come to the
// last round stands below, later rounds first.

import type { FigureName, PlainFigures } from "../plain-figures.ts";
import type { TrialResult } from "../trial-result.ts";
import { achieved, achievedOverAll, compareAchieved, type Objective } from "./objective.ts";
import type { SweepPlan } from "./plan.ts";
import type { Explored } from "./run-sweep.ts";

export type RankedRow = {
  /** From 1; sets that came to the same share the first of their places. */
  readonly rank: number;
  /** Its place among the parameter sets, from 0. */
  readonly index: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** What was looked for; null where a run has no such figure. */
  readonly outOfSample: number | null;
  readonly inSample: number | null;
  /** Rounds that it was in. */
  readonly rounds: number;
  /** The mean over its runs that judge; null where it has none. */
  readonly judged: Side | null;
  readonly chosen: Side;
};

export type Side = {
  /** Of one run on the mean, as every figure is: whoever divides the one by the other has what a fill brought. */
  readonly fills: number;
  readonly orders: number;
  readonly figures: Readonly<Record<string, number | null>>;
  readonly states: readonly string[];
  readonly traces: readonly string[];
};

export function rankedRows({ axes, objective }: SweepPlan, explored: readonly Explored[]): readonly RankedRow[] {
  const rows = explored.map(({ index, point, round, inSample, outOfSample }) => ({
    index,
    values: Object.fromEntries(axes.map(({ name }, i) => [name, point[i]])),
    outOfSample: achievedOverAll(objective, outOfSample),
    inSample: achieved(objective, inSample),
    rounds: round + 1,
    judged: outOfSample.length === 0 ? null : sideOf(outOfSample),
    chosen: sideOf([inSample]),
  }));
  rows.sort(compareRows(objective));
  let rank = 1;
  return rows.map((row, i) => {
    const before = rows[i - 1];
    if (before !== undefined && compareAll(objective, before, row) !== 0) rank = i + 1;
    return { rank, ...row };
  });
}

/** Who was best where the choice was made: an honest search has to live with this one. */
export function chosenInSample(objective: Objective, rows: readonly RankedRow[]): RankedRow | undefined {
  const last = Math.max(...rows.map((row) => row.rounds));
  return rows
    .filter((row) => row.rounds === last && row.inSample !== null)
    .sort((one, other) => compareAchieved(objective, one.inSample, other.inSample) || one.index - other.index)[0];
}

type Unranked = Omit<RankedRow, "rank">;

function compareRows(objective: Objective): (one: Unranked, other: Unranked) => number {
  return (one, other) => compareAll(objective, one, other) || one.index - other.index;
}

function compareAll(objective: Objective, one: Unranked, other: Unranked): number {
  return (
    other.rounds - one.rounds ||
    compareAchieved(objective, one.outOfSample, other.outOfSample) ||
    compareAchieved(objective, one.inSample, other.inSample)
  );
}

/** How a run ended, in words. */
export function endOf(result: TrialResult): string {
  if (result.kind === "refused") return `refused: ${result.reason}`;
  return result.fault === undefined ? result.state : `${FAILED}${result.fault}`;
}

/** Whether one of the runs failed: then the set cannot be chosen by it, and ranks last where it judges. */
export function faultIn(side: Side | null): string | undefined {
  return side?.states.find((state) => state.startsWith(FAILED));
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

/** Nothing where nothing ran: no figure is shown beside it then. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
