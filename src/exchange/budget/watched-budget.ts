// A budget that tells what each of its slots was spent on. It changes nothing: who asks, waits and sends is as before.

import { ok } from "../../domain/result.ts";
import type { Clock, Millis, Mono } from "../../domain/time.ts";
import type { Chosen, Want, WantClass } from "../port.ts";
import type { Budget, Slot } from "./budget.ts";
import type { SlotEnd } from "./pacing.ts";

export type SpentSlot = {
  /** When it was granted. */
  readonly at: Millis;
  readonly class: WantClass;
  /** Path and fields of a read; of what moves money the path. */
  readonly what: string;
  /** In hundredths of the currency of the limits, and the best of what else waited; both as of the grant. */
  readonly worth: number | undefined;
  readonly over: { readonly class: WantClass; readonly worth: number } | undefined;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: "answered" | "rate-limited" | "abandoned" | "unspent";
  /** Of one that is unspent, a gap. */
  readonly drewNonce: boolean;
};

export function watchedBudget(budget: Budget, clock: Clock, tell: (spent: SpentSlot) => void): Budget {
  function watched(slot: Slot, { want, chosen }: Wanting, since: Mono): Slot {
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
        const { worth, over } = chosen() ?? UNKNOWN;
        const spent = { at, class: ofClass, what, worth, over, waitedMs: granted - since, tookMs, drewNonce };
        tell({ ...spent, end: wordOf(end) });
      },
    };
  }

  return {
    async take(want) {
      const since = clock.monotonic();
      const wanting = listening(want);
      const taken = await budget.take(wanting.want);
      return taken.ok ? ok(watched(taken.value, wanting, since)) : taken;
    },
    share(want, send) {
      const since = clock.monotonic();
      const wanting = listening(want);
      return budget.share(wanting.want, (slot) => send(watched(slot, wanting, since)));
    },
    observe: (venueTime, receivedAt) => budget.observe(venueTime, receivedAt),
    needsVenueTime: () => budget.needsVenueTime(),
    close: () => budget.close(),
  };
}

type Wanting = { readonly want: Want; readonly chosen: () => Chosen | undefined };

const UNKNOWN = { worth: undefined, over: undefined };

/** The want, and why it was chosen once it is. */
function listening(want: Want): Wanting {
  let chosen: Chosen | undefined;
  const begins = (given: Chosen): void => {
    const { class: ofClass, worth, over } = given;
    chosen = { class: ofClass, worth, over: over && { class: over.class, worth: over.worth } };
    want.begins?.(given);
  };
  return { want: { ...want, begins }, chosen: () => chosen };
}

function wordOf(end: SlotEnd): SpentSlot["end"] {
  return end.kind === "answered" && end.rateLimited ? "rate-limited" : end.kind;
}
