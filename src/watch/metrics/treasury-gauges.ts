// Mints and rails that have not come to their end, as the journal's records have them: how many in which state, and how
// old the oldest is.

import { isHeld } from "../../domain/venue-word.ts";
import type { ShownSubmission } from "../status.ts";
import type { Shelf } from "./closed.ts";
import type { Look } from "./look.ts";

/** States that a request which moves money can stay in; `held` is one of those that happened, by the venue's own word. */
const STATES = ["intended", "sending", "accepted", "held", "confirmed", "unknown", "escalated", "late"];

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
  const unpaid = shelf.gauge(
    ["pegbot_payment_awaited_seconds", "how long the oldest payment on a rail has been waited for, 0 without one"],
    [],
  );
  const held = shelf.gauge(["pegbot_payments_held", "payments on rails that the venue holds"], []);
  const plans = shelf.gauge(["pegbot_plans_waiting", "plans of rebalancing that wait for an approval"], []);
  const frozen = shelf.gauge(["pegbot_rails_frozen", "1 while rails are frozen until a person has looked"], []);
  return ({ status }) => {
    const { awaited = [], plans: waiting = [], held: kept = [], railsFrozen } = status.treasury ?? {};
    unpaid.set({}, Math.max(0, ...awaited.map(({ since }) => status.at - since)) / 1_000);
    held.set({}, kept.length);
    plans.set({}, waiting.length);
    frozen.set({}, railsFrozen === undefined ? 0 : 1);
    for (const { kind, count, age } of kinds)
      for (const state of STATES) {
        const those = status.open.filter((one) => one.kind === kind && stateOf(one) === state);
        const ages = those.flatMap(({ since }) => (since === undefined ? [] : [status.at - since]));
        count.set({ state }, those.length);
        age.set({ state }, Math.max(0, ...ages) / 1_000);
      }
  };
}

/** `escalated`: of unknown outcome, and a person is asked. */
function stateOf({ state, venueWord, isDoubt, decide }: ShownSubmission): string {
  if (isDoubt) return decide === undefined ? "unknown" : "escalated";
  return isHeld(venueWord) ? "held" : state;
}
