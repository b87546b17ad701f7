// Exchange: what the bot may ask of any venue, real or simulated. Reads give a reading or a named failure; requests that
// move money give an outcome that is definite or in doubt, and nothing in between. Every call is a want: it waits for a
// slot of the one budget and competes there by its worth.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { MintRequest } from "../domain/mint.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { ClientOrderId, Fill, OrderRequest, Side } from "../domain/order.ts";
import type { Quote } from "../domain/quote.ts";
import type { Rail, RailRequest } from "../domain/rail.ts";
import type { Millis, Mono } from "../domain/time.ts";

declare const nonceBrand: unique symbol;
/** UNIX milliseconds by convention, strictly increasing per key; fits a double until the year 287396. */
export type Nonce = number & { readonly [nonceBrand]: true };

/** Doubt resolution and kill verification come first by rule; the others are ranked by worth. */
export type WantClass = "doubt" | "kill-check" | "order" | "confirmation" | "balance" | "quote" | "treasury" | "other";

/**
 * In rank order: what a slot is worth to the class when the want does not say, in hundredths of the currency that limits
 * are counted in. Those of orders and confirmations are set so high by rule, and not by what is expected of them.
 */
export const classWorth: Readonly<Record<WantClass, number>> = {
  doubt: 1_000,
  "kill-check": 900,
  order: 100,
  confirmation: 80,
  balance: 60,
  quote: 40,
  treasury: 20,
  other: 10,
};

/** What has waited for long goes before any read, whatever its worth, and behind all that the money protocol needs. */
export const PRESSING_WORTH = classWorth.confirmation - 1;

/** The want that a slot went to, and the best of the others. Valid during the call only. */
export type Chosen = {
  readonly class: WantClass;
  readonly worth: number;
  readonly over?: Pick<Chosen, "class" | "worth"> | undefined;
};

export type Want = {
  readonly class: WantClass;
  /** What a slot is worth for this want now; the class decides when it is absent. */
  readonly worth?: ((now: Millis) => number) | undefined;
  /** Past this the want is dropped instead of sent. */
  readonly deadline?: Mono | undefined;
  /** What is asked, in full: reads with the same key that still wait share one request; of what moves money the path. The client sets it. */
  readonly key?: string | undefined;
  /** Called when the slot is granted. */
  readonly begins?: ((chosen: Chosen) => void) | undefined;
  /** Shares its request with no other of the key. The budget sets it. */
  readonly isAlone?: boolean;
};

/** The hooks of a request that moves money, in the order in which they run. */
export type MoneyWant = Want & {
  /** At the slot, before anything is spent: a reason drops the request. */
  readonly recheck: (now: Millis) => string | undefined;
  /** Makes the SENDING record durable before it returns; throwing means nothing is sent. */
  readonly sending: (record: SendingRecord) => void;
  /** The last statement before the socket: a reason refuses, with no byte out. */
  readonly lastCheck: () => string | undefined;
};

export type SendingRecord = {
  readonly nonce: Nonce;
  /** SHA-256 of the body as sent, hexadecimal. */
  readonly digest: string;
  readonly host: string;
};

export type Failure = {
  /** Stable and ours, listed in docs/EXCHANGE.md: `timeout`, `rate-limited`, `unauthorized`, `html` ... */
  readonly code: string;
  readonly status: number | undefined;
  /** The venue's own code, verbatim, when it gave one. */
  readonly venueCode: string | undefined;
  readonly message: string;
};

export type Reading<T> =
  | {
      readonly kind: "read";
      readonly value: T;
      /** The venue's Date, when it sent one. */
      readonly at: Millis | undefined;
      readonly receivedAt: Millis;
      /** Of a signed call: proves that nothing with a lower nonce can still be accepted. */
      readonly nonce: Nonce | undefined;
      /** What of the answer could not be read and was left out; where money depends on a row, the reading fails instead. */
      readonly problems?: readonly string[];
    }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "dropped"; readonly reason: string };

