// The read-only calls: listings, quotes, balances and histories.

import type { Asset } from "../../domain/asset.ts";
import { Quantity } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { VenueCalls } from "./calls.ts";
import type { Dealer } from "./dealer.ts";
import { page } from "./history.ts";
import type {
  AddressRow,
  BalanceRow,
  FloatQuote,
  Moment,
  OrderRow,
  PaymentRow,
  Product,
  RailRow,
  SupplyRow,
  TradeRow,
} from "./record.ts";
import { type Answer, type Form, refused } from "./refusal.ts";
import { admittedTo, depositAddressOf, hexOf, shown, type VenueCore } from "./venue-core.ts";

type ReadingCalls = Omit<VenueCalls, "addOrder" | "placeOrder" | "outcome" | "mintTokens" | "addPaymentRail">;

export function readingCalls(core: VenueCore, dealer: Dealer, advance: (moment: Moment) => Moment): ReadingCalls {
  const { settings } = core;

  function list<R>({ product, filters, pageOf }: List<R>) {
    return (key: string, moment: Moment, form?: Form): Answer<readonly R[]> => {
      const { venue } = advance(moment);
      const account = admittedTo(core, key, product);
      if (!account.ok) return account;
      const isWanted = form === undefined ? ALL : wantedBy(core, form, filters);
      return isWanted.ok ? { ok: true, value: pageOf(account.value, venue, isWanted.value) } : isWanted;
    };
  }

  function quotes(moment: Moment): Answer<readonly FloatQuote[]> {
    if (!settings.quotesShown) return refused("not_available", "there are no quotes here");
    const { venue } = advance(moment);
    const rows: FloatQuote[] = [];
    for (const pair of core.pairs.values()) {
      const quote = pair.status === "online" ? dealer.quote(pair, venue) : undefined;
      if (quote !== undefined) rows.push(quote);
    }
    return { ok: true, value: rows };
  }

  const supplyChanges = list<SupplyRow>({
    product: "issuance",
    filters: {
      requestid: ({ requestId }) => requestId,
      txid: ({ transactionId }) => transactionId,
      asset: assetOf,
    },
    pageOf: (account, _, isWanted) => page(supplyOf(core, account), settings, isWanted),
  });

  return {
    assets: () => [...core.assets.values()],
    pairs: () => [...core.pairs.values()],
    quotes,
    balances(key, moment) {
      const { venue } = advance(moment);
      const account = admittedTo(core, key);
      return account.ok ? { ok: true, value: balancesOf(core, account.value, venue) } : account;
    },
    orders: list({
      ...{ product: "conversion", filters: ORDER_FILTERS },
      pageOf: ({ orders }, at, isWanted) => orders.page(at, isWanted),
    }),
    trades: list<TradeRow>({
      ...{ product: "conversion", filters: ORDER_FILTERS },
      pageOf: ({ trades }, at, isWanted) => trades.page(at, isWanted),
    }),
    supplyChanges: (key, form, moment) => supplyChanges(key, moment, form),
    rails: list<RailRow>({
      ...{ product: "issuance", filters: { railid: ({ railId }) => railId } },
      pageOf: ({ rails }, _, isWanted) => page(rails, settings, isWanted),
    }),
    payments: list<PaymentRow>({
      product: "issuance",
      filters: { railid: ({ railId }) => railId },
      pageOf: ({ payments }, _, isWanted) => page(payments, settings, isWanted),
    }),
    withdrawAddresses(key, form = {}) {
      const account = admittedTo(core, key);
      if (!account.ok) return account;
      const isWanted = wantedBy<AddressRow>(core, form, { asset: assetOf, blockchain: chainOf });
      return isWanted.ok
        ? { ok: true, value: account.value.addresses.filter(isWanted.value ?? (() => true)) }
        : isWanted;
    },
    depositAddress(key, form) {
      const account = admittedTo(core, key);
      if (!account.ok) return account;
      const listing = core.assets.get(form.asset ?? "");
      if (listing === undefined)
        return refused("unknown_asset", `asset must be a listed one, was ${shown(form.asset)}`);
      const chain = listing.blockchains.find(({ blockchain, active }) => blockchain === form.blockchain && active);
      if (chain === undefined)
        return refused(
          "bad_request",
          `blockchain must be an active one of ${listing.asset}, was ${shown(form.blockchain)}`,
        );
      return { ok: true, value: depositAddressOf(settings.seed, key, listing.asset, chain.blockchain) };
    },
  };
}

/** A list of an account: the agreement it needs, and its filters, each with the text that a row has for it. */
type List<R> = {
  readonly product: Product;
  readonly filters: Filters<R>;
  pageOf(account: Account, at: Millis, isWanted: IsWanted<R> | undefined): readonly R[];
};
type IsWanted<R> = (row: R) => boolean;
type Filters<R> = Readonly<Record<string, (row: R) => string>>;

const ALL = { ok: true, value: undefined } as const;
const assetOf = ({ asset }: { readonly asset: Asset }): string => asset;
const chainOf = ({ blockchain }: { readonly blockchain: string }): string => blockchain;
const ORDER_FILTERS: Filters<OrderRow> = {
  clordid: ({ clientOrderId }) => clientOrderId,
  ordid: ({ orderId }) => orderId,
};

/** A mistyped filter is refused: ignored, it would answer with rows that were not asked for. */
function wantedBy<R>(core: VenueCore, form: Form, filters: Filters<R>): Answer<IsWanted<R> | undefined> {
  const tests: IsWanted<R>[] = [];
  for (const [name, text] of Object.entries(form)) {
    const read = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (read === undefined)
      return refused("bad_request", `a filter must be ${Object.keys(filters).join(", ")}, was ${shown(name)}`);
    if (!text) continue;
    if (name === "asset" && !core.assets.has(text))
      return refused("unknown_asset", `asset must be a listed one, was ${shown(text)}`);
    tests.push((row) => read(row) === text);
  }
  return tests.length === 0 ? ALL : { ok: true, value: (row) => tests.every((isWanted) => isWanted(row)) };
}

/** Mints and redemptions in the order of time. */
function supplyOf({ settings }: VenueCore, { mints, rails, payments }: Account): readonly SupplyRow[] {
  const offRamps = new Map(rails.flatMap((rail) => (rail.type === "StablecoinToFiat" ? [[rail.railId, rail]] : [])));
  const redemptions = payments.flatMap(({ paymentId, railId, received, ...payment }): SupplyRow[] => {
    const rail = offRamps.get(railId);
    if (rail === undefined) return [];
    const { asset, blockchain, destination } = rail;
    const requestId = paymentId;
    const transactionId = hexOf(settings.seed, `redemption:${paymentId}`, 64);
    const row = { ...payment, requestId, transactionId, asset, blockchain, destination, spent: received };
    const reason = payment.status === "held" ? rail.reason : undefined;
    return [{ ...row, quantity: Quantity.of(String(received)), reason, isRedemption: true }];
  });
  return redemptions.length === 0 ? mints : [...mints, ...redemptions].sort((a, b) => a.at - b.at);
}

/** With the balance lag fault, the balances of an earlier time. */
function balancesOf({ ledger, faults, assets }: VenueCore, account: Account, at: Millis): readonly BalanceRow[] {
  const shownAt = millis(at - faults.balanceLagMs);
  return ([...assets.keys()] as Asset[]).map((asset) => ({
    asset,
    available: ledger.heldAt(account.available(asset), shownAt),
    pending: ledger.heldAt(account.pending(asset), shownAt),
  }));
}
