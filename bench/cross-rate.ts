// cross-rate in the market as it is, and in markets where one pair strays from the cross of its assets: what it earned over
// holding, orders, kills. Printed, and stored in bench/results, whatever it is. Arguments: seeds, hours of each run.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { computeFigures } from "../backtest/metric/figures.ts";
import { unwrap } from "../src/domain/result.ts";
import { paperLimits } from "../src/risk/paper-limits.ts";
import { DEMO_MARKET, type MarketParameters, type PairParameters } from "../src/simulator/market/parameters.ts";
import { prepareBuiltIn } from "../src/strategy/built-in.ts";
import { backtestOf } from "../test/backtest/stage.ts";

const SEEDS = Number(process.argv[2] ?? 5);
const HOURS = Number(process.argv[3] ?? 6);
const HOUR_MS = 3_600_000;
const PAIR = "VCHF/USDC";
const FUNDS = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000", USDC: "100000" };

type Case = { readonly title: string; readonly noiseBps: number; readonly params: object };

const CASES: readonly Case[] = [
  { title: "the market as it is (2 bp of noise of VCHF/USDC)", noiseBps: 2, params: {} },
  { title: "12 bp of noise of VCHF/USDC", noiseBps: 12, params: {} },
  { title: "25 bp of noise of VCHF/USDC", noiseBps: 25, params: {} },
  {
    title: "25 bp, leg risk and edge for nothing",
    noiseBps: 25,
    params: { killChance: 0, edgeBps: 0, profitMin: 0 },
  },
];

const results = CASES.map(({ title, noiseBps, params }) => {
  const runs = Array.from({ length: SEEDS }, (_, index) => run(noiseBps, params, index + 1));
  const sum = (of: (one: (typeof runs)[number]) => number): number => runs.reduce((all, one) => all + of(one), 0);
  const orders = sum((one) => one.orders);
  const fills = sum((one) => one.fills);
  const profits = runs.map(({ profit }) => profit.toFixed(2)).join(" ");
  const result = { title, profitChf: Number(sum((one) => one.profit).toFixed(2)), orders, fills, profits };
  const kills = orders === 0 ? "" : `, ${(100 - (100 * fills) / orders).toFixed(1)} % killed`;
  process.stdout.write(
    `${title}: ${result.profitChf} CHF in ${SEEDS} runs of ${HOURS} h (${profits}), ${orders} orders${kills}\n`,
  );
  return result;
});

const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });
const date = `${new Date().toISOString().slice(0, 19)}Z`;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const stored = { seeds: SEEDS, hours: HOURS, results, date, commit };
writeFileSync(`${folder}cross-rate.json`, `${JSON.stringify(stored, undefined, 2)}\n`);

function run(noiseBps: number, params: object, seed: number) {
  const { record } = backtestOf(unwrap(prepareBuiltIn("cross-rate", params)), HOURS * HOUR_MS, {
    seed,
    market: disturbed(noiseBps),
    limits: paperLimits,
    funds: FUNDS,
  });
  const { profitOverHolding } = computeFigures(record);
  if (profitOverHolding.kind === "n/a") throw new Error(profitOverHolding.reason);
  const { length: fills } = record.fills;
  return { profit: profitOverHolding.value.toNumber(), fills, orders: fills + record.unfilled.length };
}

function disturbed(noiseBps: number): MarketParameters {
  const pair = { ...(DEMO_MARKET.pairs[PAIR] as PairParameters), noiseBps };
  return { ...DEMO_MARKET, pairs: { ...DEMO_MARKET.pairs, [PAIR]: pair } };
}
