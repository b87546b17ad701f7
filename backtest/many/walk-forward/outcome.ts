// What a walk forward came to: a row for each window, out-of-sample beside in-sample, and all that judges as one run.

import { DAY_MS, type Millis } from "../../../src/domain/time.ts";
import { type Figure, notAvailable } from "../../metric/basis/figure.ts";
import { addedBeliefs } from "../../record/added-beliefs.ts";
import type { Belief } from "../../record/run-record.ts";
import { type Overfitting, runChecks } from "../overfitting.ts";
import { exploredChecks } from "../sweep/checks.ts";
import { achieved, figureOf, isMoreBetter, type Objective } from "../sweep/objective.ts";
import { endOf } from "../sweep/ranking.ts";
import { shortText } from "../sweep/text.ts";
import type { TrialResult } from "../trial-result.ts";
import type { WalkedWindow, WalkForwardPlan } from "./run-walk-forward.ts";
import { efficiency, type Piece, type Stitched, type StitchedFigures, stitched, stitchedFigures } from "./stitch.ts";
import type { Window } from "./windows.ts";

export type WindowRow = {
  readonly window: Window;
  /** Parameters that were chosen; undefined where none could be. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** What was looked for, money and returns as a day's; null where a run has no such figure. */
  readonly outOfSample: number | null;
  readonly inSample: number | null;
  readonly profitOverHolding: number | null;
  readonly fills: number;
  readonly state: string;
  /** How long after the beginning of the time that judges the books opened, where something held had no price before. */
  readonly lateMs: number | undefined;
  /** Why the run that judges failed, or that of the sets that could have been chosen. */
  readonly fault: string | undefined;
  /** Of the sets that were tried, how many failed and so could not be chosen. */
  readonly setsFailed: number;
  readonly checks: Pick<Overfitting, "deflated" | "neighbourhood"> | undefined;
};

export type WalkForwardOutcome = {
  readonly objective: Objective;
  readonly isPerDay: boolean;
  readonly currency: string;
  readonly rows: readonly WindowRow[];
  readonly stitched: Stitched;
  readonly figures: StitchedFigures;
  /** Sum over the windows. */
  readonly profitOverHolding: number;
  readonly fills: number;
  readonly efficiency: Figure<number>;
  readonly gained: number;
  /** Over all runs that judge. */
  readonly references: readonly Belief[];
  readonly checks: Pick<Overfitting, "bootstrap" | "tradeOrder">;
  /** The time that judges. */
  readonly from: Millis;
  readonly to: Millis;
};

/** They grow with the time, so that a long run has more of them than a short one. */
const GROWING: ReadonlySet<string> = new Set(["netProfit", "profitOverHolding", "totalReturn"]);

/** `pieces` has one for each window, in their order. */
export function outcomeOf(
  { search, windows }: WalkForwardPlan,
  walked: readonly WalkedWindow[],
  pieces: readonly Piece[],
  currency: string,
): WalkForwardOutcome {
  const { objective } = search;
  const rows = walked.map((one, place) => ({ ...rowOf(one, search), lateMs: lateMsOf(one.window, pieces[place]) }));
  const whole = stitched(pieces, windows[0]?.test);
  const known = rows.flatMap(({ profitOverHolding }) => profitOverHolding ?? []);
  return {
    objective,
    isPerDay: GROWING.has(figureOf(objective)),
    currency,
    rows,
    stitched: whole,
    figures: stitchedFigures(whole),
    profitOverHolding: known.reduce((sum, one) => sum + one, 0),
    fills: rows.reduce((sum, { fills }) => sum + fills, 0),
    efficiency: isMoreBetter(objective) ? efficiency(rows) : notAvailable("less is better of this figure"),
    gained: known.filter((one) => one > 0).length,
    references: addedBeliefs(pieces.flatMap(({ references }) => references)),
    checks: runChecks(whole.returns, whole.closed, search.base.seed),
    from: (windows[0] as Window).test.from,
    to: (windows.at(-1) as Window).test.to,
  };
}

function lateMsOf({ test }: Window, piece: Piece | undefined): number | undefined {
  const openedAt = piece?.result === undefined ? undefined : piece.series.time[0];
  return openedAt !== undefined && openedAt > test.from ? openedAt - test.from : undefined;
}

function rowOf(
  { window, explored, chosen }: WalkedWindow,
  { objective, axes }: WalkForwardPlan["search"],
): Omit<WindowRow, "lateMs"> {
  const faults = explored.flatMap(({ inSample }) => faultOf(inSample) ?? []);
  if (chosen === undefined)
    return {
      window,
      values: undefined,
      ...{ outOfSample: null, inSample: null, profitOverHolding: null, fills: 0 },
      state: `not traded: ${whyNone(faults, explored.length) ?? unchosenText(objective, window.train)}`,
      fault: faults[0],
      setsFailed: faults.length,
      checks: undefined,
    };
  const { index, point, inSample, outOfSample } = chosen;
  const { train, test } = window;
  const points = explored.map((one) => one.point);
  const choices = axes.map(({ choice }) => choice);
  return {
    window,
    values: Object.fromEntries(axes.map(({ name }, i) => [name, point[i]])),
    outOfSample: comparable(objective, outOfSample, test.to - test.from),
    inSample: comparable(objective, inSample, train.to - train.from),
    profitOverHolding: outOfSample.kind === "ran" ? outOfSample.figures.profitOverHolding : null,
    fills: outOfSample.kind === "ran" ? outOfSample.fills : 0,
    state: endOf(outOfSample),
    fault: faultOf(outOfSample),
    setsFailed: faults.length,
    checks: exploredChecks(explored, { points, choices, objective }, index),
  };
}

function whyNone(faults: readonly string[], sets: number): string | undefined {
  const [first] = faults;
  return first && `${faults.length} of ${sets} sets failed: ${first}`;
}

function unchosenText(objective: Objective, { from, to }: Window["train"]): string {
  const short = shortText(objective, to - from);
  return `no parameter set had a figure to be chosen by${short === undefined ? "" : ` (${short})`}`;
}

function faultOf(result: TrialResult): string | undefined {
  return result.kind === "ran" ? result.fault : undefined;
}

function comparable(objective: Objective, result: TrialResult, spanMs: number): number | null {
  const value = achieved(objective, result);
  return value === null || !GROWING.has(figureOf(objective)) ? value : value / (spanMs / DAY_MS);
}
