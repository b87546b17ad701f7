// POST /private/queryTrades: trade history, which is evidence about money. The legs are stated, or follow exactly from
// side, quantity and price; what a row leaves open is unreadable unless the profile decides it.

import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import { legs, withFeeOutside } from "../../domain/order.ts";
import type { Result } from "../../domain/result.ts";
import type { TradeRecord } from "../port.ts";
import { insideOf } from "../profile.ts";
import {
  amount,
  asset,
  type Decoder,
  money,
  optional,
  type Read,
  record,
  rows,
  side,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import { namedPair, orderFields, pairFields, type ReadEndpoint, type RowRules } from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    tradeId: [optional(word), "tradeid"],
    ...orderFields(rules),
    ...pairFields,
    side: optional(side),
    bought: [optional(amount), "bought", "bought_amount", "bought_quantity"],
    boughtCurrency: [optional(asset), "bought_currency", "bought_asset"],
    sold: [optional(amount), "sold", "sold_amount", "sold_quantity"],
    soldCurrency: [optional(asset), "sold_currency", "sold_asset"],
    // A fee under a name that is not read would count as none with `feeMissing: zero`.
    fee: [optional(amount), "fee", "fees", "fee_amount", "commission", "commission_amount"],
    feeCurrency: [optional(asset), "fee_currency", "fee_asset", "commission_asset", "commission_currency"],
  });

const executed = <W extends string>(what: W) =>
  [`executed_${what}`, `exec_${what}`, `filled_${what}`, `fill_${what}`, `last_${what}`] as const;

/** A row may state what was ordered next to what was executed: where the two differ, neither is taken. */
const sizes = record({
  quantity: [optional(amount), "quantity", "qty", "orderqty", ...executed("qty"), ...executed("quantity"), "cum_qty"],
  price: [optional(amount), "price", ...executed("price"), "avg_price", "average_price", "avg_px"],
  total: [optional(amount), "total", "notional", "quote_qty", "cummulative_quote_qty"],
});

/** Half a basis point, for prices that are rounded, and a cent of the total. */
const TOTAL_SHARE_MAX = Price.of("0.00005");

type Row = Read<ReturnType<typeof row>>;
type Sizes = Pick<Row, "side"> & Read<typeof sizes>;
type Legs = Pick<TradeRecord, "side" | "bought" | "sold" | "isProduct">;

export function queryTrades(rules: RowRules): ReadEndpoint<readonly TradeRecord[]> {
  const rowOf = row(rules);
  const trade: Decoder<TradeRecord> = (json, problems) => {
    const entry = rowOf(json, problems);
    const { id, tradeId = id, clientOrderId, orderId, status, at } = entry;
    if (clientOrderId === undefined && orderId === undefined)
      throw new Unreadable("must have clordid or ordid").lacks("clordid");
    const symbol = namedPair({ ...entry, ...pairOfLegs(entry) });
    const isStated = entry.bought !== undefined && entry.sold !== undefined;
    const { isExact, ...traded } = isStated
      ? { ...statedLegs(entry, symbol), isExact: true }
      : derivedLegs({ side: entry.side, ...sizes(json, problems) }, symbol);
    const fee = feeOf(entry, symbol, traded, rules);
    if (!isStated) requireSame(entry, traded);
    const row = {
      tradeId,
      clientOrderId,
      orderId,
      symbol,
      ...traded,
      fee,
      status,
      at,
      // A total next to a fee may have the fee in it: only one that is the product to the last digit states a leg.
      ...(isExact || fee.isZero() ? {} : { isProduct: true }),
    };
    return row.isProduct === true ? row : withFeeOutside(row, insideOf(symbol, rules.feeInside));
  };
  const slots = [...rowOf.slots, ...sizes.slots];
  return { path: "/private/queryTrades", fields: {}, answer: rows(trade, slots, "trades", "tradehistory"), slots };
}

/** A row without its pair names it by its side and the currencies of its legs. */
function pairOfLegs({ symbol, base, quote, side, boughtCurrency, soldCurrency }: Row) {
  if (symbol !== undefined || base !== undefined || quote !== undefined || side === undefined) return {};
  return side === "buy" ? { base: boughtCurrency, quote: soldCurrency } : { base: soldCurrency, quote: boughtCurrency };
}

