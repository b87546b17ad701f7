// What the shadow book fills of a bot's own orders, at the quotes that the bot read, compared with the fills of the venue.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLocalBook } from "../../../src/app/shadow/local-book.ts";
import { type LiveOrder, LiveOrders, replayedPair, shadowParity } from "../../../src/app/shadow/parity.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { Quote } from "../../../src/domain/quote.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Exchange } from "../../../src/exchange/port.ts";
import { presets } from "../../../src/exchange/profile.ts";
import { createQuoteColumns, rowAt } from "../../../src/market/column.ts";
import { DEFAULT_SETTINGS, type VenueSettings } from "../../../src/simulator/core/settings.ts";
import type { Track } from "../../../src/simulator/market/recorded.ts";
import { startBot, tradesInTurn } from "../../bot/bench.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { opening } from "../../journal/samples.ts";
import { openInProcess } from "../../support/in-process.ts";
import { START } from "../../support/lockstep.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import { order } from "../../support/wire.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const MINUTE = 60_000;

/** A bot at a venue that is not shadow's, and the quotes that it read. */
async function traded(seed: number, minutes: number, beyond: number, dealing: Partial<VenueSettings["dealing"]> = {}) {
  const settings = { dealing: { ...DEFAULT_SETTINGS.dealing, ...dealing } };
  const world = openInProcess({ seed, funds: { CHF: "1000000", VCHF: "1000000" }, settings });
  onTestFinished(() => world.close());
  const rows: Quote[] = [];
  const exchange: Exchange = {
    ...world.exchange,
    async quotes(want) {
      const reading = await world.exchange.quotes(want);
      if (reading.kind === "read") rows.push(...reading.value.filter(({ symbol }) => symbol === SYMBOL));
      return reading;
    },
  };
  const journal = new MemoryJournal(opening, "livebot0");
  const OFF = "off: a busy test" as const;
  const limits = {
    ...{ orderValueMax: OFF, orderQuantityMax: OFF, grossExposureMax: OFF, assetExposureMax: OFF },
    ...{ turnoverPerHourMax: OFF, turnoverPerDayMax: OFF, ordersPerDayMax: 100_000 },
  } as const;
  const strategy = await tradesInTurn({ beyond, everyMs: 0 });
  const bot = startBot({ world, exchange, journal, strategy, limits });
  await world.pass(minutes * MINUTE);
  bot.stop();
  await world.pass(10_000);
  await bot.ended;
  const orders = new LiveOrders();
  for (const entry of unwrap(journal.read(0, Number.MAX_SAFE_INTEGER))) orders.take(entry);
  return { orders: orders.found, track: trackOf(rows) };
}

function trackOf(rows: readonly Quote[]): Track {
  const columns = createQuoteColumns(SYMBOL, rows.length);
  for (const [row, { receivedAt, bid, ask, bidSize, askSize }] of rows.entries()) {
    const values = { time: receivedAt, bid, ask, bidSize: bidSize ?? Number.NaN, askSize: askSize ?? Number.NaN };
    for (const [name, value] of Object.entries(values)) columns[name as keyof typeof values][row] = value;
  }
  return { symbol: SYMBOL, find: (at) => (rowAt(columns, at) < 0 ? undefined : { columns, row: rowAt(columns, at) }) };
}

function bookOf(symbol: PairSymbol, refillMs: number, changes: object = {}) {
  const funds = Object.fromEntries(symbol.split("/").map((asset) => [asset, "100000000"]));
  const clock = { ...systemClock, now: () => START };
  const profile = { ...presets.contract, ...changes };
  const book = openLocalBook({ clock, timers: systemTimers, profile, terms: { funds, refillMs, halfSpreadBps: 10 } });
  book.list([replayedPair(symbol)]);
  book.open([], START);
  return book;
}

const compared = (orders: readonly LiveOrder[], track: Track) => shadowParity(orders, track, bookOf(SYMBOL, 1));

test("shadow fills what live fills of a thousand orders, at its prices", async () => {
  const found = await Promise.all([11, 12, 13, 14, 15, 16, 17].map((seed) => traded(seed, 90, 0.00004)));
  const parities = found.map(({ orders, track }) => compared(orders, track));
  const total = parities.reduce((sum, { orders }) => sum + orders, 0);
  const mean = (of: (one: (typeof parities)[number]) => number): number =>
    parities.reduce((sum, one) => sum + of(one) * one.orders, 0) / total;
  expect(total).toBeGreaterThan(1_000);
  expect(mean(({ live }) => live.filled)).toBeLessThan(0.97);
  expect(Math.abs(mean(({ live, shadow }) => live.filled - shadow.filled))).toBeLessThan(0.05);
  expect(Math.abs(mean(({ priceBps }) => priceBps))).toBeLessThan(0.3);
});

test("a difference has causes that add up: the last look of the venue, and sizes that it does not show", async () => {
  const { orders, track } = await traded(3, 20, 0.0001, { refusedShare: 0.2 });
  const parity = compared(orders, track);
  expect(parity.shadow.filled - parity.live.filled).toBeGreaterThan(0.1);
  const { causes, differenceBps } = parity;
  expect(Object.values(causes).reduce((sum, bps) => sum + bps, 0)).toBeCloseTo(differenceBps, 9);
  expect(Math.abs(causes.refused)).toBeGreaterThan(Math.abs(causes.latency));
  // Sizes that the venue fills and does not show.
  const hidden = { ...track, find: (at: number) => withSizes(track.find(at), 1) };
  const blind = compared(orders, hidden);
  expect(blind.shadow.filled).toBe(0);
  expect(blind.causes.size).toBeCloseTo(blind.differenceBps, 9);
});

test("what the account holds of an asset of no list is there after a restart", async () => {
  const stateFile = join(temporaryFolder(), "book");
  const parts = { clock: systemClock, timers: systemTimers, profile: presets.contract, stateFile };
  for (const funds of [{ XAUT: "5" }, {}]) {
    const book = openLocalBook({ ...parts, terms: { funds, refillMs: 1, halfSpreadBps: 10 } });
    book.open([], START);
    await book.synced();
    expect(String(book.balances(START).find(({ asset }) => asset === "XAUT")?.available)).toBe("5");
    await book.close();
  }
});

test("where the venue shows no quotes an order fills around the reference, while that is fresh", () => {
  const symbol = "VGBP/CHF" as PairSymbol;
  const book = bookOf(symbol, 1_000, { quotes: "absent" });
  book.refer({ symbol: "GBP/CHF" as PairSymbol, bid: 1.09, ask: 1.11, receivedAt: START } as Quote);
  const buy = { ...order, symbol, quantity: Quantity.of("10"), limit: Price.of("1.102") };
  const at = (ms: number) => book.order(buy, millis(START + ms));
  expect(at(0)).toMatchObject({ kind: "accepted", value: { sold: Money.of("11.011", "CHF" as Asset) } });
  expect(at(61_000).kind).toBe("rejected");
});

function withSizes(place: ReturnType<Track["find"]>, size: number): ReturnType<Track["find"]> {
  if (place === undefined) return undefined;
  const sizes = place.columns.bid.map(() => size);
  return { ...place, columns: { ...place.columns, bidSize: sizes, askSize: sizes } };
}
