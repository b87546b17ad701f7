// Assets and pair symbols. Neither is a closed list: the venue decides which exist.

import { err, ok, type Result } from "./result.ts";
import { quoted } from "./sanitise.ts";

declare const assetBrand: unique symbol;
declare const symbolBrand: unique symbol;

/** VCHF, CHF, USDC ... */
export type Asset = string & { readonly [assetBrand]: true };
/** BASE/QUOTE, for example VCHF/CHF. */
export type PairSymbol = string & { readonly [symbolBrand]: true };

const ASSET = /^[A-Z0-9]{2,12}$/;
const SYMBOL = /^([A-Z0-9]{2,12})\/([A-Z0-9]{2,12})$/;

export function parseAsset(text: unknown): Result<Asset> {
  return typeof text === "string" && ASSET.test(text)
    ? ok(text as Asset)
    : err(`asset must be 2 to 12 of A-Z and 0-9, was ${quoted(text)}`);
}

export function parseSymbol(text: unknown): Result<PairSymbol> {
  const match = typeof text === "string" ? SYMBOL.exec(text) : null;
  if (!match) return err(`symbol must look like BASE/QUOTE, was ${quoted(text)}`);
  if (match[1] === match[2]) return err(`symbol must name two assets, was ${quoted(text)}`);
  return ok(text as PairSymbol);
}

type Pair = { readonly base: Asset; readonly quote: Asset };

/** More pairs than any venue lists; symbols beyond it are split each time. */
const PAIRS_MAX = 4_096;
const pairs = new Map<PairSymbol, Pair>();

/** Returns the same two objects each time: orders need them at every turn, and identical strings compare faster. */
export function assetsOf(symbol: PairSymbol): Pair {
  return pairs.get(symbol) ?? split(symbol);
}

function split(symbol: PairSymbol): Pair {
  const slash = symbol.indexOf("/");
  const pair = Object.freeze({ base: symbol.slice(0, slash) as Asset, quote: symbol.slice(slash + 1) as Asset });
  if (pairs.size < PAIRS_MAX) pairs.set(symbol, pair);
  return pair;
}
