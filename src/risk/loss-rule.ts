// A loss against some base, in basis points of it. Beyond the limit nothing is approved, and the bot halts until a person
// resumes; while the loss cannot be told, nothing is approved either.

import { Money } from "../domain/money/money.ts";
import type { Books } from "./books.ts";
import { PASS, type RiskContext, type Rule } from "./rule.ts";
import { halted, isIn, refuse, refuseUnknown, type StoppingRule, shown } from "./ruling.ts";

type Measure = {
  readonly code: StoppingRule;
  readonly what: string;
  readonly baseOf: (books: Books) => Money | undefined;
  /** A loss that counts whatever equity says; negative when there is one. */
  readonly realisedOf?: (books: Books) => Money;
};

export function lossRule({ code, what, baseOf, realisedOf }: Measure, maxBps: number): Rule {
  const boundsOf = remembered(maxBps);

  /** The loss that is too large; "unknown" when nobody can say, undefined when all is well. */
  function excess({ books, pricing }: RiskContext): { loss: Money; most: Money } | "unknown" | undefined {
    const base = baseOf(books);
    if (base === undefined) return "unknown";
    const bounds = boundsOf(base);
    const realised = realisedOf?.(books);
    const isRealisedInside = isInside(realised, base);
    const least = pricing.equityAtLeast();
    if (isRealisedInside && isIn(least, base.asset) && least.atLeast(bounds.floor)) return undefined;
    const equity = pricing.equity();
    if (!isIn(equity, base.asset)) return "unknown";
    if (isRealisedInside && equity.atLeast(bounds.floor)) return undefined;
    return { loss: base.minus(equity).max(realised?.negated() ?? Money.zero(base.asset)), most: bounds.most };
  }

  function isInside(realised: Money | undefined, base: Money): boolean {
    return realised === undefined || !realised.isNegative() || realised.negated().atMost(boundsOf(base).most);
  }

  function floorFloat(base: Money): number {
    const value = base.toNumber();
    const isFloat = maxBps <= FLOAT_BPS_MAX && Math.abs(value) >= FLOAT_MIN;
    return isFloat ? value - (value * maxBps) / 1e4 : boundsOf(base).floor.toNumber();
  }

  return {
    code,
    review(_, context) {
      const found = excess(context);
      if (found === undefined) return PASS;
      if (found === "unknown") return refuseUnknown(code, what, `${maxBps} bp`, missing(context));
      return refuse(code, `${what} is`, shown(found.loss), shown(found.most));
    },
    monitor(context) {
      const found = excess(context);
      if (found === undefined || found === "unknown") return undefined;
      return halted(code, { what: `${what} is`, value: shown(found.loss), limit: shown(found.most) });
    },
    steadyAbove(books) {
      const base = baseOf(books);
      if (base === undefined) return Number.NEGATIVE_INFINITY;
      return isInside(realisedOf?.(books), base) ? floorFloat(base) : Number.POSITIVE_INFINITY;
    },
  };
}

/** What equity waits for: whoever sees the first orders refused wants to know. */
export function missing({ accounts, pricing }: RiskContext): string {
  const { assets } = accounts;
  if (assets.length === 0) return "the books are not open yet";
  const unpriced = assets.filter((asset) => !accounts.held(asset)?.isZero() && pricing.rate(asset) === undefined);
  if (unpriced.length > 0) return `no rate in ${pricing.currency} for ${unpriced.join(", ")}`;
  return pricing.equity() === undefined ? "a price or a balance is missing" : "equity was not marked yet";
}

/** Up to here, and from here on, floats make a floor as well as exact amounts do, to more digits than anybody relies on. */
const [FLOAT_BPS_MAX, FLOAT_MIN] = [5_000, 1e-3];

/** Of one base, where a float does not do. */
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
