// The budget of a command: a person waits for its answers. What one slot has passed over goes before every read of a running
// bot, but not right after another command, so all of them have every second slot at most; orders, confirmations, doubts and
// kill checks still go first.

import type { Clock, Millis } from "../../domain/time.ts";
import { classWorth, PRESSING_WORTH, type Want } from "../port.ts";
import type { Budget } from "./budget.ts";
import type { KeyBudget } from "./key-budget.ts";

/** Longer than until the next slot, which is the bot's, and shorter than until the one after it. */
const PATIENCE_MS = 1_500;

type Shared = Budget & Pick<KeyBudget, "isAfterCommand">;

export function awaitedBudget(budget: Shared, clock: Pick<Clock, "now">): Budget {
  const awaited = (want: Want): Want => {
    const own = classWorth[want.class];
    if (want.worth !== undefined || own >= PRESSING_WORTH) return want;
    const since = clock.now();
    const isPressing = (at: Millis): boolean => at - since >= PATIENCE_MS && !budget.isAfterCommand();
    return { ...want, worth: (at: Millis) => (isPressing(at) ? PRESSING_WORTH : own) };
  };
  return {
    take: (want) => budget.take(awaited(want)),
    share: (want, send) => budget.share(awaited(want), send),
    observe: (venueTime, receivedAt) => budget.observe(venueTime, receivedAt),
    needsVenueTime: () => budget.needsVenueTime(),
    close: () => budget.close(),
  };
}
