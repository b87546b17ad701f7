// The core's records in wire format: the contract's names and forms, or those that the profile's switches name. Fields
// that the contract does not show are ours; docs/openapi.yaml has them.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { insideOf, type Profile } from "../../exchange/profile.ts";
import type {
  AddressRow,
  AssetListing,
  BalanceRow,
  FloatQuote,
  MintRow,
  OrderRow,
  Pair,
  PaymentRow,
  RailRow,
  SupplyRow,
  TradeRow,
} from "../core/record.ts";

export type Words = {
  readonly profile: Profile;
  /** By the clock of this answer. */
  time(at: Millis): string;
  status(word: string): string;
  readonly hasPending: boolean;
};

function listed(name: string, rows: readonly object[], { profile: { fields } }: Words): unknown {
  const theirs = new Map<string, string>(Object.entries(fields).map(([their, ours]) => [ours, their]));
  const rename = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([key, is]) => [theirs.get(key) ?? key, is]));
  const written = theirs.size === 0 ? rows : rows.map(rename);
  return { [theirs.get(name) ?? name]: written };
}

export function writeAssets(rows: readonly AssetListing[], { profile }: Words): unknown {
  if (profile.answers === "contract") return { assets: rows.map((row) => ({ symbol: row.asset, name: row.name })) };
  return {
    assets: rows.map((row) => ({
      asset: row.asset,
      blockchains: row.blockchains.map(({ blockchain, active }) => ({ blockchain, isactive: active })),
    })),
  };
}

export function writePairs(rows: readonly Pair[], words: Words): unknown {
  const isLeftOut = (status: string): boolean => words.profile.pairStatusMissing === status;
  const written = rows.map((row) => ({
    pair: row.symbol,
    ...(isLeftOut(row.status) ? {} : { status: words.status(row.status) }),
    min_order_size: String(row.quantityMin),
    qty_decimals: row.quantityDecimals,
    price_decimals: row.priceDecimals,
  }));
  return listed("pairs", written, words);
}

/** Numbers as observed in practice; the contract's amounts are texts. */
export function writeQuotes(rows: readonly FloatQuote[], words: Words): unknown {
  const said = (value: number) => (words.profile.answers === "observed" ? value : plainText(value));
  const written = rows.map((row) => {
    const [bid, bid_size, ask, ask_size] = [row.bid, row.bidSize, row.ask, row.askSize].map(said);
    return { symbol: row.symbol, b: [bid, bid_size], a: [ask, ask_size] };
  });
  return listed("quotes", written, words);
}

/** Without an exponent; no grid is finer. */
function plainText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(10).replace(/0+$/, "") : text;
}

export function writeBalances(rows: readonly BalanceRow[], words: Words): unknown {
  const name = words.profile.answers === "observed" ? "available_balance" : "available";
  return {
    balances: rows.map((row) => ({
      asset: row.asset,
      [name]: String(row.available),
      ...(words.hasPending ? { pending: String(row.pending) } : {}),
    })),
  };
}

/** The envelope of addOrder. */
export function writeEnvelope(row: OrderRow, words: Words): unknown {
  const status = words.status(row.status);
  const timestamp = words.time(row.at);
  const legs = writeLegs(row, words);
  const failed = row.error !== undefined;
  if (words.profile.answers === "observed") {
    const order = { clordid: row.clientOrderId, ordId: observedId(row.orderId), ordStatus: status, ...legs };
    return failed
      ? { timestamp, result: "error", order, error: row.error }
      : { timestamp, result: "success", order, error: null };
  }
  const order = { clordid: row.clientOrderId, ordid: row.orderId, ordstatus: status, ...legs };
  return { timestamp, result: failed ? "error" : "ok", order, error: row.error ?? { code: null, message: null } };
}

export function writeOrders(rows: readonly OrderRow[], words: Words): unknown {
  const written = rows.map((row) => ({
    ...writeOrder(row, words),
    ordtype: "Limit",
    timeinforce: "FOK",
    orderqty: String(row.quantity),
    price: String(row.limit),
    ordstatus: words.status(row.status),
    ...writeLegs(row, words),
    error: row.error ?? (words.profile.answers === "observed" ? null : { code: null, message: null }),
  }));
  return listed("orders", written, words);
}

