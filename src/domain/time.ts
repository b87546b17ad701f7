// Time is an input. `Millis` is UTC milliseconds of a wall clock, and may step; `Mono` is milliseconds of a clock that
// never steps, for durations only. The two do not mix.

declare const millisBrand: unique symbol;
declare const monoBrand: unique symbol;

export type Millis = number & { readonly [millisBrand]: true };
export type Mono = number & { readonly [monoBrand]: true };

export const DAY_MS = 86_400_000;

export interface Clock {
  /** UTC milliseconds. */
  now(): Millis;
  /** Milliseconds since an arbitrary point, never decreasing; fractions are kept. */
  monotonic(): Mono;
}

/** Waiting is an input as well; delays run on the monotonic clock. */
export interface Timers {
  /** Runs once after this many milliseconds; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export function millis(value: number): Millis {
  return value as Millis;
}

export function mono(value: number): Mono {
  return value as Mono;
}
