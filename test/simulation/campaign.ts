// One simulated campaign: half an hour of faults and kills, then peace, until everything is settled; and the questions that
// are asked afterwards. Everything is drawn from the seed.

import { hash } from "node:crypto";
import { createRandom, type Random } from "../../src/domain/random.ts";
import type { Entry } from "../../src/journal/record.ts";
import type { Answer } from "../../src/simulator/core/refusal.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { audit, type Tally, tally, type VenueFacts } from "./audit.ts";
import { KEY, type Weakness, World } from "./world.ts";

export type CampaignOptions = { readonly seed: number; readonly weakness?: Weakness; readonly stormMs?: number };

export type Campaign = Tally & {
  /** What must not have happened; empty when all is well. */
  readonly violations: readonly string[];
  readonly kills: number;
  readonly virtualMs: number;
  /** Of the journal: the same for the same life. */
  readonly head: string;
  readonly entries: readonly Entry[];
};

const MINUTE = 60_000;
/** Everything must be settled so long after the last fault. */
const PEACE_MS_MAX = 20 * MINUTE;

/** Answers get lost, requests too, some arrive when nobody waits any more, gateways speak in the venue's place. */
const STORM: FaultsSetting = {
  rules: [
    { fault: "lost-answer", on: "addOrder", probability: 0.2 },
    { fault: "lost-request", on: "addOrder", probability: 0.06 },
    { fault: "late-arrival", on: "addOrder", delayMs: 17_500, probability: 0.03 },
    { fault: "late-execution", on: "addOrder", delayMs: 16_000, probability: 0.03 },
    { fault: "reset-after", on: "addOrder", probability: 0.03 },
    { fault: "status", on: "addOrder", status: 401, probability: 0.02 },
    { fault: "status", on: "addOrder", status: 503, executes: true, probability: 0.03 },
    { fault: "status", on: "addOrder", status: 502, probability: 0.02 },
    { fault: "html", on: "addOrder", probability: 0.02 },
    { fault: "truncated-json", on: "addOrder", probability: 0.02 },
    { fault: "error-inside", on: "addOrder", probability: 0.03 },
    { fault: "error-inside", on: "addOrder", status: 400, code: "bad_request", probability: 0.02 },
    { fault: "lost-answer", on: ["queryTrades", "queryOrders", "accountBalance", "quotes"], probability: 0.03 },
    { fault: "status", on: ["queryTrades", "queryOrders", "accountBalance"], status: 503, probability: 0.03 },
    { fault: "status", on: ["queryTrades", "quotes"], status: 429, probability: 0.002 },
    { fault: "status", on: "queryTrades", status: 401, probability: 0.005 },
  ],
};
const HISTORIES_LATE = { chance: 0.5, minMs: 1, maxMs: 60_000 };

export async function runCampaign({ seed, weakness, stormMs = 30 * MINUTE }: CampaignOptions): Promise<Campaign> {
  const world = await World.open({ seed, ...(weakness === undefined ? {} : { weakness }) });
  const random = createRandom(seed).fork("campaign");
  world.venue.venue.setFaults({ publicationDelay: HISTORIES_LATE });
  world.venue.setFaults(STORM);
  const { clock } = world.time;
  let kills = 0;
  while (clock.monotonic() < stormMs && world.bugs.length === 0) {
    world.begin();
    await liveAndDie(world, random.fork(`life ${world.lives}`), stormMs);
    kills += 1;
    await world.pass(random.integer(100, 20_000));
  }
  world.venue.setFaults({ rules: [] });
  world.venue.venue.setFaults({ publicationDelay: { chance: 0, minMs: 0, maxMs: 0 } });
  world.onWrite = undefined;
  world.venue.onOrder = undefined;
  world.begin();
  await makePeace(world);
  return {
    ...tally(world.journal.entries),
    kills,
    virtualMs: clock.monotonic(),
    head: world.journal.entries.at(-1)?.hash ?? "",
    entries: world.journal.entries,
    violations: violationsOf(world),
  };
}

/** Until a moment; until a write to the journal, just before or after it reaches the disk; until an order is at the venue. */
async function liveAndDie(world: World, random: Random, stormMs: number): Promise<void> {
  const { clock } = world.time;
  const until = Math.min(clock.monotonic() + random.integer(3_000, 400_000), stormMs);
  const [draw, when] = [random.next(), random.next() < 0.5 ? "before" : "after"];
  let left = random.integer(1, draw < 0.5 ? 80 : 6);
  world.onWrite = (life, moment) => {
    if (draw < 0.5 && moment === when && --left === 0) life.kill();
  };
  world.venue.onOrder = () => {
    if (draw >= 0.5 && draw < 0.75 && --left === 0) world.kill();
  };
  while (world.isRunning && clock.monotonic() < until && world.bugs.length === 0) {
    await world.pass(Math.min(1_000, until - clock.monotonic()));
    // A person looks every now and then, and lets the bot go on.
    if (world.isRunning && stateOf(world) !== "ACTIVE" && random.next() < 0.05) world.resume();
  }
  world.kill();
}

/** Trades for a while, then decides nothing more, until nothing is open. */
async function makePeace(world: World): Promise<void> {
  const end = world.time.clock.monotonic() + PEACE_MS_MAX;
  for (let minute = 0; world.time.clock.monotonic() < end && world.bugs.length === 0; minute++) {
    await world.pass(MINUTE);
    if (stateOf(world) !== "ACTIVE") world.resume();
    if (minute === 5) world.rest();
    if (minute > 6 && [...world.tradingCore.executor.open()].length === 0) return;
  }
}

function stateOf(world: World): string {
  return world.tradingCore.books.counters.state;
}

/** What the venue itself says. */
function venueFacts({ time, venue: { venue, orders } }: World): VenueFacts {
  const now = time.clock.now();
  const moment = { venue: now, settlement: now };
  const trades = unwrapped(venue.trades(KEY, moment));
  const balances = unwrapped(venue.balances(KEY, moment));
  return {
    arrivals: orders.map((body) => hash("sha256", body, "hex")),
    filledOrderIds: new Set(trades.map(({ orderId }) => orderId)),
    totals: new Map(balances.map(({ asset, available, pending }) => [asset, available.plus(pending)])),
  };
}

function unwrapped<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

function violationsOf(world: World): string[] {
  const bugs = world.bugs.map((bug) => `the bot ended by itself: ${bug instanceof Error ? bug.stack : bug}`);
  return [...bugs, ...audit(world.journal.entries, world.tradingCore, venueFacts(world))];
}
