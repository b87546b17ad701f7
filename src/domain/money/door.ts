// The only conversion from float signals to exact prices and sizes. Float noise is dropped at 12 significant digits,
// then buy limits and sizes round down and sell limits up: never a worse price or a larger size than the signal asked
// for. A value that cannot be ordered is refused, with the rule, the limit and the value.

import type { Instrument } from "../instrument.ts";
import { invariant } from "../invariant.ts";
import type { Side } from "../order.ts";
import { err, ok, type Result } from "../result.ts";
import { DECIMALS, Exact } from "./grammar.ts";
import { Price, Quantity } from "./money.ts";
import { MODE, type Rounding } from "./parts.ts";

export function limitFromSignal(signal: number, side: Side, instrument: Instrument): Result<Price> {
  if (!isAmount(signal)) return err(`limit ${whyNot(signal)}`);
  const decimals = instrument.priceDecimals;
  const rounding = side === "buy" ? "down" : "up";
  const steps = wholeSteps(signal, decimals, rounding);
  if (steps > 0) return ok(Price.ofSteps(steps, decimals));
  const price = steps === 0 ? undefined : Price.parse(plainOnGrid(denoised(signal), decimals, rounding));
  if (price?.ok) return price;
  return err(`limit of ${instrument.symbol} must be at least one tick of ${Price.ofSteps(1, decimals)}, was ${signal}`);
}

/** The same limit as the nearest float, for readers that need one. */
export function limitAsFloat(signal: number, side: Side, instrument: Instrument): number | undefined {
  const decimals = instrument.priceDecimals;
  const steps = isAmount(signal) ? wholeSteps(signal, decimals, side === "buy" ? "down" : "up") : -1;
  if (steps > 0) return steps / (POWER[decimals] as number);
  const exact = limitFromSignal(signal, side, instrument);
  return exact.ok ? exact.value.toNumber() : undefined;
}

/** A number is a signal; a text is a stated size (a parameter), parsed by the strict grammar and only rounded. */
export function sizeFromSignal(signal: number | string, instrument: Instrument): Result<Quantity> {
  const size = typeof signal === "string" ? statedSize(signal, instrument) : signalledSize(signal, instrument);
  return atLeastMinimum(size, instrument);
}

function atLeastMinimum(size: Result<Quantity>, { symbol, quantityMin }: Instrument): Result<Quantity> {
  if (!size.ok || !size.value.lessThan(quantityMin)) return size;
  return err(`size of ${symbol} must be at least the minimum ${quantityMin}, was ${size.value}`);
}

function statedSize(text: string, instrument: Instrument): Result<Quantity> {
  const stated = Quantity.parse(text, "positive");
  if (!stated.ok) return err(`size: ${stated.error}`);
  const size = stated.value.rounded(instrument.quantityDecimals, "down");
  return size.isZero() ? belowOneStep(text, instrument) : ok(size);
}

function signalledSize(signal: number, instrument: Instrument): Result<Quantity> {
  if (!isAmount(signal)) return err(`size ${whyNot(signal)}`);
  const decimals = instrument.quantityDecimals;
  const steps = wholeSteps(signal, decimals, "down");
  if (steps > 0) return ok(Quantity.ofSteps(steps, decimals));
  const size = steps === 0 ? undefined : Quantity.parse(plainOnGrid(denoised(signal), decimals, "down"), "positive");
  return size?.ok ? size : belowOneStep(signal, instrument);
}

function belowOneStep(value: number | string, instrument: Instrument): Result<never> {
  const step = Quantity.ofSteps(1, instrument.quantityDecimals);
  return err(`size of ${instrument.symbol} must be at least one step of ${step}, was ${value}`);
}

/** Defines "float noise": everything beyond 12 significant digits. */
function denoised(signal: number): string {
  return signal.toPrecision(12);
}

const POWER: readonly number[] = Array.from({ length: DECIMALS + 1 }, (_, i) => Number(`1e${i}`));

/**
 * The rounded number of grid steps, in float arithmetic if that provably agrees with rounding the denoised text; -1 if
 * it might not. Scaling errs by a part in 10^16; dropping noise moves a value by 5 parts in 10^12 at most and, if a
 * whole number of up to 12 digits is within 4 parts in 10^13, exactly onto it.
 */
function wholeSteps(signal: number, decimals: number, rounding: Rounding): number {
  const power = POWER[decimals];
  invariant(power !== undefined, "decimals of an instrument must be a whole number from 0 to 18");
  const scaled = signal * power;
  if (scaled >= 1e12) return -1;
  const nearest = Math.round(scaled);
  const distance = Math.abs(scaled - nearest);
  if (distance < scaled * 4e-13) return nearest;
  if (distance > scaled * 6e-12) return rounding === "down" ? Math.floor(scaled) : Math.ceil(scaled);
  return -1;
}

/** The largest 12 digits within the 18 of the grammar. */
const LARGEST = 999_999_999_999e6;

function isAmount(signal: number): boolean {
  return typeof signal === "number" && signal > 0 && signal <= LARGEST;
}

function whyNot(signal: unknown): string {
  if (typeof signal !== "number") return `must be a number, was ${signal === null ? "null" : typeof signal}`;
  if (!Number.isFinite(signal)) return `must be finite, was ${signal}`;
  if (signal <= 0) return `must be positive, was ${signal}`;
  return `must be at most ${LARGEST}, was ${signal}`;
}

/** A float's text, with or without an exponent, as a plain decimal on a grid. */
function plainOnGrid(floatText: string, decimals: number, rounding: Rounding): string {
  return new Exact(floatText).toFixed(decimals, MODE[rounding]);
}
