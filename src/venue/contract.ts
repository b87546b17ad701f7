// The contract of the library: what it is opened with, its calls, and what each returns. Refused, rejected and unknown are
// values; a VenueError is thrown where there is no venue to call, or no journal to write to any more.

import type { Balance } from "../domain/balance.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Fill, Side } from "../domain/order.ts";
import type { Quote } from "../domain/quote.ts";
import type { Party, Rail, RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { KeySource } from "../exchange/key/load.ts";
import type {
  ListedAsset,
  OrderRecord,
  Payment,
  RailRecord,
  SupplyChange,
  TradeRecord,
  WithdrawAddress,
} from "../exchange/port.ts";
import type { ProfileSetting } from "../exchange/profile.ts";

export type VenueOptions = {
  /** Ends in /api/v1/. */
  readonly url: string;
  readonly key: KeySource;
  /** `contract` unless set. */
  readonly profile?: ProfileSetting;
  /** The folder of the journal. Money calls need it. */
  readonly state?: string;
  /** The venue's environment that the key belongs to. Without it the venue must be on this machine, and counts as simulated. */
  readonly environment?: "test" | "production";
  readonly limits?: VenueLimits;
  /** HTTP proxy, and a PEM file of the authority that signed the venue's certificate. */
  readonly proxy?: string;
  readonly authority?: string;
};

/** Amounts are decimal texts. A limit that is left out does not hold, except where it says so. */
export type VenueLimits = {
  /** Base units of one order by pair; with it every other pair is refused. */
  readonly orderQuantityMax?: Readonly<Record<string, string>>;
  readonly ordersPerMinuteMax?: number;
  /** The highest fee of an order, which is reserved with it, and of a mint; 100 unless set. */
  readonly feeBpsMax?: number;
  /** Of one mint by coin; a coin that is not named is not minted. */
  readonly mintMax?: Readonly<Record<string, string>>;
  /** Wallets and bank accounts that mints and rails may name; none unless set. */
  readonly destinations?: readonly string[];
  /**
   * What the account is worth, in `currency` (CHF unless set). An order of unknown outcome that evidence shows to be
   * absent is released up to 1 % of it; without it a person decides.
   */
  readonly equity?: string;
  readonly currency?: string;
};

export type Failure = {
  /** Stable: `timeout`, `rate-limited`, `state-required`, `aborted`, or the rule that refused, such as RC17. */
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  /** The venue's own code, verbatim. */
  readonly venueCode?: string | undefined;
  /** What leads out. */
  readonly next?: string | undefined;
};

export type Reading<T> =
  /** `at`: when it came. `unread`: rows that cannot be read are not in the value. */
  | { readonly kind: "read"; readonly value: T; readonly at: Millis; readonly unread: readonly string[] }
  | { readonly kind: "failed"; readonly failure: Failure };

export type Filled = {
  readonly kind: "filled";
  readonly id: string;
  readonly fill: Fill;
  /** The trade history shows it. */
  readonly isConfirmed: boolean;
};
export type Minted = {
  readonly kind: "minted";
  readonly id: string;
  readonly mint: MintRecord;
  /** The coins have arrived. */
  readonly isSettled: boolean;
};
export type Registered = { readonly kind: "registered"; readonly id: string; readonly rail: Rail };
/** The venue refused it, or it did not fill. Code `released`: evidence shows that it never arrived. */
export type Rejected = { readonly kind: "rejected"; readonly id: string; readonly failure: Failure };
/** No byte left. */
export type NotSent = { readonly kind: "not-sent"; readonly id: string | undefined; readonly failure: Failure };
/** It may have happened. `settle` finds out, and `failure.next` says what to do where it cannot. */
export type Unknown = { readonly kind: "unknown"; readonly id: string; readonly failure: Failure };

export type OrderResult = Filled | Rejected | NotSent | Unknown;
export type MintResult = Minted | Rejected | NotSent | Unknown;
export type RailResult = Registered | Rejected | NotSent | Unknown;
export type MoneyResult = OrderResult | MintResult | RailResult;

export type NewOrder = {
  /** BASE/QUOTE */
  readonly symbol: string;
  readonly side: Side;
  /** Base units, and quote units for one of them: decimal texts on the grids of the pair. */
  readonly quantity: string;
  readonly limit: string;
  /** Not sent later than this after the call; 30,000 unless set. The first call of a process takes ten seconds to begin. */
  readonly lifetimeMs?: number;
  /** For the journal. */
  readonly reason?: string;
};

export type NewMint = {
  readonly asset: string;
  readonly blockchain: string;
  /** Less than one unit is taken off it, by which the mint is recognised. */
  readonly quantity: string;
  /** One of `limits.destinations`; the account unless set. */
  readonly destination?: string;
  readonly reason?: string;
};

export type NewRail = {
  readonly type: RailRequest["type"];
  readonly sender: Party;
  /** One of `limits.destinations`. */
  readonly destination: string;
  readonly memo?: string;
  readonly asset: string;
  readonly currency: string;
  readonly blockchain: string;
  readonly reason?: string;
};

/** Aborted before it is sent, a call sends nothing. After that a read ends as failed, a money call as unknown. */
export type CallOptions = { readonly signal?: AbortSignal };

type Read<T> = (options?: CallOptions) => Promise<Reading<T>>;

export interface Venue {
  readonly assets: Read<readonly ListedAsset[]>;
  readonly pairs: Read<readonly Instrument[]>;
  readonly quotes: Read<readonly Quote[]>;
  readonly balances: Read<readonly Balance[]>;
  readonly orders: Read<readonly OrderRecord[]>;
  readonly trades: Read<readonly TradeRecord[]>;
  readonly rails: Read<readonly RailRecord[]>;
  readonly payments: Read<readonly Payment[]>;
  readonly withdrawAddresses: Read<readonly WithdrawAddress[]>;
  supplyChanges(asset: string, options?: CallOptions): Promise<Reading<readonly SupplyChange[]>>;
  order(order: NewOrder, options?: CallOptions): Promise<OrderResult>;
  mint(mint: NewMint, options?: CallOptions): Promise<MintResult>;
  rail(rail: NewRail, options?: CallOptions): Promise<RailResult>;
  /** Asks the histories until the outcome is certain, a mint has arrived, or a person must decide. It sends nothing again. */
  settle(sent: MoneyResult, options?: CallOptions): Promise<MoneyResult>;
  /** What this journal has sent whose outcome is unknown or unconfirmed, of earlier processes too, and also where a person must decide. */
  unsettled(): readonly MoneyResult[];
  /** Waits for what is on its way. Nothing starts to leave after it. */
  close(): Promise<void>;
}

/**
 * `key-owned`: another owner has the key, and the message names it. `refused`: an option, a file or a binding is against a
 * rule. `failed`: disk, journal or network stack. `closed`: after `close`.
 */
export type VenueErrorCode = "key-owned" | "refused" | "failed" | "closed";

export class VenueError extends Error {
  override readonly name = "VenueError";
  readonly code: VenueErrorCode;
  readonly next: string | undefined;

  constructor(code: VenueErrorCode, message: string, next?: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}
