// The budget of one key: one request at a time, each in its own slot. Every request takes a slot here first; no other
// code may reach the venue.

import { randomInt } from "node:crypto";
import { invariant } from "../../domain/invariant.ts";
import { pause } from "../../domain/pause.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import type { Nonce, Want, WantClass } from "../port.ts";
import type { Machine } from "./host-clock.ts";
import { describeKeyError, HELD, type KeyFile, type KeyPlace, type KeyStatus, MOVED, openKeyFile } from "./key-file.ts";
import { doubtsOnly, type PacingSettings, pacingDefaults, type SlotEnd } from "./pacing.ts";
import { type Candidate, Scheduler } from "./scheduler.ts";

export interface Budget {
  /** Waits until a slot is open and this want is next, or returns the reason why it never will be. */
  take(want: Want): Promise<Result<Slot>>;
  /**
   * As `take`, then calls `send`, which must end the slot. Waiting reads with the same `key` share one request and its
   * outcome; a request that has started is never joined, so an answer is always newer than its question.
   */
  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>>;
  /** Takes the venue's clock from an answer: nonces stay below it plus a margin. */
  observe(venueTime: Millis, receivedAt: Millis): void;
  /**
   * True until a Date of the venue was seen since this machine started. Nonces are refused until then, so an unsigned
   * call comes first.
   */
  needsVenueTime(): boolean;
  close(): void;
}

export interface Slot {
  /** Draws the key's next nonce, durable before it returns. */
  nonce(): Result<Nonce>;
  /** Whether the slot is still ours; part of the last check before the socket. */
  held(): boolean;
  /** Reports how the request ended, exactly once. The spacing to the next slot counts from here. */
  end(end: SlotEnd): void;
}

export type BudgetSettings = {
  /** A want that waits is looked at this often, while a request is on its way and else, so that it ends at its deadline. */
  readonly pollMs: number;
  readonly refreshMs: number;
  /** From the grant of a slot to its last check: a process that was suspended in between does not send. */
  readonly prepareMs: number;
};

const budgetDefaults: BudgetSettings = { pollMs: 50, refreshMs: 200, prepareMs: 8_000 };

export class KeyBudget implements Budget {
  readonly #file: KeyFile;
  readonly #machine: Machine;
  readonly #settings: BudgetSettings;
  readonly #onSpent: (spent: SpentSlot) => void;
  readonly #scheduler = new Scheduler<SlotWaiter>((waiter, reason) => waiter.refuse(reason));
  #current: KeySlot | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(
    file: KeyFile,
    machine: Machine,
    settings: BudgetSettings,
    onSpent: (spent: SpentSlot) => void = () => {},
  ) {
    this.#file = file;
    this.#machine = machine;
    this.#settings = settings;
    this.#onSpent = onSpent;
  }

  get file(): KeyFile {
    return this.#file;
  }

  status(): KeyStatus {
    return this.#file.status(this.#scheduler.classes());
  }

  take(want: Want): Promise<Result<Slot>> {
    return takeSlot(want, this.#machine.host.monotonic(), (alone, waiter) => this.#register(alone, waiter));
  }

  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>> {
    const register = (same: Want, waiter: SlotWaiter): void => this.#register(same, waiter);
    return shareSlot(want, this.#machine.host.monotonic(), register, send);
  }

  observe(venueTime: Millis, receivedAt: Millis): void {
    if (this.#closed) return;
    this.#file.observe({ venueTime, receivedAt, at: this.#machine.host.monotonic() });
    this.#turn();
  }

  needsVenueTime(): boolean {
    return !this.#file.hasVenueTime;
  }

  close(): void {
    if (this.#closed) return;
    for (const waiter of this.#scheduler.clear()) waiter.refuse("closed: the budget was closed");
    this.#current?.endIfOpen();
    this.#closed = true;
    this.#sleep(undefined);
    this.#file.close();
  }

  #register(want: Want, waiter: SlotWaiter): void {
    const added = this.#add(want, waiter);
    if (added.ok) this.#turn();
    else waiter.refuse(added.error);
  }

  #add(want: Want, waiter: SlotWaiter): Result<void> {
    if (this.#closed) return err("closed: the budget was closed");
    if (!this.#file.isInPlace()) return err(describeKeyError(new Error(MOVED), this.#file.path));
    return this.#scheduler.add(want, waiter, this.#file.slot);
  }

  /** Takes the slot if it is open, and schedules the next look. */
  #turn(): void {
    this.#sleep(undefined);
    if (this.#closed) return;
    this.#scheduler.expire(this.#machine.clock.monotonic());
    const now = this.#machine.host.monotonic();
    const { openAt } = this.#file.pacing;
    const isHeld = this.#current !== undefined;
    if (!isHeld && now >= openAt) this.#serve(now);
    // A waiter that was granted the slot may have ended it at once, which already scheduled the next look.
    const { pollMs, refreshMs } = this.#settings;
    const untilOpen = this.#file.pacing.openAt - this.#machine.host.monotonic();
    const free = untilOpen > 0 ? Math.min(untilOpen, refreshMs) : refreshMs;
    const delayMs = this.#current === undefined ? free : isHeld ? pollMs : refreshMs;
    this.#sleep(this.#closed || this.#scheduler.size === 0 ? undefined : delayMs);
  }

  /** Schedules the next look in place of the earlier one; undefined schedules none. */
  #sleep(delayMs: number | undefined): void {
    this.#cancelTimer?.();
    this.#cancelTimer = delayMs === undefined ? undefined : this.#machine.timers.after(delayMs, () => this.#turn());
  }

  #serve(now: Mono): void {
    const { slot, pacing } = this.#file;
    const best = this.#scheduler.serve({
      monotonic: this.#machine.clock.monotonic(),
      slot,
      doubtsOnly: doubtsOnly(pacing, now),
      isProbe: pacing.pause !== undefined,
    });
    if (best === undefined) return;
    this.#file.granted();
    const { want } = best;
    const granted = {
      at: this.#machine.clock.now(),
      class: want.class,
      what: want.key ?? want.class,
      waitedMs: now - best.item.since,
    };
    const taken = new KeySlot(
      this.#file,
      () => this.#machine.host.monotonic() - now <= this.#settings.prepareMs,
      (end) => {
        const at = this.#machine.host.monotonic();
        this.#current = undefined;
        this.#file.finish(end, at);
        const how = end.kind === "answered" && end.rateLimited ? "rate-limited" : end.kind;
        this.#onSpent({ ...granted, tookMs: at - now, end: how });
        this.#turn();
      },
    );
    this.#current = taken;
    begin(best, taken);
  }
}

