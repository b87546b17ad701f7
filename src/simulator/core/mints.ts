// Issuance: a mint spends fiat, or BTC or ETH converted first, and its tokens arrive hours later in the caller's
// balance or in a whitelisted wallet. Until then they are in `pending`; compliance can hold a mint for any length of
// time.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import { uuid } from "./chance.ts";
import { rememberOpen } from "./history.ts";
import type { AssetListing, MintRow, Moment } from "./record.ts";
import { type Answer, type Form, refused } from "./refusal.ts";
import { createSettling, heldOrPending, MINT_HOLDS, type Settling, settlesAt } from "./settlement.ts";
import { admittedTo, issuedOn, isUsable, QUANTITY_MAX, type VenueCore } from "./venue-core.ts";

const MINT_DECIMALS = 6;
const MINIMUM_IN = "GBP" as Asset;
/** The first that covers the whole cost pays it. */
const FUNDING = ["fiat", "BTC" as Asset, "ETH" as Asset] as const;
/** Of the provider that converts BTC or ETH into fiat first. */
const CONVERSION_SPREAD_BPS = 30;

export interface Mints extends Pick<Settling, "advance"> {
  mint(key: string, form: Form, moment: Moment): Answer<MintRow>;
  /** Undefined when no mint has this id. */
  hold(requestId: string, held: boolean, moment: Moment, reason?: string): Answer<void> | undefined;
}

/** A mint request that passed all checks. */
type Granted = Pick<MintRow, "asset" | "blockchain" | "quantity" | "destination" | "spent" | "fee"> & {
  readonly account: Account;
};

export function createMints(core: VenueCore): Mints {
  const settle = (account: Account, row: MintRow, at: Millis): void => arrive(core, account, row, at);
  const settling = createSettling(core.accounts, mintsOf, settle);
  return {
    mint(key, form, moment) {
      const granted = grant(core, key, form, moment.venue);
      if (!granted.ok) return granted;
      const { account, ...asked } = granted.value;
      const row = rowOf(core, asked, moment);
      begin(core, account, row);
      settling.begun(row);
      return { ok: true, value: row };
    },
    hold(requestId, held, moment, reason) {
      for (const account of core.accounts.values()) {
        const index = account.mints.findIndex((row) => row.requestId === requestId);
        const row = account.mints[index];
        if (row === undefined) continue;
        if (row.status === "settled") return refused("bad_request", "the mint has settled");
        const changed = heldOrPending(held, MINT_HOLDS, reason);
        if (typeof changed === "string") return refused("bad_request", changed);
        account.mints[index] = { ...row, ...changed };
        settling.changed();
        settling.advance(moment);
        return { ok: true, value: undefined };
      }
      return undefined;
    },
    advance: settling.advance,
  };
}

function grant(core: VenueCore, key: string, form: Form, at: Millis): Answer<Granted> {
  const account = admittedTo(core, key, "issuance");
  if (!account.ok) return account;
  const issued = issuedOn(core, form.asset, form.blockchain);
  if (typeof issued === "string") return refused("bad_request", issued);
  const { listing, chain } = issued;
  const parsed = quantityOf(form);
  if (!parsed.ok) return parsed;
  const quantity = parsed.value;
  const short = belowMinimum(core, listing, quantity, at);
  if (short !== undefined) return refused("min_amount_below_threshold", short);
  const destination = (core.settings.mintDestination && form[core.settings.mintDestination]) || undefined;
  if (destination !== undefined && !isUsable(account.value, listing.asset, chain.blockchain, destination))
    return refused("external_wallet_not_whitelisted", "destination must be whitelisted, confirmed and documented");
  if (destination !== undefined && quantity.atMost(chain.networkFee))
    return refused("bad_request", `quantity must be more than the network fee ${chain.networkFee}`);
  const wanted = (core.settings.mintFundingField && form[core.settings.mintFundingField]) || undefined;
  const funding = fundingOf(core, account.value, quantity.of(listing.reference), at, wanted);
  if (funding === undefined)
    return refused(
      "bad_request",
      `no balance ${wanted === undefined ? "" : `of ${wanted} `}covers a mint of ${quantity}`,
    );
  if (funding.spent.asset !== listing.reference && !account.value.agreements.conversion)
    return refused("agreement_missing", `the services agreement for conversion is not signed: ${funding.spent.asset}`);
  const { asset } = listing;
  const { blockchain } = chain;
  return { ok: true, value: { account: account.value, asset, blockchain, quantity, destination, ...funding } };
}

function quantityOf(form: Form): Answer<Quantity> {
  const quantity = Quantity.parse(form.quantity, "positive");
  if (!quantity.ok) return refused("bad_request", `quantity: ${quantity.error}`);
  if (!quantity.value.fits(MINT_DECIMALS))
    return refused("bad_request", `quantity must have at most ${MINT_DECIMALS} decimals`);
  if (quantity.value.moreThan(QUANTITY_MAX)) return refused("bad_request", `quantity must be at most ${QUANTITY_MAX}`);
  return quantity;
}

