// The listings of the simulated operator: assets with their chains, and trading pairs. The minimums and the 5 and 6
// decimals are those that clients have met; docs/guides/simulator.md names the chains of VCHF (6) and VGBP (4).

import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { Quantity } from "../../domain/money/money.ts";
import type { AssetListing, Pair } from "./record.ts";

/** Network fees by chain. */
type Fees = Readonly<Record<string, string>>;

export const DEFAULT_ASSETS: readonly AssetListing[] = [
  coin("VCHF", "Swiss franc stablecoin", "CHF", {
    ETH: "4",
    BASE: "0.1",
    SOL: "0.1",
    CELO: "0.1",
    POLYGON: "0.1",
    AVAX: "0.2",
  }),
  coin("VGBP", "Pound sterling stablecoin", "GBP", { ETH: "4", BASE: "0.1", SOL: "0.1", CELO: "0.1" }),
  { ...coin("USDC", "USD Coin", "USD", { ETH: "5", BASE: "0.1", SOL: "0.1" }), issued: false },
  plain("BTC", "Bitcoin", "crypto", { BTC: "0.00005" }),
  plain("ETH", "Ether", "crypto", { ETH: "0.001" }),
  plain("CHF", "Swiss franc", "fiat", {}),
  plain("GBP", "Pound sterling", "fiat", {}),
];

export const DEFAULT_PAIRS: readonly Pair[] = [
  pair("VCHF/CHF", "0.1", 5, 6),
  pair("VCHF/USDC", "30", 5, 6),
  pair("VCHF/ETH", "30", 5, 9),
  pair("VCHF/BTC", "50", 5, 10),
  pair("VGBP/GBP", "0.1", 5, 6),
  pair("VGBP/USDC", "40", 5, 6),
  pair("VGBP/VCHF", "40", 5, 6),
  pair("USDC/CHF", "30", 5, 6),
];

function coin(asset: string, name: string, reference: string, networkFees: Fees): AssetListing {
  return { ...plain(asset, name, "stablecoin", networkFees), reference: reference as Asset, issued: true };
}

export function plain(asset: string, name: string, kind: AssetListing["kind"], networkFees: Fees): AssetListing {
  const blockchains = Object.entries(networkFees).map(([blockchain, fee]) => ({
    blockchain,
    active: true,
    networkFee: Quantity.of(fee),
  }));
  return { asset: asset as Asset, name, reference: asset as Asset, kind, issued: false, blockchains };
}

function pair(symbol: string, quantityMin: string, quantityDecimals: number, priceDecimals: number): Pair {
  return {
    symbol: symbol as PairSymbol,
    ...assetsOf(symbol as PairSymbol),
    status: "online",
    quantityDecimals,
    priceDecimals,
    quantityMin: Quantity.of(quantityMin),
    feeBps: 0,
  };
}
