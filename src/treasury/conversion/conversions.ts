// Carries out conversions: at each look the ways left are priced anew, and the first step of the best one is sent, through the
// gates. All that a conversion knows is in its records, so that the next process goes on with it.

import type { PairSymbol } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { isWorking, type Rail } from "../../domain/rail.ts";
import { type Mono, mono } from "../../domain/time.ts";
import type { Answer } from "../../execution/effects.ts";
import type { PlanMove, PlanRecord } from "../../journal/record.ts";
import { whyStepAsked } from "../approval/bounds.ts";
import {
  type ConversionTerms,
  contentOf,
  contentStep,
  isApproved,
  isAsked,
  isEarlier,
  isOwn,
  OWN,
} from "../approval/plan-content.ts";
import { asAsked, isNothing, type LoggedPlan } from "../approval/plan-log.ts";
import type { Conversion } from "../plan/cheapest.ts";
import type { PlanStep } from "../plan/path.ts";
import { type Situation, waysOfNow } from "../plan/routes.ts";
import { type Hands, type PlanWriter, type RebalancerParts, whyStopped } from "../rebalancer/parts.ts";
import { situationNow } from "../rebalancer/situation-now.ts";
import { beginStep, heardBy, type RunningStep } from "../rebalancer/step.ts";
import { choose } from "./choose.ts";
import { shownPrice } from "./cost.ts";
import { endOf } from "./end-of-move.ts";
import { MORE_BPS, missedBy } from "./own-conversions.ts";
import { isDust, leavingOf, leftOf, movedSoFar, type Purse, purseOf } from "./purse.ts";

/** So often the ways are priced; and after a mint or a rail that the gate or a list refused. */
const LOOK_MS = 5_000;
const REFUSED_MS = 60_000;

type Active = {
  /** A step that is chosen and not sent, while lists are read for it. */
  next: { readonly step: PlanStep; readonly running: RunningStep } | undefined;
  /** The last order of each pair: the next one waits until the venue shows a price again. */
  readonly tradedAt: Map<PairSymbol, Mono>;
  lookAt: Mono | undefined;
  waitsFor: string | undefined;
  /** Whether it may send more. */
  isSending: boolean;
};

export class Conversions {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  readonly #active = new Map<string, Active>();

  constructor(parts: RebalancerParts, book: PlanWriter) {
    this.#parts = parts;
    this.#book = book;
  }

  heard(answer: Answer): void {
    for (const { next } of this.#active.values()) if (next !== undefined) heardBy(next.running, answer);
  }

  waitsFor(id: string): string | undefined {
    return this.#active.get(id)?.waitsFor;
  }

  /** Whether one of them may send more, and not only waits for what is on its way. */
  get isSending(): boolean {
    return this.#book.log.conversions().some(({ plan }) => this.#active.get(plan.id)?.isSending !== false);
  }

  begin(plan: PlanRecord, hands: Hands): void {
    this.#book.progress(plan, { state: "begun", text: "a conversion" }, hands);
    this.#of(plan.id);
  }

  /** While the strategy is idle only those send that began in this process; what was sent is followed in any case. */
  look(hands: Hands): void {
    const isIdle = hands.strategy.wakes.size === 0;
    for (const known of this.#book.log.conversions()) {
      const { id } = known.plan;
      const isNew = !this.#active.has(id);
      if (isNew && isIdle) this.#settled(known, hands);
      else {
        const active = this.#of(id);
        active.isSending = true;
        active.waitsFor = this.#settled(known, hands) ?? this.#goOn(known, active, hands);
      }
    }
  }

  /** As the configuration asks for it now; what goes without asking is bounded step by step. */
  #isApproved(known: LoggedPlan): boolean {
    const { rules } = this.#parts;
    if (isEarlier(known.plan)) return false;
    if (!isAsked(known.plan)) return isOwn(known.plan) && rules.automatic;
    const { plan, approvals } = asAsked(known, rules);
    return new Set(approvals.map(({ by }) => by)).size >= plan.persons;
  }

