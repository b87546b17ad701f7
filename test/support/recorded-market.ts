// Columns that lie in memory as a whole, as a market.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { type QuoteColumns, rowAt } from "../../src/market/column.ts";
import type { Market } from "../../src/simulator/market/market.ts";
import { type Place, type Track, trackedMarket } from "../../src/simulator/market/recorded.ts";

export function recordedMarket(recorded: readonly QuoteColumns[], fallback: Market): Market {
  return trackedMarket(
    recorded.map((columns) => new ColumnTrack(columns)),
    fallback,
  );
}

class ColumnTrack implements Track {
  readonly symbol: PairSymbol;
  private readonly place: { readonly columns: QuoteColumns; row: number };

  constructor(columns: QuoteColumns) {
    this.symbol = columns.symbol;
    this.place = { columns, row: 0 };
  }

  find(at: number): Place | undefined {
    const { place } = this;
    const row = rowAt(place.columns, at, place.row);
    if (row < 0) return undefined;
    place.row = row;
    return place;
  }
}
