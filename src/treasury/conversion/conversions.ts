// Carries out conversions: at each look the ways left are priced anew, and the first step of the best one is sent, through the
// gates. All that a conversion knows is in its records, so that the next process goes on with it.

import { unreachable } from "../../domain/invariant.ts";
import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import { Money } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import { isWorking, type Rail } from "../../domain/rail.ts";
import type { Mono } from "../../domain/time.ts";
import type { Answer } from "../../execution/effects.ts";
import { isExpected } from "../../execution/payments.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanMove, PlanRecord } from "../../journal/record.ts";
import { type ConversionTerms, contentOf, contentStep, isApproved, OWN } from "../approval/plan-content.ts";
import { asAsked, type LoggedPlan } from "../approval/plan-log.ts";
import { assetOf, type HoldingName } from "../plan/holding.ts";
import type { PlanStep } from "../plan/path.ts";
import { moneyOfValue, valueIn } from "../plan/route.ts";
import { waysOfNow } from "../plan/routes.ts";
import { type Hands, type PlanWriter, type RebalancerParts, whyStopped } from "../rebalancer/parts.ts";
import { railsNow } from "../rebalancer/rails.ts";
import { beginStep, heardBy, type RunningPlan, youngTop } from "../rebalancer/step.ts";
import { situationOf } from "../rebalancer/treasury-view.ts";
import { choose } from "./choose.ts";
import { shownPrice } from "./cost.ts";
import { isNothing, leavingOf, leftOf, movedSoFar, type Purse, purseOf } from "./purse.ts";

/** So often the ways are priced. */
const LOOK_MS = 5_000;

