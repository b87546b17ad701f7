// The long test of honesty: strategies of every kind over hours of a market that walks and has nothing to earn, 20 seeds
// each. Prints what each reports beyond holding; ends with 1 when one of them earns beyond noise or was dealt a wrong price.

import { complaints, honesty } from "../test/support/honesty.ts";

const SEEDS = Number(process.argv[2] ?? 20);
const HOURS = Number(process.argv[3] ?? 4);

const verdicts = honesty({
  seeds: SEEDS,
  lengthMs: HOURS * 3_600_000,
  told: ({ strategy, fills, mean, error }) =>
    process.stdout.write(
      `${strategy.padEnd(14)} ${fills} fills, ${mean.toFixed(2)} CHF a run, error ${error.toFixed(2)}\n`,
    ),
});
const found = complaints(verdicts);
for (const complaint of found) process.stdout.write(`${complaint}\n`);
if (found.length > 0) process.exitCode = 1;
