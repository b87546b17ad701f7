// What a mint costs and what pays for it: fiat, or BTC or ETH converted first.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price, type Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { House } from "./house.ts";
import type { AssetListing } from "./record.ts";

/** The fee is part of what is spent. */
type Funding = { readonly spent: Money; readonly fee: Money };
type Due = { readonly cost: Money; readonly fee: Money };

export function belowMinimum(house: House, listing: AssetListing, quantity: Quantity, at: Millis): string | undefined {
  const { settings } = house;
  if (settings.mintMinimum === undefined) return undefined;
  const currency = settings.mintMinimumCurrency;
  const rate = exactRate(house, listing.reference, currency, at);
  const minimum = Money.of(settings.mintMinimum, currency);
  const worth = rate && quantity.of(listing.reference).valued(rate, currency, "down");
  if (worth?.atLeast(minimum)) return undefined;
  return `a mint must be worth at least ${minimum} ${currency}, was ${worth ?? "not to be valued now"}`;
}

/** From the first source, in the operator's order, that covers it. */
export function fundingOf(house: House, { available }: Account, cost: Money, at: Millis): Funding | undefined {
  const { settings } = house;
  const fee = cost.share(settings.mintFeeBps, "up").rounded(8, "up");
  for (const source of settings.mintFunding) {
    const funding = source === "fiat" ? { spent: cost.plus(fee), fee } : converted(house, source, { cost, fee }, at);
    if (funding !== undefined && available(funding.spent.asset).amount.atLeast(funding.spent)) return funding;
  }
  return undefined;
}

/** What it costs in crypto: the provider keeps his spread. */
function converted(house: House, crypto: Asset, { cost, fee }: Due, at: Millis): Funding | undefined {
  const price = exactRate(house, crypto, cost.asset, at)?.shifted(-house.settings.conversionSpreadBps, "down");
  if (price === undefined) return undefined;
  const of = (money: Money): Money => money.exchanged(price, crypto, "up").rounded(8, "up");
  return { spent: of(cost).plus(of(fee)), fee: of(fee) };
}

function exactRate({ market }: House, base: Asset, quote: Asset, at: Millis): Price | undefined {
  const rate = base === quote ? 1 : market.rate(base, quote, at);
  const price = rate === undefined ? undefined : Price.parse(rate.toFixed(8));
  return price?.ok ? price.value : undefined;
}
