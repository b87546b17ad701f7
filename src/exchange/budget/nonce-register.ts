// The key's nonces in the ledger. A kill loses nothing that was written; against a power cut the disk is told in advance,
// a few seconds ahead, up to where nonces may be used, so that drawing one seldom waits for it.

import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { Nonce } from "../port.ts";
import { type HostClock, unknownBoot } from "./host-clock.ts";
import type { LedgerState, LedgerStore } from "./ledger-store.ts";
import { estimateVenueTime, nextNonce } from "./nonce.ts";

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
