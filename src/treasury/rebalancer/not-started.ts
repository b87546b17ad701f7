// Plans that are not begun. What people approved waits until the bot may begin it, and expires; what is not needed any more is
// withdrawn.

import type { PlanRecord } from "../../journal/record.ts";
import { askAnew, contentOf, isAsked, isOwn, isWish, titleOf } from "../approval/plan-content.ts";
import { beginnable, type LoggedPlan, uncounted } from "../approval/plan-log.ts";
import { unvaluedOf } from "../approval/plan-need.ts";
import { type Hands, type PlanWriter, type RebalancerParts, whyStopped } from "./parts.ts";
import { proposalOf } from "./step.ts";
import { whyUnneededNow } from "./treasury-view.ts";

/** A holding at the edge of its band goes in and out: a proposal that waits is withdrawn once it was not needed at so many looks in a row. */
const UNNEEDED_LOOKS = 10;

export class PlansNotStarted {
  readonly #parts: Pick<RebalancerParts, "rules" | "terms">;
  readonly #book: PlanWriter;
  /** Approved plans, by id, and what they wait for. */
  readonly #heldUp = new Map<string, string>();
  /** Looks in a row at which its own proposal, of which there is one at a time, was not needed. */
  #unneededLooks = 0;

  constructor(parts: Pick<RebalancerParts, "rules" | "terms">, book: PlanWriter) {
    this.#parts = parts;
    this.#book = book;
  }

  /** An approved plan that was not begun in time is recorded as expired, with the reason. */
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

  /** The one to begin now. */
  next(notStarted: readonly LoggedPlan[], hands: Hands): PlanRecord | undefined {
    return notStarted.find((known) => this.#isNext(known, hands))?.plan;
  }

  /** Those that wait for approval. The bot's own one is taken back when it was not needed for a while. */
  asked(hands: Hands): readonly LoggedPlan[] {
    const waiting = this.#book.log.waiting(hands.now.at);
    if (!waiting.some(({ plan }) => isOwn(plan))) this.#unneededLooks = 0;
    return waiting.filter(({ plan }) => !isOwn(plan) || !(this.#outgrows(plan, hands) || this.#takesBack(plan, hands)));
  }

  /** What an approved one waits for, by the last look. */
  heldUp(id: string): string | undefined {
    return this.#heldUp.get(id);
  }

  /** It is begun, or over. */
  forget({ id }: PlanRecord): void {
    this.#heldUp.delete(id);
  }

  /** What an approved plan waits for is noted once; its expiry records why it was not begun. */
  #isNext(known: LoggedPlan, hands: Hands): boolean {
    const { plan, approvals } = known;
    const { at } = hands.now;
    if (approvals.length === 0 || at > plan.expiresAt || this.#outgrows(plan, hands)) return false;
    const { people } = this.#parts.rules;
    const approved = beginnable(known, people, at);
    // Others have yet to approve it: that is asked for where it waits.
    if (!approved.ok && uncounted(known, people).length === 0) return false;
    const why = approved.ok
      ? (this.#whyTooFew(plan) ?? whyStopped(hands) ?? whyUnjudged(plan, hands))
      : `${approved.error} (treasury.approvals.people as this bot was started with)`;
    if (why !== undefined) {
      if (!this.#heldUp.has(plan.id)) hands.note(`${titleOf(plan)} waits, it is not begun: ${why}`);
      this.#heldUp.set(plan.id, why);
      return false;
    }
    const unneeded = whyUnneededNow(plan, hands, this.#parts.terms, { now: hands.now.at });
    if (unneeded !== undefined) this.#withdraw(plan, unneeded, hands);
    return unneeded === undefined;
  }

  /** A plan proposed with another configuration may be for fewer people than this bot asks for. */
  #whyTooFew(plan: PlanRecord): string | undefined {
    const { persons } = this.#parts.rules;
    return plan.persons < persons
      ? `it is for ${plan.persons} to approve, and this bot asks for ${persons} (treasury.approvals.persons)`
      : undefined;
  }

  /** Its own, from before it asked for more: it could never be begun, and would be in the way of one that can. */
  #outgrows(plan: PlanRecord, hands: Hands): boolean {
    const why = isOwn(plan) && isAsked(plan) ? this.#whyTooFew(plan) : undefined;
    if (why === undefined) return false;
    this.forget(plan);
    this.#book.progress(plan, { state: "withdrawn", text: why }, hands);
    return true;
  }

  #takesBack(plan: PlanRecord, hands: Hands): boolean {
    const why = whyUnneededNow(plan, hands, this.#parts.terms, { now: hands.now.at });
    this.#unneededLooks = why === undefined ? 0 : this.#unneededLooks + 1;
    if (why === undefined || this.#unneededLooks < UNNEEDED_LOOKS) return false;
    this.#unneededLooks = 0;
    this.#withdraw(plan, why, hands);
    return true;
  }

  #withdraw(plan: PlanRecord, why: string, hands: Hands): void {
    this.forget(plan);
    // A plan of a command may have been made for other targets.
    const need = isOwn(plan) ? "it is no longer needed" : "by this bot's treasury.targets it is not needed";
    this.#book.progress(plan, { state: "withdrawn", text: `${need}, ${why}` }, hands);
  }
}

/** At a start prices are missing for a moment: that is no reason to use up what people approved. */
function whyUnjudged(plan: PlanRecord, { engine }: Hands): string | undefined {
  if (isWish(plan)) return undefined;
  const { steps } = contentOf(plan);
  const [why] = steps.flatMap(({ quantity, via }) =>
    via.kind === "order" ? (engine.unjudged(proposalOf(plan, quantity, via)) ?? []) : [],
  );
  if (why !== undefined) return `${why.rule}: ${why.message}`;
  const { pricing } = engine.context;
  const asset = unvaluedOf(steps, (one) => pricing.rate(one));
  return asset && `there is no rate of ${asset} in ${pricing.currency}, so that its need cannot be judged`;
}
