// The section `treasury` of a configuration, as mints and rails need it.

import type { MintBounds } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Quantity } from "../../domain/money/money.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import type { RailFee } from "../../execution/effects.ts";
import type { MintTerms } from "../../treasury/mint.ts";

export function mintTermsOf({ treasury: { mint }, venue }: Config): MintTerms {
  const { mintMinimum, mintFunding } = resolveProfile(venue.profile);
  const minimum = mintMinimum === "waived" ? undefined : mint.minimum.of(mint.minimumCurrency as Asset);
  return { feeBpsMax: mint.feeBpsMax, minimum, namesFunding: mintFunding !== "none" };
}

export function movementLimitsOf({ treasury: { mint } }: Config): MintBounds {
  return {
    mintMax: byAsset(mint.quantityMax),
    mintPerDayMax: byAsset(mint.perDayMax),
    mintFeeBpsMax: mint.feeBpsMax,
  };
}

/**
 * The fee of the template that a rail was registered from; of several templates with the same content, the first that
 * states a fee.
 */
export function railFeeOf({ treasury: { rails, destinations } }: Config): RailFee {
  const templates = Object.values(rails).flatMap(({ direction, asset, currency, chain, to, fee }) => {
    const type = direction === "on" ? "FiatToStablecoin" : "StablecoinToFiat";
    const place = destinations[to];
    const destination = place?.kind === "wallet" ? place.address : place?.account;
    const fiat = currency ?? fiatOf(asset as Asset);
    return fee === undefined ? [] : [{ rail: { type, destination, asset, currency: fiat, blockchain: chain }, fee }];
  });
  return (request, amount) => {
    const found = templates.find(({ rail }) =>
      (Object.keys(rail) as (keyof typeof rail)[]).every((field) => rail[field] === request[field]),
    );
    if (found === undefined) return undefined;
    const { fixed = Quantity.zero, bps = 0 } = found.fee;
    const fee = amount.share(bps, "up").rounded(8, "up").plus(fixed.of(amount.asset));
    return fee.moreThan(amount) ? amount : fee;
  };
}

function byAsset(bounds: Readonly<Record<string, Quantity>>): ReadonlyMap<Asset, Quantity> {
  return new Map(Object.entries(bounds) as [Asset, Quantity][]);
}
