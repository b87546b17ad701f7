// The bot's own plans: the cheapest one of what it may do without a person's word, and what that leaves outside its band.

import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Answer, Unanswered } from "../../execution/effects.ts";
import { isForbidden } from "../../execution/effects.ts";
import type { PlanRecord } from "../../journal/record.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import type { Way } from "../plan/door.ts";
import { type Plan, withoutIdle, withSteps } from "../plan/plan.ts";
import { isAtVenue } from "../plan/pot.ts";
import type { RatesOf } from "../plan/price-of-moving.ts";
import { type LeftPot, planFor } from "../plan/situation.ts";
import type { RailTerms } from "../plan/slow-doors.ts";
import { behindAsked } from "./behind-asked.ts";
import { heldBack, openTerms } from "./held-doors.ts";
import { LeftOut } from "./left-out.ts";
import { tradesBack, youngTop } from "./plan-order.ts";
import { whyClosed } from "./rail-draft.ts";
import type { Hands, StewardParts } from "./steward.ts";
import { situationOf } from "./treasury-sight.ts";

/** `without`: pots that it is not for, because nobody can value them now. */
export type OwnPlan = { readonly plan: Plan; readonly without: readonly LeftPot[] };

export class Planner {
  readonly #parts: StewardParts;
  readonly #log: PlanLog;
  readonly #left = new LeftOut();
  #addresses: readonly WithdrawAddress[] | undefined;
  /** Why the venue does not show its whitelist to this key. */
  #unlisted: string | undefined;
  /** The last look made no plan because the whitelist was not read yet. */
  #isHeld = false;

  constructor(parts: StewardParts, log: PlanLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Pots that plans leave outside their bands for now. */
  get left(): readonly LeftPot[] {
    return this.#left.pots;
  }

  /** Nobody is asked about what waits any more: until the next look no pot stays outside for that. */
  begun(): void {
    this.#left.forgetBehind();
  }

  /** Says whether a plan waited for it. */
  heard(answer: Answer): boolean {
    if (answer.witness !== "addresses") return false;
    this.#addresses = answer.rows;
    return this.#release();
  }

  /** A key that may not ask has no rail to a wallet: plans go without. Says whether one waited for it. */
  unheard({ witness, code }: Unanswered): boolean {
    if (witness !== "addresses" || (code !== "not-available" && !isForbidden(code))) return false;
    this.#unlisted = code;
    return this.#release();
  }

  #release(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    return wasHeld;
  }

  /** What it leaves out is kept for people to see. `asked`: plans that people are asked about meanwhile. */
  cheapest(hands: Hands, asked: readonly PlanRecord[]): OwnPlan | undefined {
    const { engine, executor, now } = hands;
    const { terms, quoteAgeMsMax } = this.#parts;
    const open = openTerms(terms, heldBack({ log: this.#log, rails: this.#parts.rails }, now.at, executor.treasury));
    const situation = situationOf(hands, open, youngTop(engine, quoteAgeMsMax), now.at);
    if (this.#awaitsWhitelist(situation.rails)) {
      this.#isHeld = true;
      hands.ask({ witness: "addresses", asset: undefined, class: "balance" });
      this.#left.say(
        "no plan is made before the venue's whitelist is read: a rail to a wallet may be the better way",
        hands,
      );
      return undefined;
    }
    // What lies outside is stated by people: only what lies here is kept within its band without them.
    const bands = situation.bands.filter(({ pot }) => isAtVenue(pot));
    const found = planFor({
      ...situation,
      bands,
      rails: situation.rails.filter((rail) => this.#leads(rail, hands)),
      isBack: tradesBack(engine, terms.feeBpsMax, now.at),
    });
    if (!found.ok) {
      this.#left.say(`no plan can be made: ${found.error}`, hands);
      return undefined;
    }
    const { unvalued, waiting } = found.value;
    const plan = this.#payable(found.value.plan, situation.rates, hands);
    const behind = behindAsked(plan, asked, { holdings: situation.holdings, bands });
    const isMade = this.#left.take({ unvalued, waiting, behind }, hands);
    return isMade ? { plan, without: unvalued } : undefined;
  }

  #payable(plan: Plan, rates: RatesOf, hands: Hands): Plan {
    const payable = withSteps(plan, ({ door }) => !this.#isPaidFirst(door.way, hands));
    return payable === plan ? plan : withoutIdle(payable, rates);
  }

  /** Whether one of them leads to a wallet, and nobody knows yet whether the venue lets anything go there. */
  #awaitsWhitelist(rails: readonly RailTerms[]): boolean {
    if (this.#addresses !== undefined || this.#unlisted !== undefined) return false;
    return rails.some(({ template }) => this.#parts.rails.get(template)?.wallet !== undefined);
  }

  #leads({ template }: RailTerms, { executor }: Hands): boolean {
    const draft = this.#parts.rails.get(template);
    return draft !== undefined && whyClosed(draft, executor.treasury, this.#addresses) === undefined;
  }

  /** Whoever is asked to pay on a rail is asked once, and then for all that has come together meanwhile. */
  #isPaidFirst(way: Way, { executor }: Hands): boolean {
    const draft = "template" in way ? this.#parts.rails.get(way.template) : undefined;
    const standing = draft && executor.treasury.railOf(draft.rail)?.id;
    return (
      standing !== undefined &&
      Iterator.from(executor.treasury.payments.expectations()).some(({ rail }) => rail === standing)
    );
  }
}
