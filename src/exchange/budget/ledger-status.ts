// The state of a key's budget for people: the slot's holder and purpose, the waiting processes, the bot that owns the
// key, and the pacing. Processes that died are not shown.

import { type Clock, type Millis, millis } from "../../domain/time.ts";
import type { Nonce, WantClass } from "../port.ts";
import type { Holder, LedgerState, LedgerStore, Member } from "./ledger-store.ts";
import { botLockPath, isHeld, lockPath } from "./lock-file.ts";
import { estimateVenueTime } from "./nonce.ts";
import { doubtsOnly, type Pacing, type PacingSettings, rebasePacing, spacingMs, type VenuePause } from "./pacing.ts";

export type LedgerStatus = {
  readonly path: string;
  readonly holder: Holder | undefined;
  readonly bot: Member | undefined;
  readonly members: readonly Member[];
  readonly waiting: readonly { readonly pid: number | undefined; readonly class: WantClass }[];
  readonly spacingMs: number;
  readonly doubtsOnly: boolean;
  readonly paused: VenuePause<Millis> | undefined;
  /**
   * The age of the latest rate-limit answers. Our pacing is kept, so each means that the key is also used elsewhere.
   */
  readonly rateLimitedMsAgo: readonly number[];
  readonly slots: number;
  readonly lastNonce: Nonce | undefined;
  /**
   * Our wall clock minus the venue's, by the fastest of its last answers. A Date is cut to the second, so up to 1,000
   * ms is not significant.
   */
  readonly skewMs: number | undefined;
};

/** The use of one slot. */
export type SpentSlot = {
  /** The time of the grant. */
  readonly at: Millis;
  readonly class: WantClass;
  /** The path and fields of a read, or the path of a request that moves money. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: "answered" | "rate-limited" | "abandoned" | "unspent";
  /** In an unspent slot, a drawn nonce leaves a gap. */
  readonly drewNonce: boolean;
};

/** `live` is the folder of the processes' lock files. */
export function readStatus(store: LedgerStore, live: string, clock: Clock, settings: PacingSettings): LedgerStatus {
  const now = clock.monotonic();
  // In a transaction, so that no bot starts while its lock is being tried.
  return store.transact(() => {
    const state = store.read();
    const { holder } = state;
    // Since a reboot no process may have joined yet, which would carry the times over.
    const pacing = now < state.markedAt ? rebasePacing(state.pacing, state.markedAt, now) : state.pacing;
    const members = store.members();
    const pidOf = (instance: string) => members.find((member) => member.instance === instance)?.pid;
    return {
      path: store.path,
      holder,
      bot: isHeld(botLockPath(live)) ? state.bot : undefined,
      members: members.filter((member) => isHeld(lockPath(live, member.instance))),
      waiting: store.bids().map((bid) => ({ pid: pidOf(bid.instance), class: bid.class })),
      spacingMs: spacingMs(pacing, now, settings),
      doubtsOnly: doubtsOnly(pacing, now),
      paused: pausedNow(pacing, clock),
      rateLimitedMsAgo: pacing.limitedAt.map((at) => now - at),
      slots: state.slot,
      lastNonce: state.lastNonce,
      skewMs: skewNow(state, clock),
    };
  });
}

function pausedNow({ pause }: Pacing, clock: Clock): LedgerStatus["paused"] {
  const leftMs = pause === undefined ? 0 : pause.until - clock.monotonic();
  return pause === undefined || leftMs <= 0 ? undefined : { ...pause, until: millis(clock.now() + Math.ceil(leftMs)) };
}

/**
 * A clock that was ahead at the venue's last answer may have been corrected since. The smaller of two readings counts:
 * the first is too large after our clock was corrected, the second after the machine has slept.
 */
export function skewNow({ skewMs, venueOffsets }: LedgerState, clock: Clock): number | undefined {
  if (skewMs === undefined) return undefined;
  const heard = skewMs - latenessMs(venueOffsets);
  const venueTime = estimateVenueTime(venueOffsets, clock.monotonic());
  if (heard <= 0 || venueTime === undefined) return heard;
  return Math.min(heard, Math.max(0, clock.now() - venueTime));
}

/** A slow answer carries an old Date; this is how much later the last one was than the fastest. */
function latenessMs(venueOffsets: readonly number[]): number {
  const last = venueOffsets.at(-1) ?? 0;
  return venueOffsets.reduce((most, offset) => Math.max(most, offset - last), 0);
}
