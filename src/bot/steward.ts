// The steward keeps holdings within their bands while the bot runs: it plans, acts by itself below the approved thresholds, asks
// people above them, and carries out what they approved, one step after the other. A step that does not end well ends the plan.

import type { PairSymbol } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import type { MintIntent } from "../domain/mint.ts";
import { Quantity } from "../domain/money/money.ts";
import type { Random } from "../domain/random.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Proposal, Refusal, Verdict } from "../domain/step.ts";
import { type Millis, type Mono, millis } from "../domain/time.ts";
import type { SupplyChange, WithdrawAddress } from "../exchange/port.ts";
import type { Answer, Ask, Executor } from "../execution/executor.ts";
import { idOfChange } from "../execution/movement-evidence.ts";
import type { Moment } from "../execution/submission.ts";
import type { Entry, JournalRecord, PlanProgress, PlanRecord } from "../journal/record.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import {
  approvedFeeBps,
  type ContentStep,
  contentOf,
  isOwn,
  OWN,
  type PlanTerms,
  planRecord,
  quantityOf,
  stepText,
} from "../treasury/approval/plan-content.ts";
import { type Approver, beginnable, type LoggedPlan, PlanLog } from "../treasury/approval/plan-log.ts";
import { type Pots, unvaluedOf, whyUnneeded } from "../treasury/approval/plan-need.ts";
import type { RefusedDoor } from "../treasury/approval/refused-doors.ts";
import { saltedQuantity } from "../treasury/mint/salt.ts";
import type { Way } from "../treasury/plan/door.ts";
import { type Plan, withoutIdle, withSteps } from "../treasury/plan/plan.ts";
import { isAtVenue } from "../treasury/plan/pot.ts";
import { type LeftPot, planFor } from "../treasury/plan/situation.ts";
import type { RailTerms } from "../treasury/plan/slow-doors.ts";
import type { RailDraft } from "../treasury/rail/check-rail.ts";
import type { Engine, Top } from "./engine.ts";
import { heldBack, openTerms } from "./held-doors.ts";
import { divided, type UnaskedBounds } from "./steward-bounds.ts";
import { type End, endOf, type Failed } from "./steward-end.ts";
import { type OrderWay, tradesBack, whyNotThere } from "./steward-order.ts";
import { asksOf, draftOf, isSeen, type RailDrafts, type RailSight, whyClosed } from "./steward-rail.ts";
import { potsFor, situationOf, type TreasuryTerms } from "./treasury-sight.ts";

export type StewardRules = UnaskedBounds & {
  readonly automatic: boolean;
  readonly lookMs: number;
  readonly expiryMs: number;
  readonly persons: number;
  readonly people: readonly Approver[];
};

export type StewardParts = {
  readonly terms: TreasuryTerms;
  readonly rules: StewardRules;
  /** Templates that can be used: complete, and leading to a destination of our own list. */
  readonly rails: RailDrafts;
  readonly saltDecimals: number;
  /** A quote that is older is no price to plan with. */
  readonly quoteAgeMsMax: number;
  readonly writer: string;
  readonly random: Random;
};

/** What it may do within a turn: all of it goes through the gates, and onto the disk with the turn. */
export type Hands = {
  readonly engine: Engine;
  readonly executor: Executor;
  record(record: JournalRecord): void;
  note(text: string): void;
  ask(ask: Ask): void;
  /** Undefined while stopped. */
  order(proposal: Proposal): Verdict | undefined;
  /** The id of what was approved, or why not. */
  move(wish: MovementWish): string | Refusal | undefined;
  /** So much is to be paid on the rail of this submission. */
  expect(rail: string, amount: Quantity): void;
};

export interface Steward {
  fold(entry: Pick<Entry, "record" | "writer">): void;
  heard(answer: Answer): void;
  /** About once a second. */
  look(hands: Hands, now: Moment, isGone: ((writer: string) => boolean) | undefined): void;
  /** Plans that can still be approved. */
  waiting(now: Millis): readonly LoggedPlan[];
  /** Of the last day: what was approved and not begun. */
  unused(now: Millis): readonly PlanProgress[];
  /** Pots that its plans leave outside their bands for now, as the last two looks had it. */
  left(): readonly LeftPot[];
  /** Doors that refused, and that its plans leave alone for a while. */
  heldBack(now: Millis, executor: Pick<Executor, "mintsSince">): readonly RefusedDoor[];
}

