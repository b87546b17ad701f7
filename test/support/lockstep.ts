// Lockstep: the real client with its signature, the key's ledger on disk and the simulator's HTTP server, in one process
// and on one virtual clock. Time moves to the next timer only when no request is on the wire and all work is done; network
// delays are drawn from the seed, and what the machine itself needs does not count. Same seed, same history.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { type Clock, type Millis, millis, type Timers } from "../../src/domain/time.ts";
import type { KeyBudget } from "../../src/exchange/budget/budget.ts";
import { openBudget } from "../../src/exchange/budget/open.ts";
import { createExchange, type WireExchange } from "../../src/exchange/client.ts";
import type { Signer } from "../../src/exchange/key/signer.ts";
import { presets } from "../../src/exchange/profile.ts";
import { createTransport, type Transport, transportDefaults } from "../../src/exchange/wire/transport.ts";
import type { FeedParts } from "../../src/market/reference-feed.ts";
import { readLoopbackJson } from "../../src/market/reference-feed.ts";
import { createLatency } from "../../src/simulator/latency.ts";
import type { Network, SimulatorOptions } from "../../src/simulator/open-venue.ts";
import { createSimulatorServer, type SimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";
import { testSigner } from "./wire.ts";

export type LockstepOptions = {
  readonly seed: number;
  readonly start?: Millis;
  readonly funds?: Readonly<Record<string, string>>;
  readonly simulator?: Partial<Omit<SimulatorOptions, "clock" | "timers" | "network" | "seed">>;
};

export type Lockstep = {
  readonly time: VirtualTime;
  readonly clock: Clock;
  /** Of the bot. */
  readonly timers: Timers;
  readonly exchange: WireExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly server: SimulatorServer;
  /** Asks the simulator's feeds over HTTP, in no virtual time: they are beside the API and no part of its network. */
  readonly readFeed: FeedParts["read"];
  /** Where the state of the key lives; for a journal there is room besides. */
  readonly folder: string;
  /** Lets virtual time pass. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
};

/** A Monday noon: every market is open. */
export const START = millis(Date.UTC(2026, 5, 1, 12));
export const FUNDS = { CHF: "1000000", GBP: "500000", VCHF: "100000", VGBP: "100000", USDC: "100000" };

/** So many turns of the event loop in a row without news mean rest: what is still to come then comes by virtual time. */
const QUIET_TURNS = 3;
/** Afterwards it is looked for once a millisecond; a request that hangs shows as a failed test, not as one without end. */
const BUSY_TURNS_MAX = 2_000;
const TURNS_MAX = BUSY_TURNS_MAX + 30_000;

export async function openLockstep(options: LockstepOptions): Promise<Lockstep> {
  const { seed, start = START, funds = FUNDS } = options;
  const time = createVirtualTime(start);
  const { clock } = time;
  const timers = time.timers("bot");
  const traffic = createTraffic(time, seed);
  const folder = mkdtempSync(join(tmpdir(), "pegbot-lockstep-"));
  const signer = testSigner();
  const server = await createSimulatorServer({
    ...options.simulator,
    seed,
    clock,
    timers: traffic.timers,
    network: traffic.network,
  });
  unwrap(await setUpAccount(server.writer, signer.publicKey, new Map(Object.entries(funds))));
  const machine = { clock, timers, host: { boot: "lockstep", monotonic: () => clock.monotonic() } };
  const budget = unwrap(
    await openBudget({
      place: { stateFolder: join(folder, "state"), fingerprint: signer.fingerprint },
      machine,
      identity: { instance: "lockstep", pid: process.pid, folder, role: "bot" },
    }),
  );
  const transport = createTransport(new URL(server.baseUrl), machine, { ...transportDefaults, reach: "loopback" });
  const exchange = createExchange({
    clock,
    budget,
    transport: traffic.watched(transport),
    signer,
    profile: presets.contract,
    userAgent: "pegbot/lockstep",
    priceDecimals: 6,
  });
  return {
    time,
    clock,
    timers,
    exchange,
    budget,
    signer,
    server,
    readFeed: (url, signal) => traffic.beside(() => readLoopbackJson(url, signal)),
    folder,
    async pass(ms) {
      const until = clock.monotonic() + ms;
      do await traffic.rest();
      while (traffic.step(until));
    },
    async close() {
      budget.close();
      exchange.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Traffic = {
  /** Of the server: a timer belongs to the request that it was set for. */
  readonly timers: Timers;
  readonly network: Network;
  watched(transport: Transport): Transport;
  /** A question that has nothing to do with the client's: time waits for its answer. */
  beside<T>(ask: () => Promise<T>): Promise<T>;
  /** Resolves when nothing happens any more by itself. */
  rest(): Promise<void>;
  step(until: number): boolean;
};

/**
 * Knows whether the request that the client has out is on the wire or waits at the server for virtual time. What runs at
 * the server does so because of the timer that ran last, or because of the client's newest request: that is whose it is.
 */
function createTraffic(time: VirtualTime, seed: number): Traffic {
  const latency = createLatency(createRandom(seed).fork("network"));
  const plain = time.timers("server");
  let requests = 0;
  let out: number | undefined;
  /** Whose work is going on at the server. */
  let owner: number | undefined;
  let news = 0;
  let asides = 0;
  const waiting = new Map<number, number>();
  const silent = new Set<number>();

  const timers: Timers = {
    after(delayMs, run) {
      const mine = owner ?? requests;
      const count = (change: number) => waiting.set(mine, (waiting.get(mine) ?? 0) + change);
      count(1);
      news++;
      let isOver = false;
      const end = (): void => {
        if (!isOver) count(-1);
        isOver = true;
      };
      const cancel = plain.after(delayMs, () => {
        end();
        owner = mine;
        run();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  const pause = (ms: number) => new Promise<void>((resolve) => void timers.after(ms, resolve));
  const isOnTheWire = (): boolean =>
    asides > 0 || (out !== undefined && !silent.has(out) && (waiting.get(out) ?? 0) === 0);

  return {
    timers,
    network: {
      async carry() {
        const { thereMs, backMs } = latency();
        const mine = owner ?? requests;
        await pause(thereMs);
        return async (answer) => {
          if (answer === "silence") silent.add(mine);
          else await pause(backMs);
        };
      },
    },
    watched: (transport) => ({
      ...transport,
      async send(request) {
        out = ++requests;
        owner = undefined;
        news++;
        try {
          return await transport.send(request);
        } finally {
          out = undefined;
          news++;
        }
      },
    }),
    async beside(ask) {
      asides++;
      news++;
      try {
        return await ask();
      } finally {
        asides--;
        news++;
      }
    },
    async rest() {
      let quiet = 0;
      for (let turns = 0; quiet < QUIET_TURNS; turns++) {
        if (turns > TURNS_MAX) throw new Error(`request ${out} must come to rest within ${TURNS_MAX} turns`);
        const before = news;
        await (turns < BUSY_TURNS_MAX ? new Promise((resolve) => setImmediate(resolve)) : sleep(1));
        quiet = isOnTheWire() || news !== before ? 0 : quiet + 1;
      }
    },
    step(until) {
      owner = undefined;
      return time.step(until) !== undefined;
    },
  };
}
