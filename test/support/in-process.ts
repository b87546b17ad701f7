// The venue in process on virtual time: what lockstep does through sockets, signatures and files, without them.

import { createRandom } from "../../src/domain/random.ts";
import type { Clock, Millis, Timers } from "../../src/domain/time.ts";
import type { Budget } from "../../src/exchange/budget/budget.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { createVenue, type Venue } from "../../src/simulator/core/venue.ts";
import { createLatency } from "../../src/simulator/latency.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { setUp } from "../../src/simulator/stage.ts";
import { VenueLine } from "../../src/simulator/venue-line.ts";
import { FUNDS, START } from "./lockstep.ts";
import { memoryBudget } from "./memory-budget.ts";
import { createSimulatedExchange } from "./simulated-exchange.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";
import { testSigner } from "./wire.ts";

export type InProcessOptions = {
  readonly seed: number;
  readonly start?: Millis;
  readonly funds?: Readonly<Record<string, string>>;
  readonly settings?: Partial<VenueSettings>;
};

export type InProcess = {
  readonly time: VirtualTime;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly exchange: Exchange;
  readonly budget: Budget;
  readonly venue: Venue;
  readonly key: string;
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
};

export function openInProcess(options: InProcessOptions): InProcess {
  const { seed, start = START, funds = FUNDS } = options;
  const time = createVirtualTime(start);
  const { clock } = time;
  const timers = time.timers("bot");
  const key = testSigner().publicKey;
  const venue = createVenue({ market: syntheticMarket(seed), settings: { ...options.settings, seed } });
  setUp(venue, key, new Map(Object.entries(funds)), { venue: start, settlement: start });
  const budget = memoryBudget(clock, timers);
  const line = new VenueLine(venue, createLatency(createRandom(seed).fork("network")));
  const exchange = createSimulatedExchange({ line, key, budget, clock, timers });
  return {
    time,
    clock,
    timers,
    exchange,
    budget,
    venue,
    key,
    async pass(ms) {
      const until = clock.monotonic() + ms;
      do await settled();
      while (time.step(until) !== undefined);
    },
    async close() {
      budget.close();
    },
  };
}

/** Everything here is promises: one turn of the event loop runs all of them. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
