// The section `treasury` of a configuration, as mints and rails want it.

import type { Haircuts } from "../../bot/accounts/worth.ts";
import type { MintBounds } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Quantity } from "../../domain/money/money.ts";
import type { Destinations } from "../../treasury/destination.ts";
import type { MintTerms } from "../../treasury/mint/check-mint.ts";

export function mintTermsOf({ treasury: { mint } }: Config): MintTerms {
  const minimum = mint.minimum.of(mint.minimumCurrency as Asset);
  return { feeBpsMax: mint.feeBpsMax, minimum: minimum.isZero() ? undefined : minimum };
}

export function movementLimitsOf({ treasury: { mint } }: Config): MintBounds {
  return {
    mintMax: byAsset(mint.quantityMax),
    mintPerDayMax: byAsset(mint.perDayMax),
    mintFeeBpsMax: mint.feeBpsMax,
  };
}

export function haircutsOf({ treasury: { mint } }: Config): Haircuts {
  return { bps: mint.haircutBps, heldBps: mint.heldHaircutBps };
}

export function destinationsOf({ treasury }: Config): Destinations {
  return Object.fromEntries(
    Object.entries(treasury.destinations).map(([name, one]) => [
      name,
      one.kind === "wallet" ? { ...one, label: one.label } : one,
    ]),
  );
}

function byAsset(bounds: Readonly<Record<string, Quantity>>): ReadonlyMap<Asset, Quantity> {
  return new Map(Object.entries(bounds) as [Asset, Quantity][]);
}
