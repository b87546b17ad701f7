// The rebalancer runs about once a second: it continues the running plan, starts approved ones, and otherwise plans. It
// acts automatically below the configured thresholds and asks for approval above them.

import { type Millis, type Mono, millis } from "../../domain/time.ts";
import type { Answer } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
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
import { type LoggedPlan, type PlanLog, withCounted } from "../approval/plan-log.ts";
import type { Plan } from "../plan/cheapest.ts";
import type { UnmetHolding } from "../plan/routes.ts";
import { PlansNotStarted } from "./not-started.ts";
import { type Hands, type PlanUnderWay, PlanWriter, type RebalancerParts, whyStopped } from "./parts.ts";
import { PlanRunner } from "./plan-runner.ts";
import { ownPlan, whyAsked } from "./planner.ts";
import { templateOf } from "./rails.ts";

type PersonRecord = PlanRecord | ApprovalRecord | PlanProgress;

export class Rebalancer {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  readonly #notStarted: PlansNotStarted;
  readonly #runner: PlanRunner;
  #lookedAt: Mono | undefined;
  /** Without a rate at the last look, as text. */
  #unvalued: ReadonlySet<string> = new Set();
  #left: readonly UnmetHolding[] = [];
  #trouble = "";

  constructor(parts: RebalancerParts) {
    this.#parts = parts;
    this.#book = new PlanWriter(parts.writer);
    this.#notStarted = new PlansNotStarted(parts, this.#book);
    this.#runner = new PlanRunner(parts, this.#book);
  }

  get log(): PlanLog {
    return this.#book.log;
  }

  heard(answer: Answer): void {
    this.#runner.heard(answer);
  }

  /** Plans that can still be approved. */
  waiting(now: Millis): readonly LoggedPlan[] {
    const asked = this.#book.log.waiting(now).filter(({ plan }) => isAsked(plan));
    return asked.map((known) => withCounted(known, this.#parts.rules.people));
  }

  /** Whether a person proposed it, regardless of the targets. */
  isWish(id: string): boolean {
    const known = this.log.get(id);
    return known !== undefined && isWish(known.plan);
  }

  /** What an approved plan that has not started waits for. */
  heldUp(id: string): string | undefined {
    return this.#notStarted.heldUp(id);
  }

  /** The plan that has begun and not ended, and what it waits for. */
  underWay(): PlanUnderWay | undefined {
    const known = this.#book.log.underWay();
    return known && { known, waitsFor: this.#runner.waitsFor };
  }

  /** The configured template name of this rail. */
  templateOf(rail: string, movements: Pick<TreasuryRequests, "requests">): string | undefined {
    return templateOf(this.#parts.rails, rail, movements);
  }

  /** Holdings that its plans leave as they are for now, because they had no rate at two looks in a row. */
  left(): readonly UnmetHolding[] {
    return this.#left;
  }

  /** Called about once a second. */
  look(hands: Hands): void {
    if (this.#runner.isBusy) {
      this.#carryOn(hands);
      return;
    }
    const notStarted = this.#book.log.notStarted();
    if (notStarted.length > 0) this.#notStarted.expire(notStarted, hands);
    // While the strategy is idle the start still resolves the requests of an earlier process, so no plan starts.
    if (hands.strategy.wakes.size === 0) return;
    const left = this.#book.log.underWay();
    if (left !== undefined) {
      this.#stopLeft(left, hands);
      return;
    }
    const next = this.#notStarted.next(notStarted, hands);
    if (next !== undefined) this.#begin(next, hands);
    else if (whyStopped(hands) === undefined) this.#plan(hands);
  }

  /** What a person decided; returns what stands in the way of a plan that is to begin now. */
  decided(
    { records, begin }: { readonly records: readonly PersonRecord[]; readonly begin?: PlanRecord | undefined },
    hands: Hands,
  ): string | undefined {
    const busy = begin && this.#book.log.underWay();
    if (busy !== undefined && this.#runner.isBusy) return `another plan is under way: ${busy.plan.id}`;
    for (const record of records) this.#book.write(record, hands);
    if (busy !== undefined) this.#stopLeft(busy, hands);
    if (begin !== undefined) this.#begin(begin, hands);
    return undefined;
  }

  /** A plan whose process ended is not continued. */
  #stopLeft({ plan }: LoggedPlan, hands: Hands): void {
    const text = `its process ended before it did; pegbot status shows what is open${askAnew(plan)}`;
    this.#book.progress(plan, { state: "stopped", text }, hands);
  }

  #begin(plan: PlanRecord, hands: Hands): void {
    this.#notStarted.forget(plan);
    this.#runner.begin(plan, hands);
    this.#carryOn(hands);
  }

  #carryOn(hands: Hands): void {
    const stopped = this.#runner.carryOn(hands);
    // The part of an approved plan that is still needed is proposed again at once.
    if (stopped !== undefined && isAsked(stopped)) this.#lookedAt = undefined;
  }

  #plan(hands: Hands): void {
    const { now } = hands;
    const { rules } = this.#parts;
    if (!rules.automatic || (this.#lookedAt !== undefined && now.mono - this.#lookedAt < rules.lookMs)) return;
    this.#lookedAt = now.mono;
    const { plan, unvalued } = ownPlan(this.#parts, hands);
    this.#left = unvalued.filter((one) => this.#unvalued.has(textOf(one)));
    this.#unvalued = new Set(unvalued.map(textOf));
    this.#say(this.#left.map(textOf).join("; "), hands);
    const { log } = this.#book;
    const isHeldUp = log.waiting(now.at).length > 0 || log.rest(now.at) !== undefined;
    if (isHeldUp || plan.steps.length === 0) return;
    const because = whyAsked(plan, rules, log.unaskedToday(now.at));
    if (because !== undefined) this.#ask(plan, { because, without: unvalued }, hands);
    else this.#begin(this.#proposed(plan, { persons: 0, without: unvalued }, hands), hands);
  }

  /** The same trouble is noted once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
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

function textOf({ holding, why }: UnmetHolding): string {
  return `${holding} is left as it is: ${why}`;
}
