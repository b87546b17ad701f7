// The bot's own plans: the cheapest one of what it may do without a person's word, and what that leaves outside its band.

import type { WithdrawAddress } from "../../exchange/port.ts";
import { type Answer, isForbidden, type Unanswered } from "../../execution/effects.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { contentOf } from "../approval/plan-content.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import { type Pots, potsAfter } from "../approval/plan-need.ts";
import { isAtVenue, type PotName } from "../plan/holding.ts";
import { type Plan, withoutIdle, withSteps } from "../plan/plan.ts";
import type { RatesOf, Way } from "../plan/route.ts";
import { type LeftPot, planFor, type QuickPlan } from "../plan/situation.ts";
import type { RailTerms } from "../plan/transfer-routes.ts";
import type { Hands, StewardParts } from "./parts.ts";
import { whyClosed } from "./rails.ts";
import { heldBack, openTerms } from "./route-backoff.ts";
import { tradesBack, youngTop } from "./step.ts";
import { situationOf } from "./treasury-view.ts";

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

/** One that had a rate at so many looks in a row comes and goes no longer. */
const STEADY_LOOKS = 10;

/** `behind`: those that wait for a plan that people are asked about. */
type LookedOut = Pick<QuickPlan, "unvalued" | "waiting"> & { readonly behind?: readonly LeftPot[] };

class LeftOut {
  #pots: readonly LeftPot[] = [];
  /** What the last look left out, in words. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a pot that had no rate for the first time. */
  #isHeld = false;
  /** Pots that a look planned without, though they had a rate at the look before, and at how many looks since they had one. */
  readonly #unsteady = new Map<PotName, { readonly why: string; ratedLooks: number }>();
  #trouble = "";
  /** Pots that the last look left for later. */
  #behind: ReadonlySet<LeftPot> = new Set();

  get pots(): readonly LeftPot[] {
    return this.#pots;
  }

  /** Of this look. Whether it plans, or waits for the next one. */
  take({ unvalued, waiting, behind = [] }: LookedOut, hands: Hands): boolean {
    // Prices are missing for a moment at a start, and now and then: only what is so at two looks in a row is left out, and told.
    const all = [...unvalued, ...waiting, ...behind];
    const lasting = all.filter((one) => this.#seen.has(textOf(one)));
    this.#behind = new Set(behind);
    this.#seen = new Set(all.map(textOf));
    // One look in a row is waited for it: prices that come and go in turn hold no plan for good.
    const sudden = unvalued.filter((one) => !lasting.includes(one));
    this.#isHeld = !this.#isHeld && sudden.length > 0;
    this.#follow(unvalued, this.#isHeld ? [] : sudden);
    const others = Array.from(this.#unsteady, ([pot, { why }]): LeftPot => ({ pot, why }));
    this.#pots = [...lasting, ...others.filter(({ pot }) => lasting.every((one) => one.pot !== pot))];
    this.say(this.#pots.map(textOf).join("; "), hands);
    return !this.#isHeld;
  }

  /** What they waited for is begun. */
  forgetBehind(): void {
    this.#pots = this.#pots.filter((one) => !this.#behind.has(one));
  }

  /** The same trouble is said once. */
  say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  #follow(unvalued: readonly LeftPot[], without: readonly LeftPot[]): void {
    for (const [pot, known] of this.#unsteady) {
      known.ratedLooks = unvalued.some((one) => one.pot === pot) ? 0 : known.ratedLooks + 1;
      if (known.ratedLooks >= STEADY_LOOKS) this.#unsteady.delete(pot);
    }
    for (const { pot, why } of without)
      this.#unsteady.set(pot, { why: `${why} now and then, and plans are made without it`, ratedLooks: 0 });
  }
}

function textOf({ pot, why }: LeftPot): string {
  return `${pot} is left as it is: ${why}`;
}

/** Pots that `plan`, the one of now, would help, and of whose gap the plans that wait close less than half: the rest drifts. */
function behindAsked(plan: Plan, asked: readonly PlanRecord[], pots: Omit<Pots, "rates">): readonly LeftPot[] {
  const [first] = asked;
  if (first === undefined) return [];
  const helped = new Set(plan.steps.flatMap(({ door }): PotName[] => [door.from, door.to]));
  const until = new Date(Math.max(...asked.map(({ expiresAt }) => expiresAt))).toISOString().slice(0, 16);
  const who = `${asked.map(({ id }) => id).join(" and ")} ${asked.length === 1 ? "waits" : "wait"}`;
  const why = `nothing else is proposed while ${who} to be approved and begun, until ${until}Z at the latest (pegbot approve, or pegbot decline)`;
  return potsAfter(
    asked.flatMap((one) => contentOf(one).steps),
    pots,
  )
    .filter(
      ({ pot, missingNow, missingAfter }) => helped.has(pot) && missingAfter.plus(missingAfter).moreThan(missingNow),
    )
    .map(({ pot }) => ({ pot, why }));
}
