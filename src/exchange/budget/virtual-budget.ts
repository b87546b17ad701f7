// The budget of a key in virtual time: pacing, scheduler and nonces in one synchronous object, without files, processes
// or promises. A backtest steps it manually, and tests wait for it (test/support). It decides as KeyBudget does for a
// process that has the key to itself, including the times of its checks.

import { invariant } from "../../domain/invariant.ts";
import { err, type Result } from "../../domain/result.ts";
import { type Millis, type Mono, mono } from "../../domain/time.ts";
import type { Nonce, Want } from "../port.ts";
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

/** How often a waiting want is looked at while a request is on its way, and else. */
const LOOKS = { pollMs: 50, refreshMs: 200 };

export type VirtualBudgetSettings = {
  readonly pacing?: Partial<PacingSettings>;
  readonly budget?: Partial<typeof LOOKS>;
};

/** From the grant to the last check before the socket, as in the ledger's lease. */
const PREPARE_MS = 8_000;

export class VirtualBudget<T> {
  private readonly scheduler: Scheduler<T>;
  private readonly pacingSettings: PacingSettings;
  private readonly pollMs: number;
  private readonly refreshMs: number;
  private pacing: Pacing;
  /** Slots granted so far. */
  private slots = 0;
  /** The granted slot: since when, and whether its request was sent. */
  private held: { readonly grantedAt: Mono; isSent: boolean } | undefined;
  private lastNonce = 0 as Nonce;
  private venueOffsets: readonly number[] = [];
  /** Checks run every `everyMs` from `lookFrom` on, until something happens. */
  private lookFrom = mono(0);
  private everyMs = 0;
  /**
   * As of the last check, the earliest time at which another can change something without a new event; infinite if only
   * a new want or the end of a slot can.
   */
  nextLookAt = Number.POSITIVE_INFINITY;

  constructor(start: Mono, dropped: (item: T, reason: string) => void, settings: VirtualBudgetSettings = {}) {
    this.scheduler = new Scheduler<T>(dropped);
    this.pacingSettings = { ...pacingDefaults, ...settings.pacing };
    this.pollMs = settings.budget?.pollMs ?? LOOKS.pollMs;
    this.refreshMs = settings.budget?.refreshMs ?? LOOKS.refreshMs;
    this.pacing = freshPacing(start);
    this.lookFrom = start;
  }

  /** The number of waiting wants. */
  get size(): number {
    return this.scheduler.size;
  }

  get knowsVenueTime(): boolean {
    return this.venueOffsets.length > 0;
  }

  /** The caller must call `look` afterwards. */
  add(want: Want, item: T): Result<void> {
    return this.scheduler.add(want, item, this.slots);
  }

  /** Drops expired wants, and grants the slot to the best want if it is open. */
  look(at: Mono): Candidate<T> | undefined {
    const { scheduler } = this;
    if (at > scheduler.firstDeadline) scheduler.expire(at);
    if (scheduler.size === 0) {
      this.nextLookAt = Number.POSITIVE_INFINITY;
      return undefined;
    }
    this.lookFrom = at;
    this.everyMs = this.held ? this.pollMs : this.refreshMs;
    const isOpen = this.isOpen(at);
    const granted = isOpen ? this.grant(at) : undefined;
    // The slot is open but no waiting want may have it yet; that can change with time alone.
    this.nextLookAt = isOpen && granted === undefined ? at + this.everyMs : this.lookAfter();
    return granted;
  }

  /** Whether a want may be granted a slot. */
  isOpen(at: Mono): boolean {
    return this.held === undefined && at >= this.pacing.openAt;
  }

  private lookAfter(): number {
    const { size, firstDeadline } = this.scheduler;
    const opensAt = this.held === undefined && size > 0 ? this.pacing.openAt : Number.POSITIVE_INFINITY;
    return firstDeadline === Number.POSITIVE_INFINITY ? opensAt : Math.min(this.firstLookAfter(firstDeadline), opensAt);
  }

  nonce(now: Millis, at: Mono): Result<Nonce> {
    if (this.held === undefined) return err("slot-ended: a nonce belongs to an open slot");
    const next = nextNonce(now, this.lastNonce, estimateVenueTime(this.venueOffsets, at));
    if (next.ok) this.lastNonce = next.value;
    return next;
  }

  /** The last check: bytes may leave from here on. */
  begin(at: Mono): boolean {
    if (this.held === undefined || at > this.held.grantedAt + PREPARE_MS) return false;
    this.held.isSent = true;
    return true;
  }

  end(end: SlotEnd, at: Mono): void {
    invariant(this.held !== undefined, "a slot ends exactly once");
    // A holder that never passed the last check has sent nothing, however it ended.
    if (this.held.isSent || end.kind === "answered") this.pacing = paceAfter(this.pacing, end, at, this.pacingSettings);
    this.held = undefined;
  }

  observe(venueTime: Millis, at: Mono): void {
    this.venueOffsets = withVenueOffset(this.venueOffsets, venueTime, at);
  }

  clear(): readonly T[] {
    this.nextLookAt = Number.POSITIVE_INFINITY;
    return this.scheduler.clear();
  }

  private grant(at: Mono): Candidate<T> | undefined {
    const isStormy = doubtsOnly(this.pacing, at);
    const isProbe = this.pacing.pause !== undefined;
    const best = this.scheduler.serve({ monotonic: at, slot: this.slots, doubtsOnly: isStormy, isProbe });
    if (best === undefined) return undefined;
    this.slots += 1;
    this.held = { grantedAt: at, isSent: false };
    return best;
  }

  /** While a slot is granted, the first check after the grant comes later than the following ones. */
  private firstLookAfter(time: number): number {
    const first = this.lookFrom + this.everyMs;
    if (time < first) return first;
    const everyMs = this.held ? this.pollMs : this.everyMs;
    return first + (Math.floor((time - first) / everyMs) + 1) * everyMs;
  }
}
