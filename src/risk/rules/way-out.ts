// RC35: the way out of a coin that is off its peg. There is no fair value then, so nothing may be bought; a holding may still
// be sold against the venue's own price: no further below its bid than a collar, not below a floor under par, so much in
// one order and so much on a UTC day. It only reduces. The price is asked again when a slot opens.

import type { Asset } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import { capValue } from "../cap.ts";
import type { Limits } from "../limits.ts";
import { type Assessment, PASS, type Rule } from "../rule.ts";
import { bpsText, capTo, isIn, refusalOf, refuse, refuseUnknown, shown } from "../ruling.ts";

type Exit = NonNullable<Limits["exit"]>;

/** A sale of a coin for what it stands for, while the venue's quote is outside the band around par. */
export function isWayOut({ side, instrument, fair }: Pick<Assessment, "side" | "instrument" | "fair">): boolean {
  if (side !== "sell" || fair.kind !== "none" || fair.reason !== "off-peg") return false;
  return standsFor(instrument.base) === instrument.quote;
}

/** The rule, for every order but those on the way out: they have no fair value to be measured with. */
export function unlessWayOut(rule: Rule): Rule {
  const { review } = rule;
  if (review === undefined) return rule;
  return { ...rule, review: (order, context) => (isWayOut(order) ? PASS : review(order, context)) };
}

export function wayOutPrice({ collarBps, floorBps }: Exit): Rule {
  const floor = Price.of("1").shifted(-floorBps, "up");
  return {
    code: "RC35",
    atSend: true,
    review(order, { pricing }) {
      if (!isWayOut(order)) return PASS;
      const { symbol, limit } = order;
      const bid = pricing.bid(symbol);
      if (bid === undefined) return refuseUnknown("RC35", `bid of ${symbol}`, `${collarBps} bp`);
      const below = Number(((1 - limit.toNumber() / bid) * 1e4).toPrecision(9));
      if (!(below <= collarBps))
        return refuse("RC35", `limit ${limit} is below the bid ${bid} by`, bpsText(below), `${collarBps} bp`);
      return limit.atLeast(floor) ? PASS : refuse("RC35", "off its peg, the limit is", limit, `${floor} or more`);
    },
  };
}

/** Of one order, of what is held, and of the day: the least of them. */
export function wayOutSize(exit: Exit, currency: Asset): Rule {
  const [orderMax, dayMax] = [exit.orderValueMax.of(currency), exit.perDayMax.of(currency)];
  return {
    code: "RC35",
    review(order, { accounts, books, pricing }) {
      if (!isWayOut(order)) return PASS;
      const { sold, value } = order;
      if (!isIn(value, currency)) return refuseUnknown("RC35", "value of the order", shown(orderMax));
      const left = accounts.heldAtLeast(sold);
      if (!isIn(left, sold)) return refuseUnknown("RC35", `held ${sold}`, "what is held");
      const counted = books.day.belowPar.plus(books.openValue);
      const rulings = [
        capTo(Quantity.ofMoney(left) ?? Quantity.zero, order, () =>
          refusalOf("RC35", `off its peg, ${sold} sold is`, order.quantity, left),
        ),
        capValue(order, orderMax, pricing, () =>
          refusalOf("RC35", "off its peg, the order is worth", shown(value), shown(orderMax)),
        ),
        capValue(order, dayMax.minus(counted), pricing, () =>
          refusalOf("RC35", "coins sold below par on the day could be", shown(counted.plus(value)), shown(dayMax)),
        ),
      ];
      // Each is asked again once the order is smaller.
      return rulings.find((ruling) => ruling !== PASS) ?? PASS;
    },
  };
}
