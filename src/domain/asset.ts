// Assets and the symbols of pairs. Neither is a closed list: the venue says what exists.

import { quoted } from "./outside-text.ts";
import { err, ok, type Result } from "./result.ts";

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

export function assetsOf(symbol: PairSymbol): { base: Asset; quote: Asset } {
  const slash = symbol.indexOf("/");
  return { base: symbol.slice(0, slash) as Asset, quote: symbol.slice(slash + 1) as Asset };
}
