// What a kernel sees: the prices of a seed and market once, and those that an order would meet, in memory that threads
// share.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { standsFor } from "../../src/domain/coin.ts";
import { limitAsFloat } from "../../src/domain/money/door.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { createColumn } from "../../src/market/column.ts";
import { Dealer } from "../../src/simulator/core/dealer.ts";
import { DEFAULT_PAIRS } from "../../src/simulator/core/listing.ts";
import type { Pair } from "../../src/simulator/core/record.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import type { ScreenColumns, ScreenPair } from "../../src/strategy/screen.ts";
import type { BacktestOptions } from "../options.ts";
import { marketOf } from "../run-backtest.ts";

const HOUR_MS = 3_600_000;
/** Requests of an order: itself, its trade and the balances after it. */
const ORDER_SLOTS = 3;
/** From one read of quotes to the next there are more slots than its own: balances and histories are read too. */
const OTHER_READS = 1.15;

/** The pairs that the strategy names; undefined where it names none. */
export function symbolsOf({ strategy }: BacktestOptions): ReadonlySet<string> | undefined {
  const { symbols } = strategy.params as { readonly symbols?: unknown };
  return Array.isArray(symbols) ? new Set(symbols.map(String)) : undefined;
}

/** `symbols`: those that are looked at; all that may be traded by default. */
export function screenColumns(options: BacktestOptions, symbols?: ReadonlySet<string>): ScreenColumns {
  const { from, to, terms, limits, market, funds } = options;
  const { impactBps: bps, impactHalfLifeMs: halfLifeMs, impactKept: kept } = market.dealing;
  const slotMs = terms.paceMs + 2 * terms.latencyMs;
  const stepMs = Math.round(terms.quotesMs + OTHER_READS * slotMs);
  const length = Math.ceil((to - from) / stepMs);
  const hours = Math.ceil((to - from) / HOUR_MS);
  const traded = options.traded ?? limits.symbols;
  const isSeen = ({ symbol }: Pair): boolean =>
    (traded as readonly string[]).includes(symbol) && symbols?.has(symbol) !== false;
  const listed = DEFAULT_PAIRS.filter(isSeen);
  const arrivesMs = Math.round(Math.max(terms.paceMs, terms.decisionMs) + 2 * terms.latencyMs);
  const steps = { from, stepMs, length, arrivesMs };
  const pairs = listed.map((pair) => pairColumns(options, pair, steps));
  const opening = Object.fromEntries(Object.entries(funds).map(([asset, amount]) => [asset, Number(amount)]));
  const assets = new Set([...Object.keys(opening), ...listed.flatMap(({ base, quote }) => [base, quote])]);
  const marks = marketOf(options);
  const ends = Array.from({ length: hours }, (_, hour) => millis(Math.min(to, from + (hour + 1) * HOUR_MS)));
  const worth = [...assets].map((asset) => {
    const column = createColumn(hours, "shared");
    for (const [hour, at] of ends.entries())
      column[hour] = worthOf(marks, asset as Asset, limits.currency as Asset, at);
    return [asset, column] as const;
  });
  return {
    ...{ from, stepMs, length, hours, pairs, funds: opening, worth: Object.fromEntries(worth) },
    orderValueMax: floatOf(limits.orderValueMax),
    coinShareMax: floatOf(limits.depegLossBpsMax) / floatOf(limits.depegAssumedBps),
    collarBps: Math.min(floatOf(limits.collarBps), floatOf(limits.collarHardBps)),
    reserveBps: typeof limits.reserveBpsMin === "number" ? limits.reserveBpsMin : 0,
    feeBpsMax: floatOf(limits.feeBpsMax),
    feeBps: terms.feeBps,
    orderMs: ORDER_SLOTS * slotMs,
    depthEpochMs: market.depthEpochMs,
    impact: { bps, halfLifeMs, kept },
  };
}

type Steps = { readonly from: Millis; readonly stepMs: number; readonly length: number; readonly arrivesMs: number };

