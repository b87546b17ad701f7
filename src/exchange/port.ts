// Exchange: the calls that the bot may make to any venue, real or simulated. Reads return a reading or a named failure;
// requests that move money return an outcome that is either definite or in doubt. Every call is a want: it waits for a
// slot of the key's budget.

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

/** In rank order: the first class that waits gets the slot. */
export const WANT_CLASSES = [
  "doubt",
  "kill-check",
  "order",
  "confirmation",
  "balance",
  "quote",
  "treasury",
  "other",
] as const;
export type WantClass = (typeof WANT_CLASSES)[number];

export type Want = {
  readonly class: WantClass;
  /** After this the want is dropped instead of sent. */
  readonly deadline?: Mono | undefined;
  /**
   * The full question of a read, the path of a request that moves money. Waiting reads with the same key share one
   * request. The client sets it.
   */
  readonly key?: string | undefined;
  /** Called when the slot is granted. */
  readonly begins?: (() => void) | undefined;
  /** Aborted before the slot: the want is dropped, and nothing is sent. */
  readonly signal?: AbortSignal | undefined;
  /** Does not share its request with others of the same key. The budget sets it. */
  readonly isAlone?: boolean;
};

/** The hooks of a request that moves money, in the order in which they run. */
export type MoneyWant = Want & {
  /** At the slot, before anything is spent: a returned reason drops the request. */
  readonly recheck: (now: Millis) => string | undefined;
  /** Makes the SENDING record durable before it returns; if it throws, nothing is sent. */
  readonly sending: (record: SendingRecord) => void;
  /** The last statement before the socket, with the body: a returned reason refuses the request, with no byte sent. */
  readonly lastCheck: (body?: string) => string | undefined;
};

export type SendingRecord = {
  readonly nonce: Nonce;
  /** SHA-256 of the body as sent, in hex. */
  readonly digest: string;
  readonly host: string;
};

export type Failure = {
  /** Our stable code, listed in docs/guides/requests.md: `timeout`, `rate-limited`, `unauthorized`, `html` ... */
  readonly code: string;
  readonly status: number | undefined;
  /** The venue's own code, verbatim, if it gave one. */
  readonly venueCode: string | undefined;
  readonly message: string;
};

/** What an answer has that cannot be read: a row, or something else in it. */
export type Unread = {
  /** Its place, and what is missing or wrong. */
  readonly problem: string;
  /** The keys of the row, with letters as x and digits as 0 in their values. */
  readonly keys: Readonly<Record<string, string>>;
  /** Lines for the section venue under which it may be readable: `profile: { fields: { qty_done: quantity } }`. */
  readonly lines: readonly string[];
  /** Every text and number of the row, to look for ids in. */
  readonly words: readonly string[];
  /** Of the row's content, whatever the order of its keys. */
  readonly digest: string;
};

/** A problem that is no row. */
export function problemOf(problem: string): Unread {
  return { problem, keys: {}, lines: [], words: [], digest: "" };
}

/** The same for people. */
export function unreadText({ problem, keys, lines }: Omit<Unread, "words" | "digest">): string {
  const shown = Object.entries(keys).map(([key, value]) => `${key}: ${value}`);
  const row = shown.length === 0 ? "" : `; the row has ${shown.join(", ")}`;
  return `${problem}${row}${lines.length === 0 ? "" : `; perhaps venue needs ${lines.join(" or ")}`}`;
}

/** What is wrong with the key's file (docs/operate/key-file.md). */
export type KeyCode = "key-older" | "key-newer" | "key-corrupt" | "key-full" | "key-failed";

export type Reading<T> =
  | {
      readonly kind: "read";
      readonly value: T;
      /** The venue's Date, if it sent one. */
      readonly at: Millis | undefined;
      readonly receivedAt: Millis;
      /** For a signed call: proves that no request with a lower nonce can still be accepted. */
      readonly nonce: Nonce | undefined;
      /** What was left out of the value because it cannot be read. */
      readonly problems?: readonly Unread[];
    }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "dropped"; readonly reason: string; readonly code?: KeyCode | undefined };

export type Outcome<T> =
  | { readonly kind: "accepted"; readonly value: T; readonly nonce: Nonce; readonly receivedAt: Millis }
  | { readonly kind: "rejected"; readonly failure: Failure; readonly nonce: Nonce; readonly receivedAt: Millis }
  /** No byte left: refused before the slot, at the last check, or by the network before the request started. */
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  /** It may have happened. `halt`: the answer contradicts itself, and new orders must stop. */
  | { readonly kind: "doubt"; readonly failure: Failure; readonly nonce: Nonce; readonly halt: boolean };

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
  /** `Filled` or `Rejected`, in any spelling of the venue; any other status verbatim. */
  readonly status: string | undefined;
  readonly symbol: PairSymbol | undefined;
  readonly side: Side | undefined;
  readonly quantity: Quantity | undefined;
  readonly limit: Price | undefined;
  readonly at: Millis | undefined;
};

/** A trade in the venue's history: ours if we know its client order id, otherwise not. */
export type TradeRecord = Omit<Fill, "clientOrderId"> & {
  readonly clientOrderId: string | undefined;
  /** As in OrderRecord. */
  readonly status: string | undefined;
  /** The quote leg is quantity x price: it confirms what an answer or the balances state, and states nothing itself. */
  readonly isProduct?: boolean;
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
  /** What it cost, if the list states it with its currency. */
  readonly spent?: Money | undefined;
  readonly fee?: Money | undefined;
};

/** A rail in the venue's list, which may show parts of the request. */
export type RailRecord = Rail & { readonly request?: Partial<Omit<RailRequest, "sender">> };

export type Payment = {
  readonly railId: string | undefined;
  readonly paymentId: string | undefined;
  readonly status: string;
  readonly amount: Money | undefined;
  /** The fee that the venue takes off the amount; absent if its list does not state it. */
  readonly fee?: Money | undefined;
  /** The amount is what arrived; what left is not stated. */
  readonly isNet?: boolean;
  /** Why these amounts have more than one meaning, or none. */
  readonly odd?: string | undefined;
  /** Only whether the amount is with or without the fee is not known. */
  readonly isEither?: boolean;
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
  /** An observed capability: fails with `not-available` if the venue lacks it. */
  quotes(want: Want): Promise<Reading<readonly Quote[]>>;
  balances(want: Want): Promise<Reading<readonly Balance[]>>;
  orders(want: Want): Promise<Reading<readonly OrderRecord[]>>;
  trades(want: Want): Promise<Reading<readonly TradeRecord[]>>;
  rails(want: Want): Promise<Reading<readonly RailRecord[]>>;
  payments(want: Want): Promise<Reading<readonly Payment[]>>;
  supplyChanges(asset: Asset, want: Want): Promise<Reading<readonly SupplyChange[]>>;
  withdrawAddresses(want: Want): Promise<Reading<readonly WithdrawAddress[]>>;
  /** An observed capability, like quotes. */
  depositAddress(asset: Asset, blockchain: string, want: Want): Promise<Reading<string>>;
  addOrder(order: OutgoingOrder, want: MoneyWant): Promise<Outcome<Fill>>;
  mintTokens(mint: MintRequest, want: MoneyWant): Promise<Outcome<MintReceipt>>;
  addPaymentRail(rail: RailRequest, want: MoneyWant): Promise<Outcome<Rail>>;
}
