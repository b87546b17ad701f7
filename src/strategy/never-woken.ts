// Whether any event can ever wake a strategy. One that is never woken looks as if it were waiting.

import type { Strategy } from "./prepare.ts";
import type { Wake } from "./view.ts";

/** The events available where it runs; quotes, balances and timers always are. */
export type Comes = {
  readonly bars: boolean;
  readonly references: boolean;
  /** Orders of other writers. */
  readonly plans: boolean;
};

/** Undefined if some event wakes it. */
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
