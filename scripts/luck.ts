// `npm run test:luck-long [-- HOURS [SEED ...]]`: the best of 500 parameter sets, in a market without an edge and in one with it.
// The deflated Sharpe ratio must not call the first significant, and must call the second so, with every seed; the figures are
// printed as they come.

import { availableParallelism } from "node:os";
import { bestOfMany, type MarketName, SEED } from "../test/support/best-of-many.ts";

const SETS = { lengths: 25, bands: 20 };
const MARKETS: readonly MarketName[] = ["without edge", "with edge"];

const [hours = 72, ...seeds] = process.argv.slice(2).map(Number);
let isRight = true;
for (const seed of seeds.length === 0 ? [SEED] : seeds) for (const market of MARKETS) await judge(market, seed);
process.stdout.write(isRight ? "as it must be\n" : "NOT as it must be\n");
process.exitCode = isRight ? 0 : 1;

async function judge(market: MarketName, seed: number): Promise<void> {
  const told = (done: number): void =>
    void (done % 50 === 0 && process.stderr.write(`${market}, seed ${seed}: ${done}\n`));
  const found = await bestOfMany(market, { ...SETS, hours, seed, workers: availableParallelism(), told });
  const { sets, best, rows, checks } = found;
  process.stdout.write(
    `market ${market}, ${hours} h, seed ${seed}: best of ${sets} sets is length ${best[0]}, band ${best[1]} bp\n`,
  );
  for (const { label, text, note } of rows) process.stdout.write(`  ${label.padEnd(18)}${text}  ${note ?? ""}\n`);
  const isSure = checks.deflated.kind === "known" && checks.deflated.value.chance >= 0.95;
  if (isSure !== (market === "with edge")) isRight = false;
}