type Active = {
  /** A step that is chosen and not sent, or whose rail is not working yet. */
  next: { readonly step: PlanStep; readonly running: RunningPlan } | undefined;
  readonly tradedAt: RunningPlan["tradedAt"];
  lookedAt: Mono | undefined;
  waitsFor: string | undefined;
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
      else if (isNew && !this.#isApproved(known)) this.#end(known.plan, "its approvals do not count any more", hands);
      else this.#of(id).waitsFor = this.#settled(known, hands) ?? this.#goOn(known, this.#of(id), hands);
    }
  }

  /** As the configuration asks for it now. */
  #isApproved(known: LoggedPlan): boolean {
    const { plan, approvals } = asAsked(known, this.#parts.rules);
    return new Set(approvals.map(({ by }) => by)).size >= plan.persons;
  }

  #of(id: string): Active {
    const known = this.#active.get(id);
    if (known !== undefined) return known;
    const active: Active = { next: undefined, tradedAt: new Map(), lookedAt: undefined, waitsFor: undefined };
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
        this.#end(plan, `${move.request} is not in the books any more: pegbot orders shows what it did`, hands);
        return "nothing more";
      }
      this.#book.progress(plan, { state: "step", text: `${move.request}: ${end.text}`, move: end.move }, hands);
      const { odd } = end;
      if (odd === undefined) return "what it has sent";
      this.#book.progress(plan, { state: "paused", text: odd, by: OWN }, hands);
      return odd;
    }
    const terms = contentOf(plan).conversion as ConversionTerms;
    const left = leftOf(terms, purse);
    const awaited = open.map(({ request }) => request).join(", ");
    if (left === undefined || isFinished || hands.now.at > terms.by) {
      if (awaited !== "") return `the end of ${awaited}`;
      const when = isFinished ? "when a person finished it" : "at its deadline";
      this.#end(plan, left && `${left.amount} ${left.isBuy ? left.to : left.from} are left ${when}`, hands);
      return "nothing more";
    }
    // An order is decided within seconds, and shapes what is left.
    return open.some(({ request }) => hands.executor.get(request)?.kind === "order")
      ? `the end of ${awaited}`
      : undefined;
  }

  #goOn(known: LoggedPlan, active: Active, hands: Hands): string | undefined {
    const purse = purseOf(known);
    const stopped = purse.paused === undefined ? whyStopped(hands) : `a person: ${purse.paused}`;
    // After a stop its lists are read anew.
    if (stopped !== undefined) active.next = undefined;
    const terms = contentOf(known.plan).conversion as ConversionTerms;
    return stopped ?? this.#step(known, terms, purse, active, hands);
  }

  #step(known: LoggedPlan, terms: ConversionTerms, purse: Purse, active: Active, hands: Hands): string | undefined {
    const { plan, progress } = known;
    if (active.next !== undefined) return this.#send(plan, active, hands);
    const { at, mono } = hands.now;
    if (active.lookedAt !== undefined && mono - active.lookedAt < LOOK_MS) return active.waitsFor;
    active.lookedAt = mono;
    const { terms: settings, quoteAgeMsMax, rails } = this.#parts;
    const { refillMs } = settings.orders;
    const situation = {
      ...situationOf(hands, settings, youngTop(hands.books, quoteAgeMsMax), at),
      ...railsNow(
        { rails: settings.rails.filter((rail) => isApproved(rail, terms)) },
        rails,
        hands.executor.treasury,
        at,
      ),
    };
    const begunAt = progress.find(({ state }) => state === "begun")?.at ?? plan.at;
    const now = { terms, begunAt, refillMs, at, moved: movedSoFar(known) };
    let step: PlanStep | string = "nothing more";
    // What is left between two routes may be too small for a way of its own.
    for (const left of [leftOf(terms, purse), leftOf(terms, purse, "whole")])
      if (left !== undefined && typeof step === "string") step = choose(waysOfNow(left, situation), { ...now, left });
    if (typeof step === "string") return step;
    const gone = leavingOf(terms, purse);
    if (step.route.from === terms.from && gone.plus(step.takes).moreThan(Money.of(terms.leavesMax, gone.asset)))
      return `a price at which no more than ${terms.leavesMax} ${terms.from} leave`;
    const before = step.via.kind === "order" ? active.tradedAt.get(step.via.symbol) : undefined;
    if (before !== undefined && mono - before < refillMs) return "the venue's next price";
    active.next = { step, running: runningOf(plan, step, terms, active) };
    return this.#send(plan, active, hands);
  }

  #send(plan: PlanRecord, active: Active, hands: Hands): string | undefined {
    const { step, running } = active.next as NonNullable<Active["next"]>;
    const { via, route, quantity, takes, brings, value, lost, cost, costMax } = step;
    const begun = beginStep(running, this.#parts, hands);
    if (begun.ok && begun.value === undefined) return "the venue's lists";
    active.next = undefined;
    if (!begun.ok) return begun.error;
    const isRail = via.kind === "on-ramp" || via.kind === "off-ramp";
    // A rail moves nothing by itself: it is paid on once it works, which the next look sees.
    if (isRail && !takesPayments(begun.value as string, hands)) return `the venue's answer to rail ${begun.value}`;
    const request = isRail ? hands.expect(begun.value as string, quantity) : (begun.value as string);
    if (via.kind === "order") active.tradedAt.set(via.symbol, hands.now.mono);
    const amounts = { takes: `${takes} ${route.from}`, brings: `${brings} ${route.to}`, value };
    const shown = via.kind === "order" ? hands.books.topOf(via.symbol) : undefined;
    const price = via.kind === "order" && shown !== undefined ? { shown: shownPrice(shown, via.side) } : {};
    const move = { request, ...amounts, lost: lost.plus(costMax).minus(cost), route: route.name, ...price };
    this.#book.progress(plan, { state: "sent", text: `${route.name} as ${request}`, move }, hands);
    return undefined;
  }

  #end(plan: PlanRecord, missing: string | undefined, hands: Hands): void {
    this.#active.delete(plan.id);
    const state = missing === undefined ? "done" : "stopped";
    const hasMoved = this.#book.log.get(plan.id)?.progress.some(({ move }) => move !== undefined) === true;
    const refusal = missing === undefined || hasMoved ? undefined : { unmoved: 1, why: missing };
    this.#book.progress(plan, { state, text: missing ?? "all of it", refusal }, hands);
  }
}

/** What it sends may leave as long as the conversion lasts, and was priced just now. */
function runningOf(plan: PlanRecord, step: PlanStep, { by }: ConversionTerms, { tradedAt }: Active): RunningPlan {
  const steps = [contentStep(step)];
  const soFar = { lists: {} };
  return {
    plan: { ...plan, expiresAt: by, persons: 0 },
    steps,
    bands: [],
    tradedAt,
    stoppedAs: undefined,
    index: 0,
    soFar,
  };
}

