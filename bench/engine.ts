// What a quote that causes no order costs: the engine with a strategy written as a user would, through the public contract,
// against two hand-written loops over the same columns: all rows in one call, and in runs of rows as the engine takes them.
// Medians of interleaved rounds, and what a quote allocates.
// Both compute the same averages and count the same crossings; they are compared, so that no work can vanish. Each
// strategy has a process of its own, as it has in a backtest: two in one would share what the compiler knows.

import { getHeapStatistics } from "node:v8";
import type { Engine } from "../src/bot/engine/engine.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import type { QuoteEvent } from "../src/domain/event.ts";
import { createRandom } from "../src/domain/random.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import { createQuoteColumns, type QuoteColumns } from "../src/market/column.ts";
import { defineStrategy, ema, z } from "../src/strategy/strategy.ts";
import { strategyBench } from "../test/support/strategy-bench.ts";
import { runRaces } from "./apart.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const QUOTES = 2_000_000;
const ROUNDS = 7;
const MOST = 4;
const START = Date.UTC(2026, 5, 1);
const LENGTH = 1000;
const CHUNK = 512;

const STRATEGIES = {
  /** Never orders: it counts. */
  counting: defineStrategy({
    name: "counting",
    params: z.object({ edgeBps: z.number().default(8) }),
    state: () => ({ average: ema(LENGTH), below: 0 }),
    decide({ quote, fair, state, params }) {
      const average = state.average.next((quote.bid + quote.ask) / 2);
      if (fair !== undefined && quote.ask < Math.min(fair, average) * (1 - params.edgeBps / 1e4)) state.below++;
      return undefined;
    },
  }),
  /** The example of the README, with an edge that these quotes do not give. */
  ordering: defineStrategy({
    name: "ordering",
    params: z.object({ edgeBps: z.number().default(80), size: z.string().default("500") }),
    state: () => ({ average: ema(LENGTH), below: 0 }),
    decide({ quote, fair, state, params, buy }) {
      const average = state.average.next((quote.bid + quote.ask) / 2);
      if (fair && quote.ask < Math.min(fair, average) * (1 - params.edgeBps / 1e4))
        return buy(quote.symbol, { limit: quote.ask, size: params.size, reason: "below par and average" });
      return undefined;
    },
  }),
};
type Name = keyof typeof STRATEGIES;

function columns(): QuoteColumns {
  const random = createRandom(7);
  const made = createQuoteColumns(SYMBOL, QUOTES);
  let mid = 1;
  let time = START;
  for (let i = 0; i < QUOTES; i++) {
    mid += (1 - mid) * 0.001 + (random.next() - 0.5) * 0.00008;
    time += Math.round(random.next() * 400);
    made.time[i] = time;
    made.bid[i] = mid - 0.0001;
    made.ask[i] = mid + 0.0001;
    made.bidSize[i] = 10_000;
    made.askSize[i] = 10_000;
  }
  return made;
}

type Outcome = { readonly average: number; readonly below: number };

/** The yardstick for both strategies: as fast as it gets, since a branch that is never taken would slow this loop down. */
function byHand({ bid, ask }: QuoteColumns): Outcome {
  const weight = 2 / (LENGTH + 1);
  const edge = 1 - 8 / 1e4;
  let average = 0;
  let below = 0;
  for (let i = 0; i < QUOTES; i++) {
    const mid = ((bid[i] as number) + (ask[i] as number)) / 2;
    average = i === 0 ? mid : average + weight * (mid - average);
    // The same decision: par is fair value while the quote is inside its band.
    if (Math.abs(mid - 1) * 1e4 <= 50 && (ask[i] as number) < Math.min(1, average) * edge) below++;
  }
  return { average, below };
}

/** The same, in runs of rows as the engine takes them: so it is compiled as a whole, and not while it runs. */
function byHandInRuns(data: QuoteColumns): Outcome {
  const outcome = { average: 0.5, below: 0 };
  for (let row = 0; row < QUOTES; row += CHUNK) handRun(data, outcome, row, Math.min(row + CHUNK, QUOTES));
  return outcome;
}

function handRun({ bid, ask }: QuoteColumns, outcome: { average: number; below: number }, from: number, to: number) {
  const weight = 2 / (LENGTH + 1);
  const edge = 1 - 8 / 1e4;
  let { average, below } = outcome;
  for (let i = from; i < to; i++) {
    const mid = ((bid[i] as number) + (ask[i] as number)) / 2;
    average = i === 0 ? mid : average + weight * (mid - average);
    if (Math.abs(mid - 1) * 1e4 <= 50 && (ask[i] as number) < Math.min(1, average) * edge) below++;
  }
  outcome.average = average;
  outcome.below = below;
}

type Cursor = { -readonly [K in keyof QuoteEvent]: QuoteEvent[K] };

