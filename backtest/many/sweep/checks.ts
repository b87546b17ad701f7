// What a search chose, held against luck: its choice among all that were tried, and the run that judges it.

import { ok, type Result } from "../../../src/domain/result.ts";
import { type WorthSeries, worthSeries } from "../../metric/basis/worth-series.ts";
import type { Belief } from "../../record/run-record.ts";
import { ownWaysTexts } from "../../report/refusal-text.ts";
import type { Ground } from "../ground.ts";
import {
  type ChoiceChecks,
  choiceChecks,
  closedResults,
  type Overfitting,
  overHolding,
  runChecks,
} from "../overfitting.ts";
import { repeated } from "../repeat.ts";
import type { Trial } from "../trial.ts";
import { judgingTrials, type SweepPlan } from "./plan.ts";
import { chosenInSample, type RankedRow } from "./ranking.ts";
import type { Explored } from "./run-sweep.ts";

/** The run that judges the choice; where there is none, that of the first set. */
export type JudgedRun = {
  /** Of the set that was chosen; undefined where none could be, or its run was refused. */
  readonly series: WorthSeries | undefined;
  readonly references: readonly Belief[];
};

export type SweepChecks = {
  /** Undefined where nothing could be chosen. */
  readonly overfitting: Overfitting | undefined;
  readonly judge: JudgedRun;
  /** That the strategy has a timer, a clock or a chance of its own. */
  readonly ownWays: readonly string[];
};

/** Undefined where nothing judges. The run that judges is made once more, for its trades; an error where it came out otherwise. */
export async function sweepChecks(
  plan: SweepPlan,
  explored: readonly Explored[],
  rows: readonly RankedRow[],
  ground: Ground,
): Promise<Result<SweepChecks | undefined>> {
  const chosen = explored[chosenInSample(plan.objective, rows)?.index ?? -1];
  // Where no set has a figure, nobody believing the data may be why.
  const looked = chosen ?? explored.find(({ outOfSample }) => outOfSample.length > 0);
  const judge = looked?.outOfSample[0];
  if (looked === undefined || judge === undefined) return ok(undefined);
  const [trial] = judgingTrials(plan, looked.point);
  const again = judge.kind === "ran" ? await repeated(trial as Trial, judge, ground) : undefined;
  if (again?.ok === false) return again;
  const record = again?.value.record;
  const references = record?.references ?? [];
  const ownWays = record === undefined ? [] : ownWaysTexts(record);
  const series = record && worthSeries(record);
  if (chosen === undefined) return ok({ overfitting: undefined, judge: { series: undefined, references }, ownWays });
  const { points, objective, axes } = plan;
  const choices = axes.map(({ choice }) => choice);
  return ok({
    overfitting: {
      ...exploredChecks(explored, { points, choices, objective }, chosen.index),
      ...runChecks(overHolding(judge), record === undefined ? [] : closedResults(record), plan.base.seed),
    },
    judge: { series, references },
    ownWays,
  });
}

/** What left in an earlier round was tried, and so it counts as luck; but over less time, and so its figures are not compared. */
export function exploredChecks(
  explored: readonly Explored[],
  searched: Omit<Parameters<typeof choiceChecks>[1], "compared">,
  best: number,
): ChoiceChecks {
  const last = explored[best]?.round;
  const compared = new Set(explored.flatMap(({ round }, i) => (round === last ? [i] : [])));
  return choiceChecks(
    explored.map(({ inSample }) => inSample),
    { ...searched, compared },
    best,
  );
}
