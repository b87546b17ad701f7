// Ten million random operations on the money types (or as many as told), held against decimal.js at precision 80 and
// against exact fractions: `npm run campaign money -- [operations] [seed]`.

import { compareWithShadows } from "../../test/support/money-shadow.ts";

const operations = Number(process.argv[2] ?? 10_000_000);
const seed = Number(process.argv[3] ?? 1);
if (!Number.isSafeInteger(operations) || operations < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write("operations and seed must be whole numbers, operations from 1\n");
  process.exit(2);
}

const begin = performance.now();
const seconds = (): string => ((performance.now() - begin) / 1_000).toFixed(1);
const figures = compareWithShadows(seed, operations, (done) =>
  process.stderr.write(`${done.toLocaleString("en")} of ${operations.toLocaleString("en")} after ${seconds()} s\n`),
);
for (const [name, count] of figures.byName)
  process.stdout.write(`${count.toLocaleString("en").padStart(12)}  ${name}\n`);
process.stdout.write(
  `${operations.toLocaleString("en")} operations of seed ${seed} agree in ${seconds()} s, ${figures.refused.toLocaleString("en")} of them refused by all three\n`,
);
