import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { gapsOf, listenForArrivals, nonceFaults, utilisationOf } from "./arrivals.ts";
import { createFleet } from "./drivers.ts";

const seconds = Number(process.env.PEGBOT_FLEET_SECONDS ?? 12);

describe.concurrent("on one key", () => {
  test(`four processes from four folders keep one request a second for ${seconds} s`, {
    timeout: 60_000 + seconds * 1_000,
  }, async () => {
    const server = await listenForArrivals({ spacingMs: 1_000 });
    const fleet = createFleet("four-processes");
    onTestFinished(async () => {
      fleet.dispose();
      await server.close();
    });
    for (const role of ["poller", "balances", "mint", "rail"] as const) fleet.launch({ role, port: server.port });
    await sleep(seconds * 1_000);
    const ends = await fleet.stop();
    const { arrivals } = server;
    process.stdout.write(
      `four processes: ${arrivals.length} arrivals, smallest gap ${Math.min(...gapsOf(arrivals)).toFixed(1)} ms, ` +
        `utilisation ${utilisationOf(arrivals, 1_000).toFixed(3)}, ` +
        `longest ledger transaction ${Math.max(...ends.map((end) => end.longestMs)).toFixed(1)} ms\n`,
    );
    expect(Math.min(...gapsOf(arrivals))).toBeGreaterThanOrEqual(1_000);
    expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
    expect(nonceFaults(arrivals)).toEqual([]);
    expect(new Set(arrivals.map((arrival) => arrival.from)).size).toBeGreaterThanOrEqual(3);
    const sent = ends.reduce((sum, end) => sum + end.sent, 0);
    expect(arrivals.length).toBe(sent);
    expect(ends.reduce((sum, end) => sum + end.answered, 0)).toBe(sent);
  });
});
