// Walking forward: what may choose, what judges, and that nothing but the results decides.

import { describe, expect, it } from "vitest";
import { known, notAvailable } from "../../../../backtest/metric/figure.ts";
import type { Table } from "../../../../backtest/report/report.ts";
import { walkForwardReport } from "../../../../backtest/report/walk-forward-report.ts";
import { openPool, type Runner } from "../../../../backtest/search/pool.ts";
import type { SweepPlan } from "../../../../backtest/search/sweep-plan.ts";
import { type Trial, trialDigest } from "../../../../backtest/search/trial.ts";
import { type RanTrial, runTrial, type TrialResult } from "../../../../backtest/search/trial-result.ts";
import { runWalkForward, type WalkForwardPlan, walkRuns, windowsOf } from "../../../../backtest/search/walk-forward.ts";
import {
  efficiency,
  idlePiece,
  outcomeOf,
  type Piece,
  stitched,
  stitchedFigures,
  type WalkForwardOutcome,
  type WindowRow,
} from "../../../../backtest/search/walk-forward-outcome.ts";
import { unwrap } from "../../../../src/domain/result.ts";
import { millis } from "../../../../src/domain/time.ts";
import { optionsOf, pegArbitrage } from "../../stage.ts";
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
    put: (result: TrialResult) => void kept.set(result.trial, result),
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
  it("chooses no set that failed, and says of a window what failed in it", async () => {
    const plan = planOf();
    const one = cannedRunner(edgeOf, (trial) => edgeOf(trial) === 9);
    const walked = (await runWalkForward(plan, { store: memoryStore(), runner: one })) ?? [];
    expect(outcomeOf(plan, walked, [], "CHF").rows).toMatchObject([
      { values: { edgeBps: 5 }, setsFailed: 1, fault: undefined },
      { values: { edgeBps: 5 }, setsFailed: 1, fault: undefined },
    ]);
    const judged = cannedRunner(edgeOf, isJudging);
    const broken = (await runWalkForward(plan, { store: memoryStore(), runner: judged })) ?? [];
    expect(outcomeOf(plan, broken, [], "CHF").rows[0]).toMatchObject({
      ...{ values: { edgeBps: 9 }, outOfSample: null, state: "failed: decide threw", fault: "decide threw" },
    });
    const none = (await runWalkForward(plan, { store: memoryStore(), runner: cannedRunner(edgeOf, () => true) })) ?? [];
    expect(outcomeOf(plan, none, [], "CHF").rows[0]).toMatchObject({
      ...{ values: undefined, state: "not traded: 3 of 3 sets failed: decide threw", fault: "decide threw" },
    });
  });

  it("counts as kept only what was there before it began", async () => {
    // The time that judges the first window is the one that the second chooses over.
    const terms = { trainMs: 2 * MINUTE, testMs: 2 * MINUTE, purgeMs: 0, anchored: false };
    const { search } = planOf();
    const plan = { search, windows: unwrap(windowsOf(search.base, terms)) };
    const store = memoryStore();
    const keptBy = async (): Promise<number> => {
      const told: number[] = [];
      await runWalkForward(plan, { store, runner: cannedRunner(edgeOf), watch: ({ kept }) => void told.push(kept) });
      return told.at(-1) ?? -1;
    };
    expect(await keptBy()).toBe(0);
    expect(await keptBy()).toBe(walkRuns(plan));
  });

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
    const { rows, efficiency: left } = outcomeOf(plan, walked ?? [], [], "CHF");
    // A day has 1440 minutes: 2 in 4 minutes are 720 a day, -4 in 2 are -2880.
    expect(rows.map(({ inSample, outOfSample }) => [inSample, outOfSample])).toEqual([
      [720, -2880],
      [720, -2880],
    ]);
    expect(left).toEqual({ kind: "known", value: -4 });
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

  it("counts a window that came to nothing as none that gained, and keeps no part of a figure of which less is better", async () => {
    const plan = planOf();
    const walked = (await runWalkForward(plan, { store: memoryStore(), runner: cannedRunner(() => 0) })) ?? [];
    expect(outcomeOf(plan, walked, [], "CHF")).toMatchObject({ gained: 0, efficiency: { kind: "n/a" } });
    const less = { ...plan, search: { ...plan.search, objective: "drawdown" } } as const;
    expect(outcomeOf(less, walked, [], "CHF").efficiency).toMatchObject({ reason: "less is better of this figure" });
  });

  it("does not trade a window in which no set has the figure", async () => {
    const runner = cannedRunner((trial) => (trial.from === at(2) ? null : 1));
    const plan = planOf();
    const walked = (await runWalkForward(plan, { store: memoryStore(), runner })) ?? [];
    expect(walked.map(({ chosen }) => chosen?.index)).toEqual([0, undefined]);
    expect(outcomeOf(plan, walked, [], "CHF").rows[1]?.state).toContain("not traded");
    const bySharpe = { ...plan, search: { ...plan.search, objective: "sharpe" } } as const;
    expect(outcomeOf(bySharpe, walked, [], "CHF").rows[1]?.state).toMatch(
      / \(sharpe needs 20 h or more, and it has \d/,
    );
  });

  it("that was stopped goes on where it was, and ends with the same", async () => {
    const plan = planOf();
    const runner: Runner = { inFlightMax: 1, run: (trial) => runTrial(trial, NO_FILES) };
    const whole = await runWalkForward(plan, { store: memoryStore(), runner });
    const stop = new AbortController();
    const store = memoryStore();
    const halting = {
      ...store,
      put(result: TrialResult) {
        store.put(result);
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

  it("comes to the same with one process and with three", async () => {
    const walkedBy = async (processes: number) => {
      const pool = openPool(processes, NO_FILES);
      return runWalkForward(planOf(), { store: memoryStore(), runner: pool }).finally(() => pool.close());
    };
    expect(await walkedBy(3)).toEqual(await walkedBy(1));
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

  it("counts a window that was not traded as time without a gain, not as no time", () => {
    // 20 hours of 1 and 3 a mille in turn: mean 2, deviation 1.026. With 20 hours of nothing: mean 1, deviation 1.240.
    const hours = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.001 : 0.003));
    const none = hours.map(() => 0);
    const traded = {
      result: result(hours, none),
      series: series([0, 1], [1, 1.04], [1, 1.02]),
    };
    const whole = stitched([traded, idlePiece({ from: millis(1), to: millis(2) }), traded]);
    expect([...whole.returns]).toEqual([...hours, ...none, ...hours]);
    expect([...whole.series.time]).toEqual([0, 1, 1, 2, 0, 1]);
    expect([...whole.series.growth]).toEqual([1, 1.04, 1.04, 1.04, 1.04, 1.04 * 1.04]);
    const ratio = (pieces: Parameters<typeof stitched>[0]): number => {
      const { sharpeOverHolding } = stitchedFigures(stitched(pieces));
      return sharpeOverHolding.kind === "known" ? sharpeOverHolding.value : Number.NaN;
    };
    const idle = idlePiece({ from: millis(1), to: millis(2) });
    expect(ratio([traded])).toBeCloseTo((0.002 / 0.0010259783520851541) * Math.sqrt(8_766), 6);
    expect(ratio([idle, traded])).toBeCloseTo((0.001 / 0.001240347345892086) * Math.sqrt(8_766), 6);
  });

  it("counts the hours before the books of a window opened as time without a gain", () => {
    // Of 20 hours the books were open for one and a half: one whole hour, of 2 a mille; 18.5 hours late.
    const hours = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.001 : 0.003));
    const none = hours.map(() => 0);
    const [from, to] = [millis(0), millis(20 * 60 * MINUTE)];
    const traded = { result: result(hours, none), series: series([from, to], [1, 1.04], [1, 1.02]) };
    const late = { result: result([0.002], [0]), series: series([18.5 * 60 * MINUTE, to], [1, 1.002], [1, 1]) };
    const returnsOf = (pieces: readonly Piece[]): readonly number[] => [...stitched(pieces, { from, to }).returns];
    const ofLate = [...none.slice(1), 0.002];
    expect(returnsOf([traded, late])).toEqual([...hours, ...ofLate]);
    expect(returnsOf([late])).toEqual(ofLate);
  });

  it("has periods of one length, though a window that opened late has shorter ones by itself", () => {
    // 20 days are judged by days; 19 of them by hours, as its own result is: here 456 of nothing, and 1 % on the last day.
    const DAY = 1_440 * MINUTE;
    const days = Array.from({ length: 20 }, () => 0.001);
    const byDay = {
      ...(result(
        days,
        days.map(() => 0),
      ) as RanTrial),
      returns: { periodMs: DAY, perYear: 365.25, equity: days, holding: days.map(() => 0) },
    };
    const [from, to] = [millis(0), millis(20 * DAY)];
    const whole = { result: byDay, series: series([from, to], [1, 1.02], [1, 1]) };
    const hours = Array.from({ length: 456 }, () => 0);
    const late = {
      result: result([...hours.slice(1), 0.01], hours),
      series: series([DAY, 19 * DAY, to], [1, 1, 1.01], [1, 1, 1]),
    };
    const { returns, perYear } = stitched([late, whole], { from, to });
    expect([returns.length, perYear]).toEqual([40, 365.25]);
    expect([...returns.subarray(0, 20)]).toEqual([...Array.from({ length: 19 }, () => 0), expect.closeTo(0.01, 12)]);
  });

  it("of nothing has no figure", () => {
    const { totalReturn, drawdown, probabilisticSharpe } = stitchedFigures(stitched([]));
    expect([totalReturn.kind, drawdown.kind, probabilisticSharpe.kind]).toEqual(["n/a", "n/a", "n/a"]);
  });

  it("keeps a part of what was chosen by, where that was above zero", () => {
    expect(
      efficiency([
        { inSample: 4, outOfSample: 1 },
        { inSample: null, outOfSample: 5 },
      ]),
    ).toEqual({ kind: "known", value: 0.25 });
    for (const inSample of [-1, 0]) expect(efficiency([{ inSample, outOfSample: 1 }]).kind, `${inSample}`).toBe("n/a");
    expect(efficiency([]).kind).toBe("n/a");
  });
});

describe("what people read", () => {
  const DAY = 1_440;
  const row = {
    window: { train: span(-DAY, 0), test: span(0, DAY) },
    values: { edgeBps: 5, mode: "calm" },
    ...{ outOfSample: 1.5, inSample: 3, profitOverHolding: -12.5, fills: 1_234, state: "HALTED" },
    superior: known({ p: 0.0125, sets: 3, periods: 24 }),
  } as unknown as WindowRow;
  const outcome = {
    objective: "sharpe",
    isPerDay: false,
    currency: "CHF",
    rows: [row, { ...row, values: undefined }],
    figures: {
      totalReturn: known(0.0125),
      holdingReturn: known(-0.0025),
      drawdown: known({ size: 0.004 }),
      sharpeOverHolding: known(-1.5),
      probabilisticSharpe: known(0.25),
    },
    ...{ profitOverHolding: -12.5, fills: 1_234, gained: 0 },
    efficiency: known(0.5),
  } as unknown as WalkForwardOutcome;

  const plan = planOf();
  const partsOf = (change: Partial<WalkForwardOutcome>, of: object = {}) => {
    const rows = [{ ...row, ...of }];
    const all = { ...outcome, rows, from: at(0), to: at(DAY), stitched: stitched([]), ...change } as WalkForwardOutcome;
    const options = optionsOf(pegArbitrage(), MINUTE);
    return walkForwardReport({ plan, terms: TERMS, options, outcome: all, cautions: [] }).parts;
  };
  const tableOf = (of: object, change: Partial<WalkForwardOutcome> = {}) =>
    partsOf(change, of).find((part) => part.kind === "table") as Table;

  it("of a window is what it came to beside what it was chosen by, and how it ended", () => {
    const cells = (of: object, change: Partial<WalkForwardOutcome> = {}) => tableOf(of, change).rows[0]?.slice(2) ?? [];
    const chosen = "edgeBps=5 mode=calm";
    expect(cells({})).toEqual([
      ...["2026-01-05 to 2026-01-06", "1.50", "3.00", "50 %", chosen, "0.013"],
      ...["-12.50 CHF", "1,234", "HALTED"],
    ]);
    expect(cells({ superior: notAvailable("x"), profitOverHolding: null }).slice(5, 7)).toEqual(["n/a", "n/a"]);
    for (const change of [{ inSample: 0 }, { inSample: -3 }, { inSample: null }, { outOfSample: null }])
      expect(cells(change)[3]).toBe("n/a");
    expect(cells({ outOfSample: null })[1]).toBe("n/a");
    expect(cells({ outOfSample: 0.0125 }, { objective: "return" })[1]).toBe("1.250 %");
    expect(cells({ values: undefined, state: "not traded: why" }).slice(3)).toEqual([
      ...["n/a", "", "", "", "", "not traded: why"],
    ]);
    expect(cells({ lateMs: 46 * 3_600_000 }).at(-1)).toBe("HALTED; books opened 1 d 22 h late");
    // The time of day is said where an end is no midnight.
    expect(cells({ window: { ...row.window, test: span(0, 2) } })[0]).toBe("2026-01-05 00:00 to 2026-01-05 00:02");
  });

  it("of a window that is too short by itself is n/a, and it is said why", () => {
    const notesOf = (hours: number, objective: WalkForwardOutcome["objective"] = "sharpe") =>
      tableOf({ window: { ...row.window, test: span(0, hours * 60) } }, { objective }).notes;
    expect(notesOf(19)).toHaveLength(2);
    expect([notesOf(20), notesOf(19, "profit-over-holding")]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it("of all windows counts those that gained, and of what was kept only those that have the figure on both sides", () => {
    const noteOf = (label: string, rows: WindowRow[]): string | undefined =>
      partsOf({ rows })
        .flatMap((part) => (part.kind === "tiles" ? part.lines : []))
        .find((line) => line.label === label)?.note;
    expect(noteOf("profit over holding", [row])).toContain("0 of 1 window");
    expect(noteOf("kept out-of-sample", [row, { ...row, outOfSample: null }, row])).toContain("the 2 of 3 windows");
  });
});
