// A Budget in virtual time for callers that wait: the slot line, woken by the timers it is given. One process, nothing on
// disk; for simulations, where the key is nobody else's.

import { invariant } from "../../src/domain/invariant.ts";
import { err, type Result } from "../../src/domain/result.ts";
import type { Clock, Millis, Mono, Timers } from "../../src/domain/time.ts";
import {
  type Budget,
  begin,
  type GrantedSlot,
  type Slot,
  type SlotWaiter,
  shareSlot,
  takeSlot,
} from "../../src/exchange/budget/budget.ts";
import type { SlotEnd } from "../../src/exchange/budget/pacing.ts";
import { type VirtualBudgetSettings, VirtualBudget as VirtualSlots } from "../../src/exchange/budget/virtual-budget.ts";
import type { Nonce, Want } from "../../src/exchange/port.ts";

const CLOSED = "closed: the budget was closed";

export class VirtualBudget implements Budget {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #line: VirtualSlots<SlotWaiter>;
  #current: VirtualSlot | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  /** `openAt`: when the first slot opens, where an earlier process of the key may still have a request out. */
  constructor(clock: Clock, timers: Timers, settings: VirtualBudgetSettings & { readonly openAt?: Mono } = {}) {
    this.#clock = clock;
    this.#timers = timers;
    this.#line = new VirtualSlots(
      settings.openAt ?? clock.monotonic(),
      (caller, reason) => caller.refuse(reason),
      settings,
    );
  }

  take(want: Want): Promise<Result<Slot>> {
    return takeSlot(want, this.#clock.monotonic(), (alone, caller) => this.#register(alone, caller));
  }

  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>> {
    return shareSlot(want, this.#clock.monotonic(), (same, caller) => this.#register(same, caller), send);
  }

  observe(venueTime: Millis): void {
    this.#line.observe(venueTime, this.#clock.monotonic());
    this.#turn();
  }

  needsVenueTime(): boolean {
    return !this.#line.knowsVenueTime;
  }

  close(): void {
    if (this.#closed) return;
    for (const caller of this.#line.clear()) caller.refuse(CLOSED);
    this.#current?.endIfOpen();
    this.#closed = true;
    this.#cancelTimer?.();
  }

  #register(want: Want, caller: SlotWaiter): void {
    const added = this.#closed ? err(CLOSED) : this.#line.add(want, caller);
    if (added.ok) this.#turn();
    else caller.refuse(added.error);
  }

  #turn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#closed) return;
    const granted = this.#line.look(this.#clock.monotonic());
    if (granted !== undefined) {
      const slot = new VirtualSlot(this.#line, this.#clock, () => {
        this.#current = undefined;
        this.#turn();
      });
      this.#current = slot;
      begin(granted, slot);
    }
    this.#sleep();
  }

  #sleep(): void {
    this.#cancelTimer?.();
    const { nextLookAt } = this.#line;
    const isOver = this.#closed || nextLookAt === Number.POSITIVE_INFINITY;
    const delayMs = Math.max(0, nextLookAt - this.#clock.monotonic());
    this.#cancelTimer = isOver ? undefined : this.#timers.after(delayMs, () => this.#turn());
  }
}

class VirtualSlot implements GrantedSlot {
  readonly #line: VirtualSlots<SlotWaiter>;
  readonly #clock: Clock;
  readonly #ended: () => void;
  #open = true;
  #forced = false;

  constructor(line: VirtualSlots<SlotWaiter>, clock: Clock, ended: () => void) {
    this.#line = line;
    this.#clock = clock;
    this.#ended = ended;
  }

  nonce(): Result<Nonce> {
    if (!this.#open) return err("slot-ended: a nonce belongs to an open slot");
    return this.#line.nonce(this.#clock.now(), this.#clock.monotonic());
  }

  held(): boolean {
    return this.#open && this.#line.begin(this.#clock.monotonic());
  }

  end(end: SlotEnd): void {
    if (this.#forced) return;
    invariant(this.#open, "a slot ends exactly once");
    this.#line.end(end, this.#clock.monotonic());
    this.#open = false;
    this.#ended();
  }

  endIfOpen(): void {
    if (!this.#open) return;
    this.end({ kind: "abandoned" });
    this.#forced = true;
  }
}
