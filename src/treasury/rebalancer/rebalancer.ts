// The steward's look, about once a second: it carries on with what is under way, begins what people approved, and otherwise plans.
// It acts by itself below the approved thresholds and asks people above them.

import { type Millis, type Mono, millis } from "../../domain/time.ts";
import type { Answer, Unanswered } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { Entry, PlanProgress, PlanRecord } from "../../journal/record.ts";
import {
  askAnew,
  contentOf,
  isAsked,
  isWish,
  OWN,
  type PlanTerms,
  planRecord,
  stepText,
} from "../approval/plan-content.ts";
import { type LoggedPlan, withCounted } from "../approval/plan-log.ts";
import type { RefusedDoor } from "../approval/route-backoff.ts";
import type { Plan } from "../plan/plan.ts";
import type { LeftPot } from "../plan/situation.ts";
import { UnbegunPlans } from "./not-started.ts";
import { type Hands, PlanBook, type PlanUnderWay, type Steward, type StewardParts, whyStopped } from "./parts.ts";
import { Carrier } from "./plan-runner.ts";
import { Planner } from "./planner.ts";
import { templateOf } from "./rails.ts";
import { type DoorSight, heldBack } from "./route-backoff.ts";
import { divided } from "./unasked-bounds.ts";

export function createSteward(parts: StewardParts): Steward {
  return new Keeper(parts);
}

class Keeper implements Steward {
  readonly #parts: StewardParts;
  readonly #book: PlanBook;
  readonly #planner: Planner;
  readonly #unbegun: UnbegunPlans;
  readonly #carrier: Carrier;
  #lookedAt: Mono | undefined;

  constructor(parts: StewardParts) {
    this.#parts = parts;
    this.#book = new PlanBook(parts.writer);
    this.#planner = new Planner(parts, this.#book.log);
    this.#unbegun = new UnbegunPlans(parts, this.#book);
    this.#carrier = new Carrier(parts, this.#book);
  }

  fold(entry: Pick<Entry, "record" | "writer">): void {
    this.#book.log.fold(entry);
  }

  heard(answer: Answer): void {
    if (this.#planner.heard(answer)) this.#lookedAt = undefined;
    this.#carrier.heard(answer);
  }

  unheard(question: Unanswered): void {
    if (this.#planner.unheard(question)) this.#lookedAt = undefined;
  }

  waiting(now: Millis): readonly LoggedPlan[] {
    const asked = this.#book.log.waiting(now).filter(({ plan }) => isAsked(plan));
    return asked.map((known) => withCounted(known, this.#parts.rules.people));
  }

  isWish(id: string): boolean {
    const known = this.#book.log.get(id);
    return known !== undefined && isWish(known.plan);
  }

  heldUp(id: string): string | undefined {
    return this.#unbegun.heldUp(id);
  }

  underWay(): PlanUnderWay | undefined {
    const known = this.#book.log.underWay();
    return known && { known, waitsFor: this.#carrier.waitsFor };
  }

  unused(now: Millis): readonly PlanProgress[] {
    return this.#book.log.unused(now);
  }

  templateOf(rail: string, movements: Pick<TreasuryRequests, "railOf">): string | undefined {
    return templateOf(this.#parts.rails, rail, movements);
  }

  left(): readonly LeftPot[] {
    return this.#planner.left;
  }

  heldBack(now: Millis, movements: DoorSight): readonly RefusedDoor[] {
    return heldBack({ log: this.#book.log, rails: this.#parts.rails }, now, movements);
  }

  look(hands: Hands, isGone: ((writer: string) => boolean) | undefined): void {
    if (this.#carrier.isBusy) {
      this.#carryOn(hands);
      return;
    }
    const unbegun = this.#book.log.unbegun();
    if (unbegun.length > 0) this.#unbegun.expire(unbegun, hands);
    // Nobody sits at the desk yet: what an earlier process left is still looked at.
    if (hands.engine.strategy.wakes.size === 0) return;
    const left = this.#book.log.underWay();
    if (left !== undefined) {
      this.#stopLeft(left, hands, isGone);
      return;
    }
    const next = this.#unbegun.next(unbegun, hands);
    if (next !== undefined) this.#begin(next, hands);
    else if (whyStopped(hands) === undefined) this.#plan(hands);
  }

  /** A plan whose process ended is not continued. */
  #stopLeft({ plan, begunBy = "" }: LoggedPlan, hands: Hands, isGone: ((writer: string) => boolean) | undefined): void {
    if (begunBy !== this.#parts.writer && !isGone?.(begunBy)) return;
    const text = `its process ended before it did; pegbot status shows what is open${askAnew(plan)}`;
    this.#book.progress(plan, { state: "stopped", text }, hands);
  }

  #begin(plan: PlanRecord, hands: Hands): void {
    this.#unbegun.forget(plan);
    this.#planner.begun();
    this.#carrier.begin(plan, hands);
    this.#carryOn(hands);
  }

  #carryOn(hands: Hands): void {
    const stopped = this.#carrier.carryOn(hands);
    // Whoever had approved it is asked anew at once, for what is still needed.
    if (stopped !== undefined && isAsked(stopped)) this.#lookedAt = undefined;
  }

  #plan(hands: Hands): void {
    const { now, engine } = hands;
    const { rules } = this.#parts;
    if (!rules.automatic || (this.#lookedAt !== undefined && now.mono - this.#lookedAt < rules.lookMs)) return;
    this.#lookedAt = now.mono;
    // While somebody is asked, nothing else is proposed.
    const asked = this.#unbegun.asked(hands);
    // Made all the same: what it leaves out is shown as it is now.
    const made = this.#planner.cheapest(
      hands,
      asked.map(({ plan }) => plan),
    );
    if (asked.length > 0 || made === undefined || made.plan.steps.length === 0) return;
    const { plan, without } = made;
    const { pricing } = engine.context;
    const parts = divided(plan, rules, this.#book.log.unaskedToday(now.at), (asset) => pricing.rate(asset));
    if (parts.asked.steps.length > 0) this.#ask(parts.asked, { because: parts.why, without }, hands);
    if (parts.unasked.steps.length > 0)
      this.#begin(this.#proposed(parts.unasked, { persons: 0, without }, hands), hands);
  }

  #ask(plan: Plan, why: Pick<PlanTerms, "because" | "without">, hands: Hands): void {
    const { persons } = this.#parts.rules;
    const record = this.#proposed(plan, { persons, ...why }, hands);
    const approvals = persons === 1 ? "an approval" : "two approvals";
    const steps = contentOf(record).steps.map(stepText).join("; ");
    hands.note(`rebalancing wants ${approvals}: pegbot approve ${record.id} (${steps}), because ${why.because}`);
  }

  #proposed(plan: Plan, asked: Omit<PlanTerms, "at" | "expiresAt" | "by">, hands: Hands): PlanRecord {
    const { at } = hands.now;
    const record = planRecord(plan, { at, expiresAt: millis(at + this.#parts.rules.expiryMs), by: OWN, ...asked });
    this.#book.write(record, hands);
    return record;
  }
}