function rowOf({ chance, faults, settings }: VenueCore, asked: Omit<Granted, "account">, moment: Moment): MintRow {
  return {
    requestId: uuid(chance, "mint-id"),
    transactionId: `0x${chance.hex("transaction-id", 64)}`,
    ...asked,
    ...(chance.occurs("mint-hold", faults.mintHoldChance)
      ? { status: "held", reason: chance.pick("mint-hold-reason", MINT_HOLDS) }
      : { status: "pending", reason: undefined }),
    at: moment.venue,
    settlesAt: settlesAt(chance, settings, moment.settlement),
  };
}

function begin({ ledger, pockets, settings }: VenueCore, account: Account, row: MintRow): void {
  const cause = { what: "mint", reference: row.requestId, at: row.at };
  const { asset } = row.spent;
  ledger.move(account.available(asset), pockets.inFlight(asset), row.spent, cause);
  if (row.destination === undefined)
    ledger.move(pockets.issuer(row.asset), account.pending(row.asset), row.quantity.of(row.asset), cause);
  account.mints = rememberOpen(account.mints, row, settings.historyRetainedMax, isOpen);
}

function arrive(core: VenueCore, account: Account, row: MintRow, at: Millis): void {
  const { ledger, pockets } = core;
  const cause = { what: "mint settled", reference: row.requestId, at };
  const inFlight = pockets.inFlight(row.spent.asset);
  ledger.move(inFlight, pockets.fees(row.fee.asset), row.fee, cause);
  ledger.move(inFlight, pockets.dealer(row.spent.asset), row.spent.minus(row.fee), cause);
  const tokens = row.quantity.of(row.asset);
  if (row.destination === undefined) {
    ledger.move(account.pending(row.asset), account.available(row.asset), tokens, cause);
    return;
  }
  const issuer = pockets.issuer(row.asset);
  const networkFee = networkFeeOf(core, row).of(row.asset);
  ledger.move(issuer, pockets.fees(row.asset), networkFee, cause);
  ledger.move(issuer, pockets.outside(row.asset), tokens.minus(networkFee), cause);
}

function networkFeeOf({ assets }: VenueCore, row: MintRow): Quantity {
  const chain = assets.get(row.asset)?.blockchains.find(({ blockchain }) => blockchain === row.blockchain);
  return chain?.networkFee ?? Quantity.zero;
}

function isOpen({ status }: MintRow): boolean {
  return status !== "settled";
}

function mintsOf(account: Account): MintRow[] {
  return account.mints;
}

// The cost of a mint and its funding: fiat, or BTC or ETH converted first.

/** `spent` includes the fee. */
type Funding = { readonly spent: Money; readonly fee: Money };
type Due = { readonly cost: Money; readonly fee: Money };

function belowMinimum(core: VenueCore, listing: AssetListing, quantity: Quantity, at: Millis): string | undefined {
  const { settings } = core;
  if (settings.mintMinimum === undefined) return undefined;
  const rate = exactRate(core, listing.reference, MINIMUM_IN, at);
  const minimum = Money.of(settings.mintMinimum, MINIMUM_IN);
  const worth = rate && quantity.of(listing.reference).valued(rate, MINIMUM_IN, "down");
  if (worth?.atLeast(minimum)) return undefined;
  return `a mint must be worth at least ${minimum} ${MINIMUM_IN}, was ${worth ?? "not to be valued now"}`;
}

/** The first source, in the operator's order, that covers the cost; only the wanted one, if the request names it. */
function fundingOf(
  core: VenueCore,
  { available }: Account,
  cost: Money,
  at: Millis,
  wanted: string | undefined,
): Funding | undefined {
  const { settings } = core;
  const fee = cost.share(settings.mintFeeBps, "up").rounded(8, "up");
  for (const source of FUNDING) {
    if (wanted !== undefined && wanted !== (source === "fiat" ? cost.asset : source)) continue;
    const funding = source === "fiat" ? { spent: cost.plus(fee), fee } : converted(core, source, { cost, fee }, at);
    if (funding !== undefined && available(funding.spent.asset).amount.atLeast(funding.spent)) return funding;
  }
  return undefined;
}

/** The cost in crypto, including the conversion provider's spread. */
function converted(core: VenueCore, crypto: Asset, { cost, fee }: Due, at: Millis): Funding | undefined {
  const price = exactRate(core, crypto, cost.asset, at)?.shifted(-CONVERSION_SPREAD_BPS, "down");
  if (price === undefined) return undefined;
  const of = (money: Money): Money => money.exchanged(price, crypto, "up").rounded(8, "up");
  return { spent: of(cost).plus(of(fee)), fee: of(fee) };
}

function exactRate({ market }: VenueCore, base: Asset, quote: Asset, at: Millis): Price | undefined {
  const rate = base === quote ? 1 : market.rate(base, quote, at);
  const price = rate === undefined ? undefined : Price.parse(rate.toFixed(8));
  return price?.ok ? price.value : undefined;
}
