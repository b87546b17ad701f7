// Float signals as they come to the door of exact amounts, the awkward ones included.

import type { Random } from "../../src/domain/random.ts";

/** On a grid point, beside it by float noise or by about as much as noise may be, or anywhere. */
export function drawSignal(random: Random, decimals: number): number {
  const steps = Math.ceil(random.next() * 10 ** random.integer(1, 14));
  const point = steps / 10 ** decimals;
  const kind = random.integer(0, 3);
  if (kind === 0) return point;
  if (kind === 1) return point * (1 + (random.next() - 0.5) * 4e-15);
  if (kind === 2) return point * (1 + (random.next() - 0.5) * 2e-11);
  return point + random.next() / 10 ** decimals;
}