function pairColumns(options: BacktestOptions, pair: Pair, { from, stepMs, length, arrivesMs }: Steps): ScreenPair {
  const { symbol, base, quote } = pair;
  const { seed, par, limits } = options;
  const { dealing } = options.market;
  const column = (): Float64Array => createColumn(length, "shared").fill(Number.NaN);
  const [bid, ask, bidSize, askSize, buyAt, sellAt, fair] = Array.from({ length: 7 }, column) as Seven;
  // Each looks at times that only rise.
  const [shown, met] = [marketOf(options), marketOf(options)];
  const [dealer, judge] = [shown, met].map((market) => new Dealer({ market, dealing, seed, isCoin: () => false })) as [
    Dealer,
    Dealer,
  ];
  const top = emptyTop();
  const band = par.get(symbol)?.bandBps;
  for (let row = 0; row < length; row++) {
    const at = millis(from + row * stepMs);
    const now = dealer.quote(pair, at);
    if (now === undefined) continue;
    bid[row] = now.bid;
    ask[row] = now.ask;
    bidSize[row] = now.bidSize;
    askSize[row] = now.askSize;
    const isOffPeg = band !== undefined && !(Math.abs((now.bid + now.ask) / 2 - 1) * 1e4 <= band);
    fair[row] = isOffPeg ? Number.NaN : band === undefined ? (shown.rate(base, quote, at) ?? Number.NaN) : 1;
    const arrival = millis(at + arrivesMs);
    if (!met.read(symbol, arrival, top)) continue;
    const [buy, sell] = [limitAsFloat(top.ask, "sell", pair), limitAsFloat(top.bid, "buy", pair)];
    if (!judge.refuses(pair, "buy", arrival)) buyAt[row] = buy ?? Number.NaN;
    if (!judge.refuses(pair, "sell", arrival)) sellAt[row] = sell ?? Number.NaN;
  }
  const sizes = limits.orderQuantityMax;
  const orderMax = floatOf(typeof sizes === "string" ? sizes : sizes[symbol]);
  const terms = { symbol, base, quote, quantityMin: pair.quantityMin.toNumber(), orderMax, isCoin: band !== undefined };
  return { ...terms, bid, ask, bidSize, askSize, buyAt, sellAt, fair };
}

type Column = Float64Array;
type Seven = [Column, Column, Column, Column, Column, Column, Column];

/** A coin at the lower of par and its bid, as in equity. */
function worthOf(market: Market, asset: Asset, currency: Asset, at: Millis): number {
  const fiat = standsFor(asset) as Asset | undefined;
  const top = emptyTop();
  const mark = fiat !== undefined && market.read(`${asset}/${fiat}` as PairSymbol, at, top) ? Math.min(1, top.bid) : 1;
  return mark * (market.rate(fiat ?? asset, currency, at) ?? Number.NaN);
}

/** Infinite for a limit that is off. */
function floatOf(limit: { toNumber(): number } | number | string | undefined): number {
  if (typeof limit === "number") return limit;
  return typeof limit === "object" ? limit.toNumber() : Number.POSITIVE_INFINITY;
}

/** One file: a line of JSON that says what follows, then each column as little-endian doubles. */
export function* columnsBytes({ pairs, worth, ...rest }: ScreenColumns): Generator<Uint8Array> {
  const parts: [string, Float64Array][] = Object.entries(worth).map(([asset, column]) => [`worth ${asset}`, column]);
  for (const pair of pairs)
    for (const [name, column] of Object.entries(pair))
      if (column instanceof Float64Array) parts.push([`${pair.symbol} ${name}`, column]);
  const head = JSON.stringify({ ...rest, columns: parts.map(([name, { length }]) => ({ name, length })) });
  yield Buffer.from(`${head.padEnd(Math.ceil((head.length + 1) / 8) * 8 - 1)}\n`);
  for (const [, column] of parts) yield new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
