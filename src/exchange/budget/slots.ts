// The slots of a key, one request at a time: pacing, scheduler and nonces in one synchronous object, without files,
// processes or promises. A bot's budget waits for it (budget.ts), a backtest steps it by hand; what the key remembers
// is on disk (key-file.ts) or in memory.

import { invariant } from "../../domain/invariant.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import type { Nonce, Want, WantClass } from "../port.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "./nonce.ts";
import {
  doubtsOnly,
  freshPacing,
  type Pacing,
  type PacingSettings,
  paceAfter,
  pacingDefaults,
  type SlotEnd,
} from "./pacing.ts";
import { type Candidate, Scheduler } from "./scheduler.ts";

/** A Date of the venue, and its time of receipt by both of our clocks. */
export type VenueDate = { readonly venueTime: Millis; readonly receivedAt: Millis; readonly at: Mono };

/** What outlasts a request of the key. */
export interface KeyMemory {
  readonly pacing: Pacing;
  readonly hasVenueTime: boolean;
  /** Why no request may be made with this key any more. */
  whyGone(): string | undefined;
  nonce(now: Millis, at: Mono): Result<Nonce>;
  /** Bytes are about to leave. False: that could not be recorded, so none may. */
  beginSending(): boolean;
  /** A slot whose bytes may have left has ended. */
  finish(end: SlotEnd, at: Mono): void;
  observe(date: VenueDate): void;
  close(): void;
}

export class InMemory implements KeyMemory {
  pacing: Pacing;
  private readonly settings: PacingSettings;
  private lastNonce: Nonce | undefined;
  private venueOffsets: readonly number[] = [];

  constructor(openAt: Mono, settings: Partial<PacingSettings> = {}) {
    this.pacing = freshPacing(openAt);
    this.settings = { ...pacingDefaults, ...settings };
  }

  get hasVenueTime(): boolean {
    return this.venueOffsets.length > 0;
  }

  whyGone(): undefined {}

  nonce(now: Millis, at: Mono): Result<Nonce> {
    const next = nextNonce(now, this.lastNonce, estimateVenueTime(this.venueOffsets, at));
    if (next.ok) this.lastNonce = next.value;
    return next;
  }

  beginSending(): boolean {
    return true;
  }

  finish(end: SlotEnd, at: Mono): void {
    this.pacing = paceAfter(this.pacing, end, at, this.settings);
  }

  observe({ venueTime, at }: VenueDate): void {
    this.venueOffsets = withVenueOffset(this.venueOffsets, venueTime, at);
  }

  close(): void {}
}

/** A want that waits is looked at this often, while a request is on its way and else, so that it ends at its deadline. */
const LOOK_MS = { held: 50, free: 200 };

/** From the grant of a slot to its last check: a process that was suspended in between does not send. */
const PREPARE_MS = 8_000;

export class Slots<T> {
  private readonly key: KeyMemory;
  private readonly scheduler: Scheduler<T>;
  /** Slots granted so far. */
  granted = 0;
  /** The granted slot: since when, and whether its request was sent. */
  private held: { readonly grantedAt: Mono; isSent: boolean } | undefined;
  /** Looks come every `everyMs` from `lookFrom` on, until something happens. */
  private lookFrom = 0;
  private everyMs = LOOK_MS.free;
  /**
   * As of the last look, the earliest time at which another can change something without a new event; infinite if only
   * a new want or the end of a slot can.
   */
  nextLookAt = Number.POSITIVE_INFINITY;

  constructor(key: KeyMemory, dropped: (item: T, reason: string) => void) {
    this.key = key;
    this.scheduler = new Scheduler<T>(dropped);
  }

  /** The number of waiting wants. */
  get size(): number {
    return this.scheduler.size;
  }

  get waiting(): readonly WantClass[] {
    return this.scheduler.classes();
  }

  /** The caller must call `look` afterwards. */
  add(want: Want, item: T): Result<void> {
    const gone = this.key.whyGone();
    return gone === undefined ? this.scheduler.add(want, item, this.granted) : err(gone);
  }

  cancel(item: T): void {
    this.scheduler.cancel(item);
  }

  /** Drops expired wants, and grants the slot to the best want if it is open. */
  look(at: Mono): Candidate<T> | undefined {
    const { scheduler } = this;
    scheduler.expire(at);
    if (scheduler.size === 0) {
      this.nextLookAt = Number.POSITIVE_INFINITY;
      return undefined;
    }
    this.lookFrom = at;
    this.everyMs = this.held ? LOOK_MS.held : LOOK_MS.free;
    const isOpen = this.held === undefined && at >= this.key.pacing.openAt;
    const granted = isOpen ? this.grant(at) : undefined;
    // The slot is open but no waiting want may have it yet; that can change with time alone.
    this.nextLookAt = isOpen && granted === undefined ? at + this.everyMs : this.lookAfter();
    return granted;
  }

  observe(date: VenueDate): void {
    this.key.observe(date);
  }

  nonce(now: Millis, at: Mono): Result<Nonce> {
    return this.held === undefined ? err("slot-ended: a nonce belongs to an open slot") : this.key.nonce(now, at);
  }

  /** The last check: bytes may leave from here on. */
  begin(at: Mono): boolean {
    if (this.held === undefined || at > this.held.grantedAt + PREPARE_MS || !this.key.beginSending()) return false;
    this.held.isSent = true;
    return true;
  }

  end(end: SlotEnd, at: Mono): void {
    invariant(this.held !== undefined, "a slot ends exactly once");
    // A holder that never passed the last check has sent nothing, however it ended.
    if (this.held.isSent || end.kind === "answered") this.key.finish(end, at);
    this.held = undefined;
  }

  /** Empties the queue and returns its items. */
  clear(): readonly T[] {
    this.nextLookAt = Number.POSITIVE_INFINITY;
    return this.scheduler.clear();
  }

  private grant(at: Mono): Candidate<T> | undefined {
    const { pacing } = this.key;
    const best = this.scheduler.serve({
      monotonic: at,
      slot: this.granted,
      doubtsOnly: doubtsOnly(pacing, at),
      isProbe: pacing.pause !== undefined,
    });
    if (best === undefined) return undefined;
    this.granted += 1;
    this.held = { grantedAt: at, isSent: false };
    return best;
  }

  private lookAfter(): number {
    const { size, firstDeadline } = this.scheduler;
    const opensAt = this.held === undefined && size > 0 ? this.key.pacing.openAt : Number.POSITIVE_INFINITY;
    return firstDeadline === Number.POSITIVE_INFINITY ? opensAt : Math.min(this.firstLookAfter(firstDeadline), opensAt);
  }

  /** While a slot is granted, the first look after the grant comes later than the following ones. */
  private firstLookAfter(time: number): number {
    const first = this.lookFrom + this.everyMs;
    if (time < first) return first;
    const everyMs = this.held ? LOOK_MS.held : this.everyMs;
    return first + (Math.floor((time - first) / everyMs) + 1) * everyMs;
  }
}
