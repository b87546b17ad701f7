// How large an order may be inside a limit on its value, or on what it brings. A better price than the limit may bring more
// of the quote asset: the limit is what is known.

import type { Asset } from "../domain/asset.ts";
import { type Money, type Price, Quantity } from "../domain/money/money.ts";
import type { Refusal } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import { type Assessment, type Breach, PASS, type PricingView, type Ruling } from "./rule.ts";
import { RESUME } from "./trading-state.ts";

// How rules speak: a refusal names rule, limit and value, and what is not known is refused as not provably inside.

type Shown = { toString(): string };

/** `order is worth 1.02, limit is 1.015`. */
export function refuse(rule: string, what: string, value: Shown, limit: Shown): Ruling {
  return { kind: "refuse", refusal: refusalOf(rule, what, value, limit) };
}

/** `why` says what is missing for it, where that helps. */
export function refuseUnknown(rule: string, what: string, limit: Shown, why?: string): Ruling {
  const unknown = why === undefined ? "unknown" : `unknown (${why})`;
  const message = `${what} is ${unknown}, so not provably inside the limit of ${limit}`;
  return { kind: "refuse", refusal: { rule, limit: limit.toString(), value: "unknown", message } };
}

/** `30.01 bp`. Rounded up: what is beyond a limit never reads as if it kept it. */
export function bpsText(bps: number): string {
  return `${(Math.ceil(Number((bps * 100).toPrecision(12))) / 100).toFixed(2)} bp`;
}

/** What it rests on was not there, or not fit to be used: a moment later the same order may be judged by its price and size. */
export function isUnjudged({ rule, value }: Refusal): boolean {
  return value === "unknown" || rule === "RC08" || rule === "RC09";
}

/** As large as the room of a limit allows, on the pair's grid; refused when nothing is left. */
export function capTo(room: Quantity, order: Assessment, refusal: () => Refusal): Ruling {
  if (room.atLeast(order.quantity)) return PASS;
  const quantity = room.rounded(order.instrument.quantityDecimals, "down");
  if (quantity.isZero()) return { kind: "refuse", refusal: refusal() };
  return { kind: "cap", quantity, refusal: refusal() };
}

export function refusalOf(rule: string, what: string, value: Shown, limit: Shown): Refusal {
  return { rule, limit: limit.toString(), value: value.toString(), message: `${what} ${value}, limit is ${limit}` };
}

/** Of a limit that is met already by the figure that was configured: `fewer than 5 (rejectsMax)`. */
export function fewerThan(max: number, name: string): string {
  return `fewer than ${max} (${name})`;
}

/** The rules that look back. */
const CAUSES = {
  RC05: "loss",
  RC06: "loss",
  RC10: "used_up",
  RC11: "used_up",
  RC12: "rejections",
  RC16: "doubt",
  RC18: "used_up",
  RC21: "exit_check",
} as const satisfies Readonly<Record<string, StopCause>>;
export type StoppingRule = keyof typeof CAUSES;

/** Whoever resumes accepts what these count, and they begin anew: to resume is no way to be held to the limit that was met. */
const ACCEPT = `understand first what led to it: ${RESUME} accepts it, and the whole limit counts anew from then on`;

const WAYS_OUT: Partial<Record<StopCause, string>> = { loss: ACCEPT, used_up: ACCEPT };

type Excess = {
  /** What of the rule, in words that stay: it has several, or is broken by each order. */
  readonly subject?: string;
  readonly what: string;
  readonly value: Shown;
  readonly limit: Shown;
  readonly wayOut?: string;
};

export function halted(rule: StoppingRule, { subject, what, value, limit, wayOut }: Excess): Breach {
  const cause = CAUSES[rule];
  return {
    state: "HALTED",
    cause,
    subject: subject === undefined ? rule : `${rule} ${subject}`,
    reason: `${rule}: ${what} ${value}, limit is ${limit}`,
    wayOut: wayOut ?? WAYS_OUT[cause] ?? RESUME,
  };
}

/** `12.5 CHF`. */
export function shown(money: Money): string {
  return `${money} ${money.asset}`;
}

/** A number that can be compared: what is missing, NaN or infinite proves nothing. */
export function isKnown(value: number | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Money in the asset it must be in. */
export function isIn(money: Money | undefined, asset: Asset): money is Money {
  return money !== undefined && money.asset === asset;
}

// How large an order may be inside a limit on its value, or on what it brings. A better price than the limit may bring more
// of the quote asset: the limit is what is known.

/** `room` is a value; `rate` that of one unit of what is bought. */
export function capBought(order: Assessment, room: Money, rate: Price, refusal: () => Refusal): Ruling {
  if (room.isNegative()) return { kind: "refuse", refusal: refusal() };
  const most = room.exchanged(rate, order.bought, "down");
  const quantity = order.side === "buy" ? Quantity.ofMoney(most) : Quantity.affordable(most, order.limit);
  return capTo(quantity ?? Quantity.zero, order, refusal);
}

/** To `most` of the order's value at its limit. Every step rounds down, so that the order left is worth no more. */
export function capValue(
  order: Assessment,
  most: Money,
  pricing: Pick<PricingView, "rate">,
  refusal: () => Refusal,
): Ruling {
  const { quote } = order.instrument;
  const rate = quote === most.asset ? undefined : pricing.rate(quote);
  const notional = rate === undefined ? most : most.exchanged(rate, quote, "down");
  if (notional.asset !== quote) return { kind: "refuse", refusal: refusal() };
  return capTo(Quantity.affordable(notional, order.limit), order, refusal);
}

/** The currency that values are counted in is no exposure. */
export function isExposure(asset: Asset, currency: Asset): boolean {
  return asset !== currency;
}
