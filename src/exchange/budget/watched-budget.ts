// A budget that tells what each of its slots was spent on. It changes nothing: who asks, waits and sends is as before.

import { ok } from "../../domain/result.ts";
import type { Clock, Millis, Mono } from "../../domain/time.ts";
import type { Want, WantClass } from "../port.ts";
import type { Budget, Slot, SlotEnd } from "./budget.ts";

export type SpentSlot = {
  /** When it was granted. */
  readonly at: Millis;
  readonly class: WantClass;
  /** Path and fields of a read; of what moves money the path. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: "answered" | "rate-limited" | "abandoned" | "unspent";
  /** Of one that is unspent, a gap. */
  readonly drewNonce: boolean;
};

export function watchedBudget(budget: Budget, clock: Clock, tell: (spent: SpentSlot) => void): Budget {
  function watched(slot: Slot, want: Want, since: Mono): Slot {
    const at = clock.now();
    const granted = clock.monotonic();
    let drewNonce = false;
    return {
      nonce() {
        const nonce = slot.nonce();
        drewNonce ||= nonce.ok;
        return nonce;
      },
      held: () => slot.held(),
      end(end) {
        slot.end(end);
        const tookMs = clock.monotonic() - granted;
        const { class: ofClass, key: what = ofClass } = want;
        tell({ at, class: ofClass, what, waitedMs: granted - since, tookMs, end: wordOf(end), drewNonce });
      },
    };
  }

  return {
    async take(want) {
      const since = clock.monotonic();
      const taken = await budget.take(want);
      return taken.ok ? ok(watched(taken.value, want, since)) : taken;
    },
    share(want, send) {
      const since = clock.monotonic();
      return budget.share(want, (slot) => send(watched(slot, want, since)));
    },
    observe: (venueTime, receivedAt) => budget.observe(venueTime, receivedAt),
    needsVenueTime: () => budget.needsVenueTime(),
    close: () => budget.close(),
  };
}

function wordOf(end: SlotEnd): SpentSlot["end"] {
  return end.kind === "answered" && end.rateLimited ? "rate-limited" : end.kind;
}
