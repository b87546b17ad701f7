// What a bench is set up with. A name that it does not know is an error: it would be a test of something else.

import type { EngineSettings } from "../../src/bot/engine.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import { fiatOf } from "../../src/domain/coin.ts";
import { quoted } from "../../src/domain/outside-text.ts";
import { unwrap } from "../../src/domain/result.ts";
import { suggestion } from "../../src/domain/suggestion.ts";
import { type Limits, riskSchema } from "../../src/risk/limits.ts";

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
  readonly settings?: Partial<EngineSettings>;
};

const NAMES = ["symbols", "balances", "params", "limits", "fair", "start", "feeBps", "settings"];
const START = "2026-01-05T12:00:00Z";

export function readOptions(options: BenchOptions) {
  requireKnown("the bench has no option", Object.keys(options), NAMES);
  requireKnown("there is no limit", Object.keys(options.limits ?? {}), Object.keys(riskSchema.shape));
  const symbols = options.symbols.map((symbol) => unwrap(parseSymbol(symbol)));
  const start = Date.parse(options.start ?? START);
  if (Number.isNaN(start)) throw new Error(`start must be a time such as ${START}, was ${quoted(options.start)}`);
  return { symbols, start, rates: ratesOf(options, symbols) };
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
