// A charge on unused funds: a share of what was wired in above a threshold, while less than a part of it has been spent. It falls due
// when money leaves by an off-ramp, so the planner prices it there, and warns before a wire that would bring it about.

import { amountText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money, type Quantity } from "../../domain/money/money.ts";
import { type FeePeriod, type FeesNow, isWithin, rateOf, totalOf } from "./fees.ts";
import type { PlanStep } from "./path.ts";

export type UnusedFunds = Pick<FeePeriod, "from" | "until"> & {
  readonly above: Quantity;
  readonly currency: Asset;
  readonly bps: number;
  /** From this part on nothing is charged. */
  readonly spentBps: number;
};

/** In the currency of the limits, at the rates of now. */
export type UnusedCharge = {
  readonly of: UnusedFunds;
  readonly wired: Money;
  readonly spent: Money;
  /** To the nearest cent. */
  readonly charge: Money;
  /** With this much more spent nothing is charged. */
  readonly toSpend: Money;
};

type Moved = { readonly wired: readonly Money[]; readonly spent: readonly Money[] };

/** What would be charged if money left now, or after `more` has moved; undefined if nothing, text where it cannot be valued. */
export function unusedCharge(
  terms: readonly UnusedFunds[],
  around: FeesNow,
  more: Moved = NOTHING,
): UnusedCharge | string | undefined {
  const of = terms.find((one) => isWithin(one, around.now));
  if (of === undefined) return undefined;
  const { volumes, currency } = around;
  // A payment on an on-ramp is fiat that becomes coins on its way: wired in and spent.
  const ramped = volumes.of("on-ramp").map(inFiat);
  const wired = totalOf([...volumes.of("wire"), ...ramped, ...more.wired], around);
  const spent = totalOf([...volumes.of("purchase"), ...volumes.of("mint"), ...ramped, ...more.spent], around);
  const rate = rateOf(of.currency, around);
  if (wired === undefined || spent === undefined || rate === undefined)
    return `whether unused funds cost ${shareText(of.bps)} cannot be told: a rate is missing of ${of.currency}, or of what was wired in`;
  const inCurrency = of.above.of(of.currency);
  const above = of.currency === currency ? inCurrency : inCurrency.valued(rate, currency, "down");
  const enough = wired.share(of.spentBps, "up");
  if (!wired.moreThan(above) || spent.atLeast(enough)) return undefined;
  return {
    ...{ of, wired, spent },
    charge: wired.minus(above).share(of.bps, "down").plus(Money.of("0.005", currency)).rounded(2, "down"),
    toSpend: enough.minus(spent).rounded(2, "up"),
  };
}

const NOTHING: Moved = { wired: [], spent: [] };

function inFiat(amount: Money): Money {
  const fiat = fiatOf(amount.asset);
  return fiat === undefined ? amount : Money.of(String(amount), fiat);
}

type Ramp = { readonly name: string; readonly kind: "on-ramp" | "off-ramp"; readonly pays?: Money | undefined };

/** Before a rail is registered or used; `pays` on an on-ramp is what is wired. */
export function unusedWarnings(
  ramps: readonly Ramp[],
  terms: readonly UnusedFunds[],
  around: FeesNow,
): readonly string[] {
  return ramps.flatMap(({ name, kind, pays }) => {
    const paid = pays === undefined || kind === "off-ramp" ? [] : [pays];
    const charge = unusedCharge(terms, around, { wired: paid, spent: paid });
    if (charge === undefined) return [];
    const of = paid.map((money) => ` of ${money} ${money.asset}`).join("");
    return [typeof charge === "string" ? charge : chargeText(charge, `with ${name}${of}`)];
  });
}

export function rampsOf(steps: readonly PlanStep[]): readonly Ramp[] {
  return steps.flatMap(({ route: { name }, via: { kind }, takes: pays }) =>
    kind === "order" || kind === "mint" ? [] : [{ name, kind, pays }],
  );
}

function chargeText({ of, wired, spent, charge, toSpend }: UnusedCharge, when: string): string {
  const { asset } = charge;
  const share = (spent.toNumber() / wired.toNumber()) * 100;
  const amount = (money: Money): string => `${amountText(String(money))} ${asset}`;
  const above = `${amountText(String(of.above))} ${of.currency}`;
  return [
    `${when} unused funds cost ${amount(charge)}: ${shareText(of.bps)} of what was wired in above ${above} while less than`,
    `${shareText(of.spentBps)} of it is spent; wired in ${amount(wired)}, spent ${amount(spent)} (${share.toFixed(1)} %).`,
    `Nothing is charged once ${amount(toSpend)} more are spent: convert or mint first`,
  ].join(" ");
}

function shareText(bps: number): string {
  return `${bps / 100} %`;
}
