// The core's records in wire format: the contract's names and forms, or those observed in practice. Fields that the
// contract does not show are ours; docs/openapi.yaml has them.

import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type {
  AddressRow,
  AssetListing,
  BalanceRow,
  MintRow,
  OrderRow,
  Pair,
  PaymentRow,
  RailRow,
  SupplyRow,
  TradeRow,
  VenueQuote,
} from "../core/record.ts";

export type Words = {
  readonly answers: "contract" | "observed";
  /** ISO 8601 UTC, by the clock of this answer. */
  time(at: Millis): string;
  status(word: string): string;
  readonly hasPending: boolean;
};

export function writeAssets(rows: readonly AssetListing[], { answers }: Words): unknown {
  if (answers === "contract") return { assets: rows.map((row) => ({ symbol: row.asset, name: row.name })) };
  return {
    assets: rows.map((row) => ({
      asset: row.asset,
      blockchains: row.blockchains.map(({ blockchain, active }) => ({ blockchain, isactive: active })),
    })),
  };
}

export function writePairs(rows: readonly Pair[]): unknown {
  return {
    pairs: rows.map((row) => ({
      pair: row.symbol,
      status: row.status,
      min_order_size: row.quantityMin,
      qty_decimals: row.quantityDecimals,
      price_decimals: row.priceDecimals,
    })),
  };
}

/** Numbers as observed in practice; the contract's amounts are texts. */
export function writeQuotes(rows: readonly VenueQuote[], { answers }: Words): unknown {
  const amount = (value: { toNumber(): number; toString(): string }) =>
    answers === "observed" ? value.toNumber() : String(value);
  return {
    quotes: rows.map((row) => ({
      symbol: row.symbol,
      b: [amount(row.bid), amount(row.bidSize)],
      a: [amount(row.ask), amount(row.askSize)],
    })),
  };
}

export function writeBalances(rows: readonly BalanceRow[], { answers, hasPending }: Words): unknown {
  const name = answers === "observed" ? "available_balance" : "available";
  return {
    balances: rows.map((row) => ({
      asset: row.asset,
      [name]: text(row.available),
      ...(hasPending ? { pending: text(row.pending) } : {}),
    })),
  };
}

/** The envelope of addOrder. */
export function writeEnvelope(row: OrderRow, words: Words): unknown {
  const status = words.status(row.status);
  const timestamp = words.time(row.at);
  const legs = writeLegs(row);
  const failed = row.error !== undefined;
  if (words.answers === "observed") {
    const order = { clordid: row.clientOrderId, ordId: observedId(row.orderId), ordStatus: status, ...legs };
    return failed
      ? { timestamp, result: "error", order, error: row.error }
      : { timestamp, result: "success", order, error: null };
  }
  const order = { clordid: row.clientOrderId, ordid: row.orderId, ordstatus: status, ...legs };
  return { timestamp, result: failed ? "error" : "ok", order, error: row.error ?? { code: null, message: null } };
}

export function writeOrders(rows: readonly OrderRow[], words: Words): unknown {
  return {
    orders: rows.map((row) => ({
      ...writeOrder(row, words),
      ordtype: "Limit",
      timeinforce: "FOK",
      orderqty: row.quantity,
      price: row.limit,
      ordstatus: words.status(row.status),
      ...writeLegs(row),
      error: row.error ?? (words.answers === "observed" ? null : { code: null, message: null }),
    })),
  };
}

export function writeTrades(rows: readonly TradeRow[], words: Words): unknown {
  return {
    trades: rows.map((row) => ({
      tradeid: row.tradeId,
      ...writeOrder(row, words),
      quantity: row.quantity,
      price: row.price,
      status: words.status(row.status),
      ...writeLegs(row),
    })),
  };
}

/** The fields of an order that the lists of orders and of trades share. */
function writeOrder({ clientOrderId: clordid, orderId, at, symbol, side }: OrderRow, words: Words) {
  const ordid = words.answers === "observed" ? observedId(orderId) : orderId;
  return { clordid, ordid, timestamp: words.time(at), symbol, side: side === "buy" ? "Buy" : "Sell" };
}

export function writeRail(row: RailRow, words: Words): unknown {
  return { railid: row.railId, status: words.status(row.status), reason: row.reason ?? null };
}

export function writeRails(rows: readonly RailRow[], words: Words): unknown {
  return {
    rails: rows.map((row) => ({
      railid: row.railId,
      status: words.status(row.status),
      reason: row.reason ?? null,
      timestamp: words.time(row.at),
      railtype: row.type,
      sender: {
        partyname: { name: row.sender.name },
        address: { country: row.sender.country },
        partytype: row.sender.type,
      },
      [row.type === "FiatToStablecoin" ? "wallet" : "bankaccount"]: {
        destination: row.destination,
        ...(row.memo === undefined ? {} : { memo: row.memo }),
      },
      instructions: { asset: row.asset, currency: row.currency, blockchain: row.blockchain },
    })),
  };
}

export function writePayments(rows: readonly PaymentRow[], words: Words): unknown {
  return {
    payments: rows.map((row) => ({
      paymentid: row.paymentId,
      railid: row.railId,
      status: words.status(row.status),
      timestamp: words.time(row.at),
      amount: text(row.received),
      currency: row.received.asset,
      delivered: text(row.delivered),
      delivered_currency: row.delivered.asset,
      ...(row.isFeeStated ? { fee: text(row.fee), fee_currency: row.fee.asset } : {}),
    })),
  };
}

export function writeMint(row: MintRow, words: Words): unknown {
  return {
    timestamp: words.time(row.at),
    txid: row.transactionId,
    requestid: row.requestId,
    fee: text(row.fee),
    spent: text(row.spent),
    spent_currency: row.spent.asset,
  };
}

export function writeSupplyChanges(rows: readonly SupplyRow[], words: Words): unknown {
  return {
    supplychanges: rows.map((row) => ({
      requestid: row.requestId,
      txid: row.transactionId,
      timestamp: words.time(row.at),
      type: row.isRedemption ? "redemption" : "mint",
      asset: row.asset,
      blockchain: row.blockchain,
      quantity: row.quantity,
      status: words.status(row.status),
      reason: row.reason ?? null,
    })),
  };
}

export function writeAddresses(rows: readonly AddressRow[]): unknown {
  return { addresses: rows.map(({ travelRule: _, ...row }) => row) };
}

function writeLegs(row: { bought: Money; sold: Money; fee: Money }): Record<string, string> {
  return {
    bought: text(row.bought),
    bought_currency: row.bought.asset,
    sold: text(row.sold),
    sold_currency: row.sold.asset,
    fee: text(row.fee),
    fee_currency: row.fee.asset,
  };
}

/** Integers were observed where the contract has texts; an id that is not a number stays a text. */
function observedId(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

function text(amount: Money): string {
  return amount.toString();
}
