// What a search looks for, by the name that a person uses: one figure, and whether more of it is better.

import type { FigureName } from "../plain-figures.ts";
import type { TrialResult } from "../trial-result.ts";

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

export function isMoreBetter(objective: Objective): boolean {
  return GOALS[objective].better === "more";
}

/** Null where the run has no such figure, or failed: what it came to until then is nobody's merit. */
export function achieved(objective: Objective, result: TrialResult | undefined): number | null {
  return result?.kind === "ran" && result.fault === undefined ? result.figures[GOALS[objective].figure] : null;
}

/** Over several runs their mean; nothing where one of them has none. */
export function achievedOverAll(objective: Objective, results: readonly (TrialResult | undefined)[]): number | null {
  const values = results.map((result) => achieved(objective, result));
  if (values.length === 0 || values.includes(null)) return null;
  return (values as number[]).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Better first; what has no figure last. */
export function compareAchieved(objective: Objective, one: number | null, other: number | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return isMoreBetter(objective) ? other - one : one - other;
}
