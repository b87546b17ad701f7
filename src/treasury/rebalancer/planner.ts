// The bot's own plans: the cheapest one of what it may do without a person's word, and what that leaves outside its band.

import { type Millis, millis } from "../../domain/time.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import { type Answer, isForbidden, type Unanswered } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { contentOf } from "../approval/plan-content.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import { type HoldingsNow, holdingsAfter } from "../approval/plan-need.ts";
import type { RefusedRoute } from "../approval/route-backoff.ts";
import { type HoldingName, isAtVenue } from "../plan/holding.ts";
import { type Plan, withoutIdle, withSteps } from "../plan/plan.ts";
import type { RatesOf, Via } from "../plan/route.ts";
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
  readonly #unmet = new UnmetHoldings();
  /** The venue's whitelist; none where it does not show it to this key. */
  #addresses: readonly WithdrawAddress[] | undefined;
  /** The last look made no plan because the whitelist was not read yet. */
  #isHeld = false;

  constructor(parts: RebalancerParts, log: PlanLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Holdings that plans leave outside their bands for now. */
  get unmet(): readonly UnmetHolding[] {
    return this.#unmet.holdings;
  }

  /** A plan has begun: until the next look no holding is blocked by an approval. */
  begun(): void {
    this.#unmet.holdings = this.#unmet.holdings.filter(({ isBlocked }) => !isBlocked);
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

  /** `asked`: plans that people are asked about meanwhile. */
  cheapest(hands: Hands, asked: readonly PlanRecord[]): OwnPlan | undefined {
    const { engine, executor, now } = hands;
    const { terms, quoteAgeMsMax } = this.#parts;
    const open = openTerms(terms, heldBack({ log: this.#log, rails: this.#parts.rails }, now.at, executor.treasury));
    const situation = situationOf(hands, open, youngTop(engine, quoteAgeMsMax), now.at);
    if (this.#awaitsWhitelist(situation.rails)) {
      this.#isHeld = true;
      hands.ask({ witness: "addresses", asset: undefined, class: "balance" });
      this.#unmet.say(
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
      this.#unmet.say(`no plan can be made: ${found.error}`, hands);
      return undefined;
    }
    const { unvalued, waiting } = found.value;
    const plan = this.#payable(found.value.plan, situation.rates, hands);
    const blocked = blockedByApproval(plan, asked, { holdings: situation.holdings, bands });
    const isMade = this.#unmet.take(unvalued, [...waiting, ...blocked], hands);
    return isMade ? { plan, without: unvalued } : undefined;
  }

  #payable(plan: Plan, rates: RatesOf, hands: Hands): Plan {
    const payable = withSteps(plan, ({ route }) => !this.#isPaidFirst(route.via, hands));
    return payable === plan ? plan : withoutIdle(payable, rates);
  }

  /** One of them leads to a wallet, and the whitelist is not read yet. */
  #awaitsWhitelist(rails: readonly RailTerms[]): boolean {
    return (
      this.#addresses === undefined &&
      rails.some(({ template }) => this.#parts.rails.get(template)?.wallet !== undefined)
    );
  }

  #leads({ template }: RailTerms, { executor }: Hands): boolean {
    const draft = this.#parts.rails.get(template);
    return draft !== undefined && whyClosed(draft, executor.treasury, this.#addresses) === undefined;
  }

  /** Whoever is asked to pay on a rail is asked once, and then for all that has come together meanwhile. */
  #isPaidFirst(via: Via, { executor }: Hands): boolean {
    const draft = "template" in via ? this.#parts.rails.get(via.template) : undefined;
    const standing = draft && railOf(executor.treasury, draft.rail)?.id;
    return (
      standing !== undefined &&
      Iterator.from(executor.treasury.payments.expectations()).some(({ rail }) => rail === standing)
    );
  }
}

class UnmetHoldings {
  /** Prices are missing for a moment at a start, and now and then: only what is unmet at two looks in a row is shown. */
  holdings: readonly UnmetHolding[] = [];
  /** What the last look left out, in words. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a holding that had no rate for the first time. */
  #isHeld = false;
  #trouble = "";

  /** Of this look. Whether it plans, or waits for the next one: one look in a row is waited for a missing rate. */
  take(unvalued: readonly UnmetHolding[], others: readonly UnmetHolding[], hands: Hands): boolean {
    const all = [...unvalued, ...others];
    this.holdings = all.filter((one) => this.#seen.has(textOf(one)));
    this.#seen = new Set(all.map(textOf));
    this.#isHeld = !this.#isHeld && unvalued.some((one) => !this.holdings.includes(one));
    this.say(this.holdings.map(textOf).join("; "), hands);
    return !this.#isHeld;
  }

  /** The same trouble is noted once. */
  say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }
}

function textOf({ holding, why }: UnmetHolding): string {
  return `${holding} is left as it is: ${why}`;
}

/** Holdings that `plan`, the one of now, would help, and of whose gap the plans that wait close less than half: the rest drifts. */
function blockedByApproval(
  plan: Plan,
  asked: readonly PlanRecord[],
  holdings: Omit<HoldingsNow, "rates">,
): readonly UnmetHolding[] {
  const [first] = asked;
  if (first === undefined) return [];
  const helped = new Set(plan.steps.flatMap(({ route }): HoldingName[] => [route.from, route.to]));
  const until = new Date(Math.max(...asked.map(({ expiresAt }) => expiresAt))).toISOString().slice(0, 16);
  const who = `${asked.map(({ id }) => id).join(" and ")} ${asked.length === 1 ? "waits" : "wait"}`;
  const why = `nothing else is proposed while ${who} to be approved and begun, until ${until}Z at the latest (pegbot approve, or pegbot decline)`;
  return holdingsAfter(
    asked.flatMap((one) => contentOf(one).steps),
    holdings,
  )
    .filter(
      ({ holding, missingNow, missingAfter }) =>
        helped.has(holding) && missingAfter.plus(missingAfter).moreThan(missingNow),
    )
    .map(({ holding }) => ({ holding, why, isBlocked: true }));
}

/** A person who has said that a payment does not come is not asked for it again meanwhile. */
const GIVEN_UP_MS = 3_600_000;

export type RouteSight = Pick<TreasuryRequests, "mintsSince" | "payments" | "requests">;

/** Of a journal's plans: a mint that anybody has had since ends it. And rails on which a person gave a payment up. */
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
