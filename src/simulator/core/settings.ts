// Every choice of the simulated operator that a client could observe, as a switch with its default. docs/guides/simulator.md
// explains the defaults.

import type { FillsAt } from "../../domain/order.ts";
import { DEMO_MARKET, type MarketParameters } from "../market/parameters.ts";
import type { OrderErrorCode } from "./refusal.ts";

const HOUR = 3_600_000;

/** A delay that strikes by chance. */
export type ChancedDelay = { readonly chance: number; readonly minMs: number; readonly maxMs: number };

const NEVER: ChancedDelay = { chance: 0, minMs: 0, maxMs: 0 };

/** The faults of the core. Chances are per event, drawn from the seed. */
const NO_FAULTS = { publicationDelay: NEVER, balanceLagMs: 0, mintHoldChance: 0, railHoldChance: 0 };

export type VenueFaults = Readonly<typeof NO_FAULTS>;

const DEFAULTS = {
  seed: 1,
  /** The error code of a FOK that cannot fill: the contract names only the kind, the other code was observed. */
  fokErrorCode: "fok_not_fillable" as OrderErrorCode & ("fok_not_fillable" | "non_marketable_fok_limit_price"),
  fillsAt: "price" as FillsAt,
  /** A limit further than this from the dealer's price is refused as a typing error. */
  priceBandBps: 500,
  duplicateClientOrderId: "allow" as "allow" | "refuse",
  killedOrdersListed: true,
  historyPageMax: 100,
  /** Rows kept per account and kind; older ones are dropped. */
  historyRetainedMax: 1_000,
  /** Postings kept in the ledger's dump; the totals of the pockets are always complete. */
  postingsRetainedMax: 10_000,
  quotesShown: true,
  /** Minimum issuance in GBP, valued at the market's FX mid; undefined switches the rule off. */
  mintMinimum: "100000" as string | undefined,
  /** The field of mintTokens that names an external wallet; undefined: none does. */
  mintDestination: "destination" as string | undefined,
  /** The field of mintTokens that names the asset that pays; undefined: none does. */
  mintFundingField: undefined as string | undefined,
  mintFeeBps: 0,
  settlement: { medianMs: 3 * HOUR, sigma: 0.25, minMs: HOUR, maxMs: 12 * HOUR },
  /** The fee of a payment into the caller's own balance: a fixed amount plus basis points of the payment. */
  accountPaymentFee: { fixed: "0", bps: 0 },
  /** Whether the list of payments states fees. */
  paymentFeeStated: true,
  faults: NO_FAULTS as VenueFaults,
  /** How the dealer shows and makes prices, and reacts to trades. */
  dealing: DEMO_MARKET.dealing,
  /** Outages, failing requests and slow settlements. */
  operation: DEMO_MARKET.venue,
};

export type VenueSettings = Readonly<typeof DEFAULTS>;

export const DEFAULT_SETTINGS: VenueSettings = DEFAULTS;

/** What a scenario says about the venue. */
export function settingsIn({
  dealing,
  venue,
}: MarketParameters): Pick<VenueSettings, "dealing" | "operation" | "quotesShown"> {
  return { dealing, operation: venue, quotesShown: venue.quotesShown };
}
