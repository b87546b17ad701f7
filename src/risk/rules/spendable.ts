// RC17: an order spends, fee budget included, only what is available after open orders, and leaves a part of each asset
// untouched: of what people put in, or of what is held where that is more, so that order after order stays above it. Orders
// are made smaller to fit. With the reserve loosened the rest of the rule stays.

import type { Asset } from "../../domain/asset.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Assessment, PASS, type Rule } from "../rule.ts";
import { capTo, isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

export function spendable(reserveBps: number, feeBps: number): Rule {
  const limit = `a reserve of ${reserveBps} bp`;
  const reserves = new Map<Asset, MostReserved>();
  const added = (asset: Asset): MostReserved => {
    const reserve = new MostReserved(asset, reserveBps);
    reserves.set(asset, reserve);
    return reserve;
  };
  return {
    code: "RC17",
    review(order, { accounts }) {
      const { sold } = order;
      const available = accounts.spendable(sold);
      if (!isIn(available, sold)) return refuseUnknown("RC17", `spendable ${sold}`, limit);
      const held = accounts.held(sold);
      if (!isIn(held, sold)) return refuseUnknown("RC17", `held ${sold}`, limit);
      // Of what is held alone the reserve would shrink with every order, down to nothing.
      const base = held.size().max(accounts.placed(sold));
      const amount = withoutFee(order);
      // A fee is less than the whole: what could be spent twice over needs no closer look.
      const reserve = reserves.get(sold) ?? added(sold);
      if (available.coversTwice(reserve.of(base), amount)) return PASS;
      const most = available.minus(base.share(reserveBps, "up"));
      return capTo(affordable(most, order, feeBps), order, () =>
        refusalOf("RC17", "order may spend", shown(spent(order, feeBps)), mostText(most, limit)),
      );
    },
  };
}

function mostText(most: Money, limit: string): string {
  if (!most.isNegative()) return `${shown(most)} after ${limit}`;
  return `${shown(Money.zero(most.asset))}: what is available is ${shown(most.negated())} below ${limit}`;
}

/** The reserve of one asset at most: that of its largest base so far, so that it need not follow each fill. */
class MostReserved {
  readonly #reserveBps: number;
  #base: Money;
  #reserve: Money;

  constructor(asset: Asset, reserveBps: number) {
    this.#reserveBps = reserveBps;
    this.#base = this.#reserve = Money.zero(asset);
  }

  of(base: Money): Money {
    if (!base.moreThan(this.#base)) return this.#reserve;
    this.#base = base;
    this.#reserve = base.share(this.#reserveBps, "up");
    return this.#reserve;
  }
}

/** The fee may be taken in what is sold, on top. */
function spent(order: Assessment, feeBps: number): Money {
  const amount = withoutFee(order);
  return amount.plus(amount.share(feeBps, "up"));
}

function withoutFee({ side, notional, quantity, sold }: Assessment): Money {
  return side === "buy" ? notional : quantity.of(sold);
}

function affordable(most: Money, order: Assessment, feeBps: number): Quantity {
  if (!most.isPositive()) return Quantity.zero;
  if (spent(order, feeBps).atMost(most)) return order.quantity;
  // Less the fee of the whole is a little less than what is left after its own fee: never too much.
  const beforeFee = most.minus(most.share(feeBps, "up"));
  return (
    (order.side === "buy" ? Quantity.affordable(beforeFee, order.limit) : Quantity.ofMoney(beforeFee)) ?? Quantity.zero
  );
}
