// The lists of the venue in the words of the port, for an exchange without text between: src/simulator/port-rows.ts has the rest.

import type { Balance } from "../../src/domain/balance.ts";
import type { Quote } from "../../src/domain/quote.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { ListedAsset, OrderRecord, TradeRecord } from "../../src/exchange/port.ts";
import type { AssetListing, BalanceRow, OrderRow, TradeRow, VenueQuote } from "../../src/simulator/core/record.ts";

export function asset({ asset, name }: AssetListing): ListedAsset {
  return { asset, name, blockchains: undefined };
}

export function quote({ symbol, bid, ask, bidSize, askSize }: VenueQuote, receivedAt: Millis): Quote {
  return {
    symbol,
    bid: bid.toNumber(),
    ask: ask.toNumber(),
    bidSize: bidSize.toNumber(),
    askSize: askSize.toNumber(),
    source: "venue",
    at: undefined,
    receivedAt,
  };
}

export function balance({ asset, available, pending }: BalanceRow): Balance {
  return { asset, available, pending };
}

export function order(row: OrderRow): OrderRecord {
  const { clientOrderId, orderId, status, symbol, side, quantity, limit, at } = row;
  return { clientOrderId, orderId, status, symbol, side, quantity, limit, at };
}

export function trade(row: TradeRow): TradeRecord {
  const { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, status, at } = row;
  return { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, status, at };
}
