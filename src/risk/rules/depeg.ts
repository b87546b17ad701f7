// RC34: how much may be held of one coin, from what a de-peg may cost. Of a coin that is assumed to lose a part of its value
// at once, no more than loses a given part of equity. Orders are made smaller to fit, those that take of the coin pass; a mint
// is refused, and so is every mint of a coin that is off its peg.

import type { PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { capBought } from "../cap.ts";
import { type MintLossRule, missing } from "../loss-rule.ts";
import { PASS, type Rule } from "../rule.ts";
import { refusalOf, refuseUnknown, shown } from "../ruling.ts";

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
