// The core's records in wire format: the contract's names and forms, or those that the profile's switches name. Fields
// that the contract does not show are ours; docs/openapi.yaml has them.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { insideOf, type Profile } from "../../exchange/profile.ts";
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

/** Not yet in the compiler's library. */
const RawJson = JSON as JSON & { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };

export type Words = {
  readonly profile: Profile;
  /** By the clock of this answer. */
  time(at: Millis): string | number;
  status(word: string): string;
  readonly hasPending: boolean;
};

/** Words that the contract writes together, for venues that write them apart. */
const COMPOUNDS: Readonly<Record<string, string>> = {
  clordid: "cl_ord_id",
  ordid: "ord_id",
  ordstatus: "ord_status",
  ordtype: "ord_type",
  orderqty: "order_qty",
  timeinforce: "time_in_force",
  tradeid: "trade_id",
  requestid: "request_id",
  txid: "tx_id",
  railid: "rail_id",
  railtype: "rail_type",
  paymentid: "payment_id",
  partyname: "party_name",
  partytype: "party_type",
  bankaccount: "bank_account",
  supplychanges: "supply_changes",
};

/** An answer with its keys in the profile's case. */
export function spoken(value: unknown, keys: Profile["keys"]): unknown {
  if (keys === "snake" || typeof value !== "object" || value === null || RawJson.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map((item) => spoken(item, keys));
  const named = Object.entries(value).map(([key, member]) => [
    cased(COMPOUNDS[key] ?? key, keys),
    spoken(member, keys),
  ]);
  return Object.fromEntries(named);
}

function cased(key: string, keys: Profile["keys"]): string {
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return keys === "pascal" ? camel.charAt(0).toUpperCase() + camel.slice(1) : camel;
}

function listed(name: string, rows: readonly object[], { profile: { lists, fields } }: Words): unknown {
  const theirs = new Map<string, string>(Object.entries(fields).map(([their, ours]) => [ours, their]));
  const rename = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([key, is]) => [theirs.get(key) ?? key, is]));
  const written = theirs.size === 0 ? rows : rows.map(rename);
  return lists === "bare" ? written : { [lists === "data" ? "data" : (theirs.get(name) ?? name)]: written };
}

function pair(symbol: PairSymbol, { profile: { symbolForm } }: Words, name = "symbol"): Record<string, string> {
  if (symbolForm === "base-quote") return assetsOf(symbol);
  return { [name]: symbolForm === "dash" ? symbol.replace("/", "-") : symbol };
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
    ...pair(row.symbol, words, "pair"),
    ...(isLeftOut(row.status) ? {} : { status: words.status(row.status) }),
    min_order_size: amount(row.quantityMin, words),
    qty_decimals: row.quantityDecimals,
    price_decimals: row.priceDecimals,
  }));
  return listed("pairs", written, words);
}

/** Numbers as observed in practice; the contract's amounts are texts. */
export function writeQuotes(rows: readonly VenueQuote[], words: Words): unknown {
  const { answers, quoteLevels } = words.profile;
  const said = (value: Price | Quantity) => (answers === "observed" ? value.toNumber() : amount(value, words));
  const written = rows.map((row) => {
    const [bid, bid_size, ask, ask_size] = [row.bid, row.bidSize, row.ask, row.askSize].map(said);
    const levels =
      quoteLevels === "flat" ? { bid, bid_size, ask, ask_size } : { b: [bid, bid_size], a: [ask, ask_size] };
    return { ...pair(row.symbol, words), ...levels };
  });
  return listed("quotes", written, words);
}

export function writeBalances(rows: readonly BalanceRow[], words: Words): unknown {
  const name = words.profile.answers === "observed" ? "available_balance" : "available";
  return {
    balances: rows.map((row) => ({
      asset: row.asset,
      [name]: amount(row.available, words),
      ...(words.hasPending ? { pending: amount(row.pending, words) } : {}),
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
    ...writeOrder(row, words, words.profile.orderIds),
    ordtype: "Limit",
    timeinforce: "FOK",
    orderqty: amount(row.quantity, words),
    price: amount(row.limit, words),
    ordstatus: words.status(row.status),
    ...writeLegs(row, words),
    error: row.error ?? (words.profile.answers === "observed" ? null : { code: null, message: null }),
  }));
  return listed("orders", written, words);
}

export function writeTrades(rows: readonly TradeRow[], words: Words): unknown {
  const { tradeIds, tradeAmounts, feeMissing, feeCurrencyMissing: missing } = words.profile;
  const written = rows.map((row) => {
    const { bought, bought_currency, sold, sold_currency, fee, fee_currency } = writeLegs(row, words);
    const { base, quote } = assetsOf(row.symbol);
    const decided = { none: undefined, base, quote, bought: row.bought.asset, sold: row.sold.asset }[missing];
    return {
      tradeid: row.tradeId,
      ...writeOrder(row, words, tradeIds),
      quantity: amount(row.quantity, words),
      price: amount(row.price, words),
      status: words.status(row.status),
      ...(tradeAmounts === "legs" ? { bought, bought_currency, sold, sold_currency } : {}),
      ...(feeMissing === "zero" && row.fee.isZero() ? {} : { fee }),
      ...(row.fee.asset === decided ? {} : { fee_currency }),
    };
  });
  return listed("trades", written, words);
}

/** The fields of an order that the lists of orders and of trades share. */
function writeOrder(row: OrderRow, words: Words, ids: Profile["orderIds"]) {
  const ordid = words.profile.answers === "observed" ? observedId(row.orderId) : row.orderId;
  return {
    ...(ids === "ordid" ? {} : { clordid: row.clientOrderId }),
    ...(ids === "clordid" ? {} : { ordid }),
    timestamp: words.time(row.at),
    ...pair(row.symbol, words),
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
    amount: amount(row.received, words),
    currency: row.received.asset,
    delivered: amount(row.delivered, words),
    delivered_currency: row.delivered.asset,
    ...(row.isFeeStated && {
      ...{ received: amount(row.delivered, words), received_currency: row.delivered.asset },
      ...{ fee: amount(row.fee, words), fee_currency: row.fee.asset },
    }),
  }));
  return listed("payments", written, words);
}

export function writeMint(row: MintRow, words: Words): unknown {
  return {
    timestamp: words.time(row.at),
    txid: row.transactionId,
    requestid: row.requestId,
    fee: amount(row.fee, words),
    spent: amount(row.spent, words),
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
    quantity: amount(row.quantity, words),
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
    bought: amount(row.bought, words),
    bought_currency: row.bought.asset,
    sold: amount(row.sold, words),
    sold_currency: row.sold.asset,
    fee: amount(row.fee, words),
    fee_currency: row.fee.asset,
  };
}

/** Integers were observed where the contract has texts; an id that is not a number stays a text. */
function observedId(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** A bare number keeps every digit. */
function amount(value: Money | Price | Quantity, { profile }: Words): unknown {
  return profile.answerNumbers === "numbers" ? RawJson.rawJSON(value.toString()) : value.toString();
}
