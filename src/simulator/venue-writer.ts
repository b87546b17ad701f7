// The only entry for changes of the venue: it stamps an operation with the moment, performs it, and has it on disk (if
// there is a state file) before the caller may answer.

import { type Clock, type Millis, millis } from "../domain/time.ts";
import type { Moment } from "./core/record.ts";
import type { Answer } from "./core/refusal.ts";
import type { VenueFaults } from "./core/settings.ts";
import type { Venue } from "./core/venue.ts";
import { type DoneOf, type Operation, perform, type Stamped } from "./operation.ts";
import type { StateFile } from "./state-file.ts";

export class VenueWriter {
  /** Replaced when switches change. */
  venue: Venue;
  private readonly settlement: SettlementClock;
  private readonly file: StateFile | undefined;
  private readonly nonces: Map<string, string>;

  constructor(
    venue: Venue,
    settlement: SettlementClock,
    kept: { file: StateFile | undefined; nonces: Map<string, string> },
  ) {
    this.venue = venue;
    this.settlement = settlement;
    this.file = kept.file;
    this.nonces = kept.nonces;
  }

  moment(): Moment {
    return this.settlement.moment();
  }

  async perform<O extends Operation>(operation: O, faults?: Partial<VenueFaults>): Promise<Answer<DoneOf<O>>> {
    return this.stamped({ operation, moment: this.moment(), faults });
  }

  /** The same venue with other switches. */
  async replace(venue: Venue, switches: readonly string[]): Promise<void> {
    this.venue = venue;
    await this.file?.append({ kind: "switches", switches });
  }

  async advance(ms: number): Promise<Moment> {
    const moment = this.settlement.advance(ms);
    await this.stamped({ operation: { kind: "advance" }, moment });
    return moment;
  }

  /**
   * Due work is performed as a separate operation, so that a restart repeats it at the same moment. Readers must use
   * the returned moment: at a later one the venue could act without a record in the file.
   */
  async catchUp(): Promise<Moment> {
    const moment = this.moment();
    if (this.venue.isDue(moment)) await this.stamped({ operation: { kind: "advance" }, moment });
    return moment;
  }

  /** Accepted nonces are stored too: a request from before a restart must not be accepted again after it. */
  async keepNonce(key: string, nonce: bigint): Promise<void> {
    this.nonces.set(key, String(nonce));
    await this.file?.append({ kind: "nonce", key, nonce: String(nonce) });
  }

  /** An answer may show changes that others made in the meantime, so it leaves only after those are on disk too. */
  async synced(): Promise<void> {
    await this.file?.synced();
  }

  private async stamped<O extends Operation>(stamped: Stamped & { operation: O }): Promise<Answer<DoneOf<O>>> {
    const answer = perform(this.venue, stamped);
    await this.file?.append({ kind: "operation", ...stamped });
    return answer;
  }
}

// The clock for the settlement of mints, rails and payments: it runs `speed` times as fast as the system clock and can
// be advanced by hand. Nothing else in the service reads it.

export class SettlementClock {
  private readonly clock: Clock;
  private speed: number;
  private anchor: Moment;
  private latest: Millis;

  constructor(clock: Clock, speed = 1) {
    this.clock = clock;
    this.speed = speed;
    const now = clock.now();
    this.anchor = { venue: now, settlement: now };
    this.latest = now;
  }

  /** Neither part ever goes back, even when the system clock does. */
  moment(): Moment {
    const venue = millis(Math.max(this.clock.now(), this.latest));
    this.latest = venue;
    const settlement = this.anchor.settlement + Math.floor((venue - this.anchor.venue) * this.speed);
    return { venue, settlement: millis(settlement) };
  }

  advance(ms: number): Moment {
    const { venue, settlement } = this.moment();
    this.anchor = { venue, settlement: millis(settlement + ms) };
    return this.anchor;
  }

  run(speed: number): void {
    this.anchor = this.moment();
    this.speed = speed;
  }

  /** Continues from a moment of an earlier run; the time in between counts as passed. */
  resume(last: Moment): void {
    this.anchor = last;
    this.latest = last.venue;
  }
}
