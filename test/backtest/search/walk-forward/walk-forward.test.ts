// Walking forward: what may choose, what judges, and that nothing but the results decides.

import { describe, expect, it } from "vitest";
import type { Runner } from "../../../../backtest/search/pool.ts";
import type { SweepPlan } from "../../../../backtest/search/sweep-plan.ts";
import { type Trial, trialDigest } from "../../../../backtest/search/trial.ts";
import { type RanTrial, runTrial, type TrialResult } from "../../../../backtest/search/trial-result.ts";
import { runWalkForward, type WalkForwardPlan, walkRuns, windowsOf } from "../../../../backtest/search/walk-forward.ts";
import { outcomeOf, stitched, stitchedFigures } from "../../../../backtest/search/walk-forward-outcome.ts";
import { unwrap } from "../../../../src/domain/result.ts";
import { millis } from "../../../../src/domain/time.ts";
import { MINUTE, NO_FILES, START, trialOf } from "../stage.ts";

const at = (minutes: number) => millis(START + minutes * MINUTE);
const span = (from: number, to: number) => ({ from: at(from), to: at(to) });

const TERMS = { trainMs: 4 * MINUTE, testMs: 2 * MINUTE, purgeMs: 0, anchored: false };

function planOf(changes: Partial<SweepPlan> = {}): WalkForwardPlan {
  const base = trialOf({ from: at(0), to: at(8) });
  const search: SweepPlan = {
    base,
    axes: [{ target: "param", name: "edgeBps", choice: { kind: "list", values: [1, 5, 9] } }],
    points: [[1], [5], [9]],
    search: "grid",
    objective: "profit-over-holding",
    split: { kind: "time", share: 0.5 },
    marketOf: () => ({ market: base.market }),
    ...changes,
  };
  return { search, windows: unwrap(windowsOf(base, TERMS)) };
}

function memoryStore(kept: Map<string, TrialResult> = new Map()) {
  return {
    kept,
    get: (trial: string) => kept.get(trial),
    put: (result: TrialResult, _trial?: Trial) => void kept.set(result.trial, result),
  };
}

describe("windows", () => {
  const terms = { trainMs: 4 * MINUTE, testMs: 2 * MINUTE, purgeMs: 0, anchored: false };

  it("move along by what they judge, which follows without a gap; what is left at the end judges nothing", () => {
    expect(unwrap(windowsOf(span(0, 9), terms))).toEqual([
      { train: span(0, 4), test: span(4, 6) },
      { train: span(2, 6), test: span(6, 8) },
    ]);
  });

  it("that are anchored begin where the first did, and grow", () => {
    expect(unwrap(windowsOf(span(0, 8), { ...terms, anchored: true }))).toEqual([
      { train: span(0, 4), test: span(4, 6) },
      { train: span(0, 6), test: span(6, 8) },
    ]);
  });

  it("leave the time to purge out between choosing and judging", () => {
    expect(unwrap(windowsOf(span(0, 9), { ...terms, purgeMs: MINUTE }))).toEqual([
      { train: span(0, 4), test: span(5, 7) },
      { train: span(2, 6), test: span(7, 9) },
    ]);
    // And none judges beyond the end.
    expect(unwrap(windowsOf(span(0, 8), { ...terms, purgeMs: MINUTE }))).toHaveLength(1);
  });

  it("are refused where not one fits, and where there are more than anybody waits for", () => {
    expect(windowsOf(span(0, 2_006), terms)).toEqual({
      ok: false,
      error: "there may be 1000 windows at most, was 1001",
    });
    expect(unwrap(windowsOf(span(0, 2_004), terms))).toHaveLength(1_000);
    expect(windowsOf(span(0, 5), terms)).toEqual({
      ok: false,
      error: "a window takes 0.1 h (train, purge and test), the whole time is 0.08333333333333333 h",
    });
  });
});

/** Answers without running anything: profit as a function of the trial. */
function cannedRunner(
  profitOf: (trial: Trial) => number | null,
  isFailing = (_: Trial): boolean => false,
): Runner & { readonly asked: Trial[] } {
  const asked: Trial[] = [];
  return {
    asked,
    inFlightMax: 2,
    run: async (trial) => {
      asked.push(trial);
      const figures = { profitOverHolding: profitOf(trial) } as RanTrial["figures"];
      const returns = { periodMs: 3_600_000, perYear: 8_766, equity: [], holding: [] };
      return {
        kind: "ran",
        trial: trialDigest(trial),
        traceHash: "",
        state: "ACTIVE",
        ...(isFailing(trial) ? { state: "HALTED", fault: "decide threw" } : {}),
        orders: 1,
        fills: 1,
        figures,
        returns,
      };
    },
  };
}

