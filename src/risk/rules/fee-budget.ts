// RC18: fees. One fill that cost more than the budget of an order halts the bot, for every reservation rests on that budget;
// so do fees of a day past their limit. An order that could take the day past it is refused.

import { Money } from "../../domain/money/money.ts";
import type { FeeOfFill } from "../books.ts";
import { type Breach, PASS, type Rule } from "../rule.ts";
import { halted, isIn, refuse, refuseUnknown, shown } from "../ruling.ts";

export function orderFee(maxBps: number): Rule {
  /** The last that was found to be within the budget: what was judged needs no second judgement. */
  let fine: FeeOfFill | undefined;
  return {
    code: "RC18",
    monitor({ books: { lastFee } }) {
      if (lastFee === undefined || lastFee === fine || lastFee.fee?.isZero()) return undefined;
      const most = lastFee.traded.share(maxBps, "up");
      if (lastFee.fee === undefined) return tooMuch(lastFee, "in an asset that is none of the pair", most);
      if (lastFee.fee.atMost(most)) {
        fine = lastFee;
        return undefined;
      }
      return tooMuch(lastFee, shown(lastFee.fee), most);
    },
  };
}

function tooMuch({ clientOrderId }: FeeOfFill, value: string, most: Money): Breach {
  return halted("RC18", { subject: clientOrderId, what: `fee of ${clientOrderId} is`, value, limit: shown(most) });
}

export function dailyFees(max: Money, feeBps: number): Rule {
  // What surely fits: so many times the room, in whole millionths of it. Only what is larger needs its own product.
  const timesBps = feeBps > 0 ? Math.floor(1e10 / feeBps) / 100 : 1e6;
  let known: Money | undefined;
  let fitting = Money.zero(max.asset);
  return {
    code: "RC18",
    review({ committed }, { books }) {
      if (!isIn(committed, max.asset) || books.unpricedFills > 0)
        return refuseUnknown("RC18", "sum of fees of the day", shown(max));
      const { fees } = books.day;
      if (fees !== known) {
        known = fees;
        fitting = max.minus(fees).share(timesBps, "down");
      }
      if (committed.atMost(fitting)) return PASS;
      const after = fees.plus(committed.share(feeBps, "up"));
      return after.atMost(max) ? PASS : refuse("RC18", "fees of the day could be", shown(after), shown(max));
    },
    monitor({ books: { day } }) {
      if (day.fees.atMost(max)) return undefined;
      return halted("RC18", { subject: "day", what: "fees of the day are", value: shown(day.fees), limit: shown(max) });
    },
  };
}
