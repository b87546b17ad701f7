// Loss limits: of a day, from the peak, in a row, and fees.

import type { Asset } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import { type Reserved, reservedBy } from "../../domain/reservation.ts";
import type { Refusal } from "../../domain/step.ts";
import type { Counters, FeeOfFill } from "../counters.ts";
import { type Breach, PASS, type PricingView, type RiskContext, type Rule } from "../rule.ts";
import { bpsText, halted, isIn, refusalOf, refuse, refuseUnknown, type StoppingRule } from "../ruling.ts";
import { reviewFreeze } from "./rate.ts";

// A loss against a base, in basis points of it. Beyond the limit nothing is approved, and the bot halts until a person
// resumes; while the loss is unknown, nothing is approved either. Open orders count at their worst, so an order that
// would breach the limit once open is refused.

type Measure = {
  readonly code: StoppingRule;
  readonly what: string;
  readonly baseOf: (counters: Counters) => Money | undefined;
  /** A loss that counts regardless of equity; negative if there is one. */
  readonly realisedOf?: (counters: Counters) => Money;
};

type Excess = { readonly loss: Money; readonly most: Money; readonly isMarked: boolean };

export function lossRule(measure: Measure, maxBps: number): Rule {
  const { code, what } = measure;
  const bounds = new LossBounds(measure, maxBps);
  return {
    code,
    review(_, context) {
      const found = bounds.excess(context);
      if (found === undefined) return PASS;
      if (found === "unknown") return refuseUnknown(code, what, `${maxBps} bp`, missing(context));
      return refuse(code, `${what} is`, found.loss, found.most);
    },
    monitor(context) {
      const found = bounds.excess(context);
      if (found === undefined || found === "unknown") return undefined;
      const isOpen = found.isMarked && !context.counters.openValue.isZero();
      const said = isOpen ? `${what} with open orders at their worst is` : `${what} is`;
      return halted(code, { what: said, value: found.loss, limit: found.most });
    },
  };
}

/** The check of the order alone, at its final size: whether `lossRule` would halt once it is open. */
export function orderLossRule(measure: Measure, maxBps: number, feeBps: number): Rule {
  const { code } = measure;
  const bounds = new LossBounds(measure, maxBps);
  const what = `${measure.what} with this order at its worst`;
  return {
    code,
    review(order, context) {
      const tied = reservedBy(order, feeBps);
      const found = bounds.excessWith(tied, context);
      if (found === undefined) return PASS;
      if (found === "unrated") return refuseUnknown(code, what, `${maxBps} bp`, unrated(tied, context.pricing));
      if (found === "unknown") return refuseUnknown(code, what, `${maxBps} bp`, missing(context));
      return refuse(code, `${what} is`, found.loss, found.most);
    },
  };
}

/** Why a mint may not be opened. */
export type MintLossRule = (tied: Reserved, context: RiskContext) => Refusal | undefined;

/**
 * The same for a mint, with its fee budget. If the loss is unknown the mint limits decide: a person who mints while no
 * bot runs has no equity, and coins for their own fiat lose a fee at most.
 */
export function mintLossRule(measure: Measure, maxBps: number): MintLossRule {
  const { code, what } = measure;
  const bounds = new LossBounds(measure, maxBps);
  return (tied, context) => {
    const found = bounds.excessWith(tied, context);
    if (found === undefined || found === "unrated" || found === "unknown") return undefined;
    return refusalOf(code, `${what} with this mint at its worst is`, found.loss, found.most);
  };
}

/**
 * The change of equity if an order or a mint filled, at its marks: zero or negative, because not filling may be worse;
 * undefined without a mark.
 */
export function lossIfFilled(
  { leaves, comes }: Reserved,
  currency: Asset,
  markOf: (asset: Asset) => Price | undefined,
): Money | undefined {
  const [out, back] = [markOf(leaves.asset), markOf(comes.asset)];
  if (out === undefined || back === undefined) return undefined;
  const gain = comes.valued(back, currency, "down").minus(leaves.valued(out, currency, "up"));
  return gain.isNegative() ? gain : Money.zero(currency);
}

function unrated({ leaves, comes }: Reserved, pricing: PricingView): string {
  const assets = [comes.asset, leaves.asset].filter((asset) => pricing.mark(asset) === undefined);
  return `no rate in ${pricing.currency} for ${assets.join(", ")}`;
}

class LossBounds {
  readonly #measure: Measure;
  readonly #boundsOf: (base: Money) => Bounds;

  constructor(measure: Measure, maxBps: number) {
    this.#measure = measure;
    this.#boundsOf = remembered(maxBps);
  }

  /**
   * The excessive loss; "unknown" if it cannot be computed, undefined if it is within the limit. `own`: the loss that
   * an order would add, zero or negative.
   */
  excess({ counters, pricing }: RiskContext, own?: Money): Excess | "unknown" | undefined {
    const { baseOf, realisedOf } = this.#measure;
    const base = baseOf(counters);
    if (base === undefined) return "unknown";
    const { floor, most } = this.#boundsOf(base);
    const realised = realisedOf?.(counters);
    const isRealisedInside = this.#isInside(realised, base);
    if (isRealisedInside && own === undefined && pricing.isSurely("above", floor)) return undefined;
    const known = pricing.equity();
    if (!isIn(known, base.asset)) return "unknown";
    const equity = less(known, own);
    if (isRealisedInside && equity.atLeast(floor)) return undefined;
    const marked = base.minus(equity);
    const loss = marked.max(realised?.negated() ?? Money.zero(base.asset));
    return { loss, most, isMarked: marked.atLeast(loss) };
  }

