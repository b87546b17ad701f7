import { describe, type TestContext, test } from "vitest";
import { TEST_MS_MAX, WAIT_MS_MAX } from "../../support/patience.ts";
import { until } from "../../support/program.ts";
import {
  type Arrival,
  type ArrivalSettings,
  gapsOf,
  listenForArrivals,
  nonceFaults,
  utilisationOf,
} from "./arrivals.ts";
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
        `utilisation ${utilisationOf(arrivals, 1_000).toFixed(3)}\n`,
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
    const { arrivals } = server;
    const isDoubt = ({ what }: Arrival): boolean => what.endsWith("queryOrders");
    // Who comes late for a slot on a busy machine is not passed over here.
    const lease = { graceMs: WAIT_MS_MAX };
    fleet.launch({ role: "balances", port, lease });
    await until(() => arrivals.length >= 3, "three balances");
    const doubt = fleet.launch({ role: "doubt", port, lease, requestsMax: 3 });
    await until(() => fleet.waiting().includes("doubt") || arrivals.some(isDoubt), "a doubt that waits");
    const before = arrivals.length;
    await doubt.line(/"end"/);
    // The slot that was taken before the doubt came may still go to balances; then only doubts until there are none.
    expect(arrivals.findIndex(isDoubt) - before).toBeLessThanOrEqual(1);
    expect(arrivals.filter(isDoubt).length).toBe(3);
  });

  test("a holder that is killed is replaced within 2 s, and its request stays a second away", async (context) => {
    const { expect } = context;
    const { server, fleet, port } = await setUp(context, "killed-holder", {
      spacingMs: 1_000,
      ignore: (what) => what.endsWith("mintTokens"),
    });
    // Its lease would last for longer than anything is waited for: only its death makes room.
    const lease = { answerMs: 2 * TEST_MS_MAX };
    const transport = { firstByteMsMax: TEST_MS_MAX, answerMsMax: TEST_MS_MAX };
    const mint = fleet.launch({ role: "mint", port, lease, transport });
    await until(() => server.arrivals.some((arrival) => arrival.what.endsWith("mintTokens")), "a mint without answer");
    fleet.launch({ role: "balances", port });
    await until(() => fleet.waiting().includes("balance"), "balances that wait");
    const held = server.arrivals.length;
    const killedAt = performance.now();
    mint.kill("SIGKILL");
    await until(() => server.arrivals.length > held + 4, "the next requests");
    const later = server.arrivals.slice(held);
    expect(later.map(({ from }) => from)).toEqual(later.map(() => expect.stringMatching(/^balances/)));
    const replacedMs = (later[0]?.at ?? 0) - killedAt;
    expect(replacedMs).toBeGreaterThanOrEqual(1_000);
    // Seconds as this machine has them: those that follow are a second apart, and what a process takes on it.
    expect(replacedMs / Math.max(...gapsOf(later))).toBeLessThanOrEqual(2);
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