type Running = {
  readonly plan: PlanRecord;
  readonly steps: readonly ContentStep[];
  /** As they were when it began: a pot that is on its way to its target is not there when it is back in its band. */
  readonly bands: Pots["bands"];
  index: number;
  /** Whoever takes back a stop does not think of what is left of a plan: nothing more of it is begun. */
  stoppedAs: string | undefined;
  /** Of the step under way. */
  submission: string | undefined;
  /** When the lists that a mint or a rail is told apart by were asked for, and what they showed. */
  askedAt: Mono | undefined;
  rows: readonly SupplyChange[] | undefined;
  sight: RailSight;
  /** Of an order that the gate made smaller: what it left of the step. */
  smaller: string | undefined;
  /** Of an order that people approved: how often it was refused. */
  tries: number;
  /** What it waits for, as it was said; of an order that is tried again, why. */
  waitsFor: string | undefined;
  /** Since when the venue does not show it. */
  waitsSince: Mono | undefined;
  /** When the last order of each pair was done, or refused: the next one waits until there is a price again. */
  readonly tradedAt: Map<PairSymbol, Mono>;
};

/** A list that is not answered for so long ends the plan. */
const LIST_MS_MAX = 300_000;
/** The same of an order that people approved and that the venue does not show. */
const MARKET_MS_MAX = 300_000;
/** Of an order of an approved plan. Below the number in a row that RC12 freezes a pair for. */
const TRIES_MAX = 3;
/** A pot at the edge of its band goes in and out: a proposal that waits is withdrawn once it was not needed at so many looks in a row. */
const UNNEEDED_LOOKS = 10;

export function createSteward(parts: StewardParts): Steward {
  return new Keeper(parts);
}

class Keeper implements Steward {
  readonly #parts: StewardParts;
  readonly #log = new PlanLog();
  #running: Running | undefined;
  #lookedAt: Mono | undefined;
  #trouble = "";
  #addresses: readonly WithdrawAddress[] | undefined;
  #left: readonly LeftPot[] = [];
  /** What the last look left out, in words. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a pot that had no rate for the first time. */
  #isHeld = false;
  /** Approved plans that are not begun, by id, and what they wait for. */
  readonly #heldUp = new Map<string, string>();
  /** Looks in a row at which its own proposal was not needed. */
  #unneededLooks = 0;

  constructor(parts: StewardParts) {
    this.#parts = parts;
  }

  fold(entry: Pick<Entry, "record" | "writer">): void {
    this.#log.fold(entry);
  }

  heard(answer: Answer): void {
    if (answer.witness === "addresses") this.#addresses = answer.rows;
    const running = this.#running;
    // Only an answer that was asked for after the step began shows what was there before it.
    if (running?.askedAt === undefined || answer.askedAt < running.askedAt) return;
    const way = running.steps[running.index]?.way;
    if (answer.witness === "supply-changes" && way?.kind === "mint" && way.asset === answer.asset)
      running.rows = answer.rows;
    if (answer.witness === "rails") running.sight = { ...running.sight, rails: answer.rows };
    if (answer.witness === "addresses") running.sight = { ...running.sight, addresses: answer.rows };
  }

  waiting(now: Millis): readonly LoggedPlan[] {
    return this.#log.waiting(now).filter(({ plan }) => plan.persons > 0);
  }

  unused(now: Millis): readonly PlanProgress[] {
    return this.#log.unused(now);
  }

  left(): readonly LeftPot[] {
    return this.#left;
  }

