// What rules look at: the order, and what it comes to. Each amount is worked out when the first rule asks for it, since
// which rules there are is a matter of the limits.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Fair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Side } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import type { Assessment, Candidate, RiskContext } from "./rule.ts";

export class OrderAssessment implements Assessment {
  readonly symbol: PairSymbol;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limit: Price;
  readonly decidedAt: Millis;
  readonly expiresAt: Millis;
  readonly reason: string;
  readonly asked: Quantity;
  readonly bought: Asset;
  readonly sold: Asset;
  readonly fair: Fair;
  readonly #currency: Asset;
  readonly #context: RiskContext;
  #notional: Money | undefined = undefined;
  #value: Money | undefined = undefined;

  constructor(candidate: Candidate, quantity: Quantity, currency: Asset, context: RiskContext) {
    const { symbol, instrument, side } = candidate;
    const { base, quote } = instrument;
    this.symbol = symbol;
    this.instrument = instrument;
    this.side = side;
    this.quantity = quantity;
    this.limit = candidate.limit;
    this.decidedAt = candidate.decidedAt;
    this.expiresAt = candidate.expiresAt;
    this.reason = candidate.reason;
    this.asked = candidate.quantity;
    this.bought = side === "buy" ? base : quote;
    this.sold = side === "buy" ? quote : base;
    this.fair = context.pricing.fair(symbol);
    this.#currency = currency;
    this.#context = context;
  }

  get notional(): Money {
    this.#notional ??= this.limit.times(this.quantity, this.instrument.quote, "up");
    return this.#notional;
  }

  get value(): Money | undefined {
    this.#value ??= this.#valued();
    return this.#value;
  }

  get incoming(): Money | undefined {
    if (this.side === "sell") return this.value;
    return this.#context.pricing.rate(this.instrument.base)?.times(this.quantity, this.#currency, "up");
  }

  get committed(): Money | undefined {
    const { value } = this;
    return value && this.#context.books.openValue.plus(value);
  }

  #valued(): Money | undefined {
    const { notional } = this;
    if (notional.asset === this.#currency) return notional;
    const rate = this.#context.pricing.rate(notional.asset);
    return rate && notional.valued(rate, this.#currency, "up");
  }
}
