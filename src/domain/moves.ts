// The possible effects of an order on holdings, and the actual effects of a fill.

import { assetsOf } from "./asset.ts";
import type { Money } from "./money/money.ts";
import type { Fill, OrderRequest } from "./order.ts";

/** The change of a holding: a range, while price and fee are unknown. */
export type Range = { readonly least: Money; readonly most: Money };

/** The largest price improvement of a fill over its limit. */
const BETTER_BPS_MAX = 500;

/**
 * The possible changes of holdings by an order: it fills at its limit or better, and the fee may be in either asset.
 */
export function orderMoves(order: OrderRequest, feeBpsMax: number): readonly Range[] {
  const { symbol, side, quantity, limit } = order;
  const { base, quote } = assetsOf(symbol);
  const size = quantity.of(base);
  const sizeFee = size.share(feeBpsMax, "up");
  const isBuy = side === "buy";
  const atLimit = limit.times(quantity, quote, isBuy ? "up" : "down");
  const limitFee = atLimit.share(feeBpsMax, "up");
  const best = limit.shifted(isBuy ? -BETTER_BPS_MAX : BETTER_BPS_MAX, isBuy ? "down" : "up");
  const atBest = best.times(quantity, quote, isBuy ? "down" : "up");
  return isBuy
    ? [
        { least: size.minus(sizeFee), most: size },
        { least: atLimit.plus(limitFee).negated(), most: atBest.negated() },
      ]
    : [
        { least: size.plus(sizeFee).negated(), most: size.negated() },
        { least: atLimit.minus(limitFee), most: atBest },
      ];
}

/** The exact changes of holdings by a fill. */
export function fillMoves({ symbol, side, quantity }: OrderRequest, { bought, sold, fee }: Fill): readonly Money[] {
  const { base } = assetsOf(symbol);
  const moves = [bought, sold.negated()];
  // The bought amount may be stated with the fee already deducted.
  if (side === "buy" && fee.asset === base && !bought.equals(quantity.of(base))) return moves;
  const leg = moves.findIndex(({ asset }) => asset === fee.asset);
  if (leg < 0) return [...moves, fee.negated()];
  return moves.map((one, place) => (place === leg ? one.minus(fee) : one));
}
