// What may still happen: the state and why it is no better, limits and how full they are, and what nobody knows yet.

import type { RiskState } from "../../domain/step.ts";
import { STOP_CAUSES } from "../../domain/stop-cause.ts";
import { doubtsOf, LIMIT_KEYS } from "../status.ts";
import type { Shelf } from "./closed.ts";
import type { Look } from "./look.ts";

const STATES = ["ACTIVE", "REDUCED", "HALTED"] as const satisfies readonly RiskState[];

export function createRiskGauges(shelf: Shelf): (look: Look) => void {
  const state = shelf.gauge(["pegbot_risk_state", "1 for the state that the bot is in"], ["state"]);
  const cause = shelf.gauge(["pegbot_stop_cause", "1 for what stops the bot, while something does"], ["cause"]);
  const killSwitch = shelf.gauge(["pegbot_kill_switch", "1 while a person's stop stands"]);
  const limit = shelf.gauge(["pegbot_limit", "a limit that fills up, in its own unit"], ["limit"]);
  const used = shelf.gauge(
    [
      "pegbot_limit_used_ratio",
      "how much of a limit is used; 1 is all of it. doubts and doubt-age are of orders alone (RC16)",
    ],
    ["limit"],
  );
  const openDoubts = shelf.gauge([
    "pegbot_open_doubts",
    "orders, mints and rails that may have happened and are not resolved; an order or mint freezes its assets, two freeze everything",
  ]);
  const doubtAge = shelf.gauge(["pegbot_oldest_doubt_age_seconds", "age of the oldest of them, 0 without one"]);
  return ({ status }) => {
    for (const one of STATES) state.set({ state: one }, one === status.standing.state ? 1 : 0);
    const why = [status.standing, ...status.standing.also].map((stop) => stop.cause);
    for (const one of STOP_CAUSES) cause.set({ cause: one }, why.includes(one) ? 1 : 0);
    killSwitch.set(status.standing.cause === "person" ? 1 : 0);
    limit.reset();
    used.reset();
    for (const shown of status.limits) {
      if (!LIMIT_KEYS.includes(shown.key)) continue;
      if (shown.limit !== undefined && Number.isFinite(shown.limit)) limit.set({ limit: shown.key }, shown.limit);
      if (shown.usedBps !== undefined && Number.isFinite(shown.usedBps))
        used.set({ limit: shown.key }, shown.usedBps / 1e4);
    }
    const doubts = doubtsOf(status);
    const ages = doubts.flatMap(({ since }) => (since === undefined ? [] : [status.at - since]));
    openDoubts.set(doubts.length);
    doubtAge.set(Math.max(0, ...ages) / 1_000);
  };
}
