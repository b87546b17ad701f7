// Plans that have not started. An approved plan waits until the bot may start it, and expires; one that is no longer
// needed when it could start is withdrawn.

import type { PlanRecord } from "../../journal/record.ts";
import { askAnew, contentOf, isWish, titleOf } from "../approval/plan-content.ts";
import { beginnable, type LoggedPlan, withCounted } from "../approval/plan-log.ts";
import { unvaluedOf } from "../approval/plan-need.ts";
import { type Hands, type PlanWriter, type RebalancerParts, whyStopped } from "./parts.ts";
import { proposalOf } from "./step.ts";
import { whyUnneededNow } from "./treasury-view.ts";

export class PlansNotStarted {
  readonly #parts: Pick<RebalancerParts, "rules" | "terms">;
  readonly #book: PlanWriter;
  /** What each approved plan waits for, by plan id. */
  readonly #heldUp = new Map<string, string>();

  constructor(parts: Pick<RebalancerParts, "rules" | "terms">, book: PlanWriter) {
    this.#parts = parts;
    this.#book = book;
  }

  /** Records an approved plan that was not started in time as expired, with the reason. */
  expire(notStarted: readonly LoggedPlan[], hands: Hands): void {
    for (const known of notStarted) {
      const { plan, approvals } = known;
      if (hands.now.at <= plan.expiresAt || approvals.length === 0) continue;
      const approved = beginnable(known, this.#parts.rules.people, plan.expiresAt);
      const why = approved.ok
        ? (this.#heldUp.get(plan.id) ?? "no bot was there to begin it, or it was at work on another plan")
        : approved.error;
      this.forget(plan);
      this.#book.progress(plan, { state: "expired", text: `it was not begun: ${why}${askAnew(plan)}` }, hands);
    }
  }

  /** The plan to start now. */
  next(notStarted: readonly LoggedPlan[], hands: Hands): PlanRecord | undefined {
    return notStarted.find((known) => this.#isNext(known, hands))?.plan;
  }

  /** What an approved plan waits for, as of the last check. */
  heldUp(id: string): string | undefined {
    return this.#heldUp.get(id);
  }

  /** Called when it has started or is over. */
  forget({ id }: PlanRecord): void {
    this.#heldUp.delete(id);
  }

  /** What an approved plan waits for is noted once; its expiry records why it did not start. */
  #isNext(known: LoggedPlan, hands: Hands): boolean {
    const { plan, approvals } = known;
    const { at } = hands.now;
    if (approvals.length === 0 || at > plan.expiresAt) return false;
    const { people } = this.#parts.rules;
    const approved = beginnable(known, people, at);
    // Further approvals are missing; these are requested where the plan waits.
    if (!approved.ok && withCounted(known, people).approvals.length === approvals.length) return false;
    const why = approved.ok
      ? (this.#whyTooFew(plan) ?? whyStopped(hands) ?? whyUnjudged(plan, hands))
      : `${approved.error} (treasury.approvals.people as this bot was started with)`;
    if (why !== undefined) {
      if (!this.#heldUp.has(plan.id)) hands.note(`${titleOf(plan)} waits, it is not begun: ${why}`);
      this.#heldUp.set(plan.id, why);
      return false;
    }
    const unneeded = whyUnneededNow(plan, hands, this.#parts.terms, { now: at });
    if (unneeded === undefined) return true;
    this.forget(plan);
    this.#book.progress(plan, { state: "withdrawn", text: `by treasury.targets it is not needed, ${unneeded}` }, hands);
    return false;
  }

  /** A plan proposed with another configuration may require fewer approvals than this bot. */
  #whyTooFew(plan: PlanRecord): string | undefined {
    const { persons } = this.#parts.rules;
    return plan.persons < persons
      ? `it is for ${plan.persons} to approve, and this bot asks for ${persons} (treasury.approvals.persons)`
      : undefined;
  }
}

/** At a start prices are missing briefly, which must not use up an approved plan. */
function whyUnjudged(plan: PlanRecord, { books, unjudged }: Hands): string | undefined {
  if (isWish(plan)) return undefined;
  const { steps } = contentOf(plan);
  const [why] = steps.flatMap(({ quantity, via }) =>
    via.kind === "order" ? (unjudged(proposalOf(plan, quantity, via)) ?? []) : [],
  );
  if (why !== undefined) return `${why.rule}: ${why.message}`;
  const { pricing } = books;
  const asset = unvaluedOf(steps, (one) => pricing.rate(one));
  return asset && `there is no rate of ${asset} in ${pricing.currency}, so that its need cannot be judged`;
}
