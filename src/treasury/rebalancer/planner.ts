// The bot's own plans: the cheapest one of what it may do without a person's word, and what that leaves outside its band.

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

/** `without`: holdings that it is not for, which have no rate now. */
export type OwnPlan = { readonly plan: Plan; readonly without: readonly UnmetHolding[] };

export class Planner {
  readonly #parts: RebalancerParts;
  readonly #log: PlanLog;
  /** Holdings that plans leave outside their bands for now: prices are missing for a moment now and then, so only those of two looks in a row. */
  unmet: readonly UnmetHolding[] = [];
  /** What the last look left out, as text. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a holding that had no rate for the first time. */
  #awaitsRate = false;
  #trouble = "";
  /** The venue's whitelist; none where it does not show it to this key. */
  #addresses: readonly WithdrawAddress[] | undefined;
  /** The last look made no plan because the whitelist was not read yet. */
  #isHeld = false;

  constructor(parts: RebalancerParts, log: PlanLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Returns whether a plan waited for it. */
  heard(answer: Answer): boolean {
    return answer.witness === "addresses" && this.#know(answer.rows);
  }

  /** A key that may not ask has no rail to a wallet: plans go without. */
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
    // What lies outside is stated by people: only what lies here is kept within its band without them.
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
    // One look in a row is waited for a missing rate.
    this.#awaitsRate = !this.#awaitsRate && this.unmet.length < unvalued.length;
    return this.#awaitsRate ? undefined : { plan, without: unvalued };
  }

  /** The same trouble is noted once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  /** One of them leads to a wallet, and the whitelist is not read yet. */
  #awaitsWhitelist(rails: readonly RailTerms[]): boolean {
    return (
      this.#addresses === undefined &&
      rails.some(({ template }) => this.#parts.rails.get(template)?.wallet !== undefined)
    );
  }

  /** A rail on which a payment is to come is used again once it has come: people are asked for one payment at a time. */
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

/** A person who has said that a payment does not come is not asked for it again meanwhile. */
const GIVEN_UP_MS = 3_600_000;

export type RouteSight = Pick<TreasuryRequests, "mintsSince" | "payments" | "requests">;

/** Routes paused by the journal's plans, until any later mint of the coin, and rails on which a person gave a payment up. */
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

/** Without the routes that are held back. */
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
