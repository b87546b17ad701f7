// The strategy of a person: one order, proposed at the first quote of its pair and never again. So it goes the way of every
// other order, through the same engine, gate and transaction.

import type { PairSymbol } from "../../../domain/asset.ts";
import type { Side } from "../../../domain/order.ts";
import { unwrap } from "../../../domain/result.ts";
import type { Proposal } from "../../../domain/step.ts";
import { prepareStrategy, type Strategy } from "../../../strategy/prepare.ts";
import { defineStrategy } from "../../../strategy/strategy.ts";

export type Wish = {
  readonly symbol: PairSymbol;
  readonly side: Side;
  /** Decimal texts, as typed. */
  readonly quantity: string;
  readonly price: string;
  readonly reason: string;
};

export function proposalOf({ symbol, side, quantity, price, reason }: Wish): Proposal {
  return { symbol, side, limit: Number(price), size: quantity, reason, lifetimeMs: undefined };
}

export function oneShot(wish: Wish): Strategy {
  let isAsked = false;
  const definition = defineStrategy({
    name: "order",
    decide({ quote }) {
      if (isAsked || quote.symbol !== wish.symbol) return undefined;
      isAsked = true;
      return proposalOf(wish);
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}
