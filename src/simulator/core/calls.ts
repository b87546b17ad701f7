// The two sides of the venue's core: the API calls, and the portal where people act by hand. The HTTP server and the
// backtests are built on these.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Quantity } from "../../domain/money/money.ts";
import type { OutgoingOrder } from "../../exchange/port.ts";
import type {
  AddressRow,
  AssetListing,
  BalanceRow,
  FloatQuote,
  MintRow,
  Moment,
  OrderRow,
  Pair,
  PaymentRow,
  PostingRow,
  Product,
  RailRow,
  SupplyRow,
  TradeRow,
} from "./record.ts";
import type { Answer, Form } from "./refusal.ts";
import type { VenueFaults } from "./settings.ts";

/** The API calls. An unregistered key gets `signature_failure`. */
export interface VenueCalls {
  assets(): readonly AssetListing[];
  pairs(): readonly Pair[];
  /** Refused with `not_available` where the switch hides quotes; a pair without a price is left out. */
  quotes(moment: Moment): Answer<readonly FloatQuote[]>;
  balances(key: string, moment: Moment): Answer<readonly BalanceRow[]>;
  /** From text fields, as in the HTTP call: timestamp, clordid, symbol, side, ordtype, timeinforce, orderqty, price. */
  addOrder(key: string, form: Form, moment: Moment): Answer<OrderRow>;
  /** The same order in domain types: the inner loop of backtests. */
  placeOrder(key: string, order: OutgoingOrder, moment: Moment): Answer<OrderRow>;
  /** A list call takes the filters that docs/guides/simulator.md names. */
  orders(key: string, moment: Moment, form?: Form): Answer<readonly OrderRow[]>;
  trades(key: string, moment: Moment, form?: Form): Answer<readonly TradeRow[]>;
  /** Fields: asset, blockchain, quantity; optional destination (a whitelisted wallet). */
  mintTokens(key: string, form: Form, moment: Moment): Answer<MintRow>;
  /** Mints, and the redemptions of off-ramps. */
  supplyChanges(key: string, form: Form, moment: Moment): Answer<readonly SupplyRow[]>;
  /** The parsed JSON body; its shape is not assumed. */
  addPaymentRail(key: string, body: unknown, moment: Moment): Answer<RailRow>;
  rails(key: string, moment: Moment, form?: Form): Answer<readonly RailRow[]>;
  payments(key: string, moment: Moment, form?: Form): Answer<readonly PaymentRow[]>;
  withdrawAddresses(key: string, form?: Form): Answer<readonly AddressRow[]>;
  /** Fields: asset, blockchain. */
  depositAddress(key: string, form: Form): Answer<string>;
}

/** The actions that people take by hand at the real service. */
export interface VenuePortal {
  /** Creates an account with nothing cleared; a known key is left unchanged. */
  registerKey(key: string): Answer<void>;
  knows(key: string): boolean;
  accountCount(): number;
  clearKyb(key: string, cleared: boolean): Answer<void>;
  signAgreement(key: string, product: Product, signed: boolean): Answer<void>;
  /** Money arrives from outside: a wire, or coins at the deposit address. */
  credit(key: string, asset: Asset, amount: Quantity, moment: Moment): Answer<void>;
  whitelist(key: string, row: AddressRow): Answer<void>;
  /** `id`: the requestid of a mint or the railid of a rail (its payments wait with it). Each has its own reasons. */
  hold(id: string, held: boolean, moment: Moment, reason?: string): Answer<void>;
  /** Money arrives on a rail: fiat on an on-ramp, tokens from the account's balance on an off-ramp. */
  pay(railId: string, amount: Quantity, moment: Moment): Answer<PaymentRow>;
  /** A pair as another venue lists it, with its assets. */
  list(pair: Pair): void;
  listAsset(asset: Asset): void;
  setPair(symbol: PairSymbol, change: Partial<Omit<Pair, "symbol" | "base" | "quote">>): Answer<void>;
  setFaults(faults: Partial<VenueFaults>): void;
  faults(): VenueFaults;
  /** The postings of one account, or of all; the oldest may have been dropped (see the settings). */
  ledger(key?: string): readonly PostingRow[];
}
