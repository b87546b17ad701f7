// The next nonce of a key: the wall clock in milliseconds, never at or below the last one, and never further ahead of the
// venue's clock than a margin. A wall clock that steps back is outlived by counting up; one that jumps ahead cannot carry
// the key's nonce into the future, where every honest one would be refused.

import { err, ok, type Result } from "../../domain/result.ts";
import { type Clock, type Millis, type Mono, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Nonce } from "../port.ts";
import { type HostClock, unknownBoot } from "./host-clock.ts";
import type { LedgerState, LedgerStore } from "./ledger-store.ts";

/** INV-10. */
const nonceAheadMsMax = 2_000;
/** Of so many answers the latest estimate of the venue's clock is made. */
const venueOffsetsMax = 8;

export function nextNonce(now: Millis, last: Nonce | undefined, venueTime: Millis | undefined): Result<Nonce> {
  if (venueTime === undefined)
    return err("venue-time-unknown: no nonce before a Date of the venue was seen; an unsigned call comes first");
  const ceiling = Math.floor(venueTime) + nonceAheadMsMax;
  // A wall clock beyond the ceiling is not believed at all: riding on the ceiling itself would leave no room for the
  // estimate to fall by the second that a Date may be off.
  const time = now <= ceiling ? now : venueTime;
  const next = Math.max((last ?? 0) + 1, Math.floor(time));
  if (next > ceiling) return err(tooFarAhead(next - Math.floor(venueTime)));
  return ok(next as Nonce);
}

/** It is nobody's fault now and heals by time alone: whoever reads it has to know how long. */
function tooFarAhead(ms: number): string {
  return (
    `nonce-ahead: next nonce is ${ms} ms ahead of the venue's clock, limit is ${nonceAheadMsMax} ms: a clock, of this machine or ` +
    "of the venue, was ahead when the last one was drawn and was set back since, and the venue takes none below that. Nothing signed " +
    `can be asked or sent for ${durationText(ms - nonceAheadMsMax)}, then it goes on by itself; a new key works at once; ` +
    "do not delete the ledger"
  );
}

/**
 * A Date is cut to the second and old by the way back, so each one is a lower bound of the venue's clock: the best of
 * the latest few is the estimate. One wrong Date that is low changes nothing, one that is high is forgotten soon.
 */
export function estimateVenueTime(offsets: readonly number[], now: Mono): Millis | undefined {
  if (offsets.length === 0) return undefined;
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < offsets.length; i++) best = Math.max(best, offsets[i] as number);
  return millis(best + now);
}

/** What one Date says: the venue's clock minus our monotonic one. */
export function withVenueOffset(offsets: readonly number[], venueTime: Millis, at: Mono): readonly number[] {
  const kept = offsets.length < venueOffsetsMax ? offsets.slice() : offsets.slice(1 - venueOffsetsMax);
  kept.push(venueTime - at);
  return kept;
}

/** The same in place, for who keeps them in memory; `count` were put before. In which order they lie does not matter. */
export function putVenueOffset(offsets: number[], count: number, venueTime: Millis, at: Mono): void {
  offsets[count % venueOffsetsMax] = venueTime - at;
}

/** Small, because after a reboot nonces go on from the end of the reserve. */
const reserveMs = 5_000;

export class NonceRegister {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #host: HostClock;

  constructor(store: LedgerStore, { clock, host }: { clock: Clock; host: HostClock }) {
    this.#store = store;
    this.#clock = clock;
    this.#host = host;
  }

  /** Before it returns, the disk knows that nonces up to this one may be used. `refusal` speaks for who may not draw. */
  draw(refusal: (state: LedgerState) => Result<Nonce> | undefined): Result<Nonce> {
    const reserved = this.#store.transact(() => {
      const state = this.#store.read();
      const next = refusal(state) ?? this.#next(state);
      if (next.ok && next.value > (state.reservedNonce ?? 0)) return undefined;
      if (next.ok) this.#store.write({ ...state, lastNonce: next.value });
      return next;
    });
    if (reserved !== undefined) return reserved;
    return this.#store.transact(() => {
      const state = this.#store.read();
      const next = refusal(state) ?? this.#next(state);
      if (next.ok) this.#store.write(this.extended({ ...state, lastNonce: next.value }));
      return next;
    }, "durable");
  }

  /** The state with a full reserve, to be written durably. Where a reboot cannot be told for certain there is none. */
  extended(state: LedgerState): LedgerState {
    if (state.lastNonce === undefined) return state;
    const end = state.lastNonce + (this.#host.boot === unknownBoot ? 0 : reserveMs);
    return { ...state, reservedNonce: Math.max(state.reservedNonce ?? 0, end) };
  }

  isReserveShort({ lastNonce, reservedNonce }: LedgerState): boolean {
    if (lastNonce === undefined || this.#host.boot === unknownBoot) return false;
    return (reservedNonce ?? 0) - lastNonce < reserveMs / 2;
  }

  #next(state: LedgerState): Result<Nonce> {
    const venueTime = estimateVenueTime(state.venueOffsets, this.#host.monotonic());
    return nextNonce(this.#clock.now(), state.lastNonce, venueTime);
  }
}
