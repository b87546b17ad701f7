// The budget of a key in virtual time: pacing, scheduler and nonces in one synchronous thing, without files, processes or
// promises. A backtest steps it by hand; VirtualBudget lets callers wait for it. It decides what KeyBudget decides when
// one process has the key to itself, down to the moments at which that one looks.

import { invariant } from "../../domain/invariant.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import { mono } from "../../domain/time.ts";
import type { Nonce, Want } from "../port.ts";
import type { SlotEnd } from "./budget.ts";
import { type BudgetSettings, budgetDefaults } from "./budget-settings.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "./nonce.ts";
import { doubtsOnly, freshPacing, type Pacing, type PacingSettings, paceAfter, pacingDefaults } from "./pacing.ts";
import { type Candidate, createScheduler, type Scheduler, type SlotPolicy } from "./scheduler.ts";

export type SlotLineSettings = {
  readonly pacing?: Partial<PacingSettings>;
  readonly budget?: Partial<Pick<BudgetSettings, "pollMs" | "refreshMs">>;
  /** By worth unless told. */
  readonly policy?: SlotPolicy;
};

type Held = { readonly grantedAt: Mono; sentAt: Mono | undefined };

/** From the grant to the last check before the socket, as a lease of the ledger has it. */
const PREPARE_MS = 8_000;

export class SlotLine<T> {
  readonly #scheduler: Scheduler<T>;
  readonly #pacingSettings: PacingSettings;
  readonly #pollMs: number;
  readonly #refreshMs: number;
  #pacing: Pacing;
  #held: Held | undefined;
  #slots = 0;
  #lastNonce: Nonce | undefined;
  #venueOffsets: readonly number[] = [];
  /** Looks come every `#everyMs` from `#lookFrom` on, until something happens. */
  #lookFrom: Mono;
  #everyMs = 0;
  #isBarred = false;

  constructor(start: Mono, dropped: (item: T, reason: string) => void, settings: SlotLineSettings = {}) {
    this.#scheduler = createScheduler<T>(dropped, settings.policy === undefined ? {} : { policy: settings.policy });
    this.#pacingSettings = { ...pacingDefaults, ...settings.pacing };
    this.#pollMs = settings.budget?.pollMs ?? budgetDefaults.pollMs;
    this.#refreshMs = settings.budget?.refreshMs ?? budgetDefaults.refreshMs;
    this.#pacing = freshPacing(start);
    this.#lookFrom = start;
  }

  /** Wants that wait. */
  get size(): number {
    return this.#scheduler.size;
  }

  /** Slots granted so far. */
  get slots(): number {
    return this.#slots;
  }

  get pacing(): Pacing {
    return this.#pacing;
  }

  get knowsVenueTime(): boolean {
    return this.#venueOffsets.length > 0;
  }

  /** Whoever adds looks afterwards. */
  add(want: Want, item: T): Result<void> {
    return this.#scheduler.add(want, item, this.#slots);
  }

  /** Drops what is past its deadline; gives the best want the slot, if it is open and nobody has it. */
  look(now: Millis, at: Mono): Candidate<T> | undefined {
    this.#scheduler.expire(at);
    this.#isBarred = false;
    if (this.#held !== undefined) return this.#rest(at, this.#pollMs);
    if (this.#scheduler.size === 0 || at < this.#pacing.openAt) return this.#rest(at, this.#refreshMs);
    const isBarring = doubtsOnly(this.#pacing, at);
    const moment = { now, monotonic: at, slot: this.#slots, doubtsOnly: isBarring, isAlone: true };
    const best = this.#scheduler.best(moment);
    this.#rest(at, this.#refreshMs);
    if (best === undefined) {
      this.#isBarred = true;
      return undefined;
    }
    this.#scheduler.take(best, this.#slots);
    this.#slots += 1;
    this.#held = { grantedAt: at, sentAt: undefined };
    return best;
  }

  /** When a look can change something by itself; undefined when nothing will before somebody adds, or ends a slot. */
  nextLookAt(): Mono | undefined {
    if (this.#scheduler.size === 0) return undefined;
    if (this.#isBarred) return mono(this.#lookFrom + this.#everyMs);
    const dropsAt = this.#firstLookAfter(this.#scheduler.firstDeadline);
    const next = this.#held === undefined ? Math.min(dropsAt, this.#pacing.openAt) : dropsAt;
    return Number.isFinite(next) ? mono(next) : undefined;
  }

  nonce(now: Millis, at: Mono): Result<Nonce> {
    if (this.#held === undefined) return err("slot-ended: a nonce belongs to an open slot");
    const next = nextNonce(now, this.#lastNonce, estimateVenueTime(this.#venueOffsets, at));
    if (next.ok) this.#lastNonce = next.value;
    return next;
  }

  /** The last check: bytes may be out from here on. */
  begin(at: Mono): boolean {
    const held = this.#held;
    if (held === undefined || at > held.grantedAt + PREPARE_MS) return false;
    held.sentAt = at;
    return true;
  }

  end(end: SlotEnd, at: Mono): void {
    const held = this.#held;
    invariant(held !== undefined, "a slot ends exactly once");
    const { sentAt } = held;
    // Who never passed the last check has sent nothing, however it ended.
    const paced = sentAt === undefined && end.kind !== "answered" ? { kind: "unspent" as const } : end;
    this.#pacing = paceAfter(this.#pacing, paced, { at, sentAt }, this.#pacingSettings);
    this.#held = undefined;
  }

  observe(venueTime: Millis, at: Mono): void {
    this.#venueOffsets = withVenueOffset(this.#venueOffsets, venueTime, at);
  }

  clear(): readonly T[] {
    return this.#scheduler.clear();
  }

  #rest(at: Mono, everyMs: number): undefined {
    this.#lookFrom = at;
    this.#everyMs = everyMs;
    return undefined;
  }

  /** While a slot is out the first look after its grant comes later than those that follow. */
  #firstLookAfter(time: number): number {
    if (time === Number.POSITIVE_INFINITY) return time;
    const first = this.#lookFrom + this.#everyMs;
    if (time < first) return first;
    const everyMs = this.#held === undefined ? this.#everyMs : this.#pollMs;
    return first + (Math.floor((time - first) / everyMs) + 1) * everyMs;
  }
}
