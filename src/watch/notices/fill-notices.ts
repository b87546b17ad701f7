// Messages of fills that are worth one, valued at the rate of their decision.

import { amountText } from "../../domain/amount-text.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { Memory } from "../memory.ts";
import type { Notice } from "./notice.ts";

export type FillSettings = {
  /** Fills worth less are not told; in the currency of the limits. */
  readonly fillValueMin: Quantity;
  readonly currency: string;
};

/** To be told of each step. */
export function createFillNotices(settings: FillSettings): (step: Step) => readonly Notice[] {
  const rates = new Memory<Price | undefined>();
  return ({ event, decisions, at }) => {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved") rates.set(verdict.intent.clientOrderId, basis.rate);
    if (event.kind !== "report" || event.report.kind !== "filled") return [];
    const { fill } = event.report;
    return filled(fill, rates.get(fill.clientOrderId), settings, at);
  };
}

function filled(fill: Fill, rate: Price | undefined, settings: FillSettings, at: Millis): readonly Notice[] {
  const { side, symbol, bought, sold, fee, clientOrderId } = fill;
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  const value = worthOf(quote, rate, settings.currency);
  if (value !== undefined && !value.atLeast(settings.fillValueMin.of(value.asset))) return [];
  const price = (quote.toNumber() / base.toNumber()).toFixed(6);
  const { asset } = value ?? quote;
  const worth = `${amountText(String(value ?? quote))} ${asset}`;
  const fields = { side, symbol, quantity: String(base), price, value: worth, fee: `${fee} ${fee.asset}` };
  return [{ kind: "fill", urgency: "info", key: `fill:${clientOrderId}`, at, fields }];
}

/** Undefined when no rate is known: then it is told whatever it is worth. */
function worthOf(quote: Money, rate: Price | undefined, currency: string): Money | undefined {
  if (quote.asset === currency) return quote;
  return rate === undefined ? undefined : quote.valued(rate, currency as Money["asset"], "down");
}
