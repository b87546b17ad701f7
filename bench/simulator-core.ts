// Order attempts of the venue's core a second, on one core, against a bare loop in floats over the same columns: medians
// of interleaved rounds, in CPU time of all threads, so that a busy machine counts less. Limits and quantities are the
// domain's money types; half of the attempts fill, and both sides must fill the same ones.

import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { Price, Quantity } from "../src/domain/money/money.ts";
import type { ClientOrderId, Side } from "../src/domain/order.ts";
import { millis } from "../src/domain/time.ts";
import { createQuoteColumns, type QuoteColumns } from "../src/market/column.ts";
import { createVenue, type Venue } from "../src/simulator/core/venue.ts";
import { emptyTop, type Market } from "../src/simulator/market/market.ts";
import { syntheticMarket } from "../src/simulator/market/synthetic.ts";
import { recordedMarket } from "../test/support/recorded-market.ts";

const ROUNDS = 9;
const ATTEMPTS = 200_000;
const LEAST = 300_000;
const KEY = "bench-key";
const SYMBOL = "VCHF/CHF" as PairSymbol;
const START = Date.UTC(2026, 5, 1);
const SIZE = 25;

type Attempt = { readonly side: Side; readonly quantity: Quantity; readonly limit: Price };
type Race = { readonly name: string; readonly market: () => Market; readonly stepMs: number };

/** Alternating sides, every second pair of attempts one tick short of the price. */
function attemptsOf(columns: QuoteColumns): Attempt[] {
  const quantity = Quantity.of(`${SIZE}`);
  return Array.from({ length: columns.length }, (_, i) => {
    const isBuy = i % 2 === 0;
    const ticks = isBuy
      ? Math.ceil((columns.ask[i] as number) * 1e6 - 1e-6)
      : Math.floor((columns.bid[i] as number) * 1e6 + 1e-6);
    const short = (i >> 1) % 2 === 0 ? 0 : isBuy ? -1 : 1;
    return { side: isBuy ? "buy" : "sell", quantity, limit: Price.ofSteps(ticks + short, 6) };
  });
}

function columnsOf(market: Market, stepMs: number): QuoteColumns {
  const columns = createQuoteColumns(SYMBOL, ATTEMPTS);
  const top = emptyTop();
  for (let i = 0; i < ATTEMPTS; i++) {
    const at = millis(START + i * stepMs);
    market.read(SYMBOL, at, top);
    columns.time[i] = at;
    columns.bid[i] = top.bid;
    columns.ask[i] = top.ask;
    columns.bidSize[i] = top.bidSize;
    columns.askSize[i] = top.askSize;
  }
  return columns;
}

function fundedVenue(market: Market): Venue {
  // As a backtest sets it: it keeps its own record of trades.
  const venue = createVenue({ market, settings: { historyRetainedMax: 500, postingsRetainedMax: 500 } });
  venue.registerKey(KEY);
  venue.clearKyb(KEY, true);
  venue.signAgreement(KEY, "conversion", true);
  const moment = { venue: millis(START), settlement: millis(START) };
  for (const asset of ["CHF", "VCHF"]) venue.credit(KEY, asset as Asset, Quantity.of("10000000"), moment);
  return venue;
}

function runVenue(venue: Venue, attempts: readonly Attempt[], stepMs: number): number {
  let filled = 0;
  const moment = { venue: millis(START), settlement: millis(START) };
  for (let i = 0; i < ATTEMPTS; i++) {
    const at = millis(START + i * stepMs);
    moment.venue = at;
    moment.settlement = at;
    const { side, quantity, limit } = attempts[i] as Attempt;
    const order = { clientOrderId: "bench" as ClientOrderId, symbol: SYMBOL, side, quantity, limit };
    const receipt = venue.placeOrder(KEY, order, moment);
    if (receipt.ok && receipt.value.kind === "done" && receipt.value.order.status === "Filled") filled++;
  }
  return filled;
}

function runBare(columns: QuoteColumns, limits: Float64Array): number {
  let filled = 0;
  let base = 1e7;
  let quote = 1e7;
  for (let i = 0; i < ATTEMPTS; i++) {
    const isBuy = i % 2 === 0;
    const price = (isBuy ? columns.ask[i] : columns.bid[i]) as number;
    const size = (isBuy ? columns.askSize[i] : columns.bidSize[i]) as number;
    const limit = limits[i] as number;
    const reaches = isBuy ? price <= limit : price >= limit;
    if (!reaches || SIZE > size) continue;
    const cost = price * SIZE;
    if (isBuy ? cost > quote : SIZE > base) continue;
    base += isBuy ? SIZE : -SIZE;
    quote += isBuy ? -cost : cost;
    filled++;
  }
  return filled;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

function timed(run: () => number): { readonly perSecond: number; readonly filled: number } {
  const from = process.cpuUsage();
  const filled = run();
  const { user, system } = process.cpuUsage(from);
  return { perSecond: (ATTEMPTS / (user + system)) * 1e6, filled };
}

function race({ name, market, stepMs }: Race): boolean {
  const columns = columnsOf(market(), stepMs);
  const attempts = attemptsOf(columns);
  const limits = Float64Array.from(attempts, ({ limit }) => limit.toNumber());
  const ours: number[] = [];
  const bare: number[] = [];
  let filled = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // A market of its own each round: a path remembers where it was last asked.
    const venue = fundedVenue(market());
    const core = timed(() => runVenue(venue, attempts, stepMs));
    ours.push(core.perSecond);
    const loop = timed(() => runBare(columns, limits));
    bare.push(loop.perSecond);
    filled = core.filled;
    if (filled !== loop.filled || filled < ATTEMPTS * 0.45 || filled > ATTEMPTS * 0.55)
      throw new Error(`both must fill the same half of ${ATTEMPTS}, was ${filled} and ${loop.filled}`);
  }
  const perSecond = median(ours);
  const ratio = median(ours.map((value, i) => value / (bare[i] as number)));
  process.stdout.write(
    `${name.padEnd(52)} ${Math.round(perSecond).toLocaleString("en")} attempts/s, ` +
      `${ratio.toFixed(4)} of a bare loop (${Math.round(median(bare) / 1e6)} M/s), ${filled} filled\n`,
  );
  return perSecond >= LEAST;
}

const recorded = columnsOf(syntheticMarket(7), 1_000);
const races: readonly Race[] = [
  { name: "synthetic market, a new second each attempt", market: () => syntheticMarket(7), stepMs: 1_000 },
  {
    name: "recorded columns, a new second each attempt",
    market: () => recordedMarket([recorded], syntheticMarket(7)),
    stepMs: 1_000,
  },
];
const met = races.map(race);
process.stdout.write(
  met.every(Boolean) ? `all at or above ${LEAST.toLocaleString("en")}\n` : `BELOW ${LEAST.toLocaleString("en")}\n`,
);
process.exitCode = met.every(Boolean) ? 0 : 1;