/** The loop alone, so that it is compiled once for all rounds. */
function drive(engine: Engine, event: Cursor, { time, bid, ask, bidSize, askSize }: QuoteColumns): void {
  for (let i = 0; i < QUOTES; i++) {
    event.bid = bid[i] as number;
    event.ask = ask[i] as number;
    event.bidSize = bidSize[i] as number;
    event.askSize = askSize[i] as number;
    event.receivedAt = time[i] as Millis;
    engine.process(event);
  }
}

/** As a backtest does it. */
function runThrough(engine: Engine, data: QuoteColumns): void {
  for (let row = 0; row < QUOTES; ) {
    const to = Math.min(row + CHUNK, QUOTES);
    const stopped = engine.run(data, row, to);
    row = stopped === to ? to : stopped + 1;
  }
}

function newEngine(name: Name): Engine {
  const balances = { CHF: "100000", VCHF: "100000" };
  return strategyBench(STRATEGIES[name], { symbols: [SYMBOL], balances, settings: { views: "reused" } }).engine;
}

function byColumns(data: QuoteColumns, engine: Engine): Outcome {
  runThrough(engine, data);
  return outcomeOf(engine);
}

function byEvents(data: QuoteColumns, engine: Engine): Outcome {
  const sizes = { bidSize: 0.5, askSize: 0.5 };
  const times = { at: undefined, receivedAt: millis(0.5) };
  drive(engine, { kind: "quote", symbol: SYMBOL, bid: 0.5, ask: 0.5, ...sizes, source: "venue", ...times }, data);
  return outcomeOf(engine);
}

function outcomeOf(engine: Engine): Outcome {
  const { average, below } = engine.strategy.state as { average: { value: number }; below: number };
  return { average: average.value, below };
}

function timed(run: () => Outcome): { readonly ns: number; readonly outcome: Outcome } {
  const from = process.cpuUsage();
  const outcome = run();
  const { user, system } = process.cpuUsage(from);
  return { ns: ((user + system) * 1e3) / QUOTES, outcome };
}

function timedOn(engine: Engine, run: (engine: Engine) => Outcome): ReturnType<typeof timed> {
  return timed(() => run(engine));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

/** Bytes that a quote allocates, collected since or not. The second pass, when everything is compiled. */
function allocatedPerQuote(run: () => Outcome): number {
  run();
  const before = getHeapStatistics().total_allocated_bytes;
  run();
  return (getHeapStatistics().total_allocated_bytes - before) / QUOTES;
}

function requireSame(hand: Outcome, engine: Outcome, name: Name): void {
  const below = name === "counting" ? hand.below : 0;
  if (engine.below !== below || Math.abs(hand.average - engine.average) > 1e-12)
    throw new Error(`results differ: ${JSON.stringify(hand)} and ${JSON.stringify(engine)}`);
}

/** Whether the goal was met against both yardsticks. */
function race(name: Name): boolean {
  const data = columns();
  const bare: number[] = [];
  const bareInRuns: number[] = [];
  const inColumns: number[] = [];
  const asEvents: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const hand = timed(() => byHand(data));
    const handInRuns = timed(() => byHandInRuns(data));
    const columns = timedOn(newEngine(name), (engine) => byColumns(data, engine));
    const events = timedOn(newEngine(name), (engine) => byEvents(data, engine));
    for (const { outcome } of [columns, events]) requireSame(hand.outcome, outcome, name);
    requireSame(hand.outcome, handInRuns.outcome, "counting");
    if (round < 2) continue;
    bare.push(hand.ns);
    bareInRuns.push(handInRuns.ns);
    inColumns.push(columns.ns);
    asEvents.push(events.ns);
  }
  const ratioOf = (ours: readonly number[], yardstick: readonly number[]) =>
    median(ours.map((ns, i) => ns / (yardstick[i] as number)));
  const ratios = [bare, bareInRuns].map((yardstick) => ratioOf(inColumns, yardstick));
  const judged = (ratio: number) => `${ratio.toFixed(2)} (at most ${MOST}${ratio <= MOST ? "" : ": MISSED"})`;
  const allocated = [byColumns, byEvents].map((by) => allocatedPerQuote(() => by(data, newEngine(name))).toFixed(2));
  const lines = [
    `a strategy that is ${name}`,
    `  hand-written loop   ${median(bare).toFixed(1)} ns a quote over all rows at once, ${median(bareInRuns).toFixed(1)} in runs of ${CHUNK}`,
    `  engine, columns     ${median(inColumns).toFixed(1)} ns a quote, ratio ${ratios.map(judged).join(" and ")}`,
    `  engine, events      ${median(asEvents).toFixed(1)} ns a quote, ratio ${ratioOf(asEvents, bare).toFixed(2)} and ${ratioOf(asEvents, bareInRuns).toFixed(2)}`,
    `  allocated           ${allocated.join(" and ")} bytes a quote, in columns and as events, looks at equity included`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return ratios.every((ratio) => ratio <= MOST);
}

runRaces(import.meta.url, Object.keys(STRATEGIES), (name) => race(name as Name));
