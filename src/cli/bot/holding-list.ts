// What is held of each asset, and the parts of it: open to spend, reserved, pending at the venue, on its way by mints, and
// what the limits keep back.

import type { Desk } from "../../bot/desk.ts";
import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Submission } from "../../execution/submission.ts";
import type { RiskContext } from "../../risk/rule.ts";
import type { ShownHolding } from "../../telemetry/status.ts";

export function holdingsOf(
  { engine, executor }: Desk,
  pending: ReadonlyMap<Asset, Money>,
  reserveBps: number | undefined,
): ShownHolding[] {
  const { accounts, pricing } = engine.context;
  const minted = mintsInFlight(executor.open());
  return accounts.assets.flatMap((asset) => {
    const held = accounts.held(asset);
    const atLeast = accounts.heldAtLeast(asset);
    const reserved = held !== undefined && atLeast !== undefined ? held.minus(atLeast) : undefined;
    const spendable = accounts.spendable(asset);
    const available = spendable !== undefined && reserved !== undefined ? spendable.plus(reserved) : undefined;
    const inFlight = minted.get(asset);
    // A venue lists every asset it knows; what we have nothing of is no news.
    const isNothing = (held === undefined || held.isZero()) && (available === undefined || available.isZero());
    if (isNothing && inFlight === undefined) return [];
    return [
      {
        asset,
        held: textOf(held),
        available: textOf(available),
        reserved: textOf(reserved) ?? "0",
        pending: textOf(pending.get(asset)),
        inFlight: textOf(inFlight) ?? "0",
        floor: reserveBps === undefined || held === undefined ? undefined : floorText(held, accounts, reserveBps),
        value: valueText(held, asset, pricing),
      },
    ];
  });
}

/** As RC17 has it: a part of what was put in, or of what is held where that is more. */
function floorText(held: Money, accounts: RiskContext["accounts"], reserveBps: number): string {
  return String(held.size().max(accounts.placed(held.asset)).share(reserveBps, "up"));
}

const ON_ITS_WAY: ReadonlySet<string> = new Set(["sending", "accepted", "confirmed", "doubt", "fenced", "escalated"]);

function mintsInFlight(open: Iterable<Submission>): ReadonlyMap<Asset, Money> {
  const sums = new Map<Asset, Money>();
  for (const { kind, request, state } of open) {
    if (kind !== "mint" || !ON_ITS_WAY.has(state.kind)) continue;
    const { asset, quantity } = request as Submission<"mint">["request"];
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(quantity.of(asset)));
  }
  return sums;
}

function valueText(held: Money | undefined, asset: Asset, pricing: RiskContext["pricing"]): string | undefined {
  if (held === undefined || asset === pricing.currency) return textOf(held);
  const rate = pricing.rate(asset);
  return rate === undefined ? undefined : String(held.valued(rate, pricing.currency, "down"));
}

function textOf(amount: Money | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}
