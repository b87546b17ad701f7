// Helpers of rules: caps, refusals and breaches. A refusal names rule, limit and value; an unknown input is refused as
// not provably inside.

import { groupedText } from "../domain/amount-text.ts";
import type { Asset } from "../domain/asset.ts";
import { isCurrency, standsFor } from "../domain/coin.ts";
import type { Instrument } from "../domain/instrument.ts";
import { Money, type Price, Quantity } from "../domain/money/money.ts";
import type { Refusal } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import { type Assessment, type Breach, PASS, type PricingView, type RiskContext, type Ruling } from "./rule.ts";
import { isPersons, RESUME, type TradingState } from "./trading-state.ts";

type Shown = { toString(): string };

/** `order is worth 1.02, limit is 1.015`. */
export function refuse(rule: string, what: string, value: Shown, limit: Shown): Ruling {
  return { kind: "refuse", refusal: refusalOf(rule, what, value, limit) };
}

/** `why` names the missing input, if that helps. */
export function refuseUnknown(rule: string, what: string, limit: Shown, why?: string): Ruling {
  const unknown = why === undefined ? "unknown" : `unknown (${why})`;
  const message = `${what} is ${unknown}, so not provably inside the limit of ${textOf(limit, "down")}`;
  return { kind: "refuse", refusal: { rule, limit: textOf(limit, "down"), value: "unknown", message } };
}

/** `30.01 bp`. Rounded up, so that a value beyond a limit never reads as inside it. */
export function bpsText(bps: number): string {
  return `${(Math.ceil(Number((bps * 100).toPrecision(12))) / 100).toFixed(2)} bp`;
}

/** An input was missing or unusable, so the same order may be judged differently a moment later. */
export function isUnjudged({ rule, value }: Refusal): boolean {
  return value === "unknown" || rule === "RC08" || rule === "RC09";
}

/** The largest size within the room of a limit, on the pair's grid; none is left of it at zero. */
export function capTo(room: Quantity, order: Assessment, refusal: () => Refusal): Ruling {
  if (room.atLeast(order.quantity)) return PASS;
  return { kind: "cap", quantity: room.rounded(order.instrument.quantityDecimals, "down"), refusal: refusal() };
}

export function refusalOf(rule: string, what: string, given: Shown, most: Shown): Refusal {
  const [value, limit] = [textOf(given, "up"), textOf(most, "down")];
  return { rule, limit, value, message: `${what} ${value}, limit is ${limit}` };
}

/** For a limit that the configured figure itself already reaches: `fewer than 5 (rejectsMax)`. */
export function fewerThan(max: number, name: string): string {
  return `fewer than ${max} (${name})`;
}

const CAUSES = {
  RC05: "loss",
  RC06: "loss",
  RC10: "used_up",
  RC11: "used_up",
  RC12: "rejections",
  RC16: "doubt",
  RC18: "used_up",
  RC21: "exit_check",
  RC36: "loss",
} as const satisfies Readonly<Record<string, StopCause>>;
export type StoppingRule = keyof typeof CAUSES;

/** Resuming accepts what these limits counted, and they restart. */
const ACCEPT = `understand first what led to it: ${RESUME} accepts it, and the whole limit counts anew from then on`;

const WAYS_OUT: Partial<Record<StopCause, string>> = { loss: ACCEPT, used_up: ACCEPT };

type Excess = {
  /** A stable key of the breach, for a rule with several or one broken by each order. */
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
    reason: `${rule}: ${refusalOf(rule, what, value, limit).message}`,
    wayOut: wayOut ?? WAYS_OUT[cause] ?? RESUME,
  };
}

/** A value is rounded up and a limit down, so that a value beyond it never reads as inside. */
function textOf(figure: Shown, rounding: "up" | "down"): string {
  if (figure instanceof Money) return shown(figure, rounding);
  return figure instanceof Quantity ? groupedText(String(figure)) : figure.toString();
}

/** `1,012.5 CHF`: two decimals of a currency or its coin, eight of another asset, six of what is less than one. */
export function shown(money: Money, rounding: "up" | "down" = "up"): string {
  const { asset } = money;
  const isSmall = Math.abs(money.toNumber()) < 1;
  const decimals = isSmall ? 6 : isCurrency(asset) || standsFor(asset) !== undefined ? 2 : 8;
  return `${groupedText(String(money.rounded(decimals, rounding)))} ${asset}`;
}

/** A comparable number: a missing, NaN or infinite input proves nothing. */
export function isKnown(value: number | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Money in the asset it must be in. */
export function isIn(money: Money | undefined, asset: Asset): money is Money {
  return money !== undefined && money.asset === asset;
}

// The largest order within a limit on its value or its purchase. A better price than the limit may bring more of the
// quote asset, so the limit price is used.

/** `room` is a value; `rate` is that of one unit of the bought asset. */
export function capBought(order: Assessment, room: Money, rate: Price, refusal: () => Refusal): Ruling {
  if (room.isNegative()) return capTo(Quantity.zero, order, refusal);
  const most = room.exchanged(rate, order.bought, "down");
  const quantity = order.side === "buy" ? Quantity.ofMoney(most) : Quantity.affordable(most, order.limit);
  return capTo(quantity ?? Quantity.zero, order, refusal);
}

/**
 * Caps to `most` of the order's value at its limit. Every step rounds down, so the remaining order is worth no more.
 */
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

/** The currency of the limits is not an exposure. */
export function isExposure(asset: Asset, currency: Asset): boolean {
  return asset !== currency;
}

export function reviewState(tradingState: TradingState): Refusal | undefined {
  switch (tradingState.state) {
    case "ACTIVE":
    case "REDUCED":
      return undefined;
    default:
      // HALTED, and any invalid state.
      return stopped(isPersons(tradingState) ? "RC23" : "RC24", "no order", tradingState);
  }
}

/** The pre-send check would hold the order back for the same reason after it had been counted as sent. */
export function reviewFrozen(pair: Instrument, context: RiskContext): Refusal | undefined {
  const reason = context.frozenBy?.(pair);
  if (reason === undefined) return undefined;
  const { symbol } = pair;
  return { rule: "RC33", limit: "nothing frozen", value: symbol, message: `${symbol} is frozen: ${reason}` };
}

export function stopped(rule: string, limit: string, { state, reason, wayOut, by }: TradingState): Refusal {
  return { rule, limit, value: state, message: `${state} by ${by}: ${reason}; limit is ${limit}; way out: ${wayOut}` };
}
