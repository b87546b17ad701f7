// One simulated campaign: half an hour of faults and kills, then peace, until everything is settled; and the questions that
// are asked afterwards. Everything is drawn from the seed.

import { createHash } from "node:crypto";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { KEY, type Weakness, World } from "./world.ts";

export type CampaignOptions = { readonly seed: number; readonly weakness?: Weakness; readonly stormMs?: number };

export type Campaign = {
  /** What must not have happened; empty when all is well. */
  readonly violations: readonly string[];
  readonly kills: number;
  readonly fills: number;
  /** Doubts that turned out to have happened, and not to. */
  readonly doubtsFilled: number;
  readonly doubtsDead: number;
  readonly halts: readonly string[];
  readonly virtualMs: number;
  /** Of the journal: the same for the same life. */
  readonly head: string;
};

const MINUTE = 60_000;
/** Everything must be settled so long after the last fault. */
const PEACE_MS_MAX = 60 * MINUTE;

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
  const settled = await makePeace(world);
  return {
    ...countsOf(world),
    kills,
    virtualMs: clock.monotonic(),
    head: world.journal.entries.at(-1)?.hash ?? "",
    violations: violationsOf(world, settled),
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
async function makePeace(world: World): Promise<boolean> {
  const end = world.time.clock.monotonic() + PEACE_MS_MAX;
  for (let minute = 0; world.time.clock.monotonic() < end && world.bugs.length === 0; minute++) {
    await world.pass(MINUTE);
    if (stateOf(world) !== "ACTIVE") world.resume();
    if (minute === 5) world.rest();
    if (minute > 6 && [...world.desk.executor.open()].length === 0) return true;
  }
  return false;
}

function stateOf(world: World): string {
  return world.desk.engine.context.books.state;
}

function countsOf(world: World) {
  const { journal } = world;
  const resolved = journal.of("resolution");
  const doubted = new Set(journal.of("doubt").map(({ id }) => id));
  for (const { id } of journal.of("fenced")) doubted.add(id);
  return {
    fills: filledIds(world).size,
    doubtsFilled: [...filledIds(world)].filter((id) => doubted.has(id)).length,
    doubtsDead: new Set(resolved.filter(({ verdict }) => verdict.kind === "presumed-dead").map(({ id }) => id)).size,
    halts: journal
      .of("step")
      .flatMap(({ step: { event } }) =>
        event.kind === "control" && event.control.kind === "halt" ? [event.control.reason] : [],
      ),
  };
}

/** Orders that the journal says were filled. */
function filledIds({ journal }: World): Set<string> {
  const ids = new Set<string>();
  for (const { step } of journal.of("step")) {
    const { event } = step;
    if (event.kind === "report" && event.report.kind === "filled") ids.add(event.clientOrderId);
  }
  return ids;
}

function violationsOf(world: World, settled: boolean): string[] {
  const said: string[] = [];
  for (const bug of world.bugs) said.push(`the bot ended by itself: ${bug instanceof Error ? bug.stack : bug}`);
  if (!settled)
    said.push(
      `still open: ${[...world.desk.executor.open()].map(({ id, state }) => `${id} ${state.kind}`).join(", ")}`,
    );
  for (const halt of countsOf(world).halts) if (!HARMLESS.test(halt)) said.push(`halted: ${halt}`);
  return [...said, ...sentTwice(world), ...misbooked(world)];
}

/** Signature refused twice in a row: a person looks at the key, and no money is involved. */
const HARMLESS = /the venue refuses (our|the) key/;

/** Every order reached the venue once at most, and exactly as the journal had announced it. */
function sentTwice({ venue, journal }: World): string[] {
  const said: string[] = [];
  const digests = new Map(journal.of("sending").map(({ id, digest }) => [id, digest]));
  if (digests.size !== journal.of("sending").length) said.push("an order was recorded as sent twice");
  const seen = new Set<string>();
  for (const body of venue.orders) {
    const id = new URLSearchParams(body).get("clordid") ?? "";
    if (seen.has(id)) said.push(`${id} was sent twice`);
    seen.add(id);
    if (digests.get(id) !== createHash("sha256").update(body).digest("hex"))
      said.push(`${id} was sent without a record of exactly this`);
  }
  return said;
}

/** Fills, holdings and reservations against the venue's own books. */
function misbooked(world: World): string[] {
  const said: string[] = [];
  const now = world.time.clock.now();
  const moment = { venue: millis(now), settlement: millis(now) };
  const trades = world.venue.venue.trades(KEY, moment);
  const balances = world.venue.venue.balances(KEY, moment);
  if (!trades.ok || !balances.ok) return ["the venue does not answer"];
  const booked = filledIds(world);
  const traded = new Set(trades.value.map(({ clientOrderId }) => clientOrderId));
  for (const id of traded) if (!booked.has(id)) said.push(`the fill of ${id} was lost`);
  for (const id of booked) if (!traded.has(id)) said.push(`${id} was booked and never filled`);
  const { accounts } = world.desk.engine.context;
  for (const { asset, available, pending } of balances.value) {
    const total = available.plus(pending);
    const held = accounts.held(asset);
    if (held === undefined ? !total.isZero() : !held.equals(total))
      said.push(`${asset}: the books say ${held}, the venue ${total}`);
    if (held !== undefined && !accounts.heldAtLeast(asset)?.equals(held)) said.push(`${asset} is still reserved`);
    if (held !== undefined && !accounts.heldAtMost(asset)?.equals(held)) said.push(`${asset} is still expected`);
  }
  return said;
}
