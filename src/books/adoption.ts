// An adoption (deposit, wire, activity in the portal) is neither profit nor loss: its value shifts the bases of the
// loss limits. The engine computes the value once and the step records it, so that a fold needs no price.

import type { Asset } from "../domain/asset.ts";
import type { AdoptionEvent } from "../domain/event.ts";
import { Money, type Price } from "../domain/money/money.ts";
import { type Flight, feeOf, isFromOutside, type MovementEvent, type MovementReport } from "../domain/movement.ts";
import type { PricingView } from "../risk/rule.ts";

/** Rounded up, because a base that is too high is the safe side. Undefined if one of the amounts has no rate. */
export function valuedAdoption(event: AdoptionEvent, pricing: PricingView): AdoptionEvent {
  const sum = (rateOf: (asset: Asset) => Price | undefined): Money | undefined => {
    let value: Money | undefined = Money.zero(pricing.currency);
    for (const amount of event.amounts) {
      if (amount.isZero()) continue;
      const rate = rateOf(amount.asset);
      value = rate && value?.plus(amount.valued(rate, pricing.currency, "up"));
    }
    return value;
  };
  return { ...event, value: sum((asset) => markOf(asset, pricing)), atPar: sum((asset) => pricing.par(asset)) };
}

/**
 * Money that a movement takes outside counts as withdrawn, and money from outside as deposited, at its value rounded
 * up. The value of a fee, which is a cost, is rounded up too.
 */
export function valuedMovement(event: MovementEvent, flight: Flight | undefined, pricing: PricingView): MovementEvent {
  const { currency } = pricing;
  const worthOf = (amount: Money): Money | undefined => {
    const rate = markOf(amount.asset, pricing);
    return rate && amount.valued(rate, currency, "up");
  };
  const comes = crossingOf(event.report, flight)?.comes;
  const par = comes && pricing.par(comes.asset);
  const atPar = par && comes?.valued(par, currency, "up");
  const valued = comes === undefined ? event : { ...event, value: worthOf(comes), atPar };
  const fee = feeOf(event.report, flight)?.fee;
  if (fee === undefined || fee.asset === currency) return valued;
  // A returned movement costs nothing: its fee is reversed at its original value.
  const feeValue = event.report.kind === "returned" ? flight?.feeValue?.negated() : worthOf(fee);
  return { ...valued, feeValue };
}

/** The amount's effect on equity, so that the bases of the loss limits shift by the same. */
function markOf(asset: Asset, pricing: PricingView): Price | undefined {
  return pricing.mark(asset)?.price;
}

/**
 * Money that enters or leaves the account with this report; undefined if none does. `flight`: the movement before the
 * report.
 */
export function crossingOf(
  report: MovementReport,
  flight: Flight | undefined,
): { readonly comes: Money; readonly way: "in" | "out" } | undefined {
  switch (report.kind) {
    case "departed":
      return isFromOutside(report) ? { comes: report.comes, way: "in" } : undefined;
    case "returned":
      return flight !== undefined && isFromOutside(flight) ? { comes: flight.comes, way: "out" } : undefined;
    case "arrived":
      return report.at === "outside" && flight !== undefined ? { comes: flight.comes, way: "out" } : undefined;
    default:
      return undefined;
  }
}
