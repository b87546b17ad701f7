// The rebalancer runs about once a second: it continues the running plan, starts approved ones, and otherwise plans. It
// acts automatically below the configured thresholds and asks for approval above them.

import { type Millis, type Mono, millis } from "../../domain/time.ts";
import type { Answer } from "../../execution/effects.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import { whyAsked } from "../approval/bounds.ts";
import { askAnew, contentOf, isAsked, isWish, linesOf, OWN, programOf, titleOf } from "../approval/plan-content.ts";
import { asAsked, beginnable, type LoggedPlan, type PlanLog, withCounted } from "../approval/plan-log.ts";
import { Conversions } from "../conversion/conversions.ts";
import { arrivalOf } from "../conversion/cost.ts";
import { bandRecords, missedBy, type PlanTerms, slotRecord } from "../conversion/own-conversions.ts";
import { dueSlot, type Schedule, type Standing, slotName, standingOf } from "../conversion/schedule.ts";
import { Wishes } from "../conversion/wishes.ts";
import type { Plan } from "../plan/cheapest.ts";
import { isAtVenue } from "../plan/holding.ts";
import { type Proposal, propose, type UnmetHolding } from "../plan/routes.ts";
import { type Hands, type PlanUnderWay, PlanWriter, type RebalancerParts, whyStopped } from "./parts.ts";
import { templateOf } from "./rails.ts";
import { situationNow } from "./situation-now.ts";
import { situationOf } from "./treasury-view.ts";

const PASSED = "its next time, as its last one passed: ";

type PersonRecord = PlanRecord | ApprovalRecord | PlanProgress;

export class Rebalancer {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  /** What each approved plan that has not started waits for, by plan id. */
  readonly #waitsFor = new Map<string, string>();
  readonly #wishes: Wishes;
  readonly #conversions: Conversions;
  #lookedAt: Mono | undefined;
  /** Without a rate at the last look, as text. */
  #unvalued: ReadonlySet<string> = new Set();
  #left: readonly UnmetHolding[] = [];
  #trouble = "";
  /** What the instructions wait for whose time has come. */
  readonly #late = new Map<string, string>();

  constructor(parts: RebalancerParts) {
    this.#parts = parts;
    this.#book = new PlanWriter(parts.writer);
    this.#wishes = new Wishes(parts, this.#book);
    this.#conversions = new Conversions(parts, this.#book);
  }

  get log(): PlanLog {
    return this.#book.log;
  }

