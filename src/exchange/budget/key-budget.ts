// The budget of one key in this process: many callers, one queue, one claim on the ledger at a time. It wakes when the
// slot opens, lets the scheduler choose then, and bids in the ledger against the other processes.

import { isBusy } from "../../disk/sqlite-error.ts";
import { InvariantViolation, invariant } from "../../domain/invariant.ts";
import { err, type Result } from "../../domain/result.ts";
import { type Millis, type Mono, millis, mono } from "../../domain/time.ts";
import type { Want } from "../port.ts";
import type { Budget, Slot } from "./budget.ts";
import type { BudgetSettings } from "./budget-settings.ts";
import { begin, type Caller, shareSlot, takeSlot } from "./caller.ts";
import type { Candidate } from "./candidate.ts";
import type { Claim, KeyLedger, Lease, NextSlot } from "./key-ledger.ts";
import { describeLedgerError } from "./ledger-error.ts";
import { LedgerSlot } from "./ledger-slot.ts";
import type { Bid } from "./ledger-store.ts";
import type { Machine } from "./open-ledger.ts";
import { createScheduler } from "./scheduler.ts";

/** How soon we try again when someone else bids more for an open slot, or the file is busy for a moment. */
const retryMs = 4;
const retryMsMax = 100;
const pendingMax = 64;

export class KeyBudget implements Budget {
  readonly #ledger: KeyLedger;
  readonly #machine: Machine;
  readonly #settings: BudgetSettings;
  readonly #scheduler = createScheduler<Caller>((caller, reason) => caller.refuse(reason));
  /** What must still be written, in order: ends of slots and Dates of the venue. */
  readonly #pending: (() => void)[] = [];
  #best: Candidate<Caller> | undefined;
  #current: LedgerSlot | undefined;
  #cancelTimer: (() => void) | undefined;
  #probedAt = mono(0);
  #busySince: Mono | undefined;
  #busyTries = 0;
  #closed = false;
  /** The last slot that this process had, or that was seen in the hands of another command. */
  #commandSlot: number | undefined;

  constructor(ledger: KeyLedger, machine: Machine, settings: BudgetSettings) {
    this.#ledger = ledger;
    this.#machine = machine;
    this.#settings = settings;
  }

  /** For `doctor` and metrics. */
  get ledger(): KeyLedger {
    return this.#ledger;
  }

  take(want: Want): Promise<Result<Slot>> {
    return takeSlot(want, this.#machine.host.monotonic(), (alone, caller) => this.#register(alone, caller));
  }

  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>> {
    const register = (same: Want, caller: Caller): void => this.#register(same, caller);
    return shareSlot(want, this.#machine.host.monotonic(), register, send);
  }

  observe(venueTime: Millis, receivedAt: Millis): void {
    const at = this.#machine.host.monotonic();
    this.#soon(() => this.#ledger.observe({ venueTime, receivedAt, at }));
  }

  needsVenueTime(): boolean {
    try {
      return this.#ledger.read().venueOffsets.length === 0;
    } catch {
      // Unknown, then: the unsigned call that this asks for meets the same ledger, and is refused with its name.
      return true;
    }
  }

  /** Of a command: the last slot was one of its own or of another command, as far as it was seen, and not the bot's. */
  isAfterCommand(): boolean {
    return this.#commandSlot !== undefined && this.#ledger.read().slot === this.#commandSlot;
  }

  close(): void {
    if (this.#closed) return;
    this.#refuseAll("closed: the budget was closed");
    this.#current?.endIfOpen();
    this.#closed = true;
    this.#sleep(undefined);
    this.#ledger.close();
  }

  #register(want: Want, caller: Caller): void {
    const added = this.#add(want, caller);
    if (added.ok) this.#turn();
    else caller.refuse(added.error);
  }

  #add(want: Want, caller: Caller): Result<void> {
    if (this.#closed) return err("closed: the budget was closed");
    try {
      return this.#scheduler.add(want, caller, this.#ledger.read().slot);
    } catch (error) {
      return err(describeLedgerError(error, this.#ledger.path));
    }
  }

  /** Looks at the slot, takes it when it is ours, and arranges the next look. */
  #turn(): void {
    this.#sleep(undefined);
    if (this.#closed) return;
    this.#scheduler.expire(this.#machine.clock.monotonic());
    const claim = this.#attempt((): Claim => {
      this.#writePending();
      if (this.#scheduler.size > 0) return this.#claim();
      this.#ledger.withdraw();
      return { kind: "nothing-to-bid" };
    });
    if (claim?.kind === "granted") this.#grant(claim.lease);
    // A caller that was granted the slot may have ended it at once, and so have arranged the next look already.
    const idle = this.#scheduler.size === 0 && this.#pending.length === 0;
    this.#sleep(idle ? undefined : this.#delayMs(claim));
  }

  /** Until the next look, which replaces the one arranged before; or for good. */
  #sleep(delayMs: number | undefined): void {
    this.#cancelTimer?.();
    this.#cancelTimer = delayMs === undefined ? undefined : this.#machine.timers.after(delayMs, () => this.#turn());
  }

  #claim(): Claim {
    const claim = this.#ledger.claim((next) => this.#bid(next));
    if (claim.kind !== "held") return claim;
    this.#noteHolder();
    const now = this.#machine.host.monotonic();
    if (now - this.#probedAt < this.#settings.probeMs) return claim;
    this.#probedAt = now;
    return this.#ledger.releaseIfDead(claim.by) ? this.#ledger.claim((next) => this.#bid(next)) : claim;
  }

  /** Valued for the moment the slot opens, so that what others see is what we will want then. */
  #bid(next: NextSlot): (Bid & { what: string }) | undefined {
    // Our slot was taken away, yet its request is not over: one at a time holds here too.
    if (this.#current !== undefined && !next.afterOurs) return undefined;
    const { clock, host } = this.#machine;
    const aheadMs = Math.max(0, next.opensAt - host.monotonic());
    this.#best = this.#scheduler.best({
      now: millis(clock.now() + aheadMs),
      monotonic: clock.monotonic(),
      slot: next.slot,
      doubtsOnly: next.doubtsOnly,
    });
    if (this.#best === undefined) return undefined;
    const { tier, worth, class: ofClass, item, want } = this.#best;
    return { tier, worth, since: item.since, class: ofClass, what: want.key ?? ofClass };
  }

  #noteHolder(): void {
    const { holder, bot, slot } = this.#ledger.read();
    if (holder !== undefined && holder.instance !== bot?.instance) this.#commandSlot = slot;
  }

