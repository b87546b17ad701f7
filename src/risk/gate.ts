// The gate: the only maker of Approved, and so the only way for an order to reach the executor. Kill switch and state
// first, then every rule. A rule may cap an order; all rules then review the smaller one again. There are no warnings:
// an order is approved or refused, and no confirmation overrides a refusal.

import { groupedText } from "../domain/amount-text.ts";
import type { Asset } from "../domain/asset.ts";
import type { Ids } from "../domain/ids.ts";
import type { Instrument } from "../domain/instrument.ts";
import { invariant } from "../domain/invariant.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { OrderIntent, Refusal } from "../domain/step.ts";
import type { StateCommand } from "./counters.ts";
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
import { reviewFrozen, reviewState } from "./ruling.ts";

declare const approved: unique symbol;
/** An order that passed the gate. The executor accepts nothing else. */
export type Approved = OrderIntent & { readonly [approved]: true };

/** For a preview, which approves nothing. */
const NAMELESS: Ids = Object.freeze({ next: () => "" });

export function createGate(rules: readonly Rule[], currency: Asset, ids: Ids): Gate<Approved> {
  return new RuleGate(rules, currency, ids);
}

class RuleGate implements Gate<Approved> {
  readonly #currency: Asset;
  readonly #ids: Ids;
  /** The rule of REDUCED comes first. */
  #rules: readonly Rule[] = [];
  #monitors: readonly NonNullable<Rule["monitor"]>[] = [];

  constructor(rules: readonly Rule[], currency: Asset, ids: Ids) {
    this.#currency = currency;
    this.#ids = ids;
    this.replace(rules);
  }

  replace(rules: readonly Rule[]): void {
    this.#rules = [reduceOnly(this.#currency), ...rules];
    this.#monitors = this.#rules.flatMap(({ monitor }) => monitor ?? []);
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

  /** All run, also while the bot is stopped: a person who resumes must have seen every breach that the resume accepts. */
  monitor(context: RiskContext): readonly StateCommand[] {
    const breaches: StateCommand[] = [];
    for (const monitor of this.#monitors) {
      const breach = monitor(context);
      if (breach !== undefined) breaches.push({ kind: "state", ...breach });
    }
    return breaches;
  }

  recheck(terms: Terms, instrument: Instrument, context: RiskContext): Refusal | undefined {
    const order = assess(terms, instrument, terms.quantity, context);
    const stopped = reviewState(context.counters.tradingState) ?? stillReduces(order, this.#currency, context);
    if (stopped !== undefined) return stopped;
    for (const { atSend, review } of this.#rules) {
      const ruling = (atSend === true && review?.(order, context)) || PASS;
      if (ruling.kind !== "pass") return ruling.refusal;
    }
    return undefined;
  }

  /** A person who raises one limit should not meet the next one only then. */
  #others({ rule }: Refusal, candidate: Candidate, context: RiskContext): readonly Refusal[] {
    const order = assess(candidate, candidate.instrument, candidate.quantity, context);
    const found = this.#inForce(context).flatMap(({ review }) => {
      const ruling = review?.(order, context) ?? PASS;
      if (ruling.kind === "pass") return [];
      if (ruling.kind === "refuse") return [ruling.refusal];
      return isOrderable(ruling.quantity, candidate) ? [] : [tooSmall(ruling, candidate)];
    });
    return found.filter((refusal) => refusal.rule !== rule);
  }

  #judge(candidate: Candidate, context: RiskContext, names: Ids): GateVerdict<Approved> {
    const stopped = reviewState(context.counters.tradingState);
    if (stopped !== undefined) return { kind: "refused", refusal: stopped };
    const rules = this.#inForce(context);
    const { instrument } = candidate;
    let terms: Terms = candidate;
    let order = assess(terms, instrument, terms.quantity, context);
    const capped: Refusal[] = [];
    // Every round but the last caps the order to some rule's limit, which that rule then passes.
    for (let round = 0; round <= rules.length; round++) {
      const before = order;
      for (const { review } of rules) {
        const ruling = review?.(order, context) ?? PASS;
        if (ruling.kind === "pass") continue;
        if (ruling.kind === "refuse") return { kind: "refused", refusal: ruling.refusal };
        invariant(ruling.quantity.lessThan(order.quantity), `${ruling.refusal.rule} must make an order smaller`);
        if (!isOrderable(ruling.quantity, candidate))
          return { kind: "refused", refusal: tooSmall(ruling, candidate), left: ruling.quantity };
        capped.push(cut(ruling.refusal, order.quantity, ruling.quantity));
        if (ruling.ofOneOrder) terms = { ...candidate, quantity: ruling.quantity };
        order = assess(terms, instrument, ruling.quantity, context);
      }
      if (order !== before) continue;
      // Last, so that a rule about unknown outcomes refuses with its own code.
      const frozen = reviewFrozen(instrument, context);
      if (frozen !== undefined) return { kind: "refused", refusal: frozen };
      return { kind: "approved", intent: approve(order, names), capped };
    }
    throw new Error("unreachable: rules must agree on a size");
  }

  #inForce({ counters }: RiskContext): readonly Rule[] {
    return counters.state === "ACTIVE" ? this.#rules.slice(1) : this.#rules;
  }
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

/** The order with the amounts that rules derive from it. */
function assess(terms: Terms, instrument: Instrument, quantity: Quantity, context: RiskContext): Assessment {
  const { symbol, side, limit, decidedAt, expiresAt, reason } = terms;
  const { pricing, counters } = context;
  const { base, quote } = instrument;
  const notional = limit.times(quantity, quote, "up");
  const value = quote === pricing.currency ? notional : valuedAt(notional, pricing.rate(quote), pricing.currency);
  return {
    ...{ symbol, side, limit, decidedAt, expiresAt, reason, instrument, quantity, notional, value },
    asked: terms.quantity,
    bought: side === "buy" ? base : quote,
    sold: side === "buy" ? quote : base,
    fair: pricing.fair(symbol),
    incoming: side === "sell" ? value : pricing.rate(base)?.times(quantity, pricing.currency, "up"),
    committed: value && counters.openValue.plus(value),
  };
}

function valuedAt(amount: Money, rate: Price | undefined, currency: Asset): Money | undefined {
  return rate && amount.valued(rate, currency, "up");
}
