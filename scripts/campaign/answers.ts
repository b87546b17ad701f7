// 200,000 damaged answers against the readers: `npm run campaign answers [SEED [COUNT [CALL]]]`. Prints the seed first, then what
// became of the answers of each call, the slowest one and how far the heap grew.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fuzzAnswers } from "../../test/support/answer-fuzz.ts";

const HEAP_GROWTH_MAX = 8_000_000;

const [seedText, countText, call] = process.argv.slice(2);
const seed = seedText === undefined ? (Date.now() % 0x7fff_ffff) | 0 : Number(seedText);
const count = countText === undefined ? 200_000 : Number(countText);
process.stdout.write(`seed ${seed}\n`);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
fuzzAnswers(seed, 1_000);
collect();
const before = process.memoryUsage().heapUsed;
const { outcomes, slowestMs } = fuzzAnswers(seed, count, call);
collect();
const growth = process.memoryUsage().heapUsed - before;

for (const [name, times] of [...outcomes].sort()) process.stdout.write(`${String(times).padStart(8)}  ${name}\n`);
process.stdout.write(
  `${count} answers, no error escaped, no value invented; slowest ${slowestMs.toFixed(1)} ms, heap growth ${(growth / 1e6).toFixed(1)} MB (limit ${HEAP_GROWTH_MAX / 1e6})\n`,
);
if (growth > HEAP_GROWTH_MAX) process.exitCode = 1;