  /** The excessive loss once this is open as well; "unrated" if its own loss cannot be computed. */
  excessWith(tied: Reserved, context: RiskContext): Excess | "unrated" | "unknown" | undefined {
    const { pricing } = context;
    const own = lossIfFilled(tied, pricing.currency, (asset) => pricing.mark(asset)?.price);
    if (own === undefined) return "unrated";
    return own.isZero() ? undefined : this.excess(context, own);
  }

  #isInside(realised: Money | undefined, base: Money): boolean {
    return realised === undefined || !realised.isNegative() || realised.negated().atMost(this.#boundsOf(base).most);
  }
}

function less(equity: Money, own: Money | undefined): Money {
  return own === undefined ? equity : equity.plus(own);
}

/** The inputs that equity is missing, for the refusal of the first orders. */
export function missing({ accounts, pricing }: RiskContext): string {
  const { assets } = accounts;
  if (assets.length === 0) return "the books are not open yet";
  const unpriced = assets.filter((asset) => !accounts.held(asset)?.isZero() && pricing.mark(asset) === undefined);
  if (unpriced.length > 0) return `no rate in ${pricing.currency} for ${unpriced.join(", ")}`;
  return pricing.equity() === undefined ? "a price or a balance is missing" : "equity was not marked yet";
}

class Bounds {
  readonly base: Money;
  readonly most: Money;
  readonly floor: Money;

  constructor(base: Money, maxBps: number) {
    this.base = base;
    this.most = base.share(maxBps, "down");
    this.floor = base.minus(this.most);
  }
}

function remembered(maxBps: number): (base: Money) => Bounds {
  let known: Bounds | undefined;
  return (base) => {
    if (known?.base !== base) known = new Bounds(base, maxBps);
    return known;
  };
}

// RC05: loss of one UTC day against its opening equity: the worse of marked (open orders at their worst) and realised.

export const DAILY_LOSS: Measure = {
  code: "RC05",
  what: "loss of the day",
  baseOf: ({ day }) => day.opening,
  realisedOf: ({ day }) => day.realised,
};

// RC06: loss from the highest marked equity, or since the last resume.

export const DRAWDOWN: Measure = { code: "RC06", what: "loss from the peak", baseOf: ({ peak }) => peak };

// RC13: a number of losing fills in a row freezes trading for a while.

export function losingStreak(max: number, freezeMs: number): Rule {
  const limit = { name: "lossesMax", max, freezeMs };
  return {
    code: "RC13",
    review: (_, { counters, now }) =>
      reviewFreeze("RC13", "losing fills in a row are", counters.streaks.losses, limit, now),
  };
}

// RC36: adverse selection. Prices that turn against our fills, further than chance explains, halt the bot.

export function adverseMoves(maxBps: number): Rule {
  return {
    code: "RC36",
    monitor({ counters: { markouts } }) {
      if (markouts.adverseBps <= maxBps) return undefined;
      const what = "a minute after our last fills the price has moved against them by at least";
      return halted("RC36", { what, value: bpsText(markouts.adverseBps), limit: `${maxBps} bp` });
    },
  };
}

// RC18: fees. A fill that cost more than the fee budget of an order halts the bot, because every reservation rests on
// that budget; so do a day's fees above their limit. An order that could exceed the day's limit is refused.

export function orderFee(maxBps: number): Rule {
  /** The last fill within the budget: monitors run far more often than orders fill. */
  let fine: FeeOfFill | undefined;
  return {
    code: "RC18",
    monitor({ counters: { lastFee } }) {
      if (lastFee === undefined || lastFee === fine || lastFee.fee?.isZero()) return undefined;
      const most = lastFee.traded.share(maxBps, "up");
      if (lastFee.fee === undefined) return tooMuch(lastFee, "in an asset that is none of the pair", most);
      if (lastFee.fee.moreThan(most)) return tooMuch(lastFee, lastFee.fee, most);
      fine = lastFee;
      return undefined;
    },
  };
}

function tooMuch({ clientOrderId }: FeeOfFill, value: string | Money, most: Money): Breach {
  return halted("RC18", { subject: clientOrderId, what: `fee of ${clientOrderId} is`, value, limit: most });
}

export function dailyFees(max: Money, feeBps: number): Rule {
  return {
    code: "RC18",
    review({ committed }, { counters }) {
      if (!isIn(committed, max.asset) || counters.unpricedFills > 0)
        return refuseUnknown("RC18", "sum of fees of the day", max);
      const after = counters.day.fees.plus(committed.share(feeBps, "up"));
      return after.atMost(max) ? PASS : refuse("RC18", "fees of the day could be", after, max);
    },
    monitor({ counters: { day } }) {
      if (day.fees.atMost(max)) return undefined;
      return halted("RC18", { subject: "day", what: "fees of the day are", value: day.fees, limit: max });
    },
  };
}
