// The budget of one key: one request at a time across all processes of the host, each in its own slot. Every request
// takes a slot here first; no other code may reach the venue.

import { isBusy } from "../../disk/sqlite-error.ts";
import { InvariantViolation, invariant } from "../../domain/invariant.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type Millis, type Mono, mono } from "../../domain/time.ts";
import type { Nonce, Want, WantClass } from "../port.ts";
import type { Machine } from "./host-clock.ts";
import type { Claim, KeyLedger, Lease, NextSlot } from "./ledger.ts";
import type { SpentSlot } from "./ledger-status.ts";
import { type Bid, describeLedgerError } from "./ledger-store.ts";
import type { BudgetSettings, SlotEnd } from "./pacing.ts";
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

/** The retry interval while another process has the better bid for an open slot, or the file is briefly busy. */
const retryMs = 4;
const retryMsMax = 100;
const pendingMax = 64;

export class KeyBudget implements Budget {
  readonly #ledger: KeyLedger;
  readonly #machine: Machine;
  readonly #settings: BudgetSettings;
  readonly #onSpent: (spent: SpentSlot) => void;
  readonly #scheduler = new Scheduler<SlotWaiter>((waiter, reason) => waiter.refuse(reason));
  /** Pending writes, in order: ends of slots and Dates of the venue. */
  readonly #pending: (() => void)[] = [];
  #best: Candidate<SlotWaiter> | undefined;
  #current: LedgerSlot | undefined;
  #cancelTimer: (() => void) | undefined;
  #probedAt = mono(0);
  #busySince: Mono | undefined;
  #busyTries = 0;
  #closed = false;

  constructor(
    ledger: KeyLedger,
    machine: Machine,
    settings: BudgetSettings,
    onSpent: (spent: SpentSlot) => void = () => {},
  ) {
    this.#ledger = ledger;
    this.#machine = machine;
    this.#settings = settings;
    this.#onSpent = onSpent;
  }

  /** For `doctor` and metrics. */
  get ledger(): KeyLedger {
    return this.#ledger;
  }

  take(want: Want): Promise<Result<Slot>> {
    return takeSlot(want, this.#machine.host.monotonic(), (alone, waiter) => this.#register(alone, waiter));
  }

  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>> {
    const register = (same: Want, waiter: SlotWaiter): void => this.#register(same, waiter);
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
      // If the ledger cannot be read, the answer is unknown: the unsigned call that follows meets the same ledger error
      // and is refused with its code.
      return true;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#refuseAll("closed: the budget was closed");
    this.#current?.endIfOpen();
    this.#closed = true;
    this.#sleep(undefined);
    this.#ledger.close();
  }

  #register(want: Want, waiter: SlotWaiter): void {
    const added = this.#add(want, waiter);
    if (added.ok) this.#turn();
    else waiter.refuse(added.error);
  }

  #add(want: Want, waiter: SlotWaiter): Result<void> {
    if (this.#closed) return err("closed: the budget was closed");
    try {
      return this.#scheduler.add(want, waiter, this.#ledger.read().slot);
    } catch (error) {
      return err(describeLedgerError(error, this.#ledger.path));
    }
  }

  /** Checks the slot, takes it if our bid wins, and schedules the next check. */
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
    // A waiter that was granted the slot may have ended it at once, which already scheduled the next check.
    const idle = this.#scheduler.size === 0 && this.#pending.length === 0;
    this.#sleep(idle ? undefined : this.#delayMs(claim));
  }

  /** Schedules the next check in place of the earlier one; undefined schedules none. */
  #sleep(delayMs: number | undefined): void {
    this.#cancelTimer?.();
    this.#cancelTimer = delayMs === undefined ? undefined : this.#machine.timers.after(delayMs, () => this.#turn());
  }

  #claim(): Claim {
    const claim = this.#ledger.claim((next) => this.#bid(next));
    if (claim.kind !== "held") return claim;
    const now = this.#machine.host.monotonic();
    if (now - this.#probedAt < this.#settings.probeMs) return claim;
    this.#probedAt = now;
    return this.#ledger.releaseIfDead(claim.by) ? this.#ledger.claim((next) => this.#bid(next)) : claim;
  }

