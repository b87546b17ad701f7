// What a bench is set up with. A name that it does not know is an error: it would be a test of something else.

import type { ReviewSettings } from "../../src/bot/review/review.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import { fiatOf } from "../../src/domain/coin.ts";
import { REJECTION_CODES, UNFILLED } from "../../src/domain/event.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { quoted } from "../../src/domain/sanitise.ts";
import { suggestion } from "../../src/domain/suggestion.ts";
import { type Limits, riskSchema } from "../../src/risk/limits.ts";
import { DEFAULT_PAIRS } from "../../src/simulator/core/listing.ts";
import { pair as pairTold } from "../../src/simulator/port-rows.ts";

export type BenchOptions = {
  readonly symbols: readonly string[];
  /** What the account opens with: `{ CHF: "10000" }`. */
  readonly balances: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Limits that differ from those of paper trading. */
  readonly limits?: Partial<Limits>;
  /**
   * Reference prices, told again before every event: `{ "GBP/CHF": 1.12 }`. A coin against its own fiat is at par: one
   * whose pair is on the bench by the venue's quote of it, as live, any other by references.
   */
  readonly fair?: Readonly<Record<string, number>>;
  /** The time before the first event, as 2026-01-05T12:00:00Z (a Monday), which it is unless told. */
  readonly start?: string;
  /** Of each fill, in the quote asset; none unless told. */
  readonly feeBps?: number;
  /** What of a pair's grid differs from that of paper trading: `{ "VGBP/VCHF": { quantityMin: "10" } }`. */
  readonly grids?: Readonly<Record<string, BenchGrid>>;
  /** `lines()` says how orders ended, too. */
  readonly ends?: boolean;
  readonly settings?: Partial<ReviewSettings>;
};

type BenchGrid = {
  readonly priceDecimals?: number;
  readonly quantityDecimals?: number;
  readonly quantityMin?: string;
};

/** With which the venue may reject an order. One that finds no counterpart is no such case: it is killed. */
export type BenchRejection = Exclude<(typeof REJECTION_CODES)[number], typeof UNFILLED>;

const NAMES = ["symbols", "balances", "params", "limits", "fair", "start", "feeBps", "grids", "ends", "settings"];
const GRID = ["priceDecimals", "quantityDecimals", "quantityMin"];
const REJECTIONS = REJECTION_CODES.filter((code) => code !== UNFILLED);
const START = "2026-01-05T12:00:00Z";

export function readOptions(options: BenchOptions) {
  requireKnown("the bench has no option", Object.keys(options), NAMES);
  requireKnown("there is no limit", Object.keys(options.limits ?? {}), Object.keys(riskSchema.shape));
  const symbols = options.symbols.map((symbol) => unwrap(parseSymbol(symbol)));
  const start = Date.parse(options.start ?? START);
  if (Number.isNaN(start)) throw new Error(`start must be a time such as ${START}, was ${quoted(options.start)}`);
  return { symbols, start, rates: ratesOf(options, symbols), listed: listedOf(options, symbols) };
}

/** A word for something else, `killed` say, would make it a test of something else. */
export function requireRejection(code: string): void {
  requireKnown("the venue rejects no order with (kill() ends one that nobody takes)", [code], REJECTIONS);
}

function listedOf({ grids = {} }: BenchOptions, symbols: readonly PairSymbol[]): readonly Instrument[] {
  for (const [symbol, grid] of Object.entries(grids)) {
    onBench(symbol, symbols);
    requireKnown("a grid has no", Object.keys(grid), GRID);
  }
  return symbols.map((symbol) => {
    const { quantityMin, ...decimals } = grids[symbol] ?? {};
    const listed = { ...instrumentOf(symbol), ...decimals };
    return quantityMin === undefined ? listed : { ...listed, quantityMin: Quantity.of(quantityMin) };
  });
}

/** As paper trading lists it; what that does not list has the grid of most pairs there, and the smallest minimum. */
export function instrumentOf(symbol: PairSymbol): Instrument {
  const listed = DEFAULT_PAIRS.find((pair) => pair.symbol === symbol);
  if (listed !== undefined) return pairTold(listed);
  const grid = { status: "online", quantityDecimals: 5, priceDecimals: 6, quantityMin: Quantity.of("0.1") };
  return { symbol, ...assetsOf(symbol), ...grid };
}

export function onBench(symbol: string, symbols: readonly PairSymbol[]): PairSymbol {
  requireKnown("the bench has no pair", [symbol], symbols);
  return symbol as PairSymbol;
}

/** What references tell: what the test says, and par for the coins whose own pair nobody quotes here. */
function ratesOf({ fair = {}, balances }: BenchOptions, symbols: readonly PairSymbol[]): Map<PairSymbol, number> {
  const traded = symbols.flatMap((symbol) => Object.values(assetsOf(symbol)));
  const rates = new Map<PairSymbol, number>();
  for (const asset of new Set([...traded, ...(Object.keys(balances) as Asset[])])) {
    const own = `${asset}/${fiatOf(asset)}` as PairSymbol;
    if (fiatOf(asset) !== undefined && !symbols.includes(own)) rates.set(own, 1);
  }
  for (const [symbol, price] of Object.entries(fair)) rates.set(unwrap(parseSymbol(symbol)), price);
  return rates;
}

function requireKnown(what: string, names: readonly string[], known: readonly string[]): void {
  const stray = names.find((name) => !known.includes(name));
  if (stray !== undefined)
    throw new Error(`${what} ${quoted(stray)}: there are ${known.join(", ")}${suggestion(stray, known)}`);
}
