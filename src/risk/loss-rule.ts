// A loss against some base, in basis points of it. Beyond the limit nothing is approved, and the bot halts until a person
// resumes; while the loss cannot be told, nothing is approved either.

import { Money } from "../domain/money/money.ts";
import type { Books } from "./books.ts";
import { PASS, type RiskContext, type Rule } from "./rule.ts";
import { halted, isIn, refuse, refuseUnknown, shown } from "./ruling.ts";

type Measure = {
  readonly code: string;
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
    const { floor, most } = boundsOf(base);
    const realised = realisedOf?.(books);
    const isRealisedInside = isInside(realised, most);
    const least = pricing.equityAtLeast();
    if (isRealisedInside && isIn(least, base.asset) && least.atLeast(floor)) return undefined;
    const equity = pricing.equity();
    if (!isIn(equity, base.asset)) return "unknown";
    if (isRealisedInside && equity.atLeast(floor)) return undefined;
    return { loss: base.minus(equity).max(realised?.negated() ?? Money.zero(base.asset)), most };
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
      return halted(code, `${what} is`, shown(found.loss), shown(found.most));
    },
    steadyAbove(books) {
      const base = baseOf(books);
      if (base === undefined) return Number.NEGATIVE_INFINITY;
      const { floorFloat, most } = boundsOf(base);
      return isInside(realisedOf?.(books), most) ? floorFloat : Number.POSITIVE_INFINITY;
    },
  };
}

function isInside(realised: Money | undefined, most: Money): boolean {
  return realised === undefined || !realised.isNegative() || realised.negated().atMost(most);
}

/** What equity waits for: whoever sees the first orders refused wants to know. */
function missing({ accounts, pricing }: RiskContext): string {
  const { assets } = accounts;
  if (assets.length === 0) return "the books are not open yet";
  const unpriced = assets.filter((asset) => !accounts.held(asset)?.isZero() && pricing.rate(asset) === undefined);
  if (unpriced.length > 0) return `no rate in ${pricing.currency} for ${unpriced.join(", ")}`;
  return pricing.equity() === undefined ? "a price or a balance is missing" : "equity was not marked yet";
}

type Bounds = { readonly floor: Money; readonly floorFloat: number; readonly most: Money };

/** The base changes once a day or less, and is asked for with every order. */
function remembered(maxBps: number): (base: Money) => Bounds {
  let known: ({ readonly base: Money } & Bounds) | undefined;
  return (base) => {
    if (known?.base === base) return known;
    const most = base.share(maxBps, "down");
    const floor = base.minus(most);
    known = { base, floor, floorFloat: floor.toNumber(), most };
    return known;
  };
}
