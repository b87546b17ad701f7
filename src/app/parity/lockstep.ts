// Lockstep: the real client with its signature, the key's ledger on disk and the simulator's HTTP server, in one process
// and on one virtual clock. Time moves to the next timer only when no request is on the wire and all work is done;
// network delays are drawn from the seed, and what the machine itself needs does not count. Same seed, same history.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextTurn } from "../../../backtest/next-turn.ts";
import { Due, DueList, VirtualTime } from "../../../backtest/replay/virtual-time.ts";
import { pause } from "../../domain/pause.ts";
import { unwrap } from "../../domain/result.ts";
import type { Clock, Millis, Timers } from "../../domain/time.ts";
import { openBudget } from "../../exchange/budget/budget.ts";
import { createExchange } from "../../exchange/client.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { presets } from "../../exchange/profile.ts";
import { createTransport, type Transport, transportDefaults } from "../../exchange/wire/transport.ts";
import { createHttpText } from "../../market/http-text.ts";
import type { Latency } from "../../simulator/latency.ts";
import type { Network, SimulatorOptions } from "../../simulator/open-venue.ts";
import { createSimulatorServer } from "../../simulator/server.ts";
import { setUpAccount } from "../../simulator/stage.ts";
import { machineTimers } from "../system/system-timers.ts";

export type LockstepOptions = {
  readonly seed: number;
  readonly start: Millis;
  readonly funds: Readonly<Record<string, string>>;
  readonly signer: Signer;
  readonly latency: Latency;
  readonly simulator?: Partial<Omit<SimulatorOptions, "clock" | "timers" | "network" | "seed">>;
};

export type Lockstep = Awaited<ReturnType<typeof openLockstep>>;

/** Turns of the event loop in a row without news that mean rest: everything still to come then comes by virtual time. */
const QUIET_TURNS = 3;
/** Afterwards one turn a millisecond; a request that hangs ends the run with an error. */
const BUSY_TURNS_MAX = 2_000;
const TURNS_MAX = BUSY_TURNS_MAX + 30_000;

export async function openLockstep(options: LockstepOptions) {
  const { seed, start, funds, signer, latency, simulator } = options;
  const line = createTimeLine(start);
  const { clock, timers } = line;
  const traffic = createTraffic(line, latency);
  const folder = mkdtempSync(join(tmpdir(), "pegbot-lockstep-"));
  const server = await createSimulatorServer({ ...simulator, seed, clock, ...traffic.ofServer });
  unwrap(await setUpAccount(server.writer, signer.publicKey, new Map(Object.entries(funds))));
  const machine = { clock, timers, host: { boot: "lockstep", monotonic: () => clock.monotonic() } };
  const budget = unwrap(
    await openBudget({
      place: { stateFolder: join(folder, "state"), fingerprint: signer.fingerprint },
      machine,
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
  const feeds = createHttpText();
  return {
    clock,
    /** Of the bot. */
    timers,
    exchange,
    /** The simulator's address, without a path. */
    url: server.url,
    /** Reads the simulator's feeds over HTTP, in no virtual time: they are no part of the venue's network. */
    readFeed: (url: string, signal: AbortSignal) => traffic.apart(() => feeds.read(url, signal)),
    /** Has the state of the key, with room for a journal. */
    folder,
    /** Lets virtual time pass. */
    async pass(ms: number): Promise<void> {
      const until = clock.monotonic() + ms;
      do await traffic.rest();
      while (traffic.step(until));
    },
    async close(): Promise<void> {
      budget.close();
      exchange.close();
      feeds.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createTimeLine(start: Millis) {
  const time = new VirtualTime(start);
  const due = new DueList();
  return {
    clock: { now: () => time.wall, monotonic: () => time.elapsed } satisfies Clock,
    timers: {
      after(delayMs: number, run: () => void) {
        const one = new Due(run);
        due.add(one, time.elapsed + Math.max(0, delayMs));
        return () => due.remove(one);
      },
    },
    /** Moves to the next timer at or before `until` and runs it; without one it moves to `until`. */
    step(until: number): boolean {
      const { nextAt } = due;
      time.move(Math.min(nextAt, until));
      if (nextAt <= until) due.take()?.run();
      return nextAt <= until;
    },
  };
}

/**
 * Knows whether the client's request is on the wire or waits at the server for virtual time. Work at the server belongs
 * to the timer that ran last, or to the client's newest request.
 */
function createTraffic(line: ReturnType<typeof createTimeLine>, latency: Latency) {
  let requests = 0;
  let out: number | undefined;
  /** The request that the server works on. */
  let owner: number | undefined;
  let news = 0;
  let apart = 0;
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
      const cancel = line.timers.after(delayMs, () => {
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
  const network: Network = {
    async carry() {
      const { thereMs, backMs } = latency();
      const mine = owner ?? requests;
      await pause(timers, thereMs);
      return async (answer) => {
        if (answer === "silence") silent.add(mine);
        else await pause(timers, backMs);
      };
    },
  };
  const isOnTheWire = (): boolean =>
    apart > 0 || (out !== undefined && !silent.has(out) && (waiting.get(out) ?? 0) === 0);

  return {
    /** A timer of the server belongs to the request that it was set for. */
    ofServer: { timers, network },
    watched: (transport: Transport): Transport => ({
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
    /** A request that is none of the client's: time waits for its answer. */
    async apart<T>(ask: () => Promise<T>): Promise<T> {
      apart++;
      try {
        return await ask();
      } finally {
        apart--;
        news++;
      }
    },
    /** Resolves when nothing happens any more without virtual time. */
    async rest(): Promise<void> {
      let quiet = 0;
      for (let turns = 0; quiet < QUIET_TURNS; turns++) {
        if (turns > TURNS_MAX) throw new Error(`request ${out} must come to rest within ${TURNS_MAX} turns`);
        const before = news;
        await (turns < BUSY_TURNS_MAX ? nextTurn() : pause(machineTimers, 1));
        quiet = isOnTheWire() || news !== before ? 0 : quiet + 1;
      }
    },
    step(until: number): boolean {
      owner = undefined;
      return line.step(until);
    },
  };
}
