// The inputs of the rules: the order and its derived amounts. Each amount is computed when the first rule reads it,
// because the limits decide which rules exist.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Fair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Side } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import type { Assessment, RiskContext, Terms } from "./rule.ts";

// Fields are set in the constructor, because initialisers would cost a second function for every order. Only amounts
// that several rules read are fields.
export class OrderAssessment implements Assessment {
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