  heldBack(now: Millis, executor: Pick<Executor, "mintsSince">): readonly RefusedDoor[] {
    return heldBack(this.#log, now, executor);
  }

  look(hands: Hands, now: Moment, isGone: ((writer: string) => boolean) | undefined): void {
    if (this.#running !== undefined) {
      this.#proceed(this.#running, hands, now);
      return;
    }
    const unbegun = this.#log.unbegun();
    if (unbegun.length > 0) this.#expire(unbegun, hands, now);
    // Nobody sits at the desk yet: what an earlier process left is still looked at.
    if (hands.engine.strategy.wakes.size === 0) return;
    const left = this.#log.underWay();
    if (left !== undefined) {
      const { plan, begunBy = "" } = left;
      if (begunBy === this.#parts.writer || isGone?.(begunBy))
        this.#progress(
          plan,
          "stopped",
          "its process ended before it did; pegbot status shows what is open",
          hands,
          now,
        );
      return;
    }
    const next = unbegun.find((known) => this.#isNext(known, hands, now));
    if (next !== undefined) this.#begin(next.plan, hands, now);
    else if (whyStopped(hands, now) === undefined) this.#plan(hands, now);
  }

  /** Whoever approved it is told what it waits for, once, and at its expiry why it was not begun. */
  #isNext(known: LoggedPlan, hands: Hands, now: Moment): boolean {
    const { plan, approvals } = known;
    const { persons, people } = this.#parts.rules;
    if (approvals.length === 0 || now.at > plan.expiresAt) return false;
    if (!beginnable(known, people, now.at).ok) return false;
    // Whoever proposed it may have another configuration: fewer than this bot asks for are not enough for it.
    const why =
      plan.persons < persons
        ? `it is for ${plan.persons} to approve, and this bot asks for ${persons} (treasury.approvals.persons)`
        : (whyStopped(hands, now) ?? whyUnjudged(plan, hands));
    if (why === undefined) return !this.#withdraws(plan, hands, now);
    if (!this.#heldUp.has(plan.id)) hands.note(`rebalancing ${plan.id} waits, it is not begun: ${why}`);
    this.#heldUp.set(plan.id, why);
    return false;
  }

  #expire(unbegun: readonly LoggedPlan[], hands: Hands, now: Moment): void {
    for (const known of unbegun) {
      const { plan, approvals } = known;
      if (now.at <= plan.expiresAt || approvals.length === 0) continue;
      const approved = beginnable(known, this.#parts.rules.people, plan.expiresAt);
      const why = approved.ok
        ? (this.#heldUp.get(plan.id) ?? "no bot was there to begin it, or it was at work on another plan")
        : approved.error;
      this.#heldUp.delete(plan.id);
      this.#progress(plan, "expired", `it was not begun: ${why}`, hands, now);
    }
  }

  #plan(hands: Hands, now: Moment): void {
    const { rules } = this.#parts;
    if (!rules.automatic || (this.#lookedAt !== undefined && now.mono - this.#lookedAt < rules.lookMs)) return;
    this.#lookedAt = now.mono;
    // While somebody is asked, nothing else is proposed.
    const asked = this.#log.waiting(now.at).filter(({ plan }) => !isOwn(plan) || !this.#takesBack(plan, hands, now));
    // Made all the same: what it leaves out is shown as it is now.
    const plan = this.#cheapest(hands, now);
    if (asked.length > 0 || plan === undefined || plan.steps.length === 0) return;
    const { pricing } = hands.engine.context;
    const parts = divided(plan, rules, this.#log.unaskedToday(now.at), (asset) => pricing.rate(asset));
    this.#unneededLooks = 0;
    if (parts.asked.steps.length > 0) {
      const record = this.#proposed(parts.asked, { persons: rules.persons, because: parts.why }, hands, now);
      const steps = contentOf(record).steps.map(stepText);
      hands.note(
        `rebalancing wants ${rules.persons === 1 ? "an approval" : "two approvals"}: pegbot approve ${record.id} (${steps.join("; ")}), because ${parts.why}`,
      );
    }
    if (parts.unasked.steps.length > 0)
      this.#begin(this.#proposed(parts.unasked, { persons: 0 }, hands, now), hands, now);
  }

  #proposed(plan: Plan, asked: Pick<PlanTerms, "persons" | "because">, hands: Hands, { at }: Moment): PlanRecord {
    const record = planRecord(plan, { at, expiresAt: millis(at + this.#parts.rules.expiryMs), by: OWN, ...asked });
    this.#write(record, hands);
    return record;
  }

  /** Of what its own plans may do; what they leave out is kept for people to see. */
  #cheapest(hands: Hands, now: Moment): Plan | undefined {
    const { terms } = this.#parts;
    const topOf = (symbol: PairSymbol): Top | undefined => this.#topOf(symbol, hands);
    const situation = situationOf(hands, openTerms(terms, this.heldBack(now.at, hands.executor)), topOf, now.at);
    const found = planFor({
      ...situation,
      // What lies outside is stated by people: only what lies here is kept within its band without them.
      bands: situation.bands.filter(({ pot }) => isAtVenue(pot)),
      rails: situation.rails.filter((rail) => this.#leads(rail, hands)),
      isBack: tradesBack(hands.engine, terms.feeBpsMax, now.at),
    });
    if (!found.ok) {
      this.#say(`no plan can be made: ${found.error}`, hands);
      return undefined;
    }
    const { plan, unvalued, waiting } = found.value;
    // Prices are missing for a moment at a start, and now and then: only what is so at two looks in a row is left out, and told.
    const textOf = ({ pot, why }: LeftPot): string => `${pot} is left as it is: ${why}`;
    const seen = [...unvalued, ...waiting];
    this.#left = seen.filter((one) => this.#seen.has(textOf(one)));
    this.#seen = new Set(seen.map(textOf));
    this.#say(this.#left.map(textOf).join("; "), hands);
    // One look in a row is waited for it: prices that come and go in turn hold no plan for good.
    this.#isHeld = !this.#isHeld && unvalued.some((one) => !this.#left.includes(one));
    if (this.#isHeld) return undefined;
    const payable = withSteps(plan, ({ door }) => !this.#isPaidFirst(door.way, hands));
    return payable === plan ? plan : withoutIdle(payable, situation.rates);
  }

  /** Whoever is asked to pay on a rail is asked once, and then for all that has come together meanwhile. */
  #isPaidFirst(way: Way, { executor }: Hands): boolean {
    const draft = "template" in way ? this.#parts.rails.get(way.template) : undefined;
    const standing = draft && executor.railOf(draft.rail)?.id;
    return standing !== undefined && Iterator.from(executor.expectations()).some(({ rail }) => rail === standing);
  }

  #topOf(symbol: PairSymbol, { engine }: Hands): Top | undefined {
    const top = engine.topOf(symbol);
    return top !== undefined && top.ageMs <= this.#parts.quoteAgeMsMax ? top : undefined;
  }

  /** Whether its own proposal, of which there is one at a time, is kept no longer for an answer. */
  #takesBack(plan: PlanRecord, hands: Hands, now: Moment): boolean {
    this.#unneededLooks = this.#whyUnneeded(plan, hands, now) === undefined ? 0 : this.#unneededLooks + 1;
    return this.#unneededLooks >= UNNEEDED_LOOKS && this.#withdraws(plan, hands, now);
  }

  #whyUnneeded(plan: PlanRecord, hands: Hands, now: Moment): string | undefined {
    const { steps } = contentOf(plan);
    const pots = potsFor(plan, hands, this.#parts.terms, now.at);
    return unvaluedOf(steps, pots.rates) === undefined ? whyUnneeded(steps, pots) : undefined;
  }

  /** Whether it did: what is no longer needed is not begun. */
  #withdraws(plan: PlanRecord, hands: Hands, now: Moment): boolean {
    const why = this.#whyUnneeded(plan, hands, now);
    if (why === undefined) return false;
    this.#heldUp.delete(plan.id);
    // Whoever made it may have had other targets than this bot.
    const need = isOwn(plan) ? "it is no longer needed" : "by this bot's treasury.targets it is not needed";
    this.#progress(plan, "withdrawn", `${need}, ${why}`, hands, now);
    return true;
  }

  /** What cannot be known yet is asked for: the next look may go that way. */
  #leads({ template }: RailTerms, hands: Hands): boolean {
    const draft = this.#parts.rails.get(template);
    if (draft === undefined) return false;
    if (draft.wallet !== undefined && this.#addresses === undefined)
      hands.ask({ witness: "addresses", asset: undefined, class: "treasury" });
    return whyClosed(draft, hands.executor, this.#addresses) === undefined;
  }

  /** The same trouble is said once. */
  #say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  #begin(plan: PlanRecord, hands: Hands, now: Moment): void {
    this.#heldUp.delete(plan.id);
    const { steps } = contentOf(plan);
    this.#progress(plan, "begun", `${steps.length} steps`, hands, now);
    const { bands } = potsFor(plan, hands, this.#parts.terms, now.at);
    this.#running = { plan, steps, bands, index: 0, stoppedAs: undefined, ...NEW_STEP, tradedAt: new Map() };
    this.#proceed(this.#running, hands, now);
  }

  #proceed(running: Running, hands: Hands, now: Moment): void {
    const step = running.steps[running.index] as ContentStep;
    const { state } = hands.engine.context.books;
    if (state !== "ACTIVE") running.stoppedAs ??= `the bot is ${state}`;
    if (running.submission === undefined) {
      if (running.stoppedAs !== undefined) {
        this.#stop(running, { why: running.stoppedAs, moved: false, isStop: true }, hands, now);
        return;
      }
      const unneeded = this.#unneeded(running, hands, now);
      if (unneeded !== undefined) {
        this.#stop(running, { why: `not needed any more, ${unneeded}`, moved: true }, hands, now);
        return;
      }
      const begun = this.#beginStep(running, step, hands, now);
      if (!begun.ok) this.#stop(running, { why: begun.error, moved: false }, hands, now);
      else running.submission = begun.value;
      return;
    }
    const submission = hands.executor.get(running.submission);
    const end: End = submission === undefined ? { why: "is gone from the books", moved: true } : endOf(submission);
    if (end === "waits") return;
    if (end !== "done") {
      if (end.moved || !this.#triesAgain(running, end.why, hands, now)) this.#stop(running, end, hands, now);
      return;
    }
    if (running.smaller !== undefined) {
      this.#stop(running, { why: running.smaller, moved: true }, hands, now);
      return;
    }
    const text = `${running.index + 1} ${step.name}: done as ${running.submission}${this.#after(running, step, hands, now)}`;
    this.#progress(running.plan, "step", text, hands, now);
    Object.assign(running, NEW_STEP);
    running.index += 1;
    if (running.index < running.steps.length) return;
    this.#running = undefined;
    this.#progress(running.plan, "done", `${running.steps.length} steps`, hands, now);
  }

  /** Of the first step it was asked when the plan was made, or before it was begun; again once it has waited. */
  #unneeded({ plan, steps, index, bands, waitsFor }: Running, hands: Hands, now: Moment): string | undefined {
    if (index === 0 && waitsFor === undefined) return undefined;
    const left = steps.slice(index);
    const pots = { ...potsFor(plan, hands, this.#parts.terms, now.at), bands };
    return unvaluedOf(left, pots.rates) === undefined ? whyUnneeded(left, pots) : undefined;
  }

  /** What a step that is done leaves to be done, or to be waited for. */
  #after(running: Running, { way, quantity }: ContentStep, hands: Hands, now: Moment): string {
    if (way.kind === "order") running.tradedAt.set(way.symbol, now.mono);
    if ((way.kind !== "on-ramp" && way.kind !== "off-ramp") || running.submission === undefined) return "";
    hands.expect(running.submission, Quantity.of(quantity));
    return `; ${quantity} are to be paid on it`;
  }

  /** The id of what was sent on its way; undefined while something must be known first. */
  #beginStep(running: Running, step: ContentStep, hands: Hands, now: Moment): Result<string | undefined> {
    const { way } = step;
    switch (way.kind) {
      case "order":
        return this.#order(running, step, way, hands, now);
      case "mint": {
        if (running.rows !== undefined) return this.#mint(running, step, running.rows, hands, now);
        const asks: readonly Ask[] = [{ witness: "supply-changes", asset: way.asset, class: "balance" }];
        return this.#awaitLists(running, asks, hands, now);
      }
      default: {
        const draft = draftOf(way, this.#parts.rails);
        if (!draft.ok) return draft;
        if (!isSeen(draft.value, running.sight)) return this.#awaitLists(running, asksOf(draft.value), hands, now);
        return this.#rail(running, draft.value, hands, now);
      }
    }
  }

  #awaitLists(running: Running, asks: readonly Ask[], hands: Hands, now: Moment): Result<undefined> {
    if (running.askedAt === undefined) {
      running.askedAt = now.mono;
      for (const ask of asks) hands.ask(ask);
    }
    if (now.mono - running.askedAt <= LIST_MS_MAX) return ok(undefined);
    return err(`the venue's lists are not answered: ${asks.map(({ witness }) => witness).join(", ")}`);
  }

  #order(
    running: Running,
    { quantity }: ContentStep,
    way: OrderWay,
    hands: Hands,
    now: Moment,
  ): Result<string | undefined> {
    const { waitsFor, plan } = running;
    // One that waited was approved for another time.
    if (waitsFor !== undefined && now.at > plan.expiresAt) return err(`${waitsFor}, until it expired`);
    const tradedAt = running.tradedAt.get(way.symbol);
    if (tradedAt !== undefined && now.mono - tradedAt < this.#parts.terms.orders.refillMs) return ok(undefined);
    // One of its own was made of the prices of this moment.
    const absent = isAsked(plan) ? whyNotThere(way, quantity, this.#topOf(way.symbol, hands)) : undefined;
    if (absent !== undefined) return this.#awaitMarket(running, absent, hands, now);
    const verdict = hands.order(proposalOf(plan, quantity, way));
    if (verdict === undefined) return err("the bot is stopped");
    if (verdict.kind === "refused") {
      const why = `${verdict.refusal.rule}: ${verdict.refusal.message}`;
      return this.#triesAgain(running, why, hands, now) ? ok(undefined) : err(why);
    }
    const [cap] = verdict.capped;
    if (cap !== undefined)
      running.smaller = `${verdict.intent.quantity} of ${quantity} were let through as ${verdict.intent.clientOrderId}, ${cap.rule}: ${cap.message}`;
    return ok(verdict.intent.clientOrderId);
  }

  /** The market does not stand still for what people approve; nor do other plans wait for it for ever. */
  #awaitMarket(running: Running, why: string, hands: Hands, now: Moment): Result<undefined> {
    if (now.at > running.plan.expiresAt) return err(`${why}, until it expired`);
    if (running.waitsSince === undefined)
      hands.note(`rebalancing ${running.plan.id} waits, ${running.steps[running.index]?.name}: ${why}`);
    running.waitsSince ??= now.mono;
    running.waitsFor = why;
    return now.mono - running.waitsSince > MARKET_MS_MAX ? err(`${why}, for 5 minutes`) : ok(undefined);
  }

  /** An order of an approved plan that moved nothing is tried again, as it was approved: a limit, or the market, may have moved on. */
  #triesAgain(running: Running, why: string, hands: Hands, now: Moment): boolean {
    const { plan, steps, index, tries } = running;
    const way = steps[index]?.way;
    if (way?.kind !== "order" || !isAsked(plan) || tries + 1 >= TRIES_MAX || now.at > plan.expiresAt) return false;
    hands.note(`rebalancing ${plan.id}, ${steps[index]?.name}: ${why}; it is tried again`);
    Object.assign(running, NEW_STEP, { tries: tries + 1, waitsFor: why });
    running.tradedAt.set(way.symbol, now.mono);
    return true;
  }

  /** A rail of this content that stands is used again; otherwise it is registered. */
  #rail(
    running: Running,
    draft: RailDraft & { readonly toAccount: boolean },
    hands: Hands,
    now: Moment,
  ): Result<string> {
    const { rails = [], addresses } = running.sight;
    const closed = whyClosed(draft, hands.executor, addresses);
    if (closed !== undefined) return err(closed);
    const standing = hands.executor.railOf(draft.rail);
    if (standing !== undefined) return ok(standing.id);
    const rail = { ...draft.rail, known: rails.map(({ railId }) => railId), toAccount: draft.toAccount };
    const reason = `rebalancing, plan ${running.plan.id}`;
    const { expiresAt } = running.plan;
    return movedAs(hands.move({ kind: "rail", rail, isAnother: false, decidedAt: now.at, expiresAt, reason }));
  }

  #mint(running: Running, step: ContentStep, rows: readonly SupplyChange[], hands: Hands, now: Moment): Result<string> {
    const { saltDecimals: decimals, random } = this.#parts;
    const { way } = step;
    const fiat = way.kind === "mint" ? fiatOf(way.asset) : undefined;
    if (way.kind !== "mint" || fiat === undefined) return err("only a coin that stands for its fiat is minted");
    const feeBpsMax = approvedFeeBps(way);
    if (!feeBpsMax.ok) return feeBpsMax;
    const own = hands.executor.mintsSince(millis(0)).flatMap((one) => (one.asset === way.asset ? [one.quantity] : []));
    const listed = rows.flatMap(({ quantity }) => (quantity === undefined ? [] : [quantity]));
    const quantity = saltedQuantity(quantityOf(step), [...listed, ...own], { decimals, random });
    if (!quantity.ok) return quantity;
    const feeMax = quantity.value.of(fiat).share(feeBpsMax.value, "up");
    const mint: MintIntent = {
      asset: way.asset,
      blockchain: way.chain,
      quantity: quantity.value,
      destination: undefined,
      spentMax: quantity.value.of(fiat).plus(feeMax),
      feeMax,
      known: rows.map(idOfChange),
    };
    const reason = `rebalancing, plan ${running.plan.id}`;
    const { expiresAt } = running.plan;
    return movedAs(hands.move({ kind: "mint", mint, decidedAt: now.at, expiresAt, reason }));
  }

  #stop(running: Running, { why, moved, isStop }: Failed, hands: Hands, now: Moment): void {
    this.#running = undefined;
    const { steps, index, plan } = running;
    const left = steps.slice(index + 1).map(({ name }) => name);
    const text = `${index} of ${steps.length} steps done; ${steps[index]?.name}: ${why}; not begun: ${left.join(", ") || "none"}`;
    const refusal = moved ? undefined : { unmoved: steps.length - index, why, isStop };
    // Whoever had approved it is asked anew at once, for what is still needed.
    if (isAsked(plan)) this.#lookedAt = undefined;
    this.#progress(plan, "stopped", text, hands, now, refusal);
  }

  #progress(
    plan: PlanRecord,
    state: PlanProgress["state"],
    text: string,
    hands: Hands,
    now: Moment,
    refusal?: PlanProgress["refusal"],
  ): void {
    this.#write({ kind: "plan-progress", at: now.at, id: plan.id, state, text, refusal }, hands);
    hands.note(`rebalancing ${plan.id} ${state}: ${text}`);
  }

