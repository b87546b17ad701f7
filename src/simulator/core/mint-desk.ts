// Issuance: a mint spends fiat, or BTC or ETH converted first, and its tokens arrive hours later in the caller's balance
// or in a whitelisted wallet. Until then they stand in `pending`; compliance can hold it for as long as it likes.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { Answer, Form } from "./answer.ts";
import { uuid } from "./chance.ts";
import { rememberOpen } from "./history.ts";
import { admittedTo, type House, issuedOn, isUsable, QUANTITY_MAX, whyFull } from "./house.ts";
import type { AssetListing, MintRow, Moment } from "./record.ts";
import { refused } from "./refusal.ts";
import { nextSettlement, settleDue, settlesAt } from "./settlement.ts";

export interface MintDesk {
  mint(key: string, form: Form, moment: Moment): Answer<MintRow>;
  /** Undefined when no mint has this id. */
  hold(requestId: string, held: boolean, moment: Moment): Answer<void> | undefined;
  isDue(moment: Moment): boolean;
  advance(moment: Moment): void;
}

type Funding = { readonly spent: Money; readonly fee: Money };

export function createMintDesk(house: House): MintDesk {
  const { settings, ledger, pockets, chance, market } = house;
  let nextDue = dueOf();

  function mint(key: string, form: Form, moment: Moment): Answer<MintRow> {
    const account = admittedTo(house, key, "issuance");
    if (!account.ok) return account;
    const issued = issuedOn(house, form.asset, form.blockchain);
    if (typeof issued === "string") return refused("bad_request", issued);
    const { listing, chain } = issued;
    const quantity = Quantity.parse(form.quantity, "positive");
    if (!quantity.ok) return refused("bad_request", `quantity: ${quantity.error}`);
    if (!quantity.value.fits(settings.mintDecimals))
      return refused("bad_request", `quantity must have at most ${settings.mintDecimals} decimals`);
    if (quantity.value.moreThan(QUANTITY_MAX))
      return refused("insufficient_funds", `quantity must be at most ${QUANTITY_MAX}`);
    const short = belowMinimum(listing, quantity.value, moment.venue);
    if (short !== undefined) return refused("min_amount_below_threshold", short);
    const destination = form.destination || undefined;
    if (destination !== undefined && !isUsable(account.value, listing.asset, chain.blockchain, destination))
      return refused("external_wallet_not_whitelisted", "destination must be whitelisted, confirmed and documented");
    if (destination !== undefined && quantity.value.atMost(chain.networkFee))
      return refused("bad_request", `quantity must be more than the network fee ${chain.networkFee}`);
    const funding = fundingOf(account.value, listing, quantity.value, moment.venue);
    if (funding === undefined) return refused("insufficient_funds", `no balance covers a mint of ${quantity.value}`);
    const full = whyFull(house, "mints on their way", account.value.mints, isOpen);
    if (full !== undefined) return refused("limit_reached", full);
    const row: MintRow = {
      requestId: uuid(chance, "mint-id"),
      transactionId: `0x${chance.hex("transaction-id", 64)}`,
      asset: listing.asset,
      blockchain: chain.blockchain,
      quantity: quantity.value,
      destination,
      ...funding,
      ...(chance.occurs("mint-hold", house.faults.mintHoldChance) ? HELD : PENDING),
      at: moment.venue,
      settlesAt: settlesAt(chance, settings, moment.settlement),
    };
    begin(account.value, row, moment.venue);
    return { ok: true, value: row };
  }

  function belowMinimum(listing: AssetListing, quantity: Quantity, at: Millis): string | undefined {
    if (settings.mintMinimum === undefined) return undefined;
    const currency = settings.mintMinimumCurrency;
    const rate = exactRate(listing.reference, currency, at);
    const minimum = Money.of(settings.mintMinimum, currency);
    const worth = rate && quantity.of(listing.reference).valued(rate, currency, "down");
    if (worth?.atLeast(minimum)) return undefined;
    return `a mint must be worth at least ${minimum} ${currency}, was ${worth ?? "not to be valued now"}`;
  }

  function fundingOf(account: Account, listing: AssetListing, quantity: Quantity, at: Millis): Funding | undefined {
    const cost = quantity.of(listing.reference);
    const fee = cost.share(settings.mintFeeBps, "up").rounded(8, "up");
    for (const source of settings.mintFunding) {
      const funding = source === "fiat" ? { spent: cost.plus(fee), fee } : converted(source, cost, fee, at);
      if (funding !== undefined && account.available(funding.spent.asset).amount.atLeast(funding.spent)) return funding;
    }
    return undefined;
  }

  /** What it costs in crypto: the provider keeps his spread. */
  function converted(crypto: Asset, cost: Money, fee: Money, at: Millis): Funding | undefined {
    const price = exactRate(crypto, cost.asset, at)?.shifted(-settings.conversionSpreadBps, "down");
    if (price === undefined) return undefined;
    const of = (money: Money): Money => money.exchanged(price, crypto, "up").rounded(8, "up");
    return { spent: of(cost).plus(of(fee)), fee: of(fee) };
  }

  function exactRate(base: Asset, quote: Asset, at: Millis): Price | undefined {
    const rate = base === quote ? 1 : market.rate(base, quote, at);
    const price = rate === undefined ? undefined : Price.parse(rate.toFixed(8));
    return price?.ok ? price.value : undefined;
  }

  function begin(account: Account, row: MintRow, at: Millis): void {
    const cause = { what: "mint", reference: row.requestId, at };
    const { asset } = row.spent;
    ledger.move(account.available(asset), pockets.inFlight(asset), row.spent, cause);
    if (row.destination === undefined)
      ledger.move(pockets.issuer(row.asset), account.pending(row.asset), row.quantity.of(row.asset), cause);
    account.mints = rememberOpen(account.mints, row, settings.historyRetainedMax, isOpen);
    nextDue = Math.min(nextDue, row.status === "pending" ? row.settlesAt : Number.POSITIVE_INFINITY);
  }

  function settle(account: Account, row: MintRow, at: Millis): void {
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
    const networkFee = networkFeeOf(row).of(row.asset);
    ledger.move(issuer, pockets.fees(row.asset), networkFee, cause);
    ledger.move(issuer, pockets.outside(row.asset), tokens.minus(networkFee), cause);
  }

  function networkFeeOf(row: MintRow): Quantity {
    const chain = house.assets.get(row.asset)?.blockchains.find(({ blockchain }) => blockchain === row.blockchain);
    return chain?.networkFee ?? Quantity.zero;
  }

  function dueOf(): number {
    return nextSettlement(house.accounts.values(), mintsOf);
  }

  return {
    mint,
    hold(requestId, held, moment) {
      for (const account of house.accounts.values()) {
        const index = account.mints.findIndex((row) => row.requestId === requestId);
        const row = account.mints[index];
        if (row === undefined) continue;
        if (row.status === "settled") return refused("bad_request", "the mint has settled");
        account.mints[index] = { ...row, ...(held ? HELD : PENDING) };
        nextDue = dueOf();
        this.advance(moment);
        return { ok: true, value: undefined };
      }
      return undefined;
    },
    isDue: (moment) => moment.settlement >= nextDue,
    advance(moment) {
      if (moment.settlement < nextDue) return;
      settleDue(house.accounts.values(), mintsOf, moment.settlement, (account, row) =>
        settle(account, row, moment.venue),
      );
      nextDue = dueOf();
    },
  };
}

const HELD = { status: "held", reason: "compliance review: coordinate with support" } as const;
const PENDING = { status: "pending", reason: undefined } as const;

function isOpen({ status }: MintRow): boolean {
  return status !== "settled";
}

function mintsOf(account: Account): MintRow[] {
  return account.mints;
}
