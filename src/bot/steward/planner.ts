// The bot's own plans: the cheapest one of what it may do without a person's word, and what that leaves outside its band.

import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Answer } from "../../execution/executor.ts";
import type { PlanLog } from "../../treasury/approval/plan-log.ts";
import type { Way } from "../../treasury/plan/door.ts";
import { type Plan, withoutIdle, withSteps } from "../../treasury/plan/plan.ts";
import { isAtVenue } from "../../treasury/plan/pot.ts";
import { type LeftPot, planFor } from "../../treasury/plan/situation.ts";
import type { RailTerms } from "../../treasury/plan/slow-doors.ts";
import { situationOf } from "../treasury-sight.ts";
import { heldBack, openTerms } from "./held-doors.ts";
import { tradesBack, youngTop } from "./plan-order.ts";
import { whyClosed } from "./rail-draft.ts";
import type { Hands, StewardParts } from "./steward.ts";

export class Planner {
  readonly #parts: StewardParts;
  readonly #log: PlanLog;
  #trouble = "";
  #addresses: readonly WithdrawAddress[] | undefined;
  #left: readonly LeftPot[] = [];
  /** What the last look left out, in words. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a pot that had no rate for the first time. */
  #isHeld = false;

  constructor(parts: StewardParts, log: PlanLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Pots that plans leave outside their bands for now, as the last two looks had it. */
  get left(): readonly LeftPot[] {
    return this.#left;
  }

  heard(answer: Answer): void {
    if (answer.witness === "addresses") this.#addresses = answer.rows;
  }

  /** What it leaves out is kept for people to see. */
  cheapest(hands: Hands): Plan | undefined {
    const { engine, executor, now } = hands;
    const { terms, quoteAgeMsMax } = this.#parts;
    const open = openTerms(terms, heldBack(this.#log, now.at, executor));
    const situation = situationOf(hands, open, youngTop(engine, quoteAgeMsMax), now.at);
    const found = planFor({
      ...situation,
      // What lies outside is stated by people: only what lies here is kept within its band without them.
      bands: situation.bands.filter(({ pot }) => isAtVenue(pot)),
      rails: situation.rails.filter((rail) => this.#leads(rail, hands)),
      isBack: tradesBack(engine, terms.feeBpsMax, now.at),
    });
    if (!found.ok) {
      this.#say(`no plan can be made: ${found.error}`, hands);
      return undefined;
    }
    const { plan, unvalued, waiting } = found.value;
    // Prices are missing for a moment at a start, and now and then: only what is so at two looks in a row is left out, and told.
    const textOf = ({ pot, why }: LeftPot): string => `${pot} is left as it is: ${why}`;
    const seen = [...unvalued, ...waiting];
    this.#left = seen.filter((one) => this.#seen.has(textOf(one)));
    this.#seen = new Set(seen.map(textOf));
    this.#say(this.#left.map(textOf).join("; "), hands);
    // One look in a row is waited for it: prices that come and go in turn hold no plan for good.
    this.#isHeld = !this.#isHeld && unvalued.some((one) => !this.#left.includes(one));
    if (this.#isHeld) return undefined;
    const payable = withSteps(plan, ({ door }) => !this.#isPaidFirst(door.way, hands));
    return payable === plan ? plan : withoutIdle(payable, situation.rates);
  }

  /** What cannot be known yet is asked for: the next look may go that way. */
  #leads({ template }: RailTerms, hands: Hands): boolean {
    const draft = this.#parts.rails.get(template);
    if (draft === undefined) return false;
    if (draft.wallet !== undefined && this.#addresses === undefined)
      hands.ask({ witness: "addresses", asset: undefined, class: "treasury" });
    return whyClosed(draft, hands.executor, this.#addresses) === undefined;
  }

  /** Whoever is asked to pay on a rail is asked once, and then for all that has come together meanwhile. */
  #isPaidFirst(way: Way, { executor }: Hands): boolean {
    const draft = "template" in way ? this.#parts.rails.get(way.template) : undefined;
    const standing = draft && executor.railOf(draft.rail)?.id;
    return standing !== undefined && Iterator.from(executor.expectations()).some(({ rail }) => rail === standing);
  }

  /** The same trouble is said once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }
}
