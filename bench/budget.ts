// How much of the one request a second is used. One process on loopback, one with 5 to 25 ms of delay each way (the median of three runs each). Fails when a figure misses its goal. Arguments: seconds per run (default 30).

import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../src/domain/random.ts";
import { gapsOf, listenForArrivals, utilisationOf } from "../test/exchange/processes/arrivals.ts";
import { createFleet } from "../test/exchange/processes/drivers.ts";
import { until } from "../test/support/program.ts";

type Run = {
  readonly utilisation: number;
  readonly refused: number;
  readonly gapMs: number;
};

const seconds = Number(process.argv[2] ?? 30);
const random = createRandom(1);
const missed: string[] = [];

await median("loopback", 0.98, undefined);
await median("5 to 25 ms each way", 0.93, () => 5 + 20 * random.next());
for (const miss of missed) process.stdout.write(`missed: ${miss}\n`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function median(name: string, least: number, delayMs: (() => number) | undefined): Promise<void> {
  const runs: Run[] = [];
  for (let i = 1; i <= 3; i++) {
    const one = await run(`utilisation-${i}`, { spacingMs: 1_000, ...(delayMs && { delayMs }) });
    print(`${name}, run ${i}`, one);
    goal(one.refused === 0 && one.gapMs >= 1_000, `${name}: no request may come early`);
    runs.push(one);
  }
  const middle = runs.map((one) => one.utilisation).sort((a, b) => a - b)[1] ?? 0;
  process.stdout.write(`${name}: median ${middle.toFixed(4)}, goal ${least}\n`);
  goal(middle >= least, `${name}: utilisation must be at least ${least}, was ${middle.toFixed(4)}`);
}

async function run(key: string, { spacingMs, delayMs }: { spacingMs: number; delayMs?: () => number }): Promise<Run> {
  const server = await listenForArrivals({ spacingMs, ...(delayMs && { delayMs }) });
  const fleet = createFleet(key);
  try {
    fleet.launch({ role: "balances", port: server.port });
    await until(() => server.arrivals.length > 1, "the first requests");
    await sleep(seconds * 1_000);
    // The first call of a fresh ledger reads the venue's time; what counts is the steady state.
    const arrivals = server.arrivals.slice(1);
    const utilisation = utilisationOf(arrivals, spacingMs);
    await fleet.stop();
    return {
      utilisation,
      refused: server.arrivals.filter((arrival) => arrival.status !== 200).length,
      gapMs: Math.min(...gapsOf(server.arrivals)),
    };
  } finally {
    fleet.dispose();
    await server.close();
  }
}

function print(name: string, { utilisation, refused, gapMs }: Run): void {
  process.stdout.write(
    `${name}: utilisation ${utilisation.toFixed(4)}, refused ${refused}, smallest gap ${gapMs.toFixed(1)} ms\n`,
  );
}

function goal(met: boolean, what: string): void {
  if (!met) missed.push(what);
}