export function writeTrades(rows: readonly TradeRow[], words: Words): unknown {
  const { feeMissing, feeCurrencyMissing: missing } = words.profile;
  const written = rows.map((row) => {
    const { bought, bought_currency, sold, sold_currency, fee, fee_currency } = writeLegs(row, words);
    const { base, quote } = assetsOf(row.symbol);
    const decided = { none: undefined, base, quote, bought: row.bought.asset, sold: row.sold.asset }[missing];
    return {
      tradeid: row.tradeId,
      ...writeOrder(row, words),
      quantity: String(row.quantity),
      price: String(row.price),
      status: words.status(row.status),
      ...{ bought, bought_currency, sold, sold_currency },
      ...(feeMissing === "zero" && row.fee.isZero() ? {} : { fee }),
      ...(row.fee.asset === decided ? {} : { fee_currency }),
    };
  });
  return listed("trades", written, words);
}

/** The fields of an order that the lists of orders and of trades share. */
function writeOrder(row: OrderRow, words: Words) {
  const ordid = words.profile.answers === "observed" ? observedId(row.orderId) : row.orderId;
  return {
    clordid: row.clientOrderId,
    ordid,
    timestamp: words.time(row.at),
    symbol: row.symbol,
    side: row.side === "buy" ? "Buy" : "Sell",
  };
}

export function writeRail(row: RailRow, words: Words): unknown {
  return { railid: row.railId, status: words.status(row.status), reason: row.reason ?? null };
}

export function writeRails(rows: readonly RailRow[], words: Words): unknown {
  const written = rows.map((row) => ({
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
  }));
  return listed("rails", written, words);
}

export function writePayments(rows: readonly PaymentRow[], words: Words): unknown {
  const written = rows.map((row) => ({
    paymentid: row.paymentId,
    railid: row.railId,
    status: words.status(row.status),
    timestamp: words.time(row.at),
    amount: String(row.received),
    currency: row.received.asset,
    delivered: String(row.delivered),
    delivered_currency: row.delivered.asset,
    ...(row.isFeeStated && {
      ...{ received: String(row.delivered), received_currency: row.delivered.asset },
      ...{ fee: String(row.fee), fee_currency: row.fee.asset },
    }),
  }));
  return listed("payments", written, words);
}

export function writeMint(row: MintRow, words: Words): unknown {
  return {
    timestamp: words.time(row.at),
    txid: row.transactionId,
    requestid: row.requestId,
    fee: String(row.fee),
    spent: String(row.spent),
    spent_currency: row.spent.asset,
  };
}

export function writeSupplyChanges(rows: readonly SupplyRow[], words: Words): unknown {
  const written = rows.map((row) => ({
    requestid: row.requestId,
    txid: row.transactionId,
    timestamp: words.time(row.at),
    type: row.isRedemption ? "redemption" : "mint",
    asset: row.asset,
    blockchain: row.blockchain,
    quantity: String(row.quantity),
    status: words.status(row.status),
    reason: row.reason ?? null,
  }));
  return listed("supplychanges", written, words);
}

export function writeAddresses(rows: readonly AddressRow[], words: Words): unknown {
  const written = rows.map(({ travelRule: _, ...row }) => row);
  return listed("addresses", written, words);
}

function writeLegs(deal: { symbol: PairSymbol; bought: Money; sold: Money; fee: Money }, words: Words) {
  const inside = insideOf(deal.symbol, words.profile.feeInside);
  const isInside = (leg: Money): boolean => leg.asset === inside && leg.asset === deal.fee.asset;
  const row = {
    ...deal,
    bought: isInside(deal.bought) ? deal.bought.minus(deal.fee) : deal.bought,
    sold: isInside(deal.sold) ? deal.sold.plus(deal.fee) : deal.sold,
  };
  return {
    bought: String(row.bought),
    bought_currency: row.bought.asset,
    sold: String(row.sold),
    sold_currency: row.sold.asset,
    fee: String(row.fee),
    fee_currency: row.fee.asset,
  };
}

/** Integers were observed where the contract has texts; an id that is not a number stays a text. */
function observedId(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}
