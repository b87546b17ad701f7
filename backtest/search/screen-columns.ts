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
import { HOUR_MS, PRICE_COLUMNS, type ScreenColumns, type ScreenPair } from "../../src/strategy/screen.ts";
import type { BacktestOptions } from "../options.ts";
import { marketOf } from "../run-backtest.ts";

/** Requests of an order: itself, its trade and the balances after it. */
const ORDER_SLOTS = 3;
/** From one read of quotes to the next there are more slots than its own: balances and histories are read too. */
const OTHER_READS = 1.15;

const SHOWN = ["bid", "ask", "bidSize", "askSize"] as const;

/** Of the pairs that the strategy names, or of all that may be traded. */
export function screenColumns(options: BacktestOptions): ScreenColumns {
  const { from, to, terms, limits, market, strategy } = options;
  const { impactBps, impactHalfLifeMs, impactKept } = market.dealing;
  const slotMs = terms.paceMs + 2 * terms.latencyMs;
  const stepMs = Math.round(terms.quotesMs + OTHER_READS * slotMs);
  const [length, hours] = [Math.ceil((to - from) / stepMs), Math.ceil((to - from) / HOUR_MS)];
  const traded: readonly string[] = options.traded ?? limits.symbols;
  const { symbols: named } = strategy.params as { readonly symbols?: unknown };
  const symbols: readonly unknown[] = Array.isArray(named) ? named : traded;
  const listed = DEFAULT_PAIRS.filter(({ symbol }) => traded.includes(symbol) && symbols.includes(symbol));
  const pairs = listed.map((pair) => pairColumns(options, pair, stepMs, length));
  const funds = Object.fromEntries(Object.entries(options.funds).map(([asset, amount]) => [asset, Number(amount)]));
  const marks = marketOf(options);
  const worthOver = (asset: string): Float64Array =>
    Float64Array.from({ length: hours }, (_, hour) =>
      worthOf(marks, asset as Asset, limits.currency as Asset, millis(Math.min(to, from + (hour + 1) * HOUR_MS))),
    );
  const assets = new Set([...Object.keys(funds), ...listed.flatMap(({ base, quote }) => [base, quote])]);
  return {
    ...{ from, stepMs, length, hours, pairs, funds, impactBps, impactHalfLifeMs, impactKept },
    worth: Object.fromEntries([...assets].map((asset) => [asset, worthOver(asset)])),
    orderValueMax: floatOf(limits.orderValueMax),
    coinShareMax: floatOf(limits.depegLossBpsMax) / floatOf(limits.depegAssumedBps),
    collarBps: Math.min(floatOf(limits.collarBps), floatOf(limits.collarHardBps)),
    reserveBps: typeof limits.reserveBpsMin === "number" ? limits.reserveBpsMin : 0,
    feeBpsMax: floatOf(limits.feeBpsMax),
    feeBps: terms.feeBps,
    orderMs: ORDER_SLOTS * slotMs,
    depthEpochMs: market.depthEpochMs,
  };
}

function pairColumns(options: BacktestOptions, pair: Pair, stepMs: number, length: number): ScreenPair {
  const { symbol, base, quote } = pair;
  const { from, seed, par, limits, terms } = options;
  const columns = Object.fromEntries(
    PRICE_COLUMNS.map((name) => [name, createColumn(length, "shared").fill(Number.NaN)]),
  ) as Pick<ScreenPair, (typeof PRICE_COLUMNS)[number]>;
  // Each market is looked at in times that only rise.
  const [shown, met] = [marketOf(options), marketOf(options)];
  const settings = { dealing: options.market.dealing, seed, isCoin: () => false };
  const [dealer, judge] = [new Dealer({ ...settings, market: shown }), new Dealer({ ...settings, market: met })];
  const arrivesMs = Math.round(Math.max(terms.paceMs, terms.decisionMs) + 2 * terms.latencyMs);
  const top = emptyTop();
  const band = par.get(symbol)?.bandBps;
  for (let row = 0; row < length; row++) {
    const at = millis(from + row * stepMs);
    const now = dealer.quote(pair, at);
    for (const name of SHOWN) columns[name][row] = now?.[name] ?? Number.NaN;
    const strayed = Math.abs(((columns.bid[row] as number) + (columns.ask[row] as number)) / 2 - 1) * 1e4;
    const fair = band === undefined ? shown.rate(base, quote, at) : strayed <= band ? 1 : undefined;
    columns.fair[row] = fair ?? Number.NaN;
    const arrival = millis(at + arrivesMs);
    if (!met.read(symbol, arrival, top)) continue;
    const [buy, sell] = [limitAsFloat(top.ask, "sell", pair), limitAsFloat(top.bid, "buy", pair)];
    if (!judge.refuses(pair, "buy", arrival)) columns.buyAt[row] = buy ?? Number.NaN;
    if (!judge.refuses(pair, "sell", arrival)) columns.sellAt[row] = sell ?? Number.NaN;
  }
  const sizes = limits.orderQuantityMax;
  const orderMax = floatOf(typeof sizes === "string" ? sizes : sizes[symbol]);
  const isCoin = band !== undefined;
  return { symbol, base, quote, quantityMin: pair.quantityMin.toNumber(), orderMax, isCoin, ...columns };
}

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
export function columnsFile({ pairs, worth, ...rest }: ScreenColumns): Uint8Array {
  const parts: [string, Float64Array][] = Object.entries(worth).map(([asset, column]) => [`worth ${asset}`, column]);
  for (const pair of pairs) for (const name of PRICE_COLUMNS) parts.push([`${pair.symbol} ${name}`, pair[name]]);
  const head = JSON.stringify({ ...rest, columns: parts.map(([name, { length }]) => ({ name, length })) });
  const line = Buffer.from(`${head.padEnd(Math.ceil((head.length + 1) / 8) * 8 - 1)}\n`);
  return Buffer.concat([line, ...parts.map(([, column]) => new Uint8Array(column.buffer, 0, column.byteLength))]);
}