class KeySlot implements Slot {
  readonly #file: KeyFile;
  readonly #isFresh: () => boolean;
  readonly #ended: (end: SlotEnd) => void;
  #open = true;
  /** The budget ended the slot, so the sender's own `end` is ignored. */
  #forced = false;

  constructor(file: KeyFile, isFresh: () => boolean, ended: (end: SlotEnd) => void) {
    this.#file = file;
    this.#isFresh = isFresh;
    this.#ended = ended;
  }

  nonce(): Result<Nonce> {
    if (!this.#open) return err("slot-ended: a nonce belongs to an open slot");
    try {
      const nonce = this.#file.nonce();
      return nonce;
    } catch (error) {
      return err(describeKeyError(error, this.#file.path));
    }
  }

  held(): boolean {
    if (!this.#open || !this.#isFresh()) return false;
    try {
      this.#file.beginSending();
      return true;
    } catch {
      // If the next owner would not know of it, nothing is sent.
      return false;
    }
  }

  end(end: SlotEnd): void {
    if (this.#forced) return;
    invariant(this.#open, "a slot ends exactly once");
    this.#open = false;
    this.#ended(end);
  }

  /** For a budget that closes, and for a sender that returned without ending the slot. */
  endIfOpen(): void {
    if (!this.#open) return;
    this.end({ kind: "abandoned" });
    this.#forced = true;
  }
}

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
};

/** How long, and how often, a key that another process has is tried again: its owner may be a command that ends. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = [50, 250] as const;

export type BudgetOptions = {
  readonly place: KeyPlace;
  readonly machine: Machine;
  readonly pacing?: Partial<PacingSettings>;
  readonly budget?: Partial<BudgetSettings>;
  readonly environment?: string | undefined;
  readonly isTrial?: boolean;
  /** Called when a slot ends. */
  readonly onSpent?: (spent: SpentSlot) => void;
  readonly patienceMs?: number;
};

export async function openBudget(options: BudgetOptions): Promise<Result<KeyBudget>> {
  const { machine, place, environment, isTrial = false, onSpent, patienceMs = PATIENCE_MS } = options;
  const pacing = { ...pacingDefaults, ...options.pacing };
  const giveUpAt = machine.host.monotonic() + patienceMs;
  for (;;) {
    const file = openKeyFile(place, machine, { pacing, environment, isTrial });
    if (file.ok) return ok(new KeyBudget(file.value, machine, { ...budgetDefaults, ...options.budget }, onSpent));
    if (!file.error.startsWith(HELD) || machine.host.monotonic() >= giveUpAt) return file;
    await pause(machine.timers, randomInt(...AGAIN_MS));
  }
}

/** A slot that the budget can end if its sender did not. */
export type GrantedSlot = Slot & { endIfOpen(): void };

export type SlotWaiter = {
  readonly since: Mono;
  /** Called when the slot is granted; `follow` shares the outcome with waiters of the same key. */
  readonly begin: (slot: GrantedSlot) => Promise<unknown>;
  readonly follow: (outcome: Promise<unknown>) => void;
  readonly refuse: (reason: string) => void;
};

type Register = (want: Want, waiter: SlotWaiter) => void;

export function takeSlot(want: Want, since: Mono, register: Register): Promise<Result<Slot>> {
  return new Promise((resolve) => {
    register(
      { ...want, isAlone: true },
      {
        since,
        begin: async (slot) => resolve(ok(slot)),
        follow: () => invariant(false, "a want that waits alone cannot follow another"),
        refuse: (reason) => resolve(err(reason)),
      },
    );
  });
}

export function shareSlot<T>(
  want: Want,
  since: Mono,
  register: Register,
  send: (slot: Slot) => Promise<T>,
): Promise<Result<T>> {
  return new Promise((resolve, reject) => {
    const follow = (outcome: Promise<unknown>): void => {
      outcome.then((value) => resolve(ok(value as T)), reject);
    };
    const sent = async (slot: GrantedSlot): Promise<T> => {
      try {
        return await send(slot);
      } finally {
        slot.endIfOpen();
      }
    };
    const begin = (slot: GrantedSlot): Promise<T> => {
      const outcome = sent(slot);
      follow(outcome);
      return outcome;
    };
    register(want, { since, begin, follow, refuse: (reason) => resolve(err(reason)) });
  });
}

/** The first waiter sends the request, the others share its outcome. */
export function begin(granted: Candidate<SlotWaiter>, slot: GrantedSlot): void {
  granted.want.begins?.();
  for (const { want } of granted.others) want.begins?.();
  const outcome = granted.item.begin(slot);
  for (const { item } of granted.others) item.follow(outcome);
}
