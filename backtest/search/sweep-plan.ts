import { type CodeIdentity, canonicalDigest } from "./identity.ts";
import type { Axis, Point } from "./parameter-space.ts";
import type { Specification } from "./result-store.ts";
import { inSample, type Objective, outOfSample, type Part, type Search, type Split } from "./search-terms.ts";
import type { Trial } from "./trial.ts";

export type SweepPlan = {
  /** The trial over the whole time and with the first seed; the split cuts it. */
  readonly base: Trial;
  readonly axes: readonly Axis[];
  readonly points: readonly Point[];
  readonly search: Search;
  readonly objective: Objective;
  readonly split: Split;
  /** The synthetic market with these parameters set, each as `name=value`, and its price rules. */
  readonly marketOf: (settings: readonly string[]) => Pick<Trial, "market" | "prices">;
};

/** Everything that the results depend on, part by part: a result file is continued only if all of it is the same. */
export function specificationOf(
  { base, axes, points, search, objective, split }: SweepPlan,
  code: CodeIdentity,
): Specification {
  return {
    code,
    ...base,
    "parameters searched": axes,
    search,
    runs: { count: points.length, digest: canonicalDigest(points) },
    objective,
    "out-of-sample": split,
  };
}

/** The in-sample runs of a parameter set. */
export function choosingTrials(plan: SweepPlan, point: Point): readonly Trial[] {
  return inSample(plan.base, plan.split).map((part) => withPoint(plan, point, part));
}

export function judgingTrials(plan: SweepPlan, point: Point): readonly Trial[] {
  return outOfSample(plan.base, plan.split).map((part) => withPoint(plan, point, part));
}

function withPoint({ base, axes, marketOf }: SweepPlan, point: Point, { seed, from, to }: Part): Trial {
  const own = (target: Axis["target"]): [string, unknown][] =>
    axes.flatMap((axis, i) => (axis.target === target ? [[axis.name, point[i]]] : []));
  const market = own("market").map(([name, value]) => `${name}=${value}`);
  return {
    ...{ ...base, seed, from, to },
    params: { ...base.params, ...Object.fromEntries(own("param")) },
    ...(market.length === 0 ? {} : marketOf(market)),
  };
}
