// The state of the bot, and who may change it. The bot itself only ever makes it stricter; a person kills and resumes.
// Nothing else leads back: no restart, no time that passes.

import type { Control } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { Command, RiskState } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";

export type Standing = {
  readonly state: RiskState;
  readonly reason: string;
  readonly wayOut: string;
  readonly by: string;
  readonly since: Millis;
};

export const RESUME = 'pegbot resume --reason "..."';

export const FRESH: Standing = Object.freeze({ state: "ACTIVE", reason: "", wayOut: "", by: "bot", since: millis(0) });

const STRICTNESS: Readonly<Record<RiskState, number>> = { ACTIVE: 0, REDUCED: 1, HALTED: 2, KILLED: 3 };

export function isStricter(state: RiskState, than: RiskState): boolean {
  return STRICTNESS[state] > STRICTNESS[than];
}

/** What follows from a change. The first reason of a state stands: it is the cause, later ones are mostly its effects. */
export function transition(
  from: Standing,
  change: Control | Extract<Command, { kind: "state" }>,
  at: Millis,
): Standing {
  switch (change.kind) {
    case "kill":
      return stricter(from, { state: "KILLED", reason: change.reason, wayOut: RESUME, by: change.by, since: at });
    case "halt":
      return stricter(from, { state: "HALTED", reason: change.reason, wayOut: change.wayOut, by: "bot", since: at });
    case "reduce":
      return stricter(from, { state: "REDUCED", reason: change.reason, wayOut: change.wayOut, by: "bot", since: at });
    case "state":
      return stricter(from, {
        state: change.state,
        reason: change.reason,
        wayOut: change.wayOut,
        by: "bot",
        since: at,
      });
    case "resume":
      // Without a reason nobody has decided anything, and in ACTIVE there is nothing to decide.
      if (change.reason.trim() === "" || from.state === "ACTIVE") return from;
      return { state: "ACTIVE", reason: change.reason, wayOut: "", by: change.by, since: at };
    case "heartbeat":
      return from;
    default:
      return unreachable(change);
  }
}

function stricter(from: Standing, to: Standing): Standing {
  return isStricter(to.state, from.state) ? to : from;
}