  #grant(lease: Lease): void {
    const best = this.#best;
    invariant(best !== undefined, "a slot is granted only to a bid");
    this.#commandSlot = lease.slot;
    this.#scheduler.take(best, lease.slot - 1);
    const slot = new LedgerSlot(this.#ledger, lease, {
      beforeNonce: () => this.#writePending(),
      ended: (end) => {
        const at = this.#machine.host.monotonic();
        this.#current = undefined;
        this.#soon(() => this.#ledger.finish(lease, end, at));
      },
    });
    this.#current = slot;
    begin(best, slot);
  }

  #delayMs(claim: Claim | undefined): number {
    const { pollMs, refreshMs } = this.#settings;
    // A file that stays busy is asked less and less often, so that waiting for it does not fill the event loop.
    if (claim === undefined) return Math.min(retryMs * 2 ** this.#busyTries, retryMsMax);
    if (claim.kind === "outbid") return retryMs;
    if (claim.kind === "early") return Math.min(claim.openAt - this.#machine.host.monotonic(), refreshMs);
    return claim.kind === "held" ? pollMs : refreshMs;
  }

  /** Writes now, or as soon as the file is free. */
  #soon(write: () => void): void {
    if (this.#closed) return;
    invariant(this.#pending.length < pendingMax, `at most ${pendingMax} writes may wait for the ledger`);
    this.#pending.push(write);
    this.#turn();
  }

  #writePending(): void {
    for (let write = this.#pending[0]; write !== undefined; write = this.#pending[0]) {
      write();
      this.#pending.shift();
    }
  }

  /** Undefined when the file was busy or broken; one that stays so refuses everything that waits, by name. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      const value = work();
      this.#busySince = undefined;
      this.#busyTries = 0;
      return value;
    } catch (error) {
      if (error instanceof InvariantViolation) throw error;
      const now = this.#machine.host.monotonic();
      this.#busySince ??= now;
      this.#busyTries += 1;
      if (isBusy(error) && now - this.#busySince <= this.#settings.lockedMsMax) return undefined;
      // What could not be written is made good by others: the lease of an unended slot runs out, the next Date comes.
      this.#pending.length = 0;
      this.#busySince = undefined;
      this.#refuseAll(describeLedgerError(error, this.#ledger.path));
      return undefined;
    }
  }

  #refuseAll(reason: string): void {
    for (const caller of this.#scheduler.clear()) caller.refuse(reason);
  }
}
