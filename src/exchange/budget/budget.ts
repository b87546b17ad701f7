// The budget of one key: one request at a time, each in its own slot. Every request takes a slot here first; no other
// code may reach the venue.

import { randomInt } from "node:crypto";
import { invariant } from "../../domain/invariant.ts";
import { pause } from "../../domain/pause.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type Millis, type Mono, mono } from "../../domain/time.ts";
import type { Nonce, Want, WantClass } from "../port.ts";
import type { Machine } from "./host-clock.ts";
import { HELD, type KeyFile, type KeyPlace, openKeyFile } from "./key-file.ts";
import { type PacingSettings, pacingDefaults, type SlotEnd } from "./pacing.ts";
import { ABORTED, type Candidate } from "./scheduler.ts";
import { type KeyMemory, Slots } from "./slots.ts";

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

export class KeyBudget<K extends KeyMemory = KeyFile> implements Budget {
  readonly file: K;
  readonly #machine: Machine;
  readonly #onSpent: (spent: SpentSlot) => void;
  readonly #slots: Slots<SlotWaiter>;
  #current: KeySlot | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(file: K, machine: Machine, onSpent: (spent: SpentSlot) => void = () => {}) {
    this.file = file;
    this.#machine = machine;
    this.#onSpent = onSpent;
    this.#slots = new Slots<SlotWaiter>(file, (waiter, reason) => waiter.refuse(reason));
  }

  /** Of the wants that wait. */
  get waiting(): readonly WantClass[] {
    return this.#slots.waiting;
  }

  take(want: Want): Promise<Result<Slot>> {
    return new Promise((resolve) => {
      this.#register(
        { ...want, isAlone: true },
        {
          begin: async (slot) => resolve(ok(slot)),
          follow: () => invariant(false, "a want that waits alone cannot follow another"),
          refuse: (reason) => resolve(err(reason)),
        },
      );
    });
  }

  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const follow = (outcome: Promise<unknown>): void => {
        outcome.then((value) => resolve(ok(value as T)), reject);
      };
      const sent = async (slot: KeySlot): Promise<T> => {
        try {
          return await send(slot);
        } finally {
          slot.endIfOpen();
        }
      };
      const begin = (slot: KeySlot): Promise<T> => {
        const outcome = sent(slot);
        follow(outcome);
        return outcome;
      };
      this.#register(want, { begin, follow, refuse: (reason) => resolve(err(reason)) });
    });
  }

  observe(venueTime: Millis, receivedAt: Millis): void {
    if (this.#closed) return;
    this.file.observe({ venueTime, receivedAt, at: this.#machine.host.monotonic() });
    this.#turn();
  }

  needsVenueTime(): boolean {
    return !this.file.hasVenueTime;
  }

  close(): void {
    if (this.#closed) return;
    for (const waiter of this.#slots.clear()) waiter.refuse(CLOSED);
    this.#current?.endIfOpen();
    this.#closed = true;
    this.#cancelTimer?.();
    this.file.close();
  }

  #register(want: Want, waiter: Omit<SlotWaiter, "since">): void {
    const { host, clock } = this.#machine;
    const since = host.monotonic();
    // A want knows its process's clock, the slots that of the host.
    const deadline = want.deadline === undefined ? undefined : mono(want.deadline - clock.monotonic() + since);
    const item = { ...waiter, since };
    const { signal } = want;
    const barred = this.#closed ? CLOSED : signal?.aborted ? ABORTED : undefined;
    const added = barred === undefined ? this.#slots.add({ ...want, deadline }, item) : err(barred);
    signal?.addEventListener("abort", () => this.#slots.cancel(item), { once: true });
    if (added.ok) this.#turn();
    else item.refuse(added.error);
  }

  /** Grants the slot if it is open, and schedules the next look. */
  #turn(): void {
    this.#cancelTimer?.();
    if (this.#closed) return;
    const granted = this.#slots.look(this.#machine.host.monotonic());
    if (granted !== undefined) this.#begin(granted);
    // A waiter that was granted the slot may have ended it at once, which scheduled a look.
    this.#cancelTimer?.();
    const { nextLookAt } = this.#slots;
    if (this.#closed || nextLookAt === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(0, nextLookAt - this.#machine.host.monotonic());
    this.#cancelTimer = this.#machine.timers.after(delayMs, () => this.#turn());
  }

  /** The first waiter sends the request, the others share its outcome. */
  #begin({ want, item, others }: Candidate<SlotWaiter>): void {
    const { host, clock } = this.#machine;
    const now = host.monotonic();
    const granted = { at: clock.now(), class: want.class, what: want.key ?? want.class, waitedMs: now - item.since };
    const slot = new KeySlot(this.#slots, this.#machine, (end, at) => {
      this.#current = undefined;
      const how = end.kind === "answered" && end.rateLimited ? "rate-limited" : end.kind;
      this.#onSpent({ ...granted, tookMs: at - now, end: how });
      this.#turn();
    });
    this.#current = slot;
    want.begins?.();
    for (const other of others) other.want.begins?.();
    const outcome = item.begin(slot);
    for (const other of others) other.item.follow(outcome);
  }
}

const CLOSED = "closed: the budget was closed";

class KeySlot implements Slot {
  readonly #slots: Slots<SlotWaiter>;
  readonly #machine: Machine;
  readonly #ended: (end: SlotEnd, at: Mono) => void;
  #open = true;
  /** The budget ended the slot, so the sender's own `end` is ignored. */
  #forced = false;

  constructor(slots: Slots<SlotWaiter>, machine: Machine, ended: (end: SlotEnd, at: Mono) => void) {
    this.#slots = slots;
    this.#machine = machine;
    this.#ended = ended;
  }

  nonce(): Result<Nonce> {
    if (!this.#open) return err("slot-ended: a nonce belongs to an open slot");
    return this.#slots.nonce(this.#machine.clock.now(), this.#machine.host.monotonic());
  }

  held(): boolean {
    return this.#open && this.#slots.begin(this.#machine.host.monotonic());
  }

  end(end: SlotEnd): void {
    if (this.#forced) return;
    invariant(this.#open, "a slot ends exactly once");
    this.#open = false;
    const at = this.#machine.host.monotonic();
    this.#slots.end(end, at);
    this.#ended(end, at);
  }

  /** For a budget that closes, and for a sender that returned without ending the slot. */
  endIfOpen(): void {
    if (!this.#open) return;
    this.end({ kind: "abandoned" });
    this.#forced = true;
  }
}

type SlotWaiter = {
  readonly since: Mono;
  /** Called when the slot is granted; `follow` shares the outcome with waiters of the same key. */
  readonly begin: (slot: KeySlot) => Promise<unknown>;
  readonly follow: (outcome: Promise<unknown>) => void;
  readonly refuse: (reason: string) => void;
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
};

/** How long, and how often, a key that another process has is tried again: its owner may be a command that ends. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = [50, 250] as const;

export type BudgetOptions = {
  readonly place: KeyPlace;
  readonly machine: Machine;
  readonly pacing?: Partial<PacingSettings>;
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
    if (file.ok) return ok(new KeyBudget(file.value, machine, onSpent));
    if (!file.error.startsWith(HELD) || machine.host.monotonic() >= giveUpAt) return file;
    await pause(machine.timers, randomInt(...AGAIN_MS));
  }
}
