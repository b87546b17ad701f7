// The two sides of the venue's core: the calls of the API, and the portal where people act by hand. The HTTP server and
// the backtests stand on these.

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
  OrderReceipt,
  OrderRow,
  Pair,
  PaymentRow,
  PostingRow,
  Product,
  RailRow,
  TradeRow,
  VenueQuote,
} from "./record.ts";
import type { Answer, Form } from "./refusal.ts";
import type { VenueFaults } from "./settings.ts";

/** The calls of the API. A key that is not registered gets `signature_failure`. */
export interface VenueCalls {
  assets(): readonly AssetListing[];
  pairs(): readonly Pair[];
  /** Refused with `not_available` where the switch hides them; a pair without a price is left out. */
  quotes(moment: Moment): Answer<readonly VenueQuote[]>;
  /** The same quotes as floats: the inner loop of backtests. */
  floatQuotes(moment: Moment): Answer<readonly FloatQuote[]>;
  balances(key: string, moment: Moment): Answer<readonly BalanceRow[]>;
  /** From text, as the HTTP call sends it: timestamp, clordid, symbol, side, ordtype, timeinforce, orderqty, price. */
  addOrder(key: string, form: Form, moment: Moment): Answer<OrderReceipt>;
  /** The same order in domain types: the inner loop of backtests. */
  placeOrder(key: string, order: OutgoingOrder, moment: Moment): Answer<OrderReceipt>;
  /** The result of an order that was `executing`, once its time has come; undefined before that. */
  outcome(orderId: string, moment: Moment): OrderRow | undefined;
  orders(key: string, moment: Moment): Answer<readonly OrderRow[]>;
  trades(key: string, moment: Moment): Answer<readonly TradeRow[]>;
  /** asset, blockchain, quantity; optional destination (a whitelisted wallet). */
  mintTokens(key: string, form: Form, moment: Moment): Answer<MintRow>;
  supplyChanges(key: string, form: Form, moment: Moment): Answer<readonly MintRow[]>;
  /** The JSON body as parsed; nothing about its shape is assumed. */
  addPaymentRail(key: string, body: unknown, moment: Moment): Answer<RailRow>;
  rails(key: string, moment: Moment): Answer<readonly RailRow[]>;
  payments(key: string, moment: Moment): Answer<readonly PaymentRow[]>;
  withdrawAddresses(key: string): Answer<readonly AddressRow[]>;
  /** asset, blockchain. */
  depositAddress(key: string, form: Form): Answer<string>;
}

/** What people do by hand at the real service. */
export interface VenuePortal {
  /** A new account with nothing cleared; again for a known key changes nothing. */
  registerKey(key: string): Answer<void>;
  /** Is this key registered? */
  knows(key: string): boolean;
  accountCount(): number;
  clearKyb(key: string, cleared: boolean): Answer<void>;
  signAgreement(key: string, product: Product, signed: boolean): Answer<void>;
  /** Money arrives from outside: a wire, or coins at the deposit address. */
  credit(key: string, asset: Asset, amount: Quantity, moment: Moment): Answer<void>;
  whitelist(key: string, row: AddressRow): Answer<void>;
  /** By requestid of a mint or railid of a rail (its payments wait with it). */
  hold(id: string, held: boolean, moment: Moment): Answer<void>;
  /** Money arrives on a rail: fiat on an on-ramp; on an off-ramp tokens out of the account's balance. */
  pay(railId: string, amount: Quantity, moment: Moment): Answer<PaymentRow>;
  setPair(symbol: PairSymbol, change: Partial<Omit<Pair, "symbol" | "base" | "quote">>): Answer<void>;
  setFaults(faults: Partial<VenueFaults>): void;
  faults(): VenueFaults;
  /** Postings of one account, or all; the oldest may have been forgotten (settings). */
  ledger(key?: string): readonly PostingRow[];
}
