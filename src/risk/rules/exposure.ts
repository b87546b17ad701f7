// How much may be held: of one asset, of all, of a coin that may lose its peg; and what reduces it.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import type { Refusal } from "../../domain/step.ts";
import { stopped } from "../review-state.ts";
import { type Assessment, PASS, type RiskContext, type Rule } from "../rule.ts";
import { capBought, capTo, isExposure, isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";
import { type MintLossRule, missing } from "./losses.ts";

// RC03: value held of one asset, as if every open order that brings it filled and none that takes it. The currency of the
// limits is no exposure. Orders are made smaller to fit; those that only take of an asset pass.

export function assetExposure(max: Money): Rule {
  return {
    code: "RC03",
    review(order, { accounts, pricing }) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = pricing.rate(bought);
      const value = pricing.exposure(bought);
      if (!isIn(value, max.asset) || rate === undefined || incoming === undefined) {
        const isHeld = isIn(accounts.heldAtMost(bought), bought);
        return refuseUnknown("RC03", `${isHeld ? "value of" : "position in"} ${bought}`, shown(max));
      }
      if (max.covers(value, incoming)) return PASS;
      return capBought(order, max.minus(value), rate, () =>
        refusalOf("RC03", `${bought} would be worth`, shown(value.plus(incoming)), shown(max)),
      );
    },
  };
}

// RC04: value held of all assets but the currency of the limits, each as if every open order that brings it filled and none
// that takes it. Orders are made smaller to fit.

export function grossExposure(max: Money): Rule {
  return {
    code: "RC04",
    review(order, context) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = context.pricing.rate(bought);
      if (rate === undefined || incoming === undefined) return refuseUnknown("RC04", `value of ${bought}`, shown(max));
      const gross = context.pricing.grossExposure();
      if (!isIn(gross, max.asset)) return refuseUnknown("RC04", `value of ${unknownIn(context)}`, shown(max));
      if (max.covers(gross, incoming)) return PASS;
      return capBought(order, max.minus(gross), rate, () =>
        refusalOf("RC04", "all assets would be worth", shown(gross.plus(incoming)), shown(max)),
      );
    },
  };
}

function unknownIn({ accounts, pricing }: RiskContext): string {
  const isUnknown = accounts.assets.find(
    (asset) => isExposure(asset, pricing.currency) && pricing.exposure(asset) === undefined,
  );
  return isUnknown ?? "all assets";
}

// RC34: how much may be held of one coin, from what a de-peg may cost. Of a coin that is assumed to lose a part of its value
// at once, no more than loses a given part of equity. Orders are made smaller to fit, those that take of the coin pass; a mint
// is refused, and so is every mint of a coin that is off its peg.

/** `lossBps` of equity may be lost by a coin that loses `assumedBps` of its value. */
export function depeg(lossBps: number, assumedBps: number): Rule {
  const { shareBps, limit } = shareOf(lossBps, assumedBps);
  return {
    code: "RC34",
    review(order, context) {
      const { bought, incoming } = order;
      const { pricing } = context;
      if (standsFor(bought) === undefined) return PASS;
      const rate = pricing.rate(bought);
      const value = pricing.exposure(bought);
      if (rate === undefined || value === undefined || incoming === undefined)
        return refuseUnknown("RC34", `value of ${bought}`, limit);
      const equity = pricing.equity();
      if (equity === undefined) return refuseUnknown("RC34", "equity", limit, missing(context));
      const most = equity.share(shareBps, "down");
      if (most.covers(value, incoming)) return PASS;
      return capBought(order, most.minus(value), rate, () =>
        refusalOf("RC34", `${bought} would be worth`, shown(value.plus(incoming)), `${shown(most)}, ${limit}`),
      );
    },
  };
}

/** Where equity or the coin has no value it is left to the limits of mints, as losses are: a person may mint while no bot runs. */
export function depegWithMint(lossBps: number, assumedBps: number): MintLossRule {
  const { shareBps, limit } = shareOf(lossBps, assumedBps);
  return ({ leaves, comes }, { pricing }) => {
    const { asset } = comes;
    const fair = pricing.fair(`${asset}/${leaves.asset}` as PairSymbol);
    if (fair.kind === "none" && fair.reason === "off-peg")
      return refusalOf("RC34", `${asset} is`, "off its peg", "no mint of a coin that is");
    const [rate, value, equity] = [pricing.rate(asset), pricing.exposure(asset), pricing.equity()];
    if (rate === undefined || value === undefined || equity === undefined) return undefined;
    const most = equity.share(shareBps, "down");
    const after = value.plus(comes.valued(rate, most.asset, "up"));
    if (after.atMost(most)) return undefined;
    return refusalOf("RC34", `${asset} would be worth`, shown(after), `${shown(most)}, ${limit}`);
  };
}

function shareOf(lossBps: number, assumedBps: number) {
  const shareBps = Math.floor((lossBps * 1e4) / assumedBps);
  return { shareBps, limit: `${shareBps} bp of equity (${lossBps} bp lost if a coin loses ${assumedBps} bp)` };
}

// RC24 in REDUCED: an order goes out only if it reduces exposure. Of what it trades, all that is not the currency of the
// limits must move toward zero and not past it, whatever becomes of open orders. Orders are made smaller to fit. One long
// asset for another is no reduction: it would only swap the exposure. The gate has this rule whatever the limits say.

const LIMIT = "only orders that reduce exposure";

export function reduceOnly(currency: Asset): Rule {
  return {
    code: "RC24",
    review(order, context) {
      if (context.counters.tradingState.state !== "REDUCED") return PASS;
      const { sold, bought } = order;
      const refusal = () => stopped("RC24", LIMIT, context.counters.tradingState);
      let most = order.quantity;
      if (isExposure(sold, currency)) {
        const long = context.accounts.heldAtLeast(sold);
        if (!isIn(long, sold) || !long.isPositive()) return { kind: "refuse", refusal: refusal() };
        most = most.min(order.side === "sell" ? sizeOf(long) : Quantity.affordable(long, order.limit));
      }
      if (isExposure(bought, currency)) {
        const short = context.accounts.heldAtMost(bought)?.negated();
        if (!isIn(short, bought) || !short.isPositive()) return { kind: "refuse", refusal: refusal() };
        most = most.min(order.side === "buy" ? sizeOf(short) : Quantity.affordable(short, order.limit));
      }
      return capTo(most, order, refusal);
    },
  };
}

/** Of an order that waits for its slot, so is among the open orders already: with it nothing is past zero. */
export function stillReduces(
  order: Assessment,
  currency: Asset,
  { accounts, counters }: RiskContext,
): Refusal | undefined {
  if (counters.tradingState.state !== "REDUCED") return undefined;
  const { sold, bought } = order;
  const left = accounts.heldAtLeast(sold);
  const debt = accounts.heldAtMost(bought);
  const sells = !isExposure(sold, currency) || (isIn(left, sold) && !left.isNegative());
  const buysBack = !isExposure(bought, currency) || (isIn(debt, bought) && !debt.isPositive());
  return sells && buysBack ? undefined : stopped("RC24", LIMIT, counters.tradingState);
}

function sizeOf(amount: Money): Quantity {
  return Quantity.ofMoney(amount) ?? Quantity.zero;
}
