// Owners of one key that are killed at any moment, each followed by one that waits for its lock: whole processes.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { until } from "../../support/program.ts";
import { gapsOf, listenForArrivals, nonceFaults } from "./arrivals.ts";
import { createFleet } from "./drivers.ts";

const roles = ["balances", "mint", "rail"] as const;
const KILLS = 10;
const SPACING_MS = 80;
const PACING = { spacingMs: SPACING_MS, abandonedMs: 600, diedMs: 500 };

test(`${KILLS} owners are killed at any moment: the next goes on, none is too early, no nonce comes twice`, {
  timeout: TEST_MS_MAX + KILLS * 30_000,
}, async () => {
  const { PEGBOT_SEED: seed = Date.now() % 1_000_000_007 } = process.env;
  process.stdout.write(`kills: seed ${seed}\n`);
  const random = createRandom(Number(seed));
  // Slow answers, so that kills find requests on their way.
  const delay = random.fork("delay");
  const server = await listenForArrivals({ spacingMs: SPACING_MS, delayMs: () => delay.next() * 0.4 * SPACING_MS });
  const fleet = createFleet("owners-are-killed");
  onTestFinished(async () => {
    fleet.dispose();
    await server.close();
  });
  const { arrivals } = server;
  const launch = (i: number) =>
    fleet.launch({ role: roles[i % roles.length] ?? "mint", port: server.port, pacing: PACING });
  let owner = launch(0);
  for (let kill = 1; kill <= KILLS; kill++) {
    // It waits for the lock of the one before it.
    const next = launch(kill);
    const goal = arrivals.length + random.integer(1, 4);
    await until(() => arrivals.length >= goal, "requests between two kills");
    await sleep(random.integer(0, 2 * SPACING_MS));
    owner.kill("SIGKILL");
    owner = next;
  }
  const before = arrivals.length;
  await until(() => arrivals.length > before + 3, "requests after the last kill");
  const smallest = Math.min(...gapsOf(arrivals));
  process.stdout.write(`kills: ${KILLS}, ${arrivals.length} arrivals, smallest gap ${smallest.toFixed(1)} ms\n`);
  expect(nonceFaults(arrivals)).toEqual([]);
  expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
  expect(smallest).toBeGreaterThanOrEqual(SPACING_MS);
});
