// Whether any event can ever wake a strategy. One that is never woken looks as if it were waiting.

import type { Strategy } from "./prepare.ts";
import type { Wake } from "./view.ts";

/** The events available where it runs; balances, pairs and timers always are. */
export type Comes = {
  readonly quotes: boolean;
  readonly bars: boolean;
  readonly references: boolean;
  /** Orders of other writers. */
  readonly plans: boolean;
};

/** Undefined if some event wakes it. */
export function whyNeverWoken(
  { name, wakes, definition }: Pick<Strategy, "name" | "wakes" | "definition">,
  comes: Comes,
): string | undefined {
  if (!comes.quotes && definition.blind !== undefined) return undefined;
  const missing = [...wakes].map((wake) => missingOf(wake, comes));
  if (missing.includes(undefined)) return undefined;
  const at = [...wakes].join(" and ");
  const usual = comes.quotes
    ? 'wakes: ["quote"] is the usual one'
    : `${BLIND.join(", ")} and any with blind(view) trade without`;
  return `nothing will ever wake strategy ${name}, which wakes at ${at} alone: ${missing.join(", and ")}; ${usual} (docs/guides/strategy.md)`;
}

/** The built-in strategies that trade without quotes. */
const BLIND = ["peg-arbitrage", "reference-taker"];

function missingOf(wake: Wake, { quotes, bars, references, plans }: Comes): string | undefined {
  if (wake === "quote" && !quotes) return "this venue shows no quotes";
  if (wake === "bar" && !bars) return "bars come only in backtests on recorded bars of the venue";
  if (wake === "reference" && !references) return "there is no reference feed";
  if (wake === "report" && !plans) return "a report is of an order, and it never gets to make one";
  return undefined;
}
