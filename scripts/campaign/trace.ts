// The long form of test/bot/engine/trace.test.ts: a million random events twice, with the same hash, and the books rebuilt from the
// recorded steps. Another seed or count can be given: npm run campaign trace -- 7 2000000

import type { Engine } from "../../src/bot/engine.ts";
import { newBusyEngine, runTrace } from "../../test/support/random-trace.ts";

const [seed = 20_261_115, events = 1_000_000] = process.argv.slice(2).map(Number);

function books(engine: Engine): string {
  return JSON.stringify([engine.books.accounts.save(), engine.books.counters.save()]);
}

const first = runTrace(seed, events, true);
const second = runTrace(seed, events, false);
const rebuilt = newBusyEngine();
for (const step of first.recorded) rebuilt.books.replay(step);
const isSame = first.hash === second.hash;
const isRebuilt = books(rebuilt) === books(first.engine);
const counts = [...first.counts].map(([what, count]) => `${count} ${what}`).join(", ");
process.stdout.write(
  `seed ${seed}, ${events} events, ${first.recorded.length} recorded steps: ${counts}\n` +
    `${first.hash} ${isSame ? "twice" : `and then ${second.hash}`}; books ${isRebuilt ? "rebuilt exactly" : "NOT rebuilt"}\n`,
);
if (!isSame || !isRebuilt) process.exitCode = 1;
