// RC17: an order spends, fee budget included, only what is available after open orders, and leaves a part of each asset
// untouched: of what people put in, or of what is held where that is more, so that order after order stays above it. Orders
// are made smaller to fit. With the reserve loosened the rest of the rule stays.

import type { Asset } from "../../domain/asset.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import { type AccountsView, type Assessment, PASS, type Rule } from "../rule.ts";
import { capTo, isIn, refusalOf, refuseUnknown, shown } from "../ruling.ts";

type Room = { readonly available: Money; readonly held: Money; readonly most: Money };

export function spendable(reserveBps: number, feeBps: number): Rule {
  const limit = `a reserve of ${reserveBps} bp`;
  // Both change with orders and fills, and are asked for with every order.
  const rooms = new Map<Asset, Room>();
  const roomOf = (available: Money, held: Money, accounts: AccountsView): Room => {
    const known = rooms.get(held.asset);
    if (known?.available === available && known.held === held) return known;
    // Of what is held alone the reserve would shrink with every order, down to nothing.
    const base = held.size().max(accounts.placed(held.asset));
    const most = available.minus(base.share(reserveBps, "up"));
    const room = { available, held, most };
    rooms.set(held.asset, room);
    return room;
  };
  return {
    code: "RC17",
    review(order, { accounts }) {
      const { sold } = order;
      const available = accounts.spendable(sold);
      if (!isIn(available, sold)) return refuseUnknown("RC17", `spendable ${sold}`, limit);
      const held = accounts.held(sold);
      if (!isIn(held, sold)) return refuseUnknown("RC17", `held ${sold}`, limit);
      const { most } = roomOf(available, held, accounts);
      const amount = withoutFee(order);
      // A fee is less than the whole: what could be spent twice over needs no closer look.
      if (amount.atMost(most) && amount.atMost(most.minus(amount))) return PASS;
      return capTo(affordable(most, order, feeBps), order, () =>
        refusalOf("RC17", "order may spend", shown(spent(order, feeBps)), `${shown(most)} after ${limit}`),
      );
    },
  };
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
