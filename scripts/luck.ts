// `npm run test:luck-long`: the best of 500 parameter sets, in a market without an edge and in one with it. The deflated Sharpe
// ratio must not call the first significant, and must call the second so; the figures are printed as they come.

import { availableParallelism } from "node:os";
import { bestOfMany, type MarketName } from "../test/support/best-of-many.ts";

const HOURS = 30;
const MARKETS: readonly MarketName[] = ["without edge", "with edge"];

const [lengths = 25, bands = 20] = process.argv.slice(2).map(Number);
let isRight = true;
for (const market of MARKETS) {
  const told = (done: number): void => void (done % 50 === 0 && process.stderr.write(`${market}: ${done}\n`));
  const { sets, best, rows, checks } = await bestOfMany(market, {
    lengths,
    bands,
    hours: HOURS,
    workers: availableParallelism(),
    told,
  });
  process.stdout.write(`market ${market}: best of ${sets} sets is length ${best[0]}, band ${best[1]} bp\n`);
  for (const { label, text, note } of rows) process.stdout.write(`  ${label.padEnd(18)}${text}  ${note ?? ""}\n`);
  const isSure = checks.deflated.kind === "known" && checks.deflated.value.chance >= 0.95;
  if (isSure !== (market === "with edge")) isRight = false;
}
process.stdout.write(isRight ? "as it must be\n" : "NOT as it must be\n");
process.exitCode = isRight ? 0 : 1;
