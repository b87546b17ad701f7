// The bot's own plans: the cheapest one for the holdings at the venue, and what may go of it without asking.

import { amountText } from "../../domain/amount-text.ts";
import { Money } from "../../domain/money/money.ts";
import type { Plan, PlanStep } from "../plan/cheapest.ts";
import { isAtVenue } from "../plan/holding.ts";
import { type Proposal, propose } from "../plan/routes.ts";
import type { RailTerms } from "../plan/transfer-routes.ts";
import type { Hands, RebalancerParts, UnaskedBounds } from "./parts.ts";
import { railOf, whyClosed } from "./rails.ts";
import { tradesBack, youngTop } from "./step.ts";
import { situationOf } from "./treasury-view.ts";

/** After a person gave up a payment on a rail, they are not asked for another for this long. */
const GIVEN_UP_MS = 3_600_000;

export function ownPlan({ terms, rails, quoteAgeMsMax }: RebalancerParts, hands: Hands): Proposal {
  const { books, executor, now } = hands;
  const { treasury } = executor;
  /** People are asked for one payment on a rail at a time. */
  const leads = ({ template }: RailTerms): boolean => {
    const draft = rails.get(template);
    if (draft === undefined || whyClosed(draft, treasury, undefined) !== undefined) return false;
    const id = railOf(treasury, draft.rail)?.id;
    const { payments } = treasury;
    const isGivenUp = payments.givenUp().some(({ rail, at }) => rail === id && now.at < at + GIVEN_UP_MS);
    return !isGivenUp && !payments.expectations().some(({ rail }) => rail === id);
  };
  const situation = situationOf(hands, terms, youngTop(books, quoteAgeMsMax), now.at);
  return propose({
    ...situation,
    // Holdings elsewhere are stated by people, so only those at the venue are kept within their bands.
    bands: situation.bands.filter(({ holding }) => isAtVenue(holding)),
    rails: situation.rails.filter(leads),
    isBack: tradesBack(hands, terms.feeBpsMax, now.at),
  });
}

/** `before`: the value moved today without approval, one sum per currency. */
export function whyAsked({ steps }: Plan, bounds: UnaskedBounds, before: readonly Money[]): string | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  for (const step of steps) {
    const why = tooLarge(step, bounds) ?? tooDear(step, bounds);
    if (why !== undefined) return why;
  }
  const { dayValueMax } = bounds;
  if (dayValueMax === undefined) return "without dayValueMax nothing is moved unasked";
  const { asset } = first.value;
  // Value moved in another currency cannot be added.
  if (before.some((one) => one.asset !== asset)) return `what was moved today is not counted in ${asset}`;
  const moved = Money.sum([...before, ...steps.map(({ value }) => value)], asset);
  if (moved.atMost(dayValueMax.of(asset))) return undefined;
  return `with it ${worth(moved)} are moved today, dayValueMax is ${dayValueMax}`;
}

const KEYS = {
  order: "orderValueMax",
  mint: "mintValueMax",
  "on-ramp": "railValueMax",
  "off-ramp": "railValueMax",
} as const;

function tooLarge({ route, via, value }: PlanStep, bounds: UnaskedBounds): string | undefined {
  const key = KEYS[via.kind];
  const most = bounds[key];
  if (most === undefined) return `${route.name}: without ${key} every such step is asked for`;
  return value.atMost(most.of(value.asset)) ? undefined : `${route.name} is worth ${worth(value)}, ${key} is ${most}`;
}

/** Spread and fees; time and risk are not lost money. */
function tooDear({ route, lost, value }: PlanStep, { costBpsMax }: UnaskedBounds): string | undefined {
  if (lost.atMost(value.share(costBpsMax, "down"))) return undefined;
  const bps = (lost.toNumber() / value.toNumber()) * 10_000;
  return `${route.name} loses ${worth(lost)}, ${bps.toFixed(1)} bp of its worth, costBpsMax is ${costBpsMax}`;
}

function worth(money: Money): string {
  return `${amountText(String(money))} ${money.asset}`;
}
