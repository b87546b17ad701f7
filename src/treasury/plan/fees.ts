// What a service charges, as data: a share, an amount, a least amount and tiers by what has moved through it so far, from one day
// to another. Outside every period the plain fee of the service holds.

import type { Asset } from "../../domain/asset.ts";
import { coinsOf, isCurrency } from "../../domain/coin.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Volume, Volumes } from "../../domain/volumes.ts";
import type { RatesOf } from "./route.ts";

/** `fixed` and `least` are in what arrives: the one is charged in addition, the other is the least of the share. */
export type Fee = { readonly bps: number; readonly fixed: Quantity; readonly least: Quantity };

export type FeePeriod = Fee & {
  readonly from: Millis | undefined;
  /** Exclusive. */
  readonly until: Millis | undefined;
  /** By what has moved before, in the currency of the limits. */
  readonly tiers: readonly { readonly above: Quantity; readonly bps: number }[];
};

export type FeeTerms = {
  readonly feeBps: number;
  /** Deducted once from the arriving amount. */
  readonly feeFixed: Quantity;
  readonly fees?: readonly FeePeriod[] | undefined;
};

export type FeesNow = {
  readonly now: Millis;
  readonly currency: Asset;
  readonly rates: RatesOf;
  readonly volumes: Pick<Volumes, "of">;
};

/** What has moved without a rate reaches no tier: the fee is then the dearer one. */
export function feeNow({ feeBps, feeFixed, fees = [] }: FeeTerms, volume: Volume, around: FeesNow): Fee {
  const period = fees.find((one) => isWithin(one, around.now));
  if (period === undefined) return { bps: feeBps, fixed: feeFixed, least: Quantity.zero };
  const { tiers, fixed, least } = period;
  const moved = tiers.length === 0 ? undefined : totalOf(around.volumes.of(volume), around);
  const reached = tiers.filter(({ above }) => moved?.moreThan(above.of(around.currency)));
  const last = reached.toSorted((one, other) => (one.above.atMost(other.above) ? 1 : -1))[0];
  return { bps: last?.bps ?? period.bps, fixed, least };
}

export function isWithin({ from, until }: Pick<FeePeriod, "from" | "until">, at: Millis): boolean {
  return (from === undefined || at >= from) && (until === undefined || at < until);
}

/** At the rates of now; undefined where one is missing. */
export function totalOf(
  amounts: readonly Money[],
  { currency, rates }: Pick<FeesNow, "currency" | "rates">,
): Money | undefined {
  let sum: Money | undefined = Money.zero(currency);
  for (const amount of amounts) {
    const rate = rateOf(amount.asset, { currency, rates });
    sum = rate && sum?.plus(amount.asset === currency ? amount : amount.valued(rate, currency, "up"));
  }
  return sum;
}

/** Of a currency without a rate of its own, that of a coin of it. */
export function rateOf(asset: Asset, { currency, rates }: Pick<FeesNow, "currency" | "rates">): Price | undefined {
  if (asset === currency) return Price.of("1");
  const coins = isCurrency(asset) ? coinsOf(asset) : [];
  return [asset, ...coins].map(rates).find((rate) => rate !== undefined);
}
