// `npm run judge:strategies`: the judgement of docs/STRATEGIES.md. Two strategies, two markets, seeds 1001 to 1020, five days
// each; every run is stored as it ends, so that an interrupted judgement goes on. It judges one commit once: what is
// stored of another one is not written over. With seeds as arguments it prints those and stores nothing: for tuning.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { BuiltInName } from "../src/strategy/built-in-names.ts";
import { MARKETS, type MarketName, type Outcome, tried } from "../test/support/judgement.ts";
import { judged, verdictLines } from "../test/support/verdict.ts";

const STRATEGIES: readonly BuiltInName[] = ["peg-arbitrage", "reference-taker"];
const FILE = "bench/results/judged-strategies.json";
const DAYS = 5;
const FIRST_SEED = 1_001;
const SEEDS = 20;

type Stored = { readonly commit: string; readonly begun: string; readonly days: number; readonly outcomes: Outcome[] };

const given = process.argv.slice(2).map(Number);
if (given.some((seed) => !Number.isSafeInteger(seed) || seed < 0)) throw new RangeError("seeds must be whole numbers");
if (given.some((seed) => seed >= FIRST_SEED && seed < FIRST_SEED + SEEDS))
  throw new RangeError(
    `seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1} are judged together, and never looked at alone`,
  );
const outcomes = given.length > 0 ? all(given, [], () => {}) : judgedAnew();
for (const line of verdictLines(outcomes)) print(line);
if (given.length === 0 && !STRATEGIES.every((strategy) => judged(outcomes, strategy).holds)) process.exitCode = 1;

function judgedAnew(): readonly Outcome[] {
  const commit = git("rev-parse", "--short", "HEAD");
  const stored: Stored = existsSync(FILE)
    ? (JSON.parse(readFileSync(FILE, "utf8")) as Stored)
    : { commit, begun: execFileSync("date", ["-u", "+%FT%TZ"]).toString().trim(), days: DAYS, outcomes: [] };
  const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
  const isWhole = stored.outcomes.length === STRATEGIES.length * Object.keys(MARKETS).length * SEEDS;
  if (!isWhole && stored.commit !== commit)
    throw new Error(`${FILE} was begun with commit ${stored.commit}, this is ${commit}: one judgement, one commit`);
  if (!isWhole && git("status", "--porcelain", "--", "src", "backtest", "test/support", "scripts") !== "")
    throw new Error("there are changes that are not committed: what is judged must have a name");
  return all(seeds, stored.outcomes, (outcomes) => {
    writeFileSync(`${FILE}.part`, `${JSON.stringify({ ...stored, outcomes }, null, 2)}\n`);
    renameSync(`${FILE}.part`, FILE);
  });
}

function all(seeds: readonly number[], done: readonly Outcome[], store: (done: readonly Outcome[]) => void): Outcome[] {
  const outcomes = [...done];
  for (const seed of seeds)
    for (const strategy of STRATEGIES)
      for (const market of Object.keys(MARKETS) as MarketName[]) {
        if (outcomes.some((one) => one.seed === seed && one.strategy === strategy && one.market === market)) continue;
        const outcome = tried({ strategy, market, seed, days: DAYS });
        outcomes.push(outcome);
        store(outcomes);
        const { orders, fills, profit } = outcome;
        print(
          `${seed} ${strategy}, ${market}: ${orders} orders, ${fills} fills, ${profit.toFixed(2)} CHF over holding`,
        );
      }
  return outcomes;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args).toString().trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
