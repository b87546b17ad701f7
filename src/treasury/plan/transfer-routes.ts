// Mints and rails as routes. A mint turns fiat at the venue into its coin there, an on-ramp turns money in the bank
// into coins at the venue or in a wallet, an off-ramp turns coins at the venue into money in the bank; each at par less
// its fee, from a minimum on, and by its own hours.

import type { Asset } from "../../domain/asset.ts";
import { isHoliday } from "../../domain/holiday.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import { type Fee, type FeesNow, type FeeTerms, feeNow } from "./fees.ts";
import { assetOf, BANK, type HoldingName, holdingOf } from "./holding.ts";
import { type ClosedRoute, lotsIn, lotsOver, type RatesOf, type Route } from "./route.ts";

type Toll = FeeTerms & { readonly hours: ServiceHours };

export type MintTerms = Toll & {
  readonly asset: Asset;
  readonly fiat: Asset;
  readonly chain: string;
  /** The maximum fee; `feeBps` is the expected one. */
  readonly feeBpsMax: number;
  /** The minimum mint, with the currency in which it is counted. */
  readonly minimum: Money;
  /** The margin above the minimum, because the venue values the mint at its own rate. */
  readonly marginBps: number;
  readonly quantityMax: Quantity | undefined;
  /** Another mint of the asset is not settled yet; there is one at a time. */
  readonly isUnderWay: boolean;
};

export type RailTerms = Toll & {
  readonly template: string;
  readonly kind: "on-ramp" | "off-ramp";
  readonly asset: Asset;
  readonly fiat: Asset;
  /**
   * For an on-ramp: the chain of the destination wallet; undefined if the destination is our deposit address at the
   * venue.
   */
  readonly wallet: string | undefined;
  /** The wallet or bank account itself, which is part of the approval. */
  readonly destination?: string | undefined;
  readonly chain?: string | undefined;
  readonly memo?: string | undefined;
  readonly minimum: Quantity;
  readonly quantityMax: Quantity | undefined;
};

type Around = FeesNow & { readonly available: (holding: HoldingName) => Money };

const LOT = Quantity.of("1");

export function mintRoute(terms: MintTerms, around: Around): Route | ClosedRoute {
  const { asset, fiat, chain, feeBpsMax } = terms;
  const name = `mint ${asset} on ${chain}`;
  if (terms.isUnderWay) return { name, reason: `another mint of ${asset} is under way` };
  const minimum = minimumOf(terms, around);
  if (minimum === undefined) return { name, reason: `there is no rate between ${fiat} and ${terms.minimum.asset}` };
  const [from, to] = [holdingOf(fiat), holdingOf(asset)];
  const brings = LOT.of(asset);
  const takes = LOT.of(fiat);
  const fee = feeNow(terms, "mint", around);
  const slice = {
    via: { kind: "mint", asset, chain, feeBpsMax },
    lot: LOT,
    // One lot above the minimum, because salting reduces the quantity a little.
    min: Math.max(lotsOver(minimum, LOT), lotsThatArrive(fee, brings)) + 1,
    max: mostLots(from, terms.quantityMax, around),
    // The fee is spent on top of the quantity.
    takes: takes.plus(takes.share(fee.bps, "up")),
    brings,
    keeps: fee.fixed.of(asset),
    least: { amount: fee.least.of(asset), ofLot: brings.share(fee.bps, "up") },
    short: LOT.of(asset),
    arrivesMs: arrivalMs(terms.hours, around.now),
  } as const;
  return { name, from, to, slices: [slice], isExposed: isExposed(from, to, around), group: `mint ${asset}` };
}

export function railRoute(terms: RailTerms, around: Around): Route {
  const { template, kind, asset, fiat, wallet, chain, destination, memo } = terms;
  const [from, to] =
    kind === "on-ramp" ? [holdingOf(fiat, BANK), holdingOf(asset, wallet)] : [holdingOf(asset), holdingOf(fiat, BANK)];
  const par = LOT.of(assetOf(to));
  const fee = feeNow(terms, kind, around);
  // The fee is deducted from the arriving amount.
  const share = par.share(fee.bps, "up");
  const brings = par.minus(share);
  const slice = {
    via: { kind, template, asset, chain, to: destination, memo },
    lot: LOT,
    min: Math.max(lotsOver(terms.minimum, LOT), lotsThatArrive(fee, brings)),
    max: mostLots(from, terms.quantityMax, around),
    takes: LOT.of(assetOf(from)),
    brings,
    keeps: fee.fixed.of(assetOf(to)),
    least: { amount: fee.least.of(assetOf(to)), ofLot: share },
    short: Money.zero(assetOf(to)),
    arrivesMs: arrivalMs(terms.hours, around.now),
  };
  const name = `${kind} ${template}`;
  return { name, from, to, slices: [slice], isExposed: isExposed(from, to, around), group: name };
}

function isExposed(from: HoldingName, to: HoldingName, { currency }: Around): boolean {
  return assetOf(from) !== currency && assetOf(to) !== currency;
}

/** The fewest lots with a positive remainder, because the fixed fee may exceed the proceeds of a lot. */
function lotsThatArrive({ fixed, least }: Fee, brings: Money): number {
  return lotsIn(fixed.plus(least), Quantity.of(String(brings))) + 1;
}

function mostLots(from: HoldingName, quantityMax: Quantity | undefined, { available }: Around): number {
  const there = Quantity.ofMoney(available(from)) ?? Quantity.zero;
  return lotsIn(there.min(quantityMax ?? there), LOT);
}

function minimumOf({ fiat, minimum, marginBps }: MintTerms, { currency, rates }: Around): Quantity | undefined {
  const inFiat = minimum.asset === fiat ? minimum : converted(minimum, fiat, currency, rates);
  const safe = inFiat?.plus(inFiat.asset === minimum.asset ? Money.zero(fiat) : inFiat.share(marginBps, "up"));
  return safe && Quantity.ofMoney(safe);
}

function converted(money: Money, to: Asset, currency: Asset, rates: RatesOf): Money | undefined {
  const there = rates(money.asset);
  const back = rates(to);
  if (there === undefined || back === undefined) return undefined;
  const inCurrency = money.asset === currency ? money : money.valued(there, currency, "up");
  return to === currency ? inCurrency : inCurrency.exchanged(back, to, "up");
}

export type ServiceHours = {
  /** Minutes after midnight. */
  readonly opens: number;
  /** Minutes after midnight; undefined: the service runs at any time of any day. */
  readonly cutOff: number | undefined;
  readonly settlementMs: number;
  /** Dates such as 2026-12-28, in addition to weekends, Christmas and New Year. */
  readonly holidays?: ReadonlySet<string>;
};

const MINUTE = 60_000;
const NONE: ReadonlySet<string> = new Set();

/** The time from now until arrival. */
export function arrivalMs({ opens, cutOff, settlementMs, holidays = NONE }: ServiceHours, now: Millis): number {
  if (cutOff === undefined) return settlementMs;
  const isWorkday = (midnight: number): boolean => isWeekday(midnight) && !isHoliday(midnight, holidays);
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const isInTime = isWorkday(midnight) && now < midnight + cutOff * MINUTE;
  if (isInTime) return Math.max(0, midnight + opens * MINUTE - now) + settlementMs;
  let next = midnight + DAY_MS;
  while (!isWorkday(next)) next += DAY_MS;
  return next + opens * MINUTE - now + settlementMs;
}

/** The first day of UNIX time was a Thursday. */
function isWeekday(midnight: number): boolean {
  const weekday = (midnight / DAY_MS + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}
