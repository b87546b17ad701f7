// Makes the rules from the limits, in the order of review: first rules that no smaller size can satisfy, then rules
// that cap an order. A limit that is turned off by name makes no rule.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import { type Limits, type Off, unlessOff } from "./limits.ts";
import type { Rule } from "./rule.ts";
import { assetExposure, depeg, depegWithMint, grossExposure, issuerEnd, issuerEndWithMint } from "./rules/exposure.ts";
import {
  adverseMoves,
  DAILY_LOSS,
  DRAWDOWN,
  dailyFees,
  losingStreak,
  lossRule,
  type MintLossRule,
  mintLossRule,
  orderFee,
  orderLossRule,
} from "./rules/losses.ts";
import { allowList, priceCollar, reference, unlessWayOut, wayOutPrice, wayOutSize } from "./rules/price.ts";
import {
  dailyOrders,
  decisionAge,
  duplicateIntent,
  heartbeat,
  openDoubts,
  orderRate,
  rejectBreaker,
  selfOffset,
  symbolRejectBreaker,
  turnoverPerDay,
  turnoverPerHour,
} from "./rules/rate.ts";
import { orderQuantity, orderValue, ramp, spendable } from "./rules/size.ts";

export function createRules(limits: Limits): readonly Rule[] {
  const currency = limits.currency as Asset;
  const symbols = limits.symbols as PairSymbol[];
  const feeBps = unlessOff(limits.feeBpsMax) ?? 0;
  const money = (limit: Quantity | Off, make: (max: Money) => Rule): Rule | undefined =>
    set(limit, (max) => make(max.of(currency)));
  const { exit } = limits;
  const byFair = (rule: Rule | undefined): Rule | undefined => (exit && rule ? unlessWayOut(rule) : rule);
  const rules = [
    allowList(new Set(symbols)),
    decisionAge(limits.decisionAgeMsMax),
    limits.heartbeatMsMax === undefined ? undefined : heartbeat(limits.heartbeatMsMax),
    byFair(
      reference({
        ageMsMax: limits.referenceAgeMsMax,
        sourcesMin: limits.referenceSourcesMin,
        spreadBpsMax: unlessOff(limits.referenceSpreadBpsMax),
      }),
    ),
    byFair(priceCollar(unlessOff(limits.collarBps), unlessOff(limits.collarHardBps))),
    exit && wayOutPrice(exit),
    openDoubts({
      perAssetMax: unlessOff(limits.doubtsPerAssetMax),
      max: unlessOff(limits.doubtsMax),
      ageMsMax: unlessOff(limits.doubtAgeMsMax),
    }),
    set(limits.rejectsPerSymbolMax, (max) => symbolRejectBreaker(symbols, max, limits.rejectFreezeMs)),
    set(limits.rejectsMax, (max) => rejectBreaker(max, limits.rejectFreezeMs)),
    set(limits.lossesMax, (max) => losingStreak(max, limits.lossFreezeMs)),
    set(limits.adverseBpsMax, adverseMoves),
    set(limits.ordersPerMinuteMax, orderRate),
    set(limits.ordersPerDayMax, dailyOrders),
    set(limits.dailyLossBpsMax, (max) => lossRule(DAILY_LOSS, max)),
    set(limits.drawdownBpsMax, (max) => lossRule(DRAWDOWN, max)),
    set(limits.offsetWindowMs, (windowMs) => selfOffset(windowMs, feeBps)),
    exit && wayOutSize(exit, currency),
    money(limits.orderValueMax, orderValue),
    set(limits.orderQuantityMax, (max) => orderQuantity(new Map(Object.entries(max) as [PairSymbol, Quantity][]))),
    set(limits.rampOrders, (orders) => ramp(orders, limits.rampSizeBps)),
    money(limits.assetExposureMax, assetExposure),
    money(limits.grossExposureMax, grossExposure),
    set(limits.depegLossBpsMax, (lossBps) => depeg(lossBps, limits.depegAssumedBps)),
    set(limits.issuerLossBpsMax, (lossBps) => issuerEnd(lossBps, limits.issuerEndBps)),
    spendable(unlessOff(limits.reserveBpsMin) ?? 0, feeBps),
    money(limits.turnoverPerHourMax, turnoverPerHour),
    money(limits.turnoverPerDayMax, turnoverPerDay),
    set(limits.feeBpsMax, orderFee),
    money(limits.feesPerDayMax, (max) => dailyFees(max, feeBps)),
    set(limits.duplicateWindowMs, duplicateIntent),
    // Last, because the order is then as small as the other rules make it.
    set(limits.dailyLossBpsMax, (max) => orderLossRule(DAILY_LOSS, max, feeBps)),
    set(limits.drawdownBpsMax, (max) => orderLossRule(DRAWDOWN, max, feeBps)),
  ];
  return rules.filter((rule) => rule !== undefined);
}

type MintLimits = Pick<
  Limits,
  "dailyLossBpsMax" | "drawdownBpsMax" | "depegLossBpsMax" | "depegAssumedBps" | "issuerLossBpsMax" | "issuerEndBps"
>;

/** The loss and de-peg limits as they apply to a mint. */
export function createMintLossRules(limits: MintLimits): readonly MintLossRule[] {
  const rules = [
    set(limits.dailyLossBpsMax, (max) => mintLossRule(DAILY_LOSS, max)),
    set(limits.drawdownBpsMax, (max) => mintLossRule(DRAWDOWN, max)),
    set(limits.depegLossBpsMax, (lossBps) => depegWithMint(lossBps, limits.depegAssumedBps)),
    set(limits.issuerLossBpsMax, (lossBps) => issuerEndWithMint(lossBps, limits.issuerEndBps)),
  ];
  return rules.filter((rule) => rule !== undefined);
}

function set<T, R>(limit: T | Off, make: (limit: T) => R): R | undefined {
  const value = unlessOff(limit);
  return value === undefined ? undefined : make(value);
}
