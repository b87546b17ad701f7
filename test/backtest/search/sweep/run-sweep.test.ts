import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { canonicalText } from "../../../../backtest/search/identity.ts";
import { type Axis, gridPoints, parseChoice } from "../../../../backtest/search/parameter-space.ts";
import type { Runner } from "../../../../backtest/search/pool.ts";
import { chosenInSample, type RankedRow, rankedRows } from "../../../../backtest/search/ranking.ts";
import { runSweep } from "../../../../backtest/search/sweep.ts";
import { choosingTrials, type SweepPlan, specificationOf } from "../../../../backtest/search/sweep-plan.ts";
import { type Trial, trialDigest } from "../../../../backtest/search/trial.ts";
import type { TrialResult } from "../../../../backtest/search/trial-result.ts";
import { unwrap } from "../../../../src/domain/result.ts";
import { millis } from "../../../../src/domain/time.ts";
import { START, trialOf } from "../stage.ts";

const HOUR = 3_600_000;

function planOf(changes: Partial<SweepPlan> = {}): SweepPlan {
  const axes: Axis[] = [{ target: "param", name: "x", choice: unwrap(parseChoice("1..27:1")) as Axis["choice"] }];
  return {
    base: trialOf({ from: START, to: millis(START + 10 * HOUR) }),
    axes,
    points: unwrap(gridPoints(axes)),
    search: "grid",
    objective: "profit",
    split: { kind: "time", share: 0.1 },
    marketOf: () => ({ market: trialOf().market }),
    ...changes,
  };
}

/** What it earns is a function of the trial; when it is done is not. */
function runnerOf(
  profit: (trial: Trial) => number | null,
  inFlightMax: number,
  delayMs = (_: Trial): number => 0,
  fault = (_: Trial): object => ({}),
) {
  const seen: Trial[] = [];
  const runner: Runner = {
    inFlightMax,
    async run(trial) {
      seen.push(trial);
      await sleep(delayMs(trial));
      const figures = { netProfit: profit(trial) };
      return {
        kind: "ran",
        trial: trialDigest(trial),
        traceHash: "t",
        state: "ACTIVE",
        ...fault(trial),
        orders: 1,
        fills: 1,
        figures,
        returns: {},
      } as unknown as TrialResult;
    },
  };
  return { runner, seen };
}

function memoryStore() {
  const results = new Map<string, TrialResult>();
  return {
    get: (trial: string) => results.get(trial),
    put: (result: TrialResult) => void results.set(result.trial, result),
    results,
  };
}

/** The same bytes wherever the runs were made. */
function tableText(rows: readonly RankedRow[]): string {
  return rows.map(canonicalText).join("\n");
}

const x = ({ params }: Trial): number => params.x as number;
/** Alternating, so that neighbours differ; the judging time turns the order round. */
const profit = (trial: Trial): number => (trial.from === START ? x(trial) : -x(trial));

it("ranks by the time that judges, and says what the best of the time that chose came to there", async () => {
  const plan = planOf();
  const explored = await runSweep(plan, { store: memoryStore(), runner: runnerOf(profit, 4).runner });
  const rows = rankedRows(plan, explored ?? []);
  expect(rows.map(({ values }) => values.x)).toEqual(Array.from({ length: 27 }, (_, i) => i + 1));
  expect(rows[0]).toMatchObject({ rank: 1, outOfSample: -1, inSample: 1, judged: { figures: { netProfit: -1 } } });
  expect(chosenInSample("profit", rows)).toMatchObject({ rank: 27, inSample: 27, outOfSample: -27 });
});

it("what is kept is not run again, and a stop keeps what is done", async () => {
  const plan = planOf();
  const store = memoryStore();
  const stop = new AbortController();
  const progress: number[] = [];
  const first = runnerOf(profit, 2);
  const stopped = await runSweep(plan, {
    store,
    runner: first.runner,
    signal: stop.signal,
    watch: ({ done, total }) => {
      progress.push(done);
      expect(total).toBe(54);
      if (done === 20) stop.abort();
    },
  });
  expect(stopped).toBeUndefined();
  expect(progress.at(-1)).toBe(20);
  expect(store.results.size).toBe(20);
  const second = runnerOf(profit, 2);
  let kept = 0;
  const watch = (now: { readonly kept: number }): void => {
    kept = now.kept;
  };
  const explored = await runSweep(plan, { store, runner: second.runner, watch });
  expect(second.seen).toHaveLength(34);
  expect(kept).toBe(20);
  const whole = await runSweep(plan, { store: memoryStore(), runner: runnerOf(profit, 9).runner });
  expect(tableText(rankedRows(plan, explored ?? []))).toBe(tableText(rankedRows(plan, whole ?? [])));
});

it("never chooses a set whose strategy failed, however much it had earned by then, and ranks it last", async () => {
  const plan = planOf();
  const isBest = (trial: Trial): boolean => x(trial) === 27;
  const fault = (trial: Trial): object => (isBest(trial) ? { state: "HALTED", fault: "decide threw" } : {});
  const { runner } = runnerOf(x, 4, undefined, fault);
  const rows = rankedRows(plan, (await runSweep(plan, { store: memoryStore(), runner })) ?? []);
  expect(chosenInSample("profit", rows)).toMatchObject({ values: { x: 26 }, rank: 1 });
  expect(rows.at(-1)).toMatchObject({ values: { x: 27 }, inSample: null, outOfSample: null });
  expect(rows.at(-1)?.chosen.states).toEqual(["failed: decide threw"]);
});

it("a parameter of the market is set in the market, and results of another search are another specification", () => {
  const axes: Axis[] = [
    { target: "param", name: "x", choice: { kind: "list", values: [1] } },
    { target: "market", name: "vol", choice: { kind: "list", values: [2] } },
  ];
  const marketOf = (settings: readonly string[]) => ({ market: { settings } }) as never;
  const base = trialOf({ params: { x: 5, y: 6 } });
  const plan = planOf({ base, axes, points: [[1, 2]], marketOf });
  expect(choosingTrials(plan, [1, 2])[0]).toMatchObject({
    ...{ params: { x: 1, y: 6 }, market: { settings: ["vol=2"] } },
  });
  const code = { version: "1", sources: "s", runtime: "r" };
  const text = (change: Partial<SweepPlan>) => canonicalText(specificationOf({ ...plan, ...change }, code));
  const others: Partial<SweepPlan>[] = [
    { split: { kind: "time", share: 0.2 } },
    { objective: "sharpe" },
    { search: "sobol" },
    { axes: axes.slice(0, 1) },
    { points: [[1, 3]] },
    { base: trialOf({ seed: 99 }) },
  ];
  expect(new Set([{}, ...others].map(text)).size).toBe(others.length + 1);
});