/** `odd`: a person decides how to go on. */
type End = { readonly move: PlanMove; readonly text: string; readonly odd?: string | undefined };

function takesPayments(id: string, { executor }: Hands): boolean {
  const { state } = executor.get(id) ?? {};
  return state !== undefined && "receipt" in state && isWorking(state.receipt as Rail);
}

/** Only a payment of the very amount that was asked for lets the conversion go on by itself. */
function paid(move: PlanMove, { executor, books }: Hands): End | "gone" | undefined {
  const fate = executor.treasury.payments.fateOf(move.request);
  switch (fate.kind) {
    case "awaited":
    case "under-way":
      return undefined;
    case "unknown":
      return "gone";
    case "given-up":
      return { ...nothing(move, fate.why), odd: `a payment of ${move.takes} was given up: ${fate.why}` };
    case "ended": {
      const [source, sink] = [holdingIn(move.takes), holdingIn(move.brings)];
      const took = Money.of(fate.took, assetOf(source));
      if (took.isZero()) return { ...nothing(move, fate.how), odd: `${fate.payment}: ${fate.how}` };
      const end = moved(move, took, Money.of(fate.brought, assetOf(sink)), books.pricing);
      const isAsked = `${took} ${source}` === move.takes;
      return {
        ...end,
        odd: isAsked ? undefined : `${fate.payment} was of ${took} ${source}, asked for were ${move.takes}`,
      };
    }
    default:
      return unreachable(fate);
  }
}

/** What an ended request has moved; undefined while it may move. */
function endOf(move: PlanMove, hands: Hands): End | "gone" | undefined {
  if (isExpected(move.request)) return paid(move, hands);
  const request = hands.executor.get(move.request);
  if (request === undefined) return "gone";
  const { state } = request;
  switch (state.kind) {
    case "intended":
    case "sending":
    case "unknown":
      return undefined;
    case "rejected":
      return nothing(move, `rejected: ${state.message}`);
    case "not-sent":
    case "released":
      return nothing(move, state.reason);
    default:
      return happened(request, state.receipt, move, hands);
  }
}

function happened(
  { kind, request, state }: MoneyRequest,
  receipt: unknown,
  move: PlanMove,
  { books }: Hands,
): End | undefined {
  if (kind === "order") {
    const { bought, sold, fee } = receipt as Fill;
    const took = fee.asset === sold.asset ? sold.plus(fee) : sold;
    const brought = fee.asset === bought.asset ? bought.minus(fee) : bought;
    return moved({ ...move, fee: `${fee} ${fee.asset}` }, took, brought, books.pricing);
  }
  if (kind === "rail" || state.kind !== "settled") return undefined;
  if (state.isReturned === true) return nothing(move, "the venue returned it");
  const { spentMax, quantity, asset } = request as MintIntent;
  return moved(move, (receipt as MintRecord).spent ?? spentMax, quantity.of(asset), books.pricing);
}

function moved(move: PlanMove, took: Money, brought: Money, pricing: Hands["books"]["pricing"]): End {
  const { currency } = pricing;
  const [value, back] = [took, brought].map((money) => valueIn(money, (asset) => pricing.rate(asset)));
  const amounts = { takes: `${took} ${holdingIn(move.takes)}`, brings: `${brought} ${holdingIn(move.brings)}` };
  const valued =
    value === undefined || back === undefined
      ? { value: move.value, lost: move.lost }
      : { value: moneyOfValue(value, currency), lost: moneyOfValue(value - back, currency) };
  return { move: { ...move, ...amounts, ...valued }, text: `${amounts.takes} became ${amounts.brings}` };
}

function nothing(move: PlanMove, why: string): End {
  const none = (text: string): string => `${Money.zero(assetOf(holdingIn(text)))} ${holdingIn(text)}`;
  const zero = Money.zero(move.value.asset);
  const amounts = { takes: none(move.takes), brings: none(move.brings), value: zero, lost: zero };
  return { move: { ...move, ...amounts }, text: `nothing was moved: ${why}` };
}

function holdingIn(text: string): HoldingName {
  return text.split(" ")[1] as HoldingName;
}
