// The long test of honesty: strategies of every kind over a day of a market with nothing to earn, 20 seeds each. Prints what
// each reports beyond holding; ends with 1 when one of them earns beyond noise.

import { honesty } from "../test/support/honesty.ts";

const SEEDS = Number(process.argv[2] ?? 20);
const HOURS = Number(process.argv[3] ?? 24);

const verdicts = honesty(SEEDS, HOURS * 3_600_000, ({ strategy, fills, mean, error }) =>
  process.stdout.write(
    `${strategy.padEnd(14)} ${fills} fills, ${mean.toFixed(2)} CHF a run, error ${error.toFixed(2)}\n`,
  ),
);
if (verdicts.some(({ mean, error }) => mean > 3 * error)) {
  process.stdout.write("somebody earned where there is nothing to earn\n");
  process.exitCode = 1;
}
