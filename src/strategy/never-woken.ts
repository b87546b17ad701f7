// Whether anything can ever wake a strategy where it is: one that nothing wakes is asked nothing, and looks as if it waited.

import type { Strategy } from "./prepare.ts";
import type { Wake } from "./view.ts";

/** What comes where it runs; quotes, balances and timers always do. */
export type Comes = {
  readonly bars: boolean;
  readonly references: boolean;
  /** Orders that are not its own. */
  readonly plans: boolean;
};

/** Undefined where something can. */
export function whyNeverWoken({ name, wakes }: Pick<Strategy, "name" | "wakes">, comes: Comes): string | undefined {
  const missing = [...wakes].map((wake) => missingOf(wake, comes));
  if (missing.includes(undefined)) return undefined;
  const at = [...wakes].join(" and ");
  return `nothing will ever wake strategy ${name}, which wakes at ${at} alone: ${missing.join(", and ")}; wakes: ["quote"] is the usual one (docs/STRATEGY.md)`;
}

function missingOf(wake: Wake, { bars, references, plans }: Comes): string | undefined {
  if (wake === "bar" && !bars) return "bars come only in backtests on recorded bars of the venue";
  if (wake === "reference" && !references) return "there is no reference feed";
  if (wake === "report" && !plans) return "a report is of an order, and it never gets to make one";
  return undefined;
}