  #of(id: string): Active {
    const known = this.#active.get(id);
    if (known !== undefined) return known;
    const none = { next: undefined, lookAt: undefined, waitsFor: undefined };
    const active: Active = { ...none, tradedAt: new Map(), isSending: true };
    this.#active.set(id, active);
    return active;
  }

  /** Records what has ended, and ends the conversion where nothing more is sent; returns what it waits for. */
  #settled(known: LoggedPlan, hands: Hands): string | undefined {
    const { plan } = known;
    const { open, idle, isFinished, ...purse } = purseOf(known);
    for (const move of [...open, ...idle]) {
      const end = endOf(move, hands);
      const isIdle = idle.includes(move);
      if (end === undefined || (isIdle && (end === "gone" || isNothing(end.move)))) continue;
      if (end === "gone") {
        this.#end(plan, `${move.request} is no longer in the books: pegbot orders shows what it did`, hands);
        return "nothing more";
      }
      this.#book.progress(plan, { state: "step", text: `${move.request}: ${end.text}`, move: end.move }, hands);
      const { odd } = end;
      // What a band misses is read from the books, whatever was paid.
      if (odd === undefined || contentOf(plan).conversion?.aim !== undefined) return "what it has sent";
      this.#book.progress(plan, { state: "paused", text: odd, by: OWN }, hands);
      return odd;
    }
    const terms = contentOf(plan).conversion as ConversionTerms;
    const left = leftOf(terms, purse);
    const unapproved = this.#isApproved(known) ? undefined : "as its approvals do not count any more";
    const early = isFinished ? "when a person finished it" : unapproved;
    if (left === undefined || early !== undefined || hands.now.at > terms.by) {
      const missing =
        left && `${left.amount} ${left.isBuy ? left.to : left.from} are left ${early ?? "at its deadline"}`;
      return this.#over(known, missing, hands);
    }
    // An order is decided within seconds, and shapes what is left.
    return open.some(({ request }) => hands.executor.get(request)?.kind === "order")
      ? `the end of ${requestsOf(open)}`
      : undefined;
  }

  /** It sends nothing more: it ends with what is on its way. */
  #over({ plan, progress }: LoggedPlan, missing: string | undefined, hands: Hands): string {
    const { open } = purseOf({ progress });
    const active = this.#active.get(plan.id);
    if (active !== undefined) active.isSending = false;
    if (open.length > 0) return `the end of ${requestsOf(open)}`;
    this.#end(plan, missing, hands);
    return "nothing more";
  }

  #goOn(known: LoggedPlan, active: Active, hands: Hands): string | undefined {
    const purse = purseOf(known);
    const stopped = purse.paused === undefined ? whyStopped(hands) : `a person: ${purse.paused}`;
    // After a stop its lists are read anew.
    if (stopped !== undefined) active.next = undefined;
    if (stopped !== undefined || active.next !== undefined) return stopped ?? this.#send(known.plan, active, hands);
    const now = hands.now.mono;
    if (active.lookAt !== undefined && now < active.lookAt) return active.waitsFor;
    active.lookAt = mono(now + LOOK_MS);
    return this.#step(known, purse, active, hands);
  }

  #step(known: LoggedPlan, purse: Purse, active: Active, hands: Hands): string | undefined {
    const { plan, progress } = known;
    const terms = contentOf(plan).conversion as ConversionTerms;
    const { aim } = terms;
    const { at } = hands.now;
    const { terms: settings } = this.#parts;
    const { refillMs } = settings.orders;
    const situation = this.#situation(known, terms, hands);
    const missed = aim && missedBy(aim, situation.holdings, settings.targets);
    if (aim !== undefined && !missed?.isPositive()) {
      const why =
        missed === undefined
          ? `treasury.targets has no such band of ${aim.holding} now`
          : `${aim.holding} is in its band`;
      const isReached = missed !== undefined && purse.sums.size > 0;
      return this.#over(known, isReached ? undefined : `it is not needed any more: ${why}`, hands);
    }
    const begunAt = progress.find(({ state }) => state === "begun")?.at ?? plan.at;
    const now = { terms, begunAt, refillMs, at, moved: movedSoFar(known) };
    let step: PlanStep | string = "nothing more";
    // What is left between two routes may be too small for a way of its own.
    const rests = [leftOf(terms, purse), leftOf(terms, purse, "whole")];
    for (const left of rests.flatMap((rest) => (rest === undefined ? [] : withinAim(rest, terms, missed))))
      if (typeof step === "string") step = choose(waysOfNow(left, situation), { ...now, left });
    if (typeof step === "string") {
      const isReached = missed !== undefined && isDust(missed, terms);
      return isReached ? this.#over(known, undefined, hands) : step;
    }
    const over = isAsked(plan) ? undefined : whyStepAsked(step, this.#parts.rules);
    if (over !== undefined) return `a step within treasury.approvals: ${over}`;
    const gone = leavingOf(terms, purse);
    if (step.route.from === terms.from && gone.plus(step.takes).moreThan(Money.of(terms.leavesMax, gone.asset)))
      return `a price at which no more than ${terms.leavesMax} ${terms.from} leave`;
    const before = step.via.kind === "order" ? active.tradedAt.get(step.via.symbol) : undefined;
    if (before !== undefined && hands.now.mono - before < refillMs) return "the venue's next price";
    // What it sends may leave as long as the conversion lasts, and was priced just now.
    const running = {
      plan: { ...plan, expiresAt: terms.by, persons: 0 },
      step: contentStep(step),
      soFar: { lists: {} },
    };
    active.next = { step, running };
    return this.#send(plan, active, hands);
  }

  #situation({ plan }: LoggedPlan, terms: ConversionTerms, hands: Hands): Situation {
    const { log } = this.#book;
    const refused = log.refused(hands.now.at, isOwn(plan) ? undefined : plan.id);
    const situation = situationNow(this.#parts, hands, { isOwn: isOwn(plan), refused, isOffPeg: terms.isOffPeg });
    const { orders } = situation;
    const { orderValueMax: most } = this.#parts.rules;
    const valueMax = isAsked(plan) || most === undefined ? orders.valueMax : most.min(orders.valueMax ?? most);
    const rails = situation.rails.filter((rail) => isApproved(rail, terms));
    const mints = situation.mints.map((mint) => ({
      ...mint,
      feeBpsMax: Math.min(mint.feeBpsMax, terms.mintFeeBpsMax),
    }));
    return { ...situation, mints, rails, orders: { ...orders, valueMax } };
  }

  #send(plan: PlanRecord, active: Active, hands: Hands): string | undefined {
    const { step, running } = active.next as NonNullable<Active["next"]>;
    const { via, route, quantity, takes, brings, value, lost, cost, costMax } = step;
    const begun = beginStep(running, this.#parts, hands);
    if (begun.ok && begun.value === undefined) return "the venue's lists";
    active.next = undefined;
    if (!begun.ok) {
      if (via.kind !== "order") active.lookAt = mono(hands.now.mono + REFUSED_MS);
      return begun.error;
    }
    const isRail = via.kind === "on-ramp" || via.kind === "off-ramp";
    // A rail moves nothing by itself: it is paid on once it works, which the next look sees.
    if (isRail && !takesPayments(begun.value as string, hands)) return `the venue's answer to rail ${begun.value}`;
    const request = isRail ? hands.expect(begun.value as string, quantity) : (begun.value as string);
    if (via.kind === "order") active.tradedAt.set(via.symbol, hands.now.mono);
    const amounts = { takes: `${takes} ${route.from}`, brings: `${brings} ${route.to}`, value };
    const top = via.kind === "order" ? hands.books.topOf(via.symbol) : undefined;
    const price = via.kind === "order" && top !== undefined ? { shown: shownPrice(top, via.side) } : {};
    const move = { request, route: route.name, ...amounts, lost: lost.plus(costMax).minus(cost), ...price };
    this.#book.progress(plan, { state: "sent", text: `${route.name} as ${request}`, move }, hands);
    return undefined;
  }

  #end(plan: PlanRecord, missing: string | undefined, hands: Hands): void {
    this.#active.delete(plan.id);
    const state = missing === undefined ? "done" : "stopped";
    const moves = this.#book.log.get(plan.id)?.progress.flatMap(({ move }) => move ?? []) ?? [];
    const refusal = missing === undefined || moves.length > 0 ? undefined : { unmoved: 1, why: missing };
    this.#book.progress(plan, { state, text: missing ?? "all of it", refusal }, hands);
  }
}

function requestsOf(open: readonly PlanMove[]): string {
  return open.map(({ request }) => request).join(", ");
}

/** What its band misses, and where no route is so fine, a little more; what lies between two routes goes on in any case. */
function withinAim(left: Conversion, terms: ConversionTerms, missed: Money | undefined): readonly Conversion[] {
  const { from, to, aim, amount } = terms;
  if (missed === undefined || left.from !== from || left.to !== to) return [left];
  const exact = missed.min(left.amount);
  const more = exact.plus(Money.of(amount, exact.asset).share(MORE_BPS, "up"));
  const isPoint = aim?.low === aim?.high;
  return (isPoint ? [exact] : [exact, more]).map((one) => ({ ...left, amount: one }));
}

function takesPayments(id: string, { executor }: Hands): boolean {
  const { state } = executor.get(id) ?? {};
  return state !== undefined && "receipt" in state && isWorking(state.receipt as Rail);
}