const edgeOf = (trial: Trial) => trial.params.edgeBps as number;
const isJudging = (trial: Trial) => trial.to - trial.from === 2 * MINUTE;

describe("a walk forward", () => {
  it("runs every set where it chooses, and only the best of them where it judges, however bad that comes out", async () => {
    // Where it chooses 5 is best; where it judges 5 loses and 9 would have won.
    const runner = cannedRunner((trial) =>
      isJudging(trial) ? (edgeOf(trial) === 5 ? -4 : 8) : edgeOf(trial) === 5 ? 2 : 1,
    );
    const plan = planOf();
    const walked = await runWalkForward(plan, { store: memoryStore(), runner });
    expect(walked?.map(({ chosen }) => chosen?.point)).toEqual([[5], [5]]);
    expect(runner.asked.filter(isJudging).map((trial) => [edgeOf(trial), trial.from])).toEqual([
      [5, at(4)],
      [5, at(6)],
    ]);
    expect(runner.asked.length).toBe(8);
    expect(walkRuns(plan)).toBe(8);
    const { rows } = outcomeOf(plan, walked ?? [], [], "CHF");
    // A day has 1440 minutes: 2 in 4 minutes are 720 a day, -4 in 2 are -2880.
    expect(rows.map(({ inSample, outOfSample }) => [inSample, outOfSample])).toEqual([
      [720, -2880],
      [720, -2880],
    ]);
  });

  it("never shows what judges a window to its choice: other results there change nothing of what is chosen", async () => {
    const chosenWith = async (judged: number) => {
      const runner = cannedRunner((trial) =>
        isJudging(trial) ? judged * edgeOf(trial) : -Math.abs(edgeOf(trial) - 5),
      );
      return (await runWalkForward(planOf(), { store: memoryStore(), runner }))?.map(({ chosen }) => chosen?.index);
    };
    expect(await chosenWith(-1)).toEqual(await chosenWith(1));
  });

  it("that was stopped goes on where it was, and ends with the same", async () => {
    const plan = planOf();
    const runner: Runner = { inFlightMax: 1, run: (trial) => runTrial(trial, NO_FILES) };
    const whole = await runWalkForward(plan, { store: memoryStore(), runner });
    const stop = new AbortController();
    const store = memoryStore();
    const halting = {
      ...store,
      put(result: TrialResult, trial: Trial) {
        store.put(result, trial);
        if (store.kept.size === 4) stop.abort();
      },
    };
    expect(await runWalkForward(plan, { store: halting, runner, signal: stop.signal })).toBeUndefined();
    expect(store.kept.size).toBe(4);
    const asked: Trial[] = [];
    const counting: Runner = {
      inFlightMax: 1,
      run(trial) {
        asked.push(trial);
        return runner.run(trial);
      },
    };
    const seen: number[] = [];
    const resumed = await runWalkForward(plan, { store, runner: counting, watch: ({ done }) => void seen.push(done) });
    expect(resumed).toEqual(whole);
    expect(asked.length).toBe(8 - 4);
    expect(seen.at(-1)).toBe(8);
  });
});

describe("what judges, stitched", () => {
  const series = (times: readonly number[], growth: readonly number[], holding: readonly number[]) => ({
    length: times.length,
    time: Float64Array.from(times),
    growth: Float64Array.from(growth),
    holding: Float64Array.from(holding),
  });
  const result = (equity: readonly number[], holding: readonly number[]): TrialResult => ({
    kind: "ran",
    ...{ trial: "", traceHash: "", state: "ACTIVE", orders: 0, fills: 0 },
    figures: {} as RanTrial["figures"],
    returns: { periodMs: 3_600_000, perYear: 8_766, equity, holding },
  });

  it("grows on from where the window before ended, and so does holding", () => {
    const one = {
      result: result([0.1], [0.02]),
      series: series([0, 1], [1, 1.1], [1, 1.02]),
    };
    const two = {
      result: result([0.2], [0]),
      series: series([2, 3], [1, 1.2], [1, 0.5]),
    };
    const whole = stitched([one, two]);
    expect([...whole.series.time]).toEqual([0, 1, 2, 3]);
    expect([...whole.series.growth]).toEqual([1, 1.1, 1.1, 1.1 * 1.2]);
    expect([...whole.series.holding]).toEqual([1, 1.02, 1.02, 0.51]);
    expect([...whole.returns]).toEqual([0.1 - 0.02, 0.2]);
    const { totalReturn, holdingReturn, sharpeOverHolding } = stitchedFigures(whole);
    expect(totalReturn).toEqual({ kind: "known", value: 1.1 * 1.2 - 1 });
    expect(holdingReturn).toEqual({ kind: "known", value: 0.51 - 1 });
    expect(sharpeOverHolding.kind).toBe("n/a");
  });
});
