// All orders are Fill-or-Kill limit orders: they fill completely or not at all.

import type { Asset, PairSymbol } from "./asset.ts";
import type { Money, Price, Quantity } from "./money/money.ts";
import type { Millis } from "./time.ts";

declare const clientOrderIdBrand: unique symbol;
export type ClientOrderId = string & { readonly [clientOrderIdBrand]: true };

/** What a fill pays: the venue's price, or the order's limit. */
export type FillsAt = "price" | "limit";

export type Side = "buy" | "sell";

export type OrderRequest = {
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limit: Price;
};

/** The effect of an order on our balances: both legs and the fee, each in its own asset. */
export type Fill = {
  readonly clientOrderId: ClientOrderId;
  /** The venue's ids, opaque text. The answer to an order may lack the trade id, and a row of history either. */
  readonly orderId: string | undefined;
  readonly tradeId: string | undefined;
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly bought: Money;
  readonly sold: Money;
  readonly fee: Money;
  readonly at: Millis | undefined;
};

/** The legs as traded, where the venue states the one in `inside` with the fee in it. */
export function withFeeOutside<L extends Pick<Fill, "bought" | "sold" | "fee">>(fill: L, inside: Asset | undefined): L {
  const { bought, sold, fee } = fill;
  if (fee.isZero() || fee.asset !== inside) return fill;
  return bought.asset === inside ? { ...fill, bought: bought.plus(fee) } : { ...fill, sold: sold.minus(fee) };
}

/** Format: `bought 100 VCHF for 99.95 CHF, fee 0 CHF`. */
export function legsText({ bought, sold, fee }: Pick<Fill, "bought" | "sold" | "fee">): string {
  return `bought ${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}

/** The quotient of both legs as floats, to 12 digits: the price that a person would write, without division noise. */
export function fillPrice(quote: number, base: number): number {
  return Number((quote / base).toPrecision(12));
}

/** The legs of an order: a buy spends quote for base, a sell base for quote. */
export function legs<T>(side: Side, base: T, quote: T): { bought: T; sold: T } {
  return side === "buy" ? { bought: base, sold: quote } : { bought: quote, sold: base };
}
