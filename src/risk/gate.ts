// The gate: the only maker of Approved, and so the only way for an order to reach the executor. Kill switch and state
// first, then every rule. A rule may cap an order; all rules then review the smaller one again. There are no warnings:
// an order is approved or refused, and no confirmation overrides a refusal.

import { groupedText } from "../domain/amount-text.ts";
import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Fair } from "../domain/fair.ts";
import type { Ids } from "../domain/ids.ts";
import type { Instrument } from "../domain/instrument.ts";
import { invariant } from "../domain/invariant.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { ClientOrderId, Side } from "../domain/order.ts";
import type { OrderIntent, Refusal } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { StateCommand } from "./counters.ts";
import { reviewFrozen, reviewState } from "./review-state.ts";
import {
  type Assessment,
  type Candidate,
  type Gate,
  type GateVerdict,
  PASS,
  type Preview,
  type RiskContext,
  type Rule,
  type Terms,
} from "./rule.ts";
import { reduceOnly, stillReduces } from "./rules/exposure.ts";
import { isWayOut } from "./rules/price.ts";

declare const approved: unique symbol;
/** An order that passed the gate. The executor accepts nothing else. */
export type Approved = OrderIntent & { readonly [approved]: true };

const NOTHING: readonly never[] = Object.freeze([]);

/** For a preview, which approves nothing. */
const NAMELESS: Ids = Object.freeze({ next: () => "" });

export function createGate(rules: readonly Rule[], currency: Asset, ids: Ids): Gate<Approved> {
  return new RuleGate(rules, currency, ids);
}

class RuleGate implements Gate<Approved> {
  readonly #currency: Asset;
  readonly #ids: Ids;
  #reviews: readonly Review[] = [];
  #monitors: readonly Monitor[] = [];
  #live: readonly Monitor[] = [];
  #atSend: readonly Review[] = [];

  constructor(rules: readonly Rule[], currency: Asset, ids: Ids) {
    this.#currency = currency;
    this.#ids = ids;
    this.replace(rules);
  }

  replace(rules: readonly Rule[]): void {
    // The rule of REDUCED comes first.
    this.#reviews = reviewsOf([reduceOnly(this.#currency), ...rules]);
    this.#monitors = monitorsOf(rules);
    this.#live = monitorsOf(rules.filter((rule) => rule.isLive === true));
    this.#atSend = reviewsOf(rules.filter((rule) => rule.atSend === true));
  }

  review(candidate: Candidate, context: RiskContext): GateVerdict<Approved> {
    return this.#judge(candidate, context, this.#ids);
  }

  preview(candidate: Candidate, context: RiskContext): Preview {
    const verdict = this.#judge(candidate, context, NAMELESS);
    if (verdict.kind === "refused") return { ...verdict, others: this.#others(verdict.refusal, candidate, context) };
    const isOffPeg = isWayOut({ ...candidate, fair: context.pricing.fair(candidate.symbol) });
    return { kind: "passes", quantity: verdict.intent.quantity, capped: verdict.capped, isOffPeg };
  }

  monitor(context: RiskContext, isSame = false): readonly StateCommand[] {
    // All monitors run, also while the bot is stopped: a person who resumes must have seen every breach that the resume
    // accepts.
    let commands: StateCommand[] | undefined;
    const monitors = isSame ? this.#live : this.#monitors;
    for (let i = 0; i < monitors.length; i++) {
      const breach = (monitors[i] as Monitor)(context);
      if (breach === undefined) continue;
      commands ??= [];
      commands.push({ kind: "state", ...breach });
    }
    return commands ?? NOTHING;
  }

  recheck(terms: Terms, instrument: Instrument, context: RiskContext): Refusal | undefined {
    const order = new OrderAssessment(terms, instrument, terms.quantity, context);
    const stopped = reviewState(context.counters.tradingState) ?? stillReduces(order, this.#currency, context);
    if (stopped !== undefined) return stopped;
    for (let i = 0; i < this.#atSend.length; i++) {
      const ruling = (this.#atSend[i] as Review)(order, context);
      if (ruling !== PASS && ruling.kind !== "pass") return ruling.refusal;
    }
    return undefined;
  }

  /** A person who raises one limit should not meet the next one only then. */
  #others({ rule }: Refusal, candidate: Candidate, context: RiskContext): readonly Refusal[] {
    const order = new OrderAssessment(candidate, candidate.instrument, candidate.quantity, context);
    const first = context.counters.tradingState.state === "ACTIVE" ? 1 : 0;
    const found = this.#reviews.slice(first).flatMap((review) => {
      const ruling = review(order, context);
      if (ruling === PASS || ruling.kind === "pass") return [];
      if (ruling.kind === "refuse") return [ruling.refusal];
      return isOrderable(ruling.quantity, candidate) ? [] : [tooSmall(ruling, candidate)];
    });
    return found.filter((refusal) => refusal.rule !== rule);
  }

