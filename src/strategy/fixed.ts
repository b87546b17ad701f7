// Numbers in the reasons of orders, as `toFixed` writes them. A reason is made with every order, and what the runtime does for
// four such numbers costs more than the decision: here they are put together from pieces that are there already.

/** Beyond it floats are too coarse to tell on which side of a half a number is. */
const SCALED_MAX = 1e9;
/** Nearer to a half than this, every bit of the float counts. */
const SURE = 0.4999;

const pieces = (count: number, digits: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(i).padStart(digits, "0"));
const [TWO, THREE] = [pieces(100, 2), pieces(1_000, 3)];
const TENTHS: readonly string[] = Array.from({ length: 1_000 }, (_, i) => (i / 10).toFixed(1));

/** `value.toFixed(1)`. */
export function oneDecimal(value: number): string {
  const tenths = nearest(value * 10);
  return tenths >= 0 && tenths < TENTHS.length ? (TENTHS[tenths] as string) : value.toFixed(1);
}

/** `value.toFixed(5)`. */
export function fiveDecimals(value: number): string {
  const steps = nearest(value * 1e5);
  if (steps < 0) return value.toFixed(5);
  const whole = Math.floor(steps / 1e5);
  const rest = steps - whole * 1e5;
  const high = Math.floor(rest / 100);
  return `${whole}.${THREE[high]}${TWO[rest - high * 100]}`;
}

/** -1 where the float does not tell. */
function nearest(scaled: number): number {
  const whole = Math.round(scaled);
  return scaled >= 0 && scaled < SCALED_MAX && Math.abs(scaled - whole) < SURE ? whole : -1;
}
