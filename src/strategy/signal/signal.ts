// The base of every signal: fed one number at a time, in float arithmetic, at a cost independent of its window; it
// saves itself as plain numbers and resumes from them exactly.

const BRAND: symbol = Symbol.for("pegbot.signal");

export abstract class Signal {
  /** The name and the constructor arguments: `ema`, [1000]. */
  abstract readonly kind: string;
  abstract readonly args: readonly number[];

  /** Takes the next value and returns the signal's. */
  abstract next(value: number): number;
  abstract save(): number[];
  abstract load(saved: readonly number[]): void;

  get [BRAND](): true {
    return true;
  }

  /** One NaN would make the signal NaN for ever, so it is refused. */
  protected fed(value: number): number {
    // True for finite numbers only.
    if (value - value !== 0) this.refuse(value, this.kind);
    return value;
  }

  protected loaded(value: number): number {
    if (value - value !== 0) this.refuse(value, `saved ${this.kind}`);
    return value;
  }

  // Separate, so that the check is small enough to be inlined.
  private refuse(value: number, kind: string): never {
    throw new RangeError(`${kind} must be fed finite numbers, was ${value}`);
  }
}

/** By brand and not by class: a strategy may load another copy of this module. */
export function isSignal(value: object): value is Signal {
  return (value as Record<symbol, unknown>)[BRAND] === true;
}

export function windowOf(length: number, kind: string): number {
  if (!Number.isSafeInteger(length) || length < 1 || length > LENGTH_MAX)
    throw new RangeError(`${kind} must look back a whole number from 1 to ${LENGTH_MAX}, was ${length}`);
  return length;
}

export function requireSaved(saved: readonly number[], length: number, kind: string): void {
  if (saved.length !== length || !saved.every((value) => typeof value === "number"))
    throw new RangeError(`saved ${kind} must be ${length} numbers, was ${saved.length}`);
}

const LENGTH_MAX = 1_000_000;
