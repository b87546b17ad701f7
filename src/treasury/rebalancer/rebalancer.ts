// The rebalancer runs about once a second: it continues the running plan, starts approved ones, and otherwise plans. It
// acts automatically below the configured thresholds and asks for approval above them.

import { amountText } from "../../domain/amount-text.ts";
import { Money } from "../../domain/money/money.ts";
import { type Millis, type Mono, millis } from "../../domain/time.ts";
import type { Answer } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import {
  askAnew,
  contentOf,
  isAsked,
  isWish,
  linesOf,
  OWN,
  type PlanTerms,
  planRecord,
  programOf,
  titleOf,
} from "../approval/plan-content.ts";
import { asAsked, beginnable, type LoggedPlan, type PlanLog, withCounted } from "../approval/plan-log.ts";
import { Conversions } from "../conversion/conversions.ts";
import type { Plan } from "../plan/cheapest.ts";
import { isAtVenue } from "../plan/holding.ts";
import type { PlanStep } from "../plan/path.ts";
import { type Proposal, propose, type UnmetHolding } from "../plan/routes.ts";
import {
  type Hands,
  type PlanUnderWay,
  PlanWriter,
  type RebalancerParts,
  type UnaskedBounds,
  whyStopped,
} from "./parts.ts";
import { PlanRunner } from "./plan-runner.ts";
import { railsNow, templateOf } from "./rails.ts";
import { proposalOf, tradesBack, youngTop } from "./step.ts";
import { situationOf, unvaluedOf, whyUnneededNow } from "./treasury-view.ts";

type PersonRecord = PlanRecord | ApprovalRecord | PlanProgress;

export class Rebalancer {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  /** What each approved plan that has not started waits for, by plan id. */
  readonly #waitsFor = new Map<string, string>();
  readonly #runner: PlanRunner;
  readonly #conversions: Conversions;
  #lookedAt: Mono | undefined;
  /** Without a rate at the last look, as text. */
  #unvalued: ReadonlySet<string> = new Set();
  #left: readonly UnmetHolding[] = [];
  #trouble = "";

  constructor(parts: RebalancerParts) {
    this.#parts = parts;
    this.#book = new PlanWriter(parts.writer);
    this.#runner = new PlanRunner(parts, this.#book);
    this.#conversions = new Conversions(parts, this.#book);
  }

  get log(): PlanLog {
    return this.#book.log;
  }

  heard(answer: Answer): void {
    this.#runner.heard(answer);
    this.#conversions.heard(answer);
  }