/** The side follows from the symbol and the bought currency, or the currencies from the side; all must agree. */
function statedLegs(entry: Row, symbol: PairSymbol): Legs {
  const { base, quote } = assetsOf(symbol);
  const ways = (["buy", "sell"] as const).filter((way) => {
    const { bought, sold } = legs(way, base, quote);
    const { side = way, boughtCurrency = bought, soldCurrency = sold } = entry;
    return side === way && boughtCurrency === bought && soldCurrency === sold;
  });
  const [side] = ways;
  if (side === undefined) throw new Unreadable("must have currencies that agree with its symbol and side");
  if (ways.length > 1) throw new Unreadable("must say bought_currency and sold_currency, or its side");
  const { bought, sold } = legs(side, base, quote);
  return {
    side,
    bought: money(entry.bought as string, bought, "bought"),
    sold: money(entry.sold as string, sold, "sold"),
  };
}

function derivedLegs(
  { side, quantity, price, total }: Sizes,
  symbol: PairSymbol,
): Legs & { readonly isExact: boolean } {
  const missing = side === undefined ? "side" : quantity === undefined ? "quantity" : "price";
  if (side === undefined || quantity === undefined || (price === undefined && total === undefined))
    throw new Unreadable(
      `must say bought and sold, or side, quantity and price; has no ${missing}: if it has one under another name, say so in venue.profile.fields`,
    ).lacks(missing);
  const { base, quote } = assetsOf(symbol);
  const stated = total === undefined ? undefined : money(total, quote, "total");
  const product = price === undefined ? undefined : worthOf(price, quantity, quote);
  const isProduct = product !== undefined && (stated === undefined || !isNear(stated, product));
  const worth = isProduct ? product : stated;
  const isExact = stated !== undefined && product !== undefined && stated.equals(product);
  return { side, ...legs(side, money(quantity, base, "quantity"), worth as Money), isProduct, isExact };
}

/** One leg that is stated next to sizes is one of theirs, or the row has two meanings. */
function requireSame({ bought, sold }: Row, derived: Legs): void {
  for (const [name, given, leg] of [
    ["bought", bought, derived.bought],
    ["sold", sold, derived.sold],
  ] as const)
    if (given !== undefined && !money(given, leg.asset, name).equals(leg))
      throw new Unreadable(`must say ${name} once, was ${given} next to ${leg} from its sizes`);
}

function worthOf(price: string, quantity: string, quote: Asset): Money {
  return must(Price.parse(price), "price").times(must(Quantity.parse(quantity), "quantity"), quote, "down");
}

/** A total with the fee in it, or in another unit, states nothing. */
function isNear(stated: Money, product: Money): boolean {
  const most = product.valued(TOTAL_SHARE_MAX, product.asset, "up").plus(Money.ofSteps(1, 2, product.asset));
  return stated.minus(product).size().atMost(most);
}

function feeOf({ fee, feeCurrency }: Row, symbol: PairSymbol, { bought, sold }: Legs, rules: RowRules): Money {
  const { base, quote } = assetsOf(symbol);
  if (fee === undefined) {
    if (rules.feeMissing === "zero") return Money.zero(quote);
    throw new Unreadable(
      "must say its fee; if this venue takes none where it says none, set venue.profile.feeMissing: zero",
    ).lacks("fee");
  }
  const decided = { none: undefined, base, quote, bought: bought.asset, sold: sold.asset }[rules.feeCurrencyMissing];
  const currency = feeCurrency ?? decided;
  // A rebate would be negative; the decoder does not judge whether that is allowed.
  const charged = money(fee, currency ?? quote, "fee", "any");
  if (currency !== undefined || charged.isZero()) return charged;
  throw new Unreadable(
    "must say the fee's currency; if this venue always charges it in one, set venue.profile.feeCurrencyMissing: base, quote, bought or sold",
  ).lacks("fee_currency");
}

function must<T>(parsed: Result<T>, field: string): T {
  if (!parsed.ok) throw new Unreadable(parsed.error).under(field);
  return parsed.value;
}