  heard(answer: Answer): void {
    this.#wishes.heard(answer);
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
    return known && { known, waitsFor: this.#wishes.waitsFor };
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

  /** The instructions with their next times. */
  standing(now: Millis): readonly Standing[] {
    return standingOf(this.#parts.terms.schedules ?? [], now, this.#late);
  }

  /** Called about once a second. */
  look(hands: Hands): void {
    this.#conversions.look(hands);
    this.#wishes.look(hands);
    if (this.#wishes.isBusy) return;
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

  /** What a person decided, and the plans that begin with it. */
  decided(
    { records, begin = [] }: { readonly records: readonly PersonRecord[]; readonly begin?: readonly PlanRecord[] },
    hands: Hands,
  ): void {
    for (const record of records) this.#book.write(record, hands);
    for (const plan of begin) this.#begin(plan, hands);
  }

  /** Records an approved plan that was not started in time as expired, with the reason. */
  #expire(notStarted: readonly LoggedPlan[], hands: Hands): void {
    for (const known of notStarted) {
      const { plan, approvals } = known;
      if (hands.now.at <= plan.expiresAt || approvals.length === 0) continue;
      const approved = beginnable(known, this.#parts.rules, plan.expiresAt);
      const why = approved.ok
        ? (this.#waitsFor.get(plan.id) ?? "no bot was running, or it was working on another plan")
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
    const why = approved.ok ? whyStopped(hands) : `${approved.error} (treasury.approvals as this bot was started with)`;
    if (why !== undefined) {
      if (!this.#waitsFor.has(plan.id)) hands.note(`${titleOf(plan)} waits and is not begun: ${why}`);
      this.#waitsFor.set(plan.id, why);
      return false;
    }
    const { aim } = contentOf(plan).conversion ?? {};
    const { terms } = this.#parts;
    const missed = aim && missedBy(aim, situationOf(hands, terms, () => undefined, at).holdings, terms.targets);
    if (aim === undefined || missed?.isPositive()) return true;
    this.#waitsFor.delete(plan.id);
    const gone = missed === undefined ? "has another band now" : "has reached its band";
    const text = `by treasury.targets it is not needed: ${aim.holding} ${gone}`;
    this.#book.progress(plan, { state: "withdrawn", text }, hands);
    return false;
  }

  /** A wish whose process ended is not continued. */
  #stopLeft({ plan }: LoggedPlan, hands: Hands): void {
    const text = `the process ended before the plan did; pegbot status shows what is open${askAnew(plan)}`;
    this.#book.progress(plan, { state: "stopped", text }, hands);
  }

  #begin(plan: PlanRecord, hands: Hands): void {
    this.#waitsFor.delete(plan.id);
    if (contentOf(plan).conversion === undefined) this.#wishes.begin(plan, hands);
    else this.#conversions.begin(plan, hands);
  }

  #plan(hands: Hands): void {
    const { now } = hands;
    const { rules } = this.#parts;
    if (!rules.automatic || (this.#lookedAt !== undefined && now.mono - this.#lookedAt < rules.lookMs)) return;
    this.#lookedAt = now.mono;
    this.#keepTimes(this.#parts.terms.schedules ?? [], hands);
    const { plan, unvalued, arrival } = ownPlan(this.#parts, this.#book.log, hands);
    this.#left = unvalued.filter((one) => this.#unvalued.has(textOf(one)));
    this.#unvalued = new Set(unvalued.map(textOf));
    this.#say(this.#left.map(textOf).join("; "), hands);
    const { log } = this.#book;
    // What a program proposes does not hold up the bot's own plans.
    const asked = log
      .waiting(now.at)
      .some(({ plan: one }) => programOf(one) === undefined && contentOf(one).conversion?.slot === undefined);
    const isHeldUp = asked || log.rest(now.at) !== undefined || this.#conversions.isSending;
    if (isHeldUp || plan.steps.length === 0) return;
    const because = whyAsked(plan.steps, rules, log.unaskedToday(now.at));
    this.#propose(plan, { because, without: unvalued, arrival }, hands);
  }

  /** The same trouble is noted once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  /** As conversions: begun at once, or asked for where there is a reason. */
  #propose(plan: Plan, why: Pick<PlanTerms, "because" | "without" | "arrival">, hands: Hands): void {
    const { at } = hands.now;
    const { expiryMs, costBpsMax, persons: most } = this.#parts.rules;
    const persons = why.because === undefined ? 0 : most;
    const { terms: settings } = this.#parts;
    const terms = { at, expiresAt: millis(at + expiryMs), by: OWN, persons, costBpsMax, settings, ...why };
    for (const record of bandRecords(plan, terms)) this.#beginOrAsk(record, why.because, hands);
  }

  #beginOrAsk(record: PlanRecord, because: string | undefined, hands: Hands): void {
    this.#book.write(record, hands);
    if (because === undefined) this.#begin(record, hands);
    else {
      const approvals = record.persons === 1 ? "an approval" : "two approvals";
      const steps = linesOf(record).join("; ");
      hands.note(`rebalancing wants ${approvals}: pegbot approve ${record.id} (${steps}), because ${because}`);
    }
  }

  /** Standing instructions at their times, each once. */
  #keepTimes(schedules: readonly Schedule[], hands: Hands): void {
    for (const schedule of schedules) {
      const slot = dueSlot(schedule, hands.now.at);
      const late = this.#late.get(schedule.name);
      if (slot === undefined && late !== undefined && !late.startsWith(PASSED)) {
        this.#late.set(schedule.name, `${PASSED}${late}`);
        hands.note(`conversions.${schedule.name} waits for ${PASSED}${late}`);
      }
      if (slot === undefined) continue;
      this.#late.delete(schedule.name);
      if (this.#book.log.hasSlot(slotName(schedule, slot))) continue;
      const found = slotRecord(schedule, slot, this.#parts, this.#book.log, hands);
      if (typeof found === "string") this.#late.set(schedule.name, found);
      else this.#beginOrAsk(found.record, found.because, hands);
    }
  }
}

function textOf({ holding, why }: UnmetHolding): string {
  return `${holding} is left as it is: ${why}`;
}

// The bot's own plans: the cheapest one for the holdings at the venue, and what may go of it without asking.

function ownPlan(parts: RebalancerParts, log: PlanLog, hands: Hands): Proposal & Pick<PlanTerms, "arrival"> {
  const situation = situationNow(parts, hands, { isOwn: true, refused: log.refused(hands.now.at) });
  // Holdings elsewhere are stated by people, so only those at the venue are kept within their bands.
  const bands = situation.bands.filter(({ holding }) => isAtVenue(holding));
  return { ...propose({ ...situation, bands }), arrival: arrivalOf(situation) };
}
