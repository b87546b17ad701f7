// A simulator on a free port with accounts ready to use, for tests that are not about pacing: requests need no spacing
// there unless a test asks for it.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import type { Timers } from "../../src/domain/time.ts";
import type { SimulatorOptions } from "../../src/simulator/open-venue.ts";
import { createSimulatorServer, type SimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { type Answer, Client, type KeyPair, newKeyPair, send } from "../contract/client.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { systemParts } from "./server-parts.ts";

const FUNDS = { CHF: "1000000", GBP: "500000", VCHF: "10000", USDC: "10000" };

const open: SimulatorServer[] = [];
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()));
});
let orders = 0;

export async function openSimulator(options: Partial<SimulatorOptions> = {}): Promise<SimulatorServer> {
  const server = await createSimulatorServer({ ...systemParts, seed: 7, pace: { spacingMs: 0 }, ...options });
  open.push(server);
  return server;
}

export async function openAccount(server: SimulatorServer, key: KeyPair = newKeyPair()): Promise<Client> {
  await setUpAccount(server.writer, key.publicKey, new Map(Object.entries(FUNDS)));
  return new Client(server.baseUrl, key, 0);
}

export async function openStage(options: Partial<SimulatorOptions> = {}): Promise<Stage> {
  const server = await openSimulator(options);
  return { server, client: await openAccount(server) };
}

/** A stage on which no time passes unless the test says so: timers ring when the clock is moved past them. */
export async function openStillStage(options: Partial<SimulatorOptions> = {}): Promise<StillStage> {
  const clock = createVirtualClock(systemParts.clock.now());
  let waiting: { at: number; run: () => void }[] = [];
  const timers: Timers = {
    after(delayMs, run) {
      const one = { at: clock.monotonic() + delayMs, run };
      waiting.push(one);
      return () => {
        waiting = waiting.filter((other) => other !== one);
      };
    },
  };
  const pass = (ms: number): void => {
    clock.advance(ms);
    const due = waiting.filter(({ at }) => at <= clock.monotonic());
    waiting = waiting.filter((one) => !due.includes(one));
    for (const { run } of due) run();
  };
  /** Until a request has come so far that it waits on a timer. */
  const untilWaiting = async (): Promise<void> => {
    while (waiting.length === 0) await sleep(2);
  };
  return { ...(await openStage({ clock, timers, ...options })), pass, untilWaiting };
}

export type StillStage = Stage & { pass(ms: number): void; untilWaiting(): Promise<void> };

export type Stage = { server: SimulatorServer; client: Client };

export function order(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    timestamp: new Date().toISOString(),
    clordid: `order-${++orders}`,
    symbol: "VCHF/CHF",
    side: "Buy",
    ordtype: "Limit",
    timeinforce: "FOK",
    orderqty: "50",
    price: "1.01",
    ...overrides,
  };
}

export async function portal(server: SimulatorServer, route: string, body?: unknown): Promise<Answer> {
  const headers = { "user-agent": "test", "content-type": "application/json" };
  return body === undefined
    ? send(server.portalUrl, { method: "GET", path: route, headers, body: "" })
    : send(server.portalUrl, { method: "POST", path: route, headers, body: JSON.stringify(body) });
}