  #bid(next: NextSlot): (Bid & { what: string }) | undefined {
    // Our slot was taken away while its request is still in flight: one request at a time holds here too.
    if (this.#current !== undefined && !next.afterOurs) return undefined;
    this.#best = this.#scheduler.best({ ...next, monotonic: this.#machine.clock.monotonic() });
    if (this.#best === undefined) return undefined;
    const { isOverdue, class: ofClass, item, want } = this.#best;
    return { isOverdue, since: item.since, class: ofClass, what: want.key ?? ofClass };
  }

  #grant(lease: Lease): void {
    const best = this.#best;
    invariant(best !== undefined, "a slot is granted only to a bid");
    this.#scheduler.take(best, lease.slot - 1);
    const { want } = best;
    const granted = {
      at: this.#machine.clock.now(),
      class: want.class,
      what: want.key ?? want.class,
      waitedMs: lease.grantedAt - best.item.since,
    };
    const slot = new LedgerSlot(this.#ledger, lease, {
      beforeNonce: () => this.#writePending(),
      ended: (end) => {
        const at = this.#machine.host.monotonic();
        this.#current = undefined;
        this.#soon(() => this.#ledger.finish(lease, end, at));
        const how = end.kind === "answered" && end.rateLimited ? "rate-limited" : end.kind;
        this.#onSpent({ ...granted, tookMs: at - lease.grantedAt, drewNonce: slot.drewNonce, end: how });
      },
    });
    this.#current = slot;
    begin(best, slot);
  }

  #delayMs(claim: Claim | undefined): number {
    const { pollMs, refreshMs } = this.#settings;
    // A file that stays busy is retried less and less often, so that the retries do not fill the event loop.
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

  /**
   * Undefined if the file was busy or broken; if it stays so, all waiting wants are refused with the ledger's error.
   */
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
      // Dropped writes are harmless: the lease of a slot that was not ended expires, and the next answer brings another
      // Date.
      this.#pending.length = 0;
      this.#busySince = undefined;
      this.#refuseAll(describeLedgerError(error, this.#ledger.path));
      return undefined;
    }
  }

  #refuseAll(reason: string): void {
    for (const waiter of this.#scheduler.clear()) waiter.refuse(reason);
  }
}

class LedgerSlot implements Slot {
  readonly #ledger: KeyLedger;
  readonly #lease: Lease;
  readonly #hooks: { readonly beforeNonce: () => void; readonly ended: (end: SlotEnd) => void };
  drewNonce = false;
  #open = true;
  /** The budget ended the slot, so the sender's own `end` is ignored. */
  #forced = false;

  constructor(
    ledger: KeyLedger,
    lease: Lease,
    hooks: { readonly beforeNonce: () => void; readonly ended: (end: SlotEnd) => void },
  ) {
    this.#ledger = ledger;
    this.#lease = lease;
    this.#hooks = hooks;
  }

  nonce(): Result<Nonce> {
    if (!this.#open) return err("slot-ended: a nonce belongs to an open slot");
    try {
      return this.#ledger.urgently(() => {
        this.#hooks.beforeNonce();
        const nonce = this.#ledger.nonce(this.#lease);
        this.drewNonce ||= nonce.ok;
        return nonce;
      });
    } catch (error) {
      return err(describeLedgerError(error, this.#ledger.path));
    }
  }

  held(): boolean {
    if (!this.#open) return false;
    try {
      return this.#ledger.urgently(() => this.#ledger.beginSending(this.#lease));
    } catch {
      // If the slot is not provably ours, nothing is sent.
      return false;
    }
  }

  end(end: SlotEnd): void {
    if (this.#forced) return;
    invariant(this.#open, "a slot ends exactly once");
    this.#open = false;
    this.#hooks.ended(end);
  }

  /** For a budget that closes, and for a sender that returned without ending the slot. */
  endIfOpen(): void {
    if (!this.#open) return;
    this.end({ kind: "abandoned" });
    this.#forced = true;
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

/**
 * For a command that a person waits for: its reads take turns with the bot's quotes, by age, and never go before its
 * balances.
 */
export function awaitedBudget(budget: Budget): Budget {
  const awaited = (want: Want): Want => (AWAITED.includes(want.class) ? { ...want, class: "quote" } : want);
  return {
    take: (want) => budget.take(awaited(want)),
    share: (want, send) => budget.share(awaited(want), send),
    observe: (venueTime, receivedAt) => budget.observe(venueTime, receivedAt),
    needsVenueTime: () => budget.needsVenueTime(),
    close: () => budget.close(),
  };
}

const AWAITED: readonly WantClass[] = ["balance", "quote", "treasury", "other"];
