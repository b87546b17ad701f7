// What a person may want to know of a key's budget: who has the slot and what for, who waits, which bot owns the key,
// and how wide the pacing is. Processes that died without leaving are not shown.

import { dirname, join } from "node:path";
import type { Clock, Millis } from "../../domain/time.ts";
import type { Nonce, WantClass } from "../port.ts";
import type { Holder, LedgerState, LedgerStore, Member } from "./ledger-store.ts";
import { isAbandoned, lockPath, tryLock } from "./lock-file.ts";
import { estimateVenueTime } from "./nonce.ts";
import { doubtsOnly, type PacingSettings, spacingMs } from "./pacing.ts";

export type LedgerStatus = {
  readonly path: string;
  readonly holder: Holder | undefined;
  readonly bot: Member | undefined;
  readonly members: readonly Member[];
  readonly waiting: readonly { readonly pid: number | undefined; readonly class: WantClass; readonly worth: number }[];
  readonly spacingMs: number;
  readonly doubtsOnly: boolean;
  /** How long ago the latest rate-limit answers came. With our pacing kept, each means that someone else uses the key. */
  readonly rateLimitedMsAgo: readonly number[];
  readonly slots: number;
  readonly lastNonce: Nonce | undefined;
  /** Our wall clock minus the venue's, by the quickest of its last answers; a Date is cut to the second, so up to 1,000 ms means nothing. */
  readonly skewMs: number | undefined;
};

/** What a slot was spent on. */
export type SpentSlot = {
  /** When it was granted. */
  readonly at: Millis;
  readonly class: WantClass;
  /** Path and fields of a read; of what moves money the path. */
  readonly what: string;
  /** In hundredths of the currency of the limits, and the best of what else waited; both as of the grant. */
  readonly worth: number;
  readonly over: { readonly class: WantClass; readonly worth: number } | undefined;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: "answered" | "rate-limited" | "abandoned" | "unspent";
  /** Of one that is unspent, a gap. */
  readonly drewNonce: boolean;
};

/** `live` is the folder with the locks of the processes. */
export function readStatus(store: LedgerStore, live: string, clock: Clock, settings: PacingSettings): LedgerStatus {
  const now = clock.monotonic();
  // In a transaction, so that no bot starts while its lock is tried.
  return store.transact(() => {
    const state = store.read();
    const { holder, pacing } = state;
    const members = store.members();
    const pidOf = (instance: string) => members.find((member) => member.instance === instance)?.pid;
    return {
      path: store.path,
      holder,
      bot: runningBot(store, live),
      members: members.filter((member) => !isAbandoned(lockPath(live, member.instance))),
      waiting: store.bids().map((bid) => ({ pid: pidOf(bid.instance), class: bid.class, worth: bid.worth })),
      spacingMs: spacingMs(pacing, now, settings),
      doubtsOnly: doubtsOnly(pacing, now),
      rateLimitedMsAgo: pacing.limitedAt.map((at) => now - at),
      slots: state.slot,
      lastNonce: state.lastNonce,
      skewMs: skewNow(state, clock),
    };
  });
}

/**
 * A clock that was ahead when the venue last answered may be right by now: then it is so much ahead no longer. The smaller of two
 * readings: the first is too large once our clock was set right, the second after the machine has slept.
 */
export function skewNow({ skewMs, venueOffsets }: LedgerState, clock: Clock): number | undefined {
  if (skewMs === undefined) return undefined;
  const heard = skewMs - latenessMs(venueOffsets);
  const venueTime = estimateVenueTime(venueOffsets, clock.monotonic());
  if (heard <= 0 || venueTime === undefined) return heard;
  return Math.min(heard, Math.max(0, clock.now() - venueTime));
}

/** A Date that came slowly is an old one: by this much the last was later than the quickest. */
function latenessMs(venueOffsets: readonly number[]): number {
  const last = venueOffsets.at(-1) ?? 0;
  return venueOffsets.reduce((most, offset) => Math.max(most, offset - last), 0);
}

/** Within a transaction. */
function runningBot(store: LedgerStore, live: string): Member | undefined {
  const botLock = tryLock(join(dirname(live), "bot.lock"));
  botLock?.release();
  return botLock === undefined ? store.read().bot : undefined;
}
