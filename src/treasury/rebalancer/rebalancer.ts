// The rebalancer runs about once a second: it continues the running plan, starts approved ones, and otherwise plans. It
// acts automatically below the configured thresholds and asks for approval above them.

import { amountText } from "../../domain/amount-text.ts";
import { Money } from "../../domain/money/money.ts";
import { type Millis, type Mono, millis } from "../../domain/time.ts";
import type { Answer, Unanswered } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { PlanRecord } from "../../journal/record.ts";
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
import type { RefusedRoute } from "../approval/route-backoff.ts";
import type { Plan, PlanStep } from "../plan/plan.ts";
import type { UnmetHolding } from "../plan/situation.ts";
import { PlansNotStarted } from "./not-started.ts";
import {
  type Hands,
  type PlanUnderWay,
  PlanWriter,
  type RebalancerParts,
  type UnaskedBounds,
  whyStopped,
} from "./parts.ts";
import { PlanRunner } from "./plan-runner.ts";
import { heldBack, Planner, type RouteSight } from "./planner.ts";
import { templateOf } from "./rails.ts";

export class Rebalancer {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  readonly #planner: Planner;
  readonly #notStarted: PlansNotStarted;
  readonly #runner: PlanRunner;
  #lookedAt: Mono | undefined;

  constructor(parts: RebalancerParts) {
    this.#parts = parts;
    this.#book = new PlanWriter(parts.writer);
    this.#planner = new Planner(parts, this.#book.log);
    this.#notStarted = new PlansNotStarted(parts, this.#book);
    this.#runner = new PlanRunner(parts, this.#book);
  }

  get log(): PlanLog {
    return this.#book.log;
  }

  heard(answer: Answer): void {
    if (this.#planner.heard(answer)) this.#lookedAt = undefined;
    this.#runner.heard(answer);
  }

  unheard(question: Unanswered): void {
    if (this.#planner.unheard(question)) this.#lookedAt = undefined;
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

  /** The plan that any process started and that has not ended, and what it waits for if this process runs it. */
  underWay(): PlanUnderWay | undefined {
    const known = this.#book.log.underWay();
    return known && { known, waitsFor: this.#runner.waitsFor };
  }

  /** The configured template name of this rail. */
  templateOf(rail: string, movements: Pick<TreasuryRequests, "requests">): string | undefined {
    return templateOf(this.#parts.rails, rail, movements);
  }

  /** Holdings that its plans leave outside their bands for now, found at two consecutive checks. */
  left(): readonly UnmetHolding[] {
    return this.#planner.unmet;
  }

  /** Routes that its plans avoid for a while after a refusal. */
  heldBack(now: Millis, movements: RouteSight): readonly RefusedRoute[] {
    return heldBack({ log: this.#book.log, rails: this.#parts.rails }, now, movements);
  }

  /** Called about once a second. */
  look(hands: Hands, isGone: ((writer: string) => boolean) | undefined): void {
    if (this.#runner.isBusy) {
      this.#carryOn(hands);
      return;
    }
    const notStarted = this.#book.log.notStarted();
    if (notStarted.length > 0) this.#notStarted.expire(notStarted, hands);
    // While the strategy is idle the start still resolves the requests of an earlier process, so no plan starts.
    if (hands.engine.strategy.wakes.size === 0) return;
    const left = this.#book.log.underWay();
    if (left !== undefined) {
      this.#stopLeft(left, hands, isGone);
      return;
    }
    const next = this.#notStarted.next(notStarted, hands);
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
    // While a plan waits for approval, nothing else is proposed.
    const asked = this.#notStarted.asked(hands);
    // Planned anyway, so that the displayed unmet holdings are current.
    const made = this.#planner.cheapest(hands);
    if (asked.length > 0 || made === undefined || made.plan.steps.length === 0) return;
    const { plan, without } = made;
    const because = whyAsked(plan, rules, this.#book.log.unaskedToday(now.at));
    if (because !== undefined) this.#ask(plan, { because, without }, hands);
    else this.#begin(this.#proposed(plan, { persons: 0, without }, hands), hands);
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

/** `before`: the value moved today without approval, one sum per currency. */
export function whyAsked({ steps }: Plan, bounds: UnaskedBounds, before: readonly Money[]): string | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  for (const step of steps) {
    const why = whyHeld(step, bounds);
    if (why !== undefined) return why;
  }
  const { dayValueMax } = bounds;
  if (dayValueMax === undefined) return "without dayValueMax nothing is moved unasked";
  const { asset } = first.value;
  // Value moved in another currency cannot be added.
  if (before.some((one) => one.asset !== asset)) return `what was moved today is not counted in ${asset}`;
  const moved = Money.sum([...before, ...steps.map(({ value }) => value)], asset);
  if (moved.atMost(dayValueMax.of(asset))) return undefined;
  return `with it ${worth(moved)} are moved today, dayValueMax is ${dayValueMax}`;
}

function whyHeld(step: PlanStep, bounds: UnaskedBounds): string | undefined {
  return tooLarge(step, bounds) ?? tooDear(step, bounds);
}

const KEYS = {
  order: "orderValueMax",
  mint: "mintValueMax",
  "on-ramp": "railValueMax",
  "off-ramp": "railValueMax",
} as const;

function tooLarge({ route, value }: PlanStep, bounds: UnaskedBounds): string | undefined {
  const key = KEYS[route.via.kind];
  const most = bounds[key];
  if (most === undefined) return `${route.name}: without ${key} every such step is asked for`;
  return value.atMost(most.of(value.asset)) ? undefined : `${route.name} is worth ${worth(value)}, ${key} is ${most}`;
}

/** Spread and fees; time and risk are not lost money. */
function tooDear({ route, lost, value }: PlanStep, { costBpsMax }: UnaskedBounds): string | undefined {
  if (lost.atMost(value.share(costBpsMax, "down"))) return undefined;
  const bps = (lost.toNumber() / value.toNumber()) * 10_000;
  return `${route.name} loses ${worth(lost)}, ${bps.toFixed(1)} bp of its worth, costBpsMax is ${costBpsMax}`;
}

function worth(money: Money): string {
  return `${amountText(String(money))} ${money.asset}`;
}
