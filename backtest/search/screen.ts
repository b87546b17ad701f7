// Runs a strategy's kernel over one stretch of columns for many sets of parameters, each thread its share of them. A
// result depends on its set alone, so that any number of threads gives the same.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import type { ScreenColumns } from "../../src/strategy/screen.ts";
import { RETURNS_MIN } from "../metric/returns.ts";
import { mean, standardDeviation } from "../metric/statistics.ts";
import { compareAchieved, type Objective } from "./search-terms.ts";

export type ScreenJob = {
  readonly columns: ScreenColumns;
  /** A built-in name, or the path of a file. */
  readonly use: string;
  readonly sets: readonly unknown[];
};

/** Null where a set has no such figure. */
export type Screened = readonly (number | null)[];

/** What a kernel can tell, from the profit over holding by the hour. */
export const SCREENED: readonly Objective[] = ["profit-over-holding", "sharpe-over-holding"];

export function screenedBy(definition: unknown, { columns, sets }: ScreenJob, objective: Objective): Result<Screened> {
  const found: (number | null)[] = [];
  for (const params of sets) {
    const prepared = prepareStrategy(definition, params);
    if (!prepared.ok) return prepared;
    const { name, definition: own, params: accepted } = prepared.value;
    const profit = own.screen?.(columns, accepted);
    if (!(profit instanceof Float64Array && profit.length === columns.hours && profit.every(Number.isFinite)))
      return err(`screen of ${name} must return a Float64Array of ${columns.hours} profits over holding`);
    found.push(figureOf(profit, objective));
  }
  return ok(found);
}

function figureOf(profit: Float64Array, objective: Objective): number | null {
  if (objective === "profit-over-holding") return profit.at(-1) ?? null;
  const perPeriod = profit.length >= RETURNS_MIN * 24 ? 24 : 1;
  const gains: number[] = [];
  for (let end = perPeriod; end <= profit.length; end += perPeriod)
    gains.push((profit[end - 1] as number) - (profit[end - 1 - perPeriod] ?? 0));
  const deviation = standardDeviation(gains);
  return deviation > 0 ? (mean(gains) / deviation) * Math.sqrt((365 * 24) / perPeriod) : null;
}

/** Rejects with what went wrong, or when the signal ends it. */
export async function screened(
  { sets, ...job }: ScreenJob,
  objective: Objective,
  { threads, signal }: { readonly threads: number; readonly signal?: AbortSignal },
): Promise<Screened> {
  const code = new URL(`./screen-thread${import.meta.filename.slice(-3)}`, import.meta.url);
  const shares = Array.from({ length: Math.min(threads, sets.length) }, (_, thread) => {
    const share = sets.filter((_, index) => index % threads === thread);
    return new Worker(code, { workerData: { job: { ...job, sets: share }, objective } });
  });
  try {
    const answers = await Promise.all(
      shares.map(
        async (worker) => (await once(worker, "message", { ...(signal && { signal }) }))[0] as Result<Screened>,
      ),
    );
    const parts = answers.map((answer) => {
      if (!answer.ok) throw new Error(answer.error);
      return answer.value;
    });
    return sets.map((_, index) => parts[index % threads]?.[Math.floor(index / threads)] ?? null);
  } finally {
    for (const worker of shares) {
      worker.on("error", () => undefined);
      await worker.terminate();
    }
  }
}

/** The places of the best, best first; those without a figure come last. */
export function bestOf(objective: Objective, values: Screened, count: number): readonly number[] {
  const places = values.map((_, place) => place);
  const compare = (one: number, other: number): number =>
    compareAchieved(objective, values[one] ?? null, values[other] ?? null) || one - other;
  return places.sort(compare).slice(0, count);
}
