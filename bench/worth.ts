// Slots by worth against slots by class and by arrival: the same scheduler with one comparison changed, the same strategy,
// market and seed. Printed, and stored in bench/results, whatever the ratio is. Arguments: seeds, hours of each run.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BacktestTerms } from "../backtest/options.ts";
import { SLOT_POLICIES, type SlotPolicy } from "../src/exchange/budget/scheduler.ts";
import { type Compared, comparePolicies } from "../test/backtest/slot-comparison.ts";
import { pegArbitrage } from "../test/backtest/stage.ts";

const SEEDS = Number(process.argv[2] ?? 10);
const HOURS = Number(process.argv[3] ?? 3);
const HOUR_MS = 3_600_000;

type Case = { readonly title: string; readonly params: object; readonly terms: Partial<BacktestTerms> };

const CASES: readonly Case[] = [
  { title: "peg-arbitrage as it comes", params: {}, terms: {} },
  { title: "many small orders: 500 units, a second between two", params: { size: 500, pauseMs: 1_000 }, terms: {} },
  { title: "a third of the budget: 3 s between two requests", params: {}, terms: { paceMs: 3_000 } },
];

const results = CASES.map(({ title, params, terms }) => {
  const runs: Compared[] = [];
  for (let seed = 1; seed <= SEEDS; seed++)
    runs.push(comparePolicies(() => pegArbitrage(params), { lengthMs: HOURS * HOUR_MS, seed, terms }));
  const result = { title, policies: SLOT_POLICIES.map((policy) => summary(runs, policy)), ratios: ratios(runs) };
  print(result);
  return result;
});
store({ seeds: SEEDS, hours: HOURS, results });

function summary(runs: readonly Compared[], policy: SlotPolicy) {
  const sum = (of: (run: Compared[SlotPolicy]) => number): number =>
    runs.reduce((all, run) => all + of(run[policy]), 0);
  const [profit, requests, fills] = [sum((run) => run.profit), sum((run) => run.requests), sum((run) => run.fills)];
  return { policy, profitChf: round(profit, 2), requests, fills, profitPerRequest: round(profit / requests, 6) };
}

/** Of all seeds together, and how often worth was ahead; a seed in which the other earned nothing has no ratio of its own. */
function ratios(runs: readonly Compared[]) {
  const all = (policy: SlotPolicy): number => summary(runs, policy).profitPerRequest;
  return SLOT_POLICIES.filter((policy) => policy !== "worth").map((policy) => ({
    against: policy,
    ratio: all(policy) === 0 ? undefined : round(all("worth") / all(policy), 3),
    ahead: runs.filter((run) => run.worth.perRequest > run[policy].perRequest).length,
    behind: runs.filter((run) => run.worth.perRequest < run[policy].perRequest).length,
    perSeed: runs
      .map((run) => (run[policy].perRequest > 0 ? round(run.worth.perRequest / run[policy].perRequest, 3) : "-"))
      .join(" "),
  }));
}

function print({ title, policies, ratios: against }: (typeof results)[number]): void {
  const lines = [`${title}: ${SEEDS} seeds of ${HOURS} h`];
  for (const { policy, profitChf, requests, fills, profitPerRequest } of policies)
    lines.push(
      `  ${policy.padEnd(15)} ${profitPerRequest.toFixed(6)} CHF a request (${profitChf} CHF, ${requests} requests, ${fills} fills)`,
    );
  for (const { against: other, ratio, ahead, behind, perSeed } of against)
    lines.push(
      `  worth / ${other}: ${ratio ?? "none: it earned nothing"}; ahead in ${ahead}, behind in ${behind}; by seed ${perSeed}`,
    );
  process.stdout.write(`${lines.join("\n")}\n`);
}

function store(stored: object): void {
  const date = `${new Date().toISOString().slice(0, 19)}Z`;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}worth.json`, `${JSON.stringify({ ...stored, date, commit }, undefined, 2)}\n`);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
