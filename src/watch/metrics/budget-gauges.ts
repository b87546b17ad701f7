// The scarce second: how much of it is used, by the ledger of the key, and how our clock stands to the venue's.

import type { Mono } from "../../domain/time.ts";
import { type Shelf, show } from "./closed.ts";
import type { Look } from "./look.ts";

export function createBudgetGauges(shelf: Shelf, goodAt: () => Mono | undefined): (look: Look) => void {
  const keySlots = shelf.counter(
    ["pegbot_key_slots_total", "requests granted by the ledger of the key, to whatever process, since it was made"],
    {},
  );
  const utilisation = shelf.gauge([
    "pegbot_slot_utilisation_ratio",
    "requests of the last minute by whatever process of the key, of those that the pace allows",
  ]);
  const spacing = shelf.gauge(["pegbot_slot_spacing_seconds", "time between two requests of the key"]);
  const waiting = shelf.gauge(["pegbot_queue_length", "wants that wait for a slot, of whatever process"]);
  const skew = shelf.gauge([
    "pegbot_clock_skew_seconds",
    "our clock minus the venue's, which tells whole seconds only",
  ]);
  const silence = shelf.gauge([
    "pegbot_last_good_answer_age_seconds",
    "time since the venue last answered as it should",
  ]);
  const paused = shelf.gauge([
    "pegbot_venue_paused",
    "1 while the bot itself asks the venue for nothing, or for doubts alone: after a storm of 429, or while the journal cannot be written",
  ]);
  // A venue that has not answered since the first look is silent as well.
  let lookedAt: Mono | undefined;
  return ({ status: { budget, phase }, now }) => {
    lookedAt ??= now;
    paused.set(budget?.doubtsOnly === true || phase.kind === "unwritable" ? 1 : 0);
    silence.set(Math.max(0, now - (goodAt() ?? lookedAt)) / 1_000);
    if (budget !== undefined) {
      // Counted elsewhere, and only ever more.
      keySlots.reset();
      keySlots.inc(budget.slots);
    }
    show(utilisation, budget?.usedBps && budget.usedBps / 1e4);
    show(spacing, budget && budget.spacingMs / 1_000);
    show(waiting, budget?.waiting.length);
    show(skew, budget?.skewMs && budget.skewMs / 1_000);
  };
}
