// Mints and rails that have not come to their end, as the journal's records have them: how many in which state, and how
// old the oldest is.

import type { Look } from "../look.ts";
import type { ShownSubmission } from "../status.ts";
import type { Shelf } from "./closed.ts";

/** States that a request which moves money can stay in; `held` is one of those that happened, by the venue's own word. */
const STATES = ["intended", "sending", "accepted", "held", "confirmed", "doubt", "fenced", "escalated", "zombie"];

export function createTreasuryGauges(shelf: Shelf): (look: Look) => void {
  const kinds = [
    {
      kind: "mint",
      count: shelf.gauge(["pegbot_mints", "mints that have not come to their end, by state"], ["state"]),
      age: shelf.gauge(["pegbot_mint_age_seconds", "age of the oldest mint in that state, 0 without one"], ["state"]),
    },
    {
      kind: "rail",
      count: shelf.gauge(["pegbot_rails", "rails that have not come to their end, by state"], ["state"]),
      age: shelf.gauge(["pegbot_rail_age_seconds", "age of the oldest rail in that state, 0 without one"], ["state"]),
    },
  ];
  return ({ status }) => {
    for (const { kind, count, age } of kinds)
      for (const state of STATES) {
        const those = status.open.filter((one) => one.kind === kind && stateOf(one) === state);
        const ages = those.flatMap(({ since }) => (since === undefined ? [] : [status.at - since]));
        count.set({ state }, those.length);
        age.set({ state }, Math.max(0, ...ages) / 1_000);
      }
  };
}

function stateOf({ state, venueWord, isDoubt }: ShownSubmission): string {
  return !isDoubt && venueWord?.toLowerCase() === "held" ? "held" : state;
}
