// The bot's own plans: the cheapest plan for the holdings at the venue, and the holdings that remain outside their
// bands.

import { type Millis, millis } from "../../domain/time.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import { type Answer, isForbidden, type Unanswered } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import type { RefusedRoute } from "../approval/route-backoff.ts";
import { isAtVenue } from "../plan/holding.ts";
import type { Plan } from "../plan/plan.ts";
import { planFor, type UnmetHolding } from "../plan/situation.ts";
import type { RailTerms } from "../plan/transfer-routes.ts";
import type { Hands, RebalancerParts } from "./parts.ts";
import { type RailDrafts, railOf, templateOf, whyClosed } from "./rails.ts";
import { tradesBack, youngTop } from "./step.ts";
import { situationOf, type TreasuryTerms } from "./treasury-view.ts";

/** `without`: holdings that the plan leaves out because they have no rate now. */
export type OwnPlan = { readonly plan: Plan; readonly without: readonly UnmetHolding[] };

export class Planner {
  readonly #parts: RebalancerParts;
  readonly #log: PlanLog;
  /**
   * Holdings that plans leave outside their bands for now; only those of two consecutive checks, because prices are
   * briefly missing now and then.
   */
  unmet: readonly UnmetHolding[] = [];
  /** The holdings left out at the last check, as text. */
  #seen: ReadonlySet<string> = new Set();
  /** The last check waited for a holding that had no rate for the first time. */
  #awaitsRate = false;
  #trouble = "";
  /** The venue's whitelist; empty if this key may not read it. */
  #addresses: readonly WithdrawAddress[] | undefined;
  /** The last check made no plan because the whitelist was not read yet. */
  #isHeld = false;

  constructor(parts: RebalancerParts, log: PlanLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Returns whether a plan waited for this answer. */
  heard(answer: Answer): boolean {
    return answer.witness === "addresses" && this.#know(answer.rows);
  }

  /** Without permission to read the whitelist there is no rail to a wallet, and plans do without. */
  unheard({ witness, code }: Unanswered): boolean {
    return (
      witness === "addresses" && (code === "not-available" || isForbidden(code)) && this.#know(this.#addresses ?? [])
    );
  }

  #know(addresses: readonly WithdrawAddress[]): boolean {
    this.#addresses = addresses;
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    return wasHeld;
  }

  cheapest(hands: Hands): OwnPlan | undefined {
    const { engine, executor, now } = hands;
    const { terms, quoteAgeMsMax } = this.#parts;
    const open = openTerms(terms, heldBack({ log: this.#log, rails: this.#parts.rails }, now.at, executor.treasury));
    const situation = situationOf(hands, open, youngTop(engine, quoteAgeMsMax), now.at);
    if (this.#awaitsWhitelist(situation.rails)) {
      this.#isHeld = true;
      hands.ask({ witness: "addresses", asset: undefined, class: "balance" });
      this.#say(
        "no plan is made before the venue's whitelist is read: a rail to a wallet may be the better way",
        hands,
      );
      return undefined;
    }
    // Holdings outside the venue are stated by people, so only those at the venue are kept within their bands
    // automatically.
    const bands = situation.bands.filter(({ holding }) => isAtVenue(holding));
    const found = planFor({
      ...situation,
      bands,
      rails: situation.rails.filter((rail) => this.#leads(rail, hands)),
      isBack: tradesBack(engine, terms.feeBpsMax, now.at),
    });
    if (!found.ok) {
      this.#say(`no plan can be made: ${found.error}`, hands);
      return undefined;
    }
    const { plan, unvalued } = found.value;
    this.unmet = unvalued.filter((one) => this.#seen.has(textOf(one)));
    this.#seen = new Set(unvalued.map(textOf));
    this.#say(this.unmet.map(textOf).join("; "), hands);
    // A missing rate is waited for at one check, not at two in a row.
    this.#awaitsRate = !this.#awaitsRate && this.unmet.length < unvalued.length;
    return this.#awaitsRate ? undefined : { plan, without: unvalued };
  }

  /** The same problem is noted once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  /** Whether one of the rails leads to a wallet and the whitelist is not read yet. */
  #awaitsWhitelist(rails: readonly RailTerms[]): boolean {
    return (
      this.#addresses === undefined &&
      rails.some(({ template }) => this.#parts.rails.get(template)?.wallet !== undefined)
    );
  }

  /** A rail with an expected payment is used again after its arrival: people are asked for one payment at a time. */
  #leads({ template }: RailTerms, { executor }: Hands): boolean {
    const { treasury } = executor;
    const draft = this.#parts.rails.get(template);
    if (draft === undefined || whyClosed(draft, treasury, this.#addresses) !== undefined) return false;
    const id = railOf(treasury, draft.rail)?.id;
    return !treasury.payments.expectations().some(({ rail }) => rail === id);
  }
}

function textOf({ holding, why }: UnmetHolding): string {
  return `${holding} is left as it is: ${why}`;
}

/** After a person gave up a payment, they are not asked for it again for this long. */
const GIVEN_UP_MS = 3_600_000;

export type RouteSight = Pick<TreasuryRequests, "mintsSince" | "payments" | "requests">;

/**
 * Routes paused by the plans in the journal, until any later mint of the coin, and rails on which a person gave up a
 * payment.
 */
export function heldBack(
  { log, rails }: { readonly log: PlanLog; readonly rails: RailDrafts },
  now: Millis,
  movements: RouteSight,
): readonly RefusedRoute[] {
  const refused = log.heldBack(now, (asset, at) => movements.mintsSince(at).some((mint) => mint.asset === asset));
  const givenUp = movements.payments.givenUp().flatMap(({ rail, at, reason }): readonly RefusedRoute[] => {
    const until = millis(at + GIVEN_UP_MS);
    const template = now < until ? templateOf(rails, rail, movements) : undefined;
    if (template === undefined) return [];
    return [
      { route: { kind: "rail", template }, since: at, at, times: 1, until, reason: `a payment on it was ${reason}` },
    ];
  });
  return [...refused, ...givenUp];
}

/** The terms without the paused routes. */
export function openTerms(terms: TreasuryTerms, held: readonly RefusedRoute[]): TreasuryTerms {
  if (held.length === 0) return terms;
  const isHeld = (asset: string, chain: string): boolean =>
    held.some(({ route }) => route.kind === "mint" && route.asset === asset && route.chain === chain);
  const symbols = new Set(held.flatMap(({ route }): string[] => (route.kind === "order" ? [route.symbol] : [])));
  const templates = new Set(held.flatMap(({ route }) => (route.kind === "rail" ? [route.template] : [])));
  return {
    ...terms,
    rails: terms.rails.filter(({ template }) => !templates.has(template)),
    mints: terms.mints.filter(({ asset, chain }) => !isHeld(asset, chain)),
    symbols: new Set([...terms.symbols].filter((symbol) => !symbols.has(symbol))),
  };
}
