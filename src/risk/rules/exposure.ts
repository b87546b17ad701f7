// How much may be held: of one asset, of all, of a coin that may lose its peg; and which orders reduce exposure.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { isCurrency, issuerOf, VENUE } from "../../domain/coin.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import type { Refusal } from "../../domain/step.ts";
import { type Assessment, PASS, type RiskContext, type Rule, type Ruling } from "../rule.ts";
import { capBought, capTo, isExposure, isIn, refusalOf, refuseUnknown, shown, stopped } from "../ruling.ts";
import { type MintLossRule, missing } from "./losses.ts";

// RC03: value held of one asset, as if every open order that brings it filled and none that spends it. The currency of
// the limits is not an exposure. Orders are capped to fit; orders that only sell an asset pass.

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
        return refuseUnknown("RC03", `${isHeld ? "value of" : "position in"} ${bought}`, max);
      }
      if (max.covers(value, incoming)) return PASS;
      return capBought(order, max.minus(value), rate, () =>
        refusalOf("RC03", `${bought} would be worth`, value.plus(incoming), max),
      );
    },
  };
}

// RC04: value held of all assets except the currency of the limits, each as if every open order that brings it filled
// and none that spends it. Orders are capped to fit.

export function grossExposure(max: Money): Rule {
  return {
    code: "RC04",
    review(order, context) {
      const { bought, incoming } = order;
      if (!isExposure(bought, max.asset)) return PASS;
      const rate = context.pricing.rate(bought);
      if (rate === undefined || incoming === undefined) return refuseUnknown("RC04", `value of ${bought}`, max);
      const gross = context.pricing.grossExposure();
      if (!isIn(gross, max.asset)) return refuseUnknown("RC04", `value of ${unknownIn(context)}`, max);
      if (max.covers(gross, incoming)) return PASS;
      return capBought(order, max.minus(gross), rate, () =>
        refusalOf("RC04", "all assets would be worth", gross.plus(incoming), max),
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

// RC34: the maximum holding in the coins of one issuer by their de-peg risk: if they lost an assumed part of their value at
// once, at most a given part of equity would be lost. Orders are capped to fit; sales, and one coin of an issuer for
// another, pass; a mint is refused, and so is every mint of a coin off its peg.

/** Coins of one issuer that lose `assumedBps` of their value may cost `lossBps` of equity. */
export function depeg(lossBps: number, assumedBps: number): Rule {
  const share = shareOf(lossBps, assumedBps, DEPEG);
  return {
    code: "RC34",
    review(order, context) {
      const issuer = issuerOf(order.bought);
      if (issuer === undefined || issuerOf(order.sold) === issuer) return PASS;
      return reviewShare("RC34", order, context, { ...share, what: coinsOf(issuer), isPart: isOf(issuer) });
    },
  };
}

// RC37: what an end of the venue's issuer may cost. Its coins, fiat on account there and mints on their way count
// together, so an order between them changes nothing and passes.

export function issuerEnd(lossBps: number, endBps: number): Rule {
  const share = shareOf(lossBps, endBps, END);
  return {
    code: "RC37",
    review(order, context) {
      if (!isAtIssuer(order.bought) || isAtIssuer(order.sold)) return PASS;
      return reviewShare("RC37", order, context, { ...share, what: "coins and fiat at the venue", isPart: isAtIssuer });
    },
  };
}

export function isAtIssuer(asset: Asset): boolean {
  return issuerOf(asset) === VENUE || isCurrency(asset);
}

/** The value of the assets of a kind, with open orders that bring them counted as filled; undefined if one is unknown. */
export function valueOfAll(
  { accounts, pricing }: Pick<RiskContext, "accounts" | "pricing">,
  isPart: (asset: Asset) => boolean,
): Money | undefined {
  let sum: Money | undefined = Money.zero(pricing.currency);
  for (const asset of accounts.assets) {
    if (!isPart(asset)) continue;
    const value = asset === pricing.currency ? accounts.heldAtMost(asset) : pricing.exposure(asset);
    sum = value && sum?.plus(value);
  }
  return sum;
}

type Share = ReturnType<typeof shareOf> & { readonly what: string; readonly isPart: (asset: Asset) => boolean };

function reviewShare(code: string, order: Assessment, context: RiskContext, share: Share): Ruling {
  const { bought, incoming } = order;
  const { pricing } = context;
  const { shareBps, limit, what } = share;
  const rate = pricing.rate(bought);
  const value = valueOfAll(context, share.isPart);
  if (rate === undefined || value === undefined || incoming === undefined)
    return refuseUnknown(code, `value of ${what}`, limit);
  const equity = pricing.equity();
  if (equity === undefined) return refuseUnknown(code, "equity", limit, missing(context));
  const most = equity.share(shareBps, "down");
  if (most.covers(value, incoming)) return PASS;
  return capBought(order, most.minus(value), rate, () =>
    refusalOf(code, `${what} would be worth`, value.plus(incoming), `${shown(most, "down")}, ${limit}`),
  );
}

function isOf(issuer: string): (asset: Asset) => boolean {
  return (asset) => issuerOf(asset) === issuer;
}

function coinsOf(issuer: string): string {
  return issuer === VENUE ? "coins of the venue" : issuer;
}

/** Without a value of equity or the coin the mint limits decide, as for losses: a person may mint while no bot runs. */
export function depegWithMint(lossBps: number, assumedBps: number): MintLossRule {
  const { shareBps, limit } = shareOf(lossBps, assumedBps, DEPEG);
  return ({ leaves, comes }, context) => {
    const { pricing } = context;
    const { asset } = comes;
    const fair = pricing.fair(`${asset}/${leaves.asset}` as PairSymbol);
    if (fair.kind === "none" && fair.reason === "off-peg")
      return refusalOf("RC34", `${asset} is`, "off its peg", "no mint of a coin that is");
    const issuer = issuerOf(asset) ?? asset;
    const [rate, value, equity] = [pricing.rate(asset), valueOfAll(context, isOf(issuer)), pricing.equity()];
    if (rate === undefined || value === undefined || equity === undefined) return undefined;
    const most = equity.share(shareBps, "down");
    const after = value.plus(comes.valued(rate, most.asset, "up"));
    if (after.atMost(most)) return undefined;
    return refusalOf("RC34", `${coinsOf(issuer)} would be worth`, after, `${shown(most, "down")}, ${limit}`);
  };
}

/** A mint that is paid with what is not the issuer's, as crypto, adds to what its end may cost. */
export function issuerEndWithMint(lossBps: number, endBps: number): MintLossRule {
  const { shareBps, limit } = shareOf(lossBps, endBps, END);
  return ({ leaves, comes }, context) => {
    if (isAtIssuer(leaves.asset)) return undefined;
    const { pricing } = context;
    const [rate, value, equity] = [pricing.rate(comes.asset), valueOfAll(context, isAtIssuer), pricing.equity()];
    if (rate === undefined || value === undefined || equity === undefined) return undefined;
    const most = equity.share(shareBps, "down");
    const after = value.plus(comes.valued(rate, most.asset, "up"));
    if (after.atMost(most)) return undefined;
    return refusalOf("RC37", "coins and fiat at the venue would be worth", after, `${shown(most, "down")}, ${limit}`);
  };
}

const [DEPEG, END] = ["a de-peg by", "an end of the issuer at"];

/** `66.66 % of equity, so that a de-peg by 12 % costs at most 8 % of it`. */
function shareOf(lossBps: number, assumedBps: number, event: string) {
  const shareBps = Math.floor((lossBps * 1e4) / assumedBps);
  const [share, assumed, loss] = [shareBps, assumedBps, lossBps].map((bps) => `${bps / 100} %`);
  return { shareBps, limit: `${share} of equity, so that ${event} ${assumed} costs at most ${loss} of it` };
}

// RC24 in REDUCED: an order leaves only if it reduces exposure. Both of its assets, except the currency of the limits,
// must move toward zero and not past it, however open orders end. Orders are capped to fit. Selling one long asset for
// another swaps the exposure and does not reduce it. The gate has this rule under any limits.

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

/** For an order that waits for its slot and is already among the open orders: with it no holding passes zero. */
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