  /** What this process writes is no news to it. */
  #write(record: PlanRecord | PlanProgress, hands: Hands): void {
    hands.record(record);
    this.#log.fold({ record, writer: this.#parts.writer });
  }
}

/** What is in doubt is frozen: a plan that rests on it would only be refused. */
function whyStopped({ engine, executor }: Hands, now: Moment): string | undefined {
  const { state } = engine.context.books;
  if (state !== "ACTIVE") return `the bot is ${state}`;
  const freeze = executor.freeze(now);
  return freeze.kind === "none" ? undefined : freeze.reason;
}

/** At a start prices are missing for a moment: that is no reason to use up what people approved. */
function whyUnjudged(plan: PlanRecord, { engine }: Hands): string | undefined {
  const { steps } = contentOf(plan);
  const [why] = steps.flatMap(({ quantity, way }) =>
    way.kind === "order" ? (engine.unjudged(proposalOf(plan, quantity, way)) ?? []) : [],
  );
  if (why !== undefined) return `${why.rule}: ${why.message}`;
  const { pricing } = engine.context;
  const asset = unvaluedOf(steps, (one) => pricing.rate(one));
  return asset && `there is no rate of ${asset} in ${pricing.currency}, and nobody can say whether it is still needed`;
}

const NEW_STEP = {
  submission: undefined,
  askedAt: undefined,
  rows: undefined,
  sight: {},
  smaller: undefined,
  tries: 0,
  waitsFor: undefined,
  waitsSince: undefined,
} as const;

function isAsked({ persons }: PlanRecord): boolean {
  return persons > 0;
}

function proposalOf(plan: PlanRecord, size: string, { symbol, side, limit }: OrderWay): Proposal {
  return { symbol, side, limit: Number(limit), size, reason: `rebalancing, plan ${plan.id}`, lifetimeMs: undefined };
}

function movedAs(moved: string | Refusal | undefined): Result<string> {
  if (typeof moved === "string") return ok(moved);
  return err(moved === undefined ? "not approved" : `${moved.rule}: ${moved.message}`);
}
