// The terms of a search, by the names that people use: an objective, how runs are spent on parameter sets, and which
// runs choose and which judge. Commands read it before they start, so it imports next to nothing.

import { err, ok, type Result } from "../../src/domain/result.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { FigureName } from "../metric/figures.ts";
import type { TrialResult } from "./trial-result.ts";

export const SEARCHES = ["grid", "sobol"] as const;
export type Search = (typeof SEARCHES)[number];

export type Split =
  | { readonly kind: "time"; readonly share: number }
  /** The first seeds choose, as many more judge. */
  | { readonly kind: "seeds"; readonly choosing: number; readonly count: number };

/** The part of a trial that the split sets. */
export type Part = { readonly seed: number; readonly from: Millis; readonly to: Millis };

const SHARE_MIN = 0.05;
const SHARE_MAX = 0.95;
const SEEDS_MAX = 100;

/** `seeds:20`. */
export function parseSeeds(text: string): Result<number> {
  const count = Number(/^seeds:([0-9]{1,4})$/.exec(text)?.[1]);
  return count >= 1 && count <= SEEDS_MAX
    ? ok(count)
    : err(`must be seeds:1 to seeds:${SEEDS_MAX}, was ${text.slice(0, 40)}`);
}

/** `0.3` or `seeds:3`. */
export function parseSplit(text: string): Result<Split> {
  const seeds = parseSeeds(text);
  if (seeds.ok) return ok({ kind: "seeds", choosing: 1, count: seeds.value });
  const share = /^0?\.[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return share >= SHARE_MIN && share <= SHARE_MAX ? ok({ kind: "time", share }) : refused(text);
}

function refused(text: string): Result<never> {
  return err(
    `must be the last part of the time, ${SHARE_MIN} to ${SHARE_MAX}, or other seeds, seeds:1 to seeds:${SEEDS_MAX}, was ${text.slice(0, 40)}`,
  );
}

/** Rounded to whole seconds. */
export function inSample({ seed, from, to }: Part, split: Split): readonly Part[] {
  if (split.kind === "seeds") return Array.from({ length: split.choosing }, (_, i) => ({ seed: seed + i, from, to }));
  const seconds = Math.round(((to - from) * (1 - split.share)) / 1_000);
  return [{ seed, from, to: millis(from + seconds * 1_000) }];
}

export function outOfSample(whole: Part, split: Split): readonly Part[] {
  if (split.kind === "time") return [{ ...whole, from: (inSample(whole, split)[0] as Part).to }];
  return Array.from({ length: split.count }, (_, i) => ({ ...whole, seed: whole.seed + split.choosing + i }));
}

type Goal = { readonly figure: FigureName; readonly better: "more" | "less" };

const GOALS = {
  sharpe: { figure: "sharpe", better: "more" },
  "sharpe-over-holding": { figure: "sharpeOverHolding", better: "more" },
  profit: { figure: "netProfit", better: "more" },
  "profit-over-holding": { figure: "profitOverHolding", better: "more" },
  return: { figure: "totalReturn", better: "more" },
  sortino: { figure: "sortino", better: "more" },
  calmar: { figure: "calmar", better: "more" },
  drawdown: { figure: "drawdown", better: "less" },
  "profit-per-request": { figure: "profitPerRequest", better: "more" },
  "edge-captured": { figure: "edgeCaptured", better: "more" },
} as const satisfies Record<string, Goal>;

export type Objective = keyof typeof GOALS;

export const OBJECTIVES = Object.keys(GOALS) as readonly Objective[];

export function figureOf(objective: Objective): FigureName {
  return GOALS[objective].figure;
}

function isMoreBetter(objective: Objective): boolean {
  return GOALS[objective].better === "more";
}

/** Null where the run has no such figure or failed: its figure up to the failure does not count. */
export function achieved(objective: Objective, result: TrialResult | undefined): number | null {
  return result?.kind === "ran" && result.fault === undefined ? result.figures[GOALS[objective].figure] : null;
}

/** The mean over several runs; null where one of them has no figure. */
export function achievedOverAll(objective: Objective, results: readonly (TrialResult | undefined)[]): number | null {
  const values = results.map((result) => achieved(objective, result));
  if (values.length === 0 || values.includes(null)) return null;
  return (values as number[]).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Better first; null last. */
export function compareAchieved(objective: Objective, one: number | null, other: number | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return isMoreBetter(objective) ? other - one : one - other;
}
