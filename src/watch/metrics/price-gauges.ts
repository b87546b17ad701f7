// What things are worth: the venue's quotes, fair value or why there is none, and how far a coin is from its peg.

import type { NoFair } from "../../domain/fair.ts";
import type { Shelf } from "./closed.ts";
import type { Look } from "./look.ts";

const STATES = [
  "fair",
  "missing",
  "stale",
  "crossed",
  "frozen",
  "disagreeing",
  "off-peg",
  "implausible",
  "jumping",
  "closed",
] as const satisfies readonly (NoFair | "fair")[];

/** `par`: the coins against their own fiat. */
export function createPriceGauges(
  shelf: Shelf,
  symbols: readonly string[],
  par: ReadonlySet<string>,
): (look: Look) => void {
  const quote = shelf.gauge(["pegbot_venue_quote", "the venue's price"], ["symbol", "side"]);
  const fair = shelf.gauge(["pegbot_fair_value", "what a unit is worth by what is known"], ["symbol"]);
  const state = shelf.gauge(["pegbot_fair_value_state", "1 for how fair value stands"], ["symbol", "state"]);
  const age = shelf.gauge(["pegbot_quote_age_seconds", "age of the venue's last quote"], ["symbol"]);
  const premium = shelf.gauge(["pegbot_par_premium_ratio", "how far the middle of the quote is above par"], ["symbol"]);
  return ({ status }) => {
    for (const gauge of [quote, fair, age, premium]) gauge.reset();
    for (const symbol of symbols) {
      const shown = status.quotes.find((one) => one.symbol === symbol);
      const now = shown?.fair === undefined ? (shown?.noFair ?? "missing") : "fair";
      for (const one of STATES) state.set({ symbol, state: one }, one === now ? 1 : 0);
      if (shown === undefined) continue;
      const { bid, ask, fair: value, ageMs } = shown;
      if (bid !== undefined) quote.set({ symbol, side: "bid" }, bid);
      if (ask !== undefined) quote.set({ symbol, side: "ask" }, ask);
      if (value !== undefined) fair.set({ symbol }, value);
      if (ageMs !== undefined) age.set({ symbol }, ageMs / 1_000);
      if (par.has(symbol) && bid !== undefined && ask !== undefined) premium.set({ symbol }, (bid + ask) / 2 - 1);
    }
  };
}
