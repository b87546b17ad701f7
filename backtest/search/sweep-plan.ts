import { millis } from "../../src/domain/time.ts";
import { type CodeIdentity, canonicalDigest } from "./identity.ts";
import type { Axis, Point } from "./parameter-space.ts";
import type { Specification } from "./result-store.ts";
import {
  inSample,
  type Objective,
  outOfSample,
  type Round,
  roundsOf,
  type Search,
  type Split,
} from "./search-terms.ts";
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
  const { packages = [], ...strategy } = { packages: undefined, ...base.strategy };
  return {
    code,
    ...base,
    strategy,
    "packages that the strategy imports": packages,
    "parameters searched": axes,
    search,
    runs: { count: points.length, digest: canonicalDigest(points) },
    objective,
    "out-of-sample": split,
  };
}

export function rounds({ search, points }: SweepPlan): readonly Round[] {
  return roundsOf(search, points.length);
}

/** The in-sample run of a parameter set, over a share of its time. */
export function choosingTrial(plan: SweepPlan, point: Point, share: number): Trial {
  const { from, to, seed } = inSample(plan.base, plan.split);
  const seconds = Math.max(1, Math.round(((to - from) * share) / 1_000));
  return { ...withPoint(plan, point), seed, from, to: millis(from + seconds * 1_000) };
}

export function judgingTrials(plan: SweepPlan, point: Point): readonly Trial[] {
  return outOfSample(plan.base, plan.split).map(({ seed, from, to }) => ({
    ...withPoint(plan, point),
    seed,
    from,
    to,
  }));
}

function withPoint({ base, axes, marketOf }: SweepPlan, point: Point): Trial {
  const own = (target: Axis["target"]): [string, unknown][] =>
    axes.flatMap((axis, i) => (axis.target === target ? [[axis.name, point[i]]] : []));
  const market = own("market").map(([name, value]) => `${name}=${value}`);
  return {
    ...base,
    params: { ...base.params, ...Object.fromEntries(own("param")) },
    ...(market.length === 0 ? {} : marketOf(market)),
  };
}