  #judge(candidate: Candidate, context: RiskContext, names: Ids): GateVerdict<Approved> {
    const { tradingState } = context.counters;
    const stopped = reviewState(tradingState);
    if (stopped !== undefined) return { kind: "refused", refusal: stopped };
    // The first rule is that of REDUCED and does not apply in ACTIVE.
    const first = tradingState.state === "ACTIVE" ? 1 : 0;
    const reviews = this.#reviews;
    const { instrument } = candidate;
    let terms: Terms = candidate;
    let order: Assessment = new OrderAssessment(terms, instrument, terms.quantity, context);
    let capped: Refusal[] | undefined;
    // Every round but the last caps the order to some rule's limit, which that rule then passes.
    for (let round = 0; round <= reviews.length; round++) {
      const before = order;
      for (let i = first; i < reviews.length; i++) {
        const ruling = (reviews[i] as Review)(order, context);
        if (ruling === PASS || ruling.kind === "pass") continue;
        if (ruling.kind === "refuse") return { kind: "refused", refusal: ruling.refusal };
        invariant(ruling.quantity.lessThan(order.quantity), `${ruling.refusal.rule} must make an order smaller`);
        if (!isOrderable(ruling.quantity, candidate))
          return { kind: "refused", refusal: tooSmall(ruling, candidate), left: ruling.quantity };
        capped ??= [];
        capped.push(cut(ruling.refusal, order.quantity, ruling.quantity));
        if (ruling.ofOneOrder) terms = { ...candidate, quantity: ruling.quantity };
        order = new OrderAssessment(terms, instrument, ruling.quantity, context);
      }
      if (order !== before) continue;
      // Last, so that a rule about unknown outcomes refuses with its own code.
      const frozen = reviewFrozen(instrument, context);
      if (frozen !== undefined) return { kind: "refused", refusal: frozen };
      return { kind: "approved", intent: approve(order, names), capped: capped ?? NOTHING };
    }
    throw new Error("unreachable: rules must agree on a size");
  }
}

type Review = NonNullable<Rule["review"]>;
type Monitor = NonNullable<Rule["monitor"]>;

function reviewsOf(rules: readonly Rule[]): readonly Review[] {
  return rules.flatMap(({ review }) => (review === undefined ? [] : [review]));
}

function monitorsOf(rules: readonly Rule[]): readonly Monitor[] {
  return rules.flatMap(({ monitor }) => (monitor === undefined ? [] : [monitor]));
}

function approve(order: Assessment, ids: Ids): Approved {
  const { symbol, side, quantity, limit, reason, decidedAt, expiresAt } = order;
  const clientOrderId = ids.next() as ClientOrderId;
  return { clientOrderId, symbol, side, quantity, limit, reason, decidedAt, expiresAt } as Approved;
}

function isOrderable(quantity: Quantity, { instrument, least }: Candidate): boolean {
  const isWorth = least === undefined || quantity.atLeast(least);
  return isWorth && quantity.isPositive() && quantity.atLeast(instrument.quantityMin);
}

function cut(refusal: Refusal, from: Quantity, to: Quantity): Refusal {
  return {
    ...refusal,
    message: `${refusal.message}; size cut from ${groupedText(String(from))} to ${groupedText(String(to))}`,
  };
}

/** Names both the limit that capped the order and what the rest of it then missed. */
function tooSmall(
  { quantity, refusal }: { quantity: Quantity; refusal: Refusal },
  { instrument, least }: Candidate,
): Refusal {
  if (quantity.isZero()) return refusal;
  const isDust = quantity.lessThan(instrument.quantityMin);
  const missed = isDust
    ? `the minimum ${instrument.quantityMin} of ${instrument.symbol}`
    : `${least}, what is worth a slot`;
  const rest = `what is left of the order, ${quantity}, is below ${missed}`;
  return { ...refusal, message: `${refusal.message}; ${rest}` };
}

// The inputs of the rules: the order and its derived amounts. Each amount is computed when the first rule reads it,
// because the limits decide which rules exist.

// Fields are set in the constructor, because initialisers would cost a second function for every order. Only amounts
// that several rules read are fields.
class OrderAssessment implements Assessment {
  declare readonly symbol: PairSymbol;
  declare readonly instrument: Instrument;
  declare readonly side: Side;
  declare readonly quantity: Quantity;
  declare readonly limit: Price;
  declare readonly fair: Fair;
  declare private readonly terms: Terms;
  declare private readonly context: RiskContext;
  declare private amount: Money | undefined;
  declare private worth: Money | undefined;

  constructor(terms: Terms, instrument: Instrument, quantity: Quantity, context: RiskContext) {
    const { symbol } = terms;
    this.symbol = symbol;
    this.instrument = instrument;
    this.side = terms.side;
    this.quantity = quantity;
    this.limit = terms.limit;
    this.fair = context.pricing.fair(symbol);
    this.terms = terms;
    this.context = context;
    this.amount = undefined;
    this.worth = undefined;
  }

  get decidedAt(): Millis {
    return this.terms.decidedAt;
  }

  get expiresAt(): Millis {
    return this.terms.expiresAt;
  }

  get reason(): string {
    return this.terms.reason;
  }

  get asked(): Quantity {
    return this.terms.quantity;
  }

  get bought(): Asset {
    const { base, quote } = this.instrument;
    return this.side === "buy" ? base : quote;
  }

  get sold(): Asset {
    const { base, quote } = this.instrument;
    return this.side === "buy" ? quote : base;
  }

  get notional(): Money {
    this.amount ??= this.limit.times(this.quantity, this.instrument.quote, "up");
    return this.amount;
  }

  get value(): Money | undefined {
    this.worth ??= this.valued();
    return this.worth;
  }

  get incoming(): Money | undefined {
    if (this.side === "sell") return this.value;
    const { pricing } = this.context;
    return pricing.rate(this.instrument.base)?.times(this.quantity, pricing.currency, "up");
  }

  get committed(): Money | undefined {
    const { value } = this;
    return value && this.context.counters.openValue.plus(value);
  }

  private valued(): Money | undefined {
    const { notional } = this;
    const { pricing } = this.context;
    if (notional.asset === pricing.currency) return notional;
    const rate = pricing.rate(notional.asset);
    return rate && notional.valued(rate, pricing.currency, "up");
  }
}