export type Outcome<T> =
  | { readonly kind: "accepted"; readonly value: T; readonly nonce: Nonce; readonly receivedAt: Millis }
  | { readonly kind: "rejected"; readonly failure: Failure; readonly nonce: Nonce; readonly receivedAt: Millis }
  /** No byte left: refused before the slot, at the last check, or by the network before the request began. */
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  /** It may have happened. `halt` when the answer contradicts itself and new orders must stop. */
  | { readonly kind: "doubt"; readonly failure: Failure; readonly nonce: Nonce; readonly halt: boolean };

/** The requests that move money. */
export type MoneyKind = "order" | "mint" | "rail";

export type OutgoingOrder = OrderRequest & { readonly clientOrderId: ClientOrderId };

export type ListedAsset = {
  readonly asset: Asset;
  readonly name: string | undefined;
  readonly blockchains: readonly { readonly blockchain: string; readonly active: boolean }[] | undefined;
};

export type OrderRecord = {
  readonly clientOrderId: string | undefined;
  readonly orderId: string | undefined;
  /** `Filled` or `Rejected`, whatever their spelling at the venue; any other word verbatim. */
  readonly status: string | undefined;
  readonly symbol: PairSymbol | undefined;
  readonly side: Side | undefined;
  readonly quantity: Quantity | undefined;
  readonly limit: Price | undefined;
  readonly at: Millis | undefined;
};

/** A trade as history lists it: ours has a client order id that we know, any other is not ours. */
export type TradeRecord = Omit<Fill, "clientOrderId"> & {
  readonly clientOrderId: string | undefined;
  /** As of an order. */
  readonly status: string | undefined;
};

export type MintReceipt = {
  readonly requestId: string;
  readonly transactionId: string | undefined;
  readonly fee: Money;
  readonly spent: Money;
};

export type SupplyChange = {
  readonly requestId: string | undefined;
  readonly transactionId: string | undefined;
  readonly asset: Asset;
  readonly blockchain: string | undefined;
  readonly quantity: Quantity | undefined;
  readonly status: string;
  readonly reason: string | undefined;
  readonly at: Millis | undefined;
};

/** A rail as the list has it; of what was asked for it shows some, or nothing. */
export type RailRecord = Rail & { readonly request?: Partial<Omit<RailRequest, "sender">> };

export type Payment = {
  readonly railId: string | undefined;
  readonly paymentId: string | undefined;
  readonly status: string;
  readonly amount: Money | undefined;
  /** What the venue states that it takes off the payment; absent where its list does not say. */
  readonly fee?: Money | undefined;
  readonly at: Millis | undefined;
};

export type WithdrawAddress = {
  readonly asset: Asset | undefined;
  readonly blockchain: string;
  readonly address: string | undefined;
  readonly label: string | undefined;
  readonly status: string | undefined;
};

export interface Exchange {
  assets(want: Want): Promise<Reading<readonly ListedAsset[]>>;
  pairs(want: Want): Promise<Reading<readonly Instrument[]>>;
  /** An observed capability: fails with `not-available` where the venue has none. */
  quotes(want: Want): Promise<Reading<readonly Quote[]>>;
  balances(want: Want): Promise<Reading<readonly Balance[]>>;
  orders(want: Want): Promise<Reading<readonly OrderRecord[]>>;
  trades(want: Want): Promise<Reading<readonly TradeRecord[]>>;
  rails(want: Want): Promise<Reading<readonly RailRecord[]>>;
  payments(want: Want): Promise<Reading<readonly Payment[]>>;
  supplyChanges(asset: Asset, want: Want): Promise<Reading<readonly SupplyChange[]>>;
  withdrawAddresses(want: Want): Promise<Reading<readonly WithdrawAddress[]>>;
  /** An observed capability, as quotes. */
  depositAddress(asset: Asset, blockchain: string, want: Want): Promise<Reading<string>>;
  addOrder(order: OutgoingOrder, want: MoneyWant): Promise<Outcome<Fill>>;
  mintTokens(mint: MintRequest, want: MoneyWant): Promise<Outcome<MintReceipt>>;
  addPaymentRail(rail: RailRequest, want: MoneyWant): Promise<Outcome<Rail>>;
}
