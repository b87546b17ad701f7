// A listed pair for tests: VCHF/CHF with four decimals of price and two of quantity, unless told otherwise.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import { Quantity } from "../../src/domain/money/money.ts";

export function anInstrument(changes: Partial<Instrument> = {}): Instrument {
  return {
    symbol: "VCHF/CHF" as PairSymbol,
    base: "VCHF" as Asset,
    quote: "CHF" as Asset,
    status: "online",
    quantityDecimals: 2,
    priceDecimals: 4,
    quantityMin: Quantity.zero,
    ...changes,
  };
}
