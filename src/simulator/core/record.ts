// The records of the service as the core keeps them: exact amounts, times in milliseconds. The names are ours; the
// server writes them in the words of the contract or as observed.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import type { OrderError } from "./refusal.ts";

/** A point in time on the venue's clock (prices, dates) and on the settlement clock (mints, rails, payments). */
export type Moment = { readonly venue: Millis; readonly settlement: Millis };

export type Product = "issuance" | "conversion";

export type AssetListing = {
  readonly asset: Asset;
  readonly name: string;
  /** The asset that one unit represents: CHF for VCHF, itself for CHF and BTC. */
  readonly reference: Asset;
  readonly kind: "fiat" | "stablecoin" | "crypto";
  /** Can be minted and used on rails. */
  readonly issued: boolean;
  readonly blockchains: readonly ChainListing[];
};

export type ChainListing = {
  readonly blockchain: string;
  readonly active: boolean;
  /** Charged in the asset itself when it leaves on this chain. */
  readonly networkFee: Quantity;
};

/** A trading pair with its fee. */
export type Pair = Instrument & {
  /** Trade fee in basis points of the quote amount; at most 2 decimals. */
  readonly feeBps: number;
};

/** Top of the dealer's book, on the pair's grid: each number is the nearest float. */
export type FloatQuote = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number;
  readonly askSize: number;
};

export type BalanceRow = { readonly asset: Asset; readonly available: Money; readonly pending: Money };

export type OrderRow = {
  readonly clientOrderId: string;
  readonly orderId: string;
  /** Undefined when killed. */
  readonly tradeId: string | undefined;
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limit: Price;
  /** `Filled` or `Rejected`; other values only through a fault. */
  readonly status: string;
  /** Gross legs; zero when killed. The fee is charged in addition. */
  readonly bought: Money;
  readonly sold: Money;
  readonly fee: Money;
  /** The dealer's price; undefined when killed. */
  readonly price: Price | undefined;
  readonly error: OrderError | undefined;
  readonly at: Millis;
  /** From this time on the history calls show it. */
  readonly publishedAt: Millis;
};

/** A filled order. */
export type TradeRow = OrderRow & { readonly tradeId: string; readonly price: Price };

export type MintStatus = "pending" | "held" | "settled";

export type MintRow = {
  readonly requestId: string;
  readonly transactionId: string;
  readonly asset: Asset;
  readonly blockchain: string;
  readonly quantity: Quantity;
  /** A whitelisted wallet, or undefined for the caller's own balance. */
  readonly destination: string | undefined;
  /** The whole amount debited, including the fee. */
  readonly spent: Money;
  readonly fee: Money;
  readonly status: MintStatus;
  readonly reason: string | undefined;
  readonly at: Millis;
  /** On the settlement clock. */
  readonly settlesAt: Millis;
};

/** A row of the supply changes: a mint, or an off-ramp's payment, whose id is its request id. */
export type SupplyRow = MintRow & { readonly isRedemption?: true };

export type RailType = "FiatToStablecoin" | "StablecoinToFiat";
export type RailStatus = "pending" | "rejected" | "held";

export type RailRow = {
  readonly railId: string;
  readonly type: RailType;
  readonly sender: { readonly name: string; readonly country: string; readonly type: string };
  readonly destination: string;
  readonly memo: string | undefined;
  readonly asset: Asset;
  readonly currency: Asset;
  readonly blockchain: string;
  readonly status: RailStatus;
  readonly reason: string | undefined;
  readonly at: Millis;
};

export type PaymentRow = {
  readonly paymentId: string;
  readonly railId: string;
  /** The incoming amount: fiat on an on-ramp, tokens on an off-ramp. */
  readonly received: Money;
  /** The outgoing amount, net of the fee. */
  readonly delivered: Money;
  readonly fee: Money;
  /** Whether the lists show the fee. */
  readonly isFeeStated: boolean;
  readonly status: "pending" | "held" | "settled";
  readonly at: Millis;
  readonly settlesAt: Millis;
};

export type AddressRow = {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly address: string;
  readonly label: string;
  readonly status: "Confirmed" | "Unconfirmed";
  /** Travel Rule data; without them an address is listed but unusable. */
  readonly travelRule: { readonly originator: string; readonly beneficiary: string } | undefined;
};

/**
 * One posting: the amount leaves one pocket and enters another. Amounts are text, because two equal runs must produce
 * the same dump.
 */
export type PostingRow = {
  readonly seq: number;
  readonly at: Millis;
  readonly what: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly asset: Asset;
  readonly amount: string;
};