  /** Plans that can still be approved. */
  waiting(now: Millis): readonly LoggedPlan[] {
    const asked = this.#book.log.waiting(now).filter(({ plan }) => isAsked(plan));
    return asked.map((known) => asAsked(known, this.#parts.rules));
  }

  /** Whether a person proposed it, regardless of the targets. */
  isWish(id: string): boolean {
    const known = this.log.get(id);
    return known !== undefined && isWish(known.plan);
  }

  /** What an approved plan that has not started waits for. */
  heldUp(id: string): string | undefined {
    return this.#waitsFor.get(id);
  }

  /** The plan that has begun and not ended, and what it waits for. */
  underWay(): PlanUnderWay | undefined {
    const known = this.#book.log.underWay();
    return known && { known, waitsFor: this.#runner.waitsFor };
  }

  /** The conversions that have begun and not ended, and what each waits for. */
  conversions(): readonly PlanUnderWay[] {
    const { log } = this.#book;
    return log.conversions().map((known) => ({ known, waitsFor: this.#conversions.waitsFor(known.plan.id) }));
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
    this.#conversions.look(hands);
    if (this.#runner.isBusy) {
      this.#carryOn(hands);
      return;
    }
    const notStarted = this.#book.log.notStarted();
    this.#expire(notStarted, hands);
    // While the strategy is idle the start still resolves the requests of an earlier process, so no plan starts.
    if (hands.strategy.wakes.size === 0) return;
    const left = this.#book.log.underWay();
    if (left !== undefined) {
      this.#stopLeft(left, hands);
      return;
    }
    const next = notStarted.find((known) => this.#isNext(known, hands))?.plan;
    if (next !== undefined) this.#begin(next, hands);
    else if (whyStopped(hands) === undefined) this.#plan(hands);
  }

  /** What a person decided; returns what stands in the way of a plan that is to begin now. */
  decided(
    { records, begin }: { readonly records: readonly PersonRecord[]; readonly begin?: PlanRecord | undefined },
    hands: Hands,
  ): string | undefined {
    const isAlone = begin !== undefined && contentOf(begin).conversion === undefined;
    const busy = isAlone ? this.#book.log.underWay() : undefined;
    if (busy !== undefined && this.#runner.isBusy) return `another plan is under way: ${busy.plan.id}`;
    for (const record of records) this.#book.write(record, hands);
    if (busy !== undefined) this.#stopLeft(busy, hands);
    if (begin !== undefined) this.#begin(begin, hands);
    return undefined;
  }

  /** Records an approved plan that was not started in time as expired, with the reason. */
  #expire(notStarted: readonly LoggedPlan[], hands: Hands): void {
    for (const known of notStarted) {
      const { plan, approvals } = known;
      if (hands.now.at <= plan.expiresAt || approvals.length === 0) continue;
      const approved = beginnable(known, this.#parts.rules, plan.expiresAt);
      const why = approved.ok
        ? (this.#waitsFor.get(plan.id) ?? "no bot was there to begin it, or it was at work on another plan")
        : approved.error;
      this.#waitsFor.delete(plan.id);
      this.#book.progress(plan, { state: "expired", text: `it was not begun: ${why}${askAnew(plan)}` }, hands);
    }
  }

  /** What an approved plan waits for is noted once; its expiry records why it did not start. */
  #isNext(known: LoggedPlan, hands: Hands): boolean {
    const { plan, approvals } = known;
    const { at } = hands.now;
    if (approvals.length === 0 || at > plan.expiresAt) return false;
    const { rules } = this.#parts;
    const approved = beginnable(known, rules, at);
    // Further approvals are missing; these are requested where the plan waits.
    const isShort = approvals.length < plan.persons;
    if (!approved.ok && isShort && withCounted(known, rules.people).approvals.length === approvals.length) return false;
    const why = approved.ok
      ? (whyStopped(hands) ?? whyUnjudged(plan, hands))
      : `${approved.error} (treasury.approvals as this bot was started with)`;
    if (why !== undefined) {
      if (!this.#waitsFor.has(plan.id)) hands.note(`${titleOf(plan)} waits, it is not begun: ${why}`);
      this.#waitsFor.set(plan.id, why);
      return false;
    }
    const unneeded = whyUnneededNow(plan, hands, this.#parts.terms, { now: at });
    if (unneeded === undefined) return true;
    this.#waitsFor.delete(plan.id);
    this.#book.progress(plan, { state: "withdrawn", text: `by treasury.targets it is not needed, ${unneeded}` }, hands);
    return false;
  }

  /** A plan whose process ended is not continued. */
  #stopLeft({ plan }: LoggedPlan, hands: Hands): void {
    const text = `its process ended before it did; pegbot status shows what is open${askAnew(plan)}`;
    this.#book.progress(plan, { state: "stopped", text }, hands);
  }

  #begin(plan: PlanRecord, hands: Hands): void {
    this.#waitsFor.delete(plan.id);
    if (contentOf(plan).conversion !== undefined) {
      this.#conversions.begin(plan, hands);
      return;
    }
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
    // What a program proposes does not hold up the bot's own plans.
    const asked = log.waiting(now.at).some(({ plan: one }) => programOf(one) === undefined);
    const isHeldUp = asked || log.rest(now.at) !== undefined || log.conversions().length > 0;
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
    const steps = linesOf(record).join("; ");
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

// The bot's own plans: the cheapest one for the holdings at the venue, and what may go of it without asking.

function ownPlan({ terms, rails, quoteAgeMsMax }: RebalancerParts, hands: Hands): Proposal {
  const { books, now } = hands;
  const situation = situationOf(hands, terms, youngTop(books, quoteAgeMsMax), now.at);
  return propose({
    ...situation,
    // Holdings elsewhere are stated by people, so only those at the venue are kept within their bands.
    bands: situation.bands.filter(({ holding }) => isAtVenue(holding)),
    ...railsNow(situation, rails, hands.executor.treasury, now.at),
    isBack: tradesBack(hands, terms.feeBpsMax, now.at),
  });
}

/** `before`: the value moved today without approval, one sum per currency. */
export function whyAsked({ steps }: Plan, bounds: UnaskedBounds, before: readonly Money[]): string | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  for (const step of steps) {
    const why = tooLarge(step, bounds) ?? tooDear(step, bounds);
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

const KEYS = {
  order: "orderValueMax",
  mint: "mintValueMax",
  "on-ramp": "railValueMax",
  "off-ramp": "railValueMax",
} as const;

function tooLarge({ route, via, value }: PlanStep, bounds: UnaskedBounds): string | undefined {
  const key = KEYS[via.kind];
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
