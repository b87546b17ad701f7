import { setTimeout as sleep } from "node:timers/promises";
import { describe, type TestContext, test } from "vitest";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { until } from "../../support/program.ts";
import { type ArrivalSettings, gapsOf, listenForArrivals, nonceFaults, utilisationOf } from "./arrivals.ts";
import { createFleet } from "./drivers.ts";
import { fleetRequests } from "./length.ts";

/** The context is the test's own: side by side, the runner's global hooks would clean up someone else's processes. */
async function setUp(context: TestContext, fingerprint: string, settings: ArrivalSettings = { spacingMs: 1_000 }) {
  const server = await listenForArrivals(settings);
  const fleet = createFleet(fingerprint);
  context.onTestFinished(async () => {
    fleet.dispose();
    await server.close();
  });
  return { server, fleet, port: server.port };
}

describe.concurrent("on one key", () => {
  test(`${fleetRequests} requests of four processes from four folders are a second apart`, {
    timeout: TEST_MS_MAX + fleetRequests * 1_000,
  }, async (context) => {
    const { expect } = context;
    const { server, fleet, port } = await setUp(context, "four-processes");
    const { arrivals } = server;
    // What ranks last comes first: each has its turn when it comes, however long a busy machine takes to start it.
    for (const role of ["rail", "mint", "poller", "balances"] as const) {
      fleet.launch({ role, port });
      await until(() => arrivals.some(({ from }) => from.startsWith(role)), `a request of ${role}`);
    }
    await until(() => arrivals.length >= fleetRequests, `${fleetRequests} requests`);
    const ends = await fleet.stop();
    process.stdout.write(
      `four processes: ${arrivals.length} arrivals, smallest gap ${Math.min(...gapsOf(arrivals)).toFixed(1)} ms, ` +
        `utilisation ${utilisationOf(arrivals, 1_000).toFixed(3)}, ` +
        `longest ledger transaction ${Math.max(...ends.map((end) => end.longestMs)).toFixed(1)} ms\n`,
    );
    expect(Math.min(...gapsOf(arrivals))).toBeGreaterThanOrEqual(1_000);
    expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
    expect(nonceFaults(arrivals)).toEqual([]);
    expect(new Set(arrivals.map((arrival) => arrival.from)).size).toBe(4);
    for (const { outcomes } of ends)
      expect(Object.keys(outcomes).filter((kind) => kind !== "read" && kind !== "accepted")).toEqual([]);
    const sent = ends.reduce((sum, end) => sum + end.sent, 0);
    expect(arrivals.length).toBe(sent);
    expect(ends.reduce((sum, end) => sum + end.answered, 0)).toBe(sent);
  });

  test("a loop of balances in another process delays a doubt by at most one slot", async (context) => {
    const { expect } = context;
    const { server, fleet, port } = await setUp(context, "balances-and-doubt");
    fleet.launch({ role: "balances", port });
    await until(() => server.arrivals.length >= 3, "three balances");
    const doubt = fleet.launch({ role: "doubt", port, requestsMax: 3 });
    await doubt.line(/"ready"/);
    const before = server.arrivals.length;
    await doubt.line(/"end"/);
    const after = server.arrivals.slice(before).map((arrival) => arrival.what.split("/").at(-1));
    // The slot that was taken before the doubt came may still go to balances; then only doubts until there are none.
    expect(after.indexOf("queryOrders")).toBeLessThanOrEqual(1);
    expect(after.filter((what) => what === "queryOrders").length).toBe(3);
  });

  test("a holder that is killed is replaced within 2 s, and its request stays a second away", async (context) => {
    const { expect } = context;
    const { server, fleet, port } = await setUp(context, "killed-holder", {
      spacingMs: 1_000,
      ignore: (what) => what.endsWith("mintTokens"),
    });
    const mint = fleet.launch({ role: "mint", port });
    await until(() => server.arrivals.some((arrival) => arrival.what.endsWith("mintTokens")), "a mint without answer");
    const balances = fleet.launch({ role: "balances", port });
    await balances.line(/"ready"/);
    await sleep(1_000);
    const held = server.arrivals.length;
    const killedAt = performance.now();
    mint.kill("SIGKILL");
    await until(() => server.arrivals.length > held, "the next request");
    const next = server.arrivals[held];
    expect(next?.from).toMatch(/^balances/);
    expect((next?.at ?? 0) - killedAt).toBeLessThanOrEqual(2_000);
    expect((next?.at ?? 0) - killedAt).toBeGreaterThanOrEqual(1_000);
  });

  test("a second bot ends at once and names the first: process, time and folder", async (context) => {
    const { expect } = context;
    const { fleet, port } = await setUp(context, "two-bots");
    const first = fleet.launch({ role: "poller", port, bot: true });
    await first.line(/"ready"/);
    const second = fleet.launch({ role: "poller", port, bot: true });
    const refusal = await second.line(/"refused"/);
    expect(refusal).toMatch(
      /second-bot: a bot already runs on this key: process \d+ since 20.*Z, started in \S*poller-/,
    );
    expect(refusal).toContain(`process ${first.pid} `);
    expect((await second.ended()).code).toBe(1);
    first.kill("SIGKILL");
    await first.ended();
    const third = fleet.launch({ role: "poller", port, bot: true });
    await third.line(/"ready"/);
  });
});
