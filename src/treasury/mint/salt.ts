// A mint carries no id of ours: its quantity is made recognisable in the last decimals instead. Always a little less than
// what was approved, never more, and different from every mint that it could be taken for.

import { Quantity } from "../../domain/money/money.ts";
import type { Random } from "../../domain/random.ts";
import { err, ok, type Result } from "../../domain/result.ts";

/** `taken`: quantities of mints that are known of. */
export function saltedQuantity(
  approved: Quantity,
  taken: readonly Quantity[],
  { decimals, random }: { readonly decimals: number; readonly random: Random },
): Result<Quantity> {
  const steps = 10 ** decimals - 1;
  const offset = random.integer(0, steps - 1);
  for (let n = 0; n < steps; n++) {
    const salt = Quantity.ofSteps(((offset + n) % steps) + 1, decimals);
    const salted = approved.minus(salt);
    if (salted === undefined || salted.isZero()) continue;
    if (!taken.some((one) => one.equals(salted))) return ok(salted);
  }
  return err(
    `no quantity of ${decimals} decimals below ${approved} is free: pass --exact, or ask for another quantity`,
  );
}
