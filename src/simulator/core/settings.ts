// Every choice of the simulated operator that a client could observe, as a switch with its default. docs/SIMULATOR.md
// explains the defaults.

import type { FillsAt } from "../../domain/order.ts";
import {
  DEMO_MARKET,
  type DealerParameters,
  type MarketParameters,
  type VenueParameters,
} from "../market/parameters.ts";
import type { OrderErrorCode } from "./refusal.ts";

export type VenueSettings = {
  readonly seed: number;
  /** The error code of a FOK that cannot fill: the contract names only the kind, the other code was observed. */
  readonly fokErrorCode: OrderErrorCode & ("fok_not_fillable" | "non_marketable_fok_limit_price");
  readonly fillsAt: FillsAt;
  /** A limit further than this from the dealer's price is refused as a typing error. */
  readonly priceBandBps: number;
  readonly duplicateClientOrderId: "allow" | "refuse";
  readonly killedOrdersListed: boolean;
  readonly historyPageMax: number;
  /** Rows kept per account and kind; older ones are dropped. */
  readonly historyRetainedMax: number;
  /** Postings kept in the ledger's dump; the totals of the pockets are always complete. */
  readonly postingsRetainedMax: number;
  readonly quotesShown: boolean;
  /** Minimum issuance in GBP, valued at the market's FX mid; undefined switches the rule off. */
  readonly mintMinimum: string | undefined;
  /** The field of mintTokens that names an external wallet; undefined: none does. */
  readonly mintDestination: string | undefined;
  /** The field of mintTokens that names the asset that pays; undefined: none does. */
  readonly mintFundingField: string | undefined;
  readonly mintFeeBps: number;
  readonly settlement: {
    readonly medianMs: number;
    readonly sigma: number;
    readonly minMs: number;
    readonly maxMs: number;
  };
  /** The fee of a payment into the caller's own balance: a fixed amount plus basis points of the payment. */
  readonly accountPaymentFee: { readonly fixed: string; readonly bps: number };
  /** Whether the list of payments states fees. */
  readonly paymentFeeStated: boolean;
  readonly faults: VenueFaults;
  /** How the dealer shows and makes prices, and reacts to trades. */
  readonly dealing: DealerParameters;
  /** Outages, failing requests and slow settlements. */
  readonly operation: VenueParameters;
};

/** The faults of the core. Chances are per event, drawn from the seed. */
export type VenueFaults = {
  readonly publicationDelay: ChancedDelay;
  readonly balanceLagMs: number;
  readonly mintHoldChance: number;
  readonly railHoldChance: number;
};

export type ChancedDelay = { readonly chance: number; readonly minMs: number; readonly maxMs: number };

const NEVER: ChancedDelay = { chance: 0, minMs: 0, maxMs: 0 };

const NO_FAULTS: VenueFaults = {
  publicationDelay: NEVER,
  balanceLagMs: 0,
  mintHoldChance: 0,
  railHoldChance: 0,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What a scenario says about the venue. */
export function settingsIn({
  dealing,
  venue,
}: MarketParameters): Pick<VenueSettings, "dealing" | "operation" | "quotesShown"> {
  return { dealing, operation: venue, quotesShown: venue.quotesShown };
}

export const DEFAULT_SETTINGS: VenueSettings = {
  seed: 1,
  fokErrorCode: "fok_not_fillable",
  fillsAt: "price",
  priceBandBps: 500,
  duplicateClientOrderId: "allow",
  killedOrdersListed: true,
  historyPageMax: 100,
  historyRetainedMax: 1_000,
  postingsRetainedMax: 10_000,
  quotesShown: true,
  mintMinimum: "100000",
  mintDestination: "destination",
  mintFundingField: undefined,
  mintFeeBps: 0,
  settlement: { medianMs: 3 * HOUR, sigma: 0.25, minMs: HOUR, maxMs: 12 * HOUR },
  accountPaymentFee: { fixed: "0", bps: 0 },
  paymentFeeStated: true,
  faults: NO_FAULTS,
  dealing: DEMO_MARKET.dealing,
  operation: DEMO_MARKET.venue,
};
