// The table of a sweep on the terminal.

import { expect, it } from "vitest";
import { type RankedRow, type Side, tooShortText } from "../../backtest/search/ranking.ts";
import { showRanking } from "../../src/cli/command/sweep.ts";
import { recordedShell } from "../support/recorded-shell.ts";

function sideOf(...states: readonly string[]): Side {
  return { fills: 7, orders: 9, figures: { netProfit: -3, profitOverHolding: 1, drawdown: 0.1 }, states, traces: [] };
}

function rowOf(rank: number, chosen: Side, judged: Side): RankedRow {
  return {
    rank,
    index: rank,
    values: { edgeBps: rank },
    outOfSample: 9 - rank,
    inSample: 9 - rank,
    chosen,
    judged,
  };
}

function shown(...rows: readonly RankedRow[]): ReturnType<typeof recordedShell> {
  const shell = recordedShell();
  showRanking(shell, { axes: [], objective: "profit", currency: "CHF" }, rows);
  return shell;
}

it("marks every run that did not trade to its end, and says how many there are", () => {
  const active = sideOf("ACTIVE");
  const shell = shown(
    rowOf(1, sideOf("HALTED"), active),
    rowOf(2, active, sideOf("ACTIVE", "HALTED", "HALTED")),
    rowOf(3, active, active),
  );
  const [head, ...lines] = shell.stdout().split("\n");
  expect(head).toMatch(/over holding {2}drawdown {2}fills {2}ended$/);
  expect(lines[0]).toMatch(/ 8\.00 CHF +8\.00 CHF +1\.00 CHF {2}10\.000 % /);
  expect(lines.slice(0, 3).map((line) => line.replace(/^.* 7 {2}/, ""))).toEqual([
    "HALTED in-sample",
    "HALTED",
    "ACTIVE",
  ]);
  expect(shell.stdout()).toMatch(
    /^best in-sample .*: 8\.00 CHF in-sample, 8\.00 CHF out-of-sample \(rank 1 of 3\), ended HALTED in-sample$/m,
  );
  expect(shell.stderr()).toBe(
    "out-of-sample money, fills and orders are the mean over 3 seeds, for each set\n2 of 3 did not trade to the end: their figures are of a bot that stopped\n",
  );
});

it("says nothing of ends where every run traded to its own", () => {
  const shell = shown(rowOf(1, sideOf("ACTIVE"), sideOf("ACTIVE")));
  expect(shell.stdout()).toMatch(/\(rank 1 of 1\)$/m);
  expect(shell.stderr()).toBe("");
});

it("says that no parameter had any effect where every set came to the same, and who shares a rank", () => {
  const same = sideOf("ACTIVE");
  const tied = [1, 2, 3].map((index) => ({ ...rowOf(1, same, same), index }));
  const shell = shown(...tied);
  expect(shell.stdout()).toMatch(/\(rank 1 of 3, shared by 3\)$/m);
  expect(shell.stderr()).toBe("all 3 sets came to the very same result: no parameter had any effect in this time\n");
  const other = { ...same, figures: { netProfit: 1, drawdown: 0.2 } };
  expect(shown(...tied.slice(1), rowOf(3, same, other)).stderr()).toBe("");
});

it("has no rank out-of-sample where nothing was found there, and says so", () => {
  const active = sideOf("ACTIVE");
  const rows = [1, 2].map((rank) => ({ ...rowOf(rank, sideOf("ACTIVE", String(rank)), active), outOfSample: null }));
  const shell = shown(...rows);
  expect(shell.stderr()).toMatch(/^no run has a figure for profit out-of-sample, so the ranking is in-sample/m);
  expect(shell.stdout()).toMatch(/^best in-sample .* in-sample, n\/a out-of-sample/m);
  expect(shell.stdout()).not.toContain("(rank");
});

it("says of a set that failed what failed, and that it is not chosen", () => {
  const failed = sideOf("failed: strategy stopped: decide of own threw: late");
  const active = sideOf("ACTIVE");
  const broken = { ...rowOf(2, failed, failed), inSample: null, outOfSample: null };
  const shell = shown(rowOf(1, active, active), broken);
  expect(shell.stderr()).toMatch(/^1 of 2 sets have a run that failed, .* ranks last; .*decide of own threw: late\n/);
  expect(shell.stdout()).toMatch(/^best in-sample .*\(rank 1 of 2\)$/m);
  expect(shown(broken).stdout()).toMatch(/^no set can be chosen$/m);
  expect(shown(broken).stderr()).not.toContain("give it more time");
});

it("says that nothing is ranked where no run has the figure, and says before it runs that a time is too short for one", () => {
  const active = sideOf("ACTIVE");
  const shell = shown({ ...rowOf(1, active, active), inSample: null, outOfSample: null });
  expect(shell.stderr()).toMatch(/^no run has a figure for profit, so nothing is ranked: /m);
  expect(shell.stderr()).not.toContain("the ranking is in-sample");
  const spans = { inSampleMs: 72_000_000, outOfSampleMs: 72_000_000 };
  expect(tooShortText("sharpe-over-holding", { ...spans, inSampleMs: 4 * 3_600_000 })).toMatch(/^in-sample, .* 20 h /);
  expect(tooShortText("sortino", { ...spans, outOfSampleMs: 3_600_000 })).toMatch(/^out-of-sample, .* has 1 h/);
  expect(tooShortText("sharpe", spans)).toBeUndefined();
  expect(tooShortText("profit", { inSampleMs: 1, outOfSampleMs: 1 })).toBeUndefined();
});
