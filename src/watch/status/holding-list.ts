// What is held of each asset, and the parts of it: open to spend, reserved, pending at the venue, on its way by mints; what may
// come beside it, what the limits keep back, and what is wanted.

import type { Desk } from "../../bot/desk/desk.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { unbookedOf } from "../../treasury/rebalancer/treasury-view.ts";
import type { ShownBand, ShownHolding } from "../status.ts";

export type Targets = Config["treasury"]["targets"];

type Wishes = { readonly reserveBps: number | undefined; readonly targets: Targets };

export function holdingsOf(
  desk: Pick<Desk, "engine" | "executor">,
  pending: ReadonlyMap<Asset, Money>,
  { reserveBps, targets }: Wishes,
): ShownHolding[] {
  const { accounts, pricing } = desk.engine.context;
  return accounts.assets.flatMap((asset) => {
    const held = accounts.held(asset);
    const atLeast = accounts.heldAtLeast(asset);
    const reserved = held !== undefined && atLeast !== undefined ? held.minus(atLeast) : undefined;
    const spendable = accounts.spendable(asset);
    const available = spendable !== undefined && reserved !== undefined ? spendable.plus(reserved) : undefined;
    const inFlight = accounts.inFlight(asset);
    // A venue lists every asset it knows; what we have nothing of is no news.
    const isNothing = (held === undefined || held.isZero()) && (available === undefined || available.isZero());
    const unbooked = unbookedOf(desk, asset);
    if (isNothing && inFlight.isZero() && unbooked.isZero()) return [];
    return [
      {
        asset,
        held: textOf(held),
        available: textOf(available),
        reserved: textOf(reserved) ?? "0",
        pending: textOf(pending.get(asset)),
        inFlight: String(inFlight),
        mayCome: String(unbooked),
        floor: reserveBps === undefined || held === undefined ? undefined : floorText(held, accounts, reserveBps),
        band: bandOf(targets[asset]),
        value: valueText(held, asset, pricing),
      },
    ];
  });
}

/** As RC17 has it: a part of what was put in, or of what is held where that is more. */
function floorText(held: Money, accounts: RiskContext["accounts"], reserveBps: number): string {
  return String(held.size().max(accounts.placed(held.asset)).share(reserveBps, "up"));
}

/** Of the pot at the venue: others have a place in their names. */
function bandOf(wanted: Targets[string] | undefined): ShownBand | undefined {
  if (wanted === undefined) return undefined;
  return { low: wanted.low?.toString(), target: wanted.target?.toString(), high: wanted.high?.toString() };
}

function valueText(held: Money | undefined, asset: Asset, pricing: RiskContext["pricing"]): string | undefined {
  if (held === undefined || asset === pricing.currency) return textOf(held);
  const rate = pricing.mark(asset)?.price;
  return rate === undefined ? undefined : String(held.valued(rate, pricing.currency, "down"));
}

function textOf(amount: Money | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}
