// The ledger of one key: slot and nonce, durable, shared by all processes of the host that use the key. Each change is
// one immediate transaction. A slot goes to the best live bid as a lease with a deadline, and is taken back from a
// holder that died or stopped responding; docs/BUDGET.md argues why that is safe.

import { err, type Result } from "../../domain/result.ts";
import { type Clock, type Millis, type Mono, mono } from "../../domain/time.ts";
import type { Nonce } from "../port.ts";
import type { HostClock } from "./host-clock.ts";
import { type LedgerStatus, readStatus, skewNow } from "./ledger-status.ts";
import type { Bid, Holder, JournalBinding, LedgerState, LedgerStore, Member, RivalBid } from "./ledger-store.ts";
import { isAbandoned, type LockFile, lockPath, removeLock } from "./lock-file.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "./nonce.ts";
import { doubtsOnly, type PacedEnd, type PacingSettings, paceAfter, type SlotEnd } from "./pacing.ts";
import { rankOf } from "./scheduler.ts";

export type LeaseSettings = {
  /** From the grant to the last check before the socket; longer than connecting may take. */
  readonly prepareMs: number;
  /** From the last check to the end of the slot; longer than the whole answer may take. */
  readonly answerMs: number;
  /** A waiting process with a better bid that does not take the open slot within this time is passed over. */
  readonly graceMs: number;
  /**
   * How long urgent work (a nonce, the last check) waits for another process that has the ledger locked, for example
   * one that a busy machine has suspended.
   */
  readonly urgentMsMax: number;
};

export const leaseDefaults: LeaseSettings = { prepareMs: 8_000, answerMs: 22_000, graceMs: 150, urgentMsMax: 250 };

export type Lease = { readonly slot: number; readonly grantedAt: Mono };

export type Claim =
  | { readonly kind: "granted"; readonly lease: Lease }
  | { readonly kind: "held"; readonly by: Holder }
  | { readonly kind: "early"; readonly openAt: Mono }
  | { readonly kind: "outbid" }
  | { readonly kind: "nothing-to-bid" };

/**
 * Why the key's journal cannot change: a process works with another journal, or one did since the check and has ended
 * (`by` is then undefined).
 */
export type KeptElsewhere = { readonly by: Member | undefined; readonly journal: JournalBinding };

/** A Date of the venue, and its time of receipt by both of our clocks. */
export type VenueDate = { readonly venueTime: Millis; readonly receivedAt: Millis; readonly at: Mono };

/** The inputs of a bid: when the next slot opens, and which wants may have it. */
export type NextSlot = {
  /** The number of the slot before it, from which waiting is counted. */
  readonly slot: number;
  readonly opensAt: Mono;
  readonly doubtsOnly: boolean;
  /** It is the first after a pause that the venue asked for. */
  readonly isProbe: boolean;
  /** We hold the slot before it. */
  readonly afterOurs: boolean;
};

/** A process's membership in the ledger: its row, and the locks that are released when it dies. */
export type Membership = { readonly me: Member; readonly folder: string; readonly locks: readonly LockFile[] };

export class KeyLedger {
  readonly #store: LedgerStore;
  readonly #membership: Membership;
  readonly #me: Member;
  readonly #clock: Clock;
  readonly #host: HostClock;
  readonly #pacing: PacingSettings;
  readonly #lease: LeaseSettings;
  readonly #bidding: Bidding;
  /** The number of openings when `keptElsewhere` was called, per environment. */
  readonly #openingsSeen = new Map<string, number>();

  constructor(
    store: LedgerStore,
    membership: Membership,
    { clock, host }: { clock: Clock; host: HostClock },
    { pacing, lease }: { pacing: PacingSettings; lease: LeaseSettings },
  ) {
    this.#store = store;
    this.#membership = membership;
    this.#me = membership.me;
    this.#clock = clock;
    this.#host = host;
    this.#pacing = pacing;
    this.#lease = lease;
    this.#bidding = new Bidding(store, membership.me.instance, () => host.monotonic());
  }

  get path(): string {
    return this.#store.path;
  }

  /** Whether the path still leads to our file; otherwise nothing can be read or sent. */
  isInPlace(): boolean {
    return this.#store.isInPlace();
  }

  read(): LedgerState {
    return this.#store.read();
  }

  /**
   * Takes the slot if it is open and our bid is the best live one; otherwise publishes the bid for the other processes.
   */
  claim(bid: (next: NextSlot) => (Bid & { what: string }) | undefined): Claim {
    const seen = this.#store.read();
    const now = this.#host.monotonic();
    const waits = seen.holder !== undefined ? now <= seen.holder.deadline : now < seen.pacing.openAt;
    if (!waits) return this.#store.transact(() => this.#claimNow(bid));
    const next = this.#nextSlot(seen, now);
    this.#bidding.publish(bid(next), next.slot);
    return seen.holder === undefined
      ? { kind: "early", openAt: seen.pacing.openAt }
      : { kind: "held", by: seen.holder };
  }

  /** A holder whose lock is free is dead, and its slot is released. */
  releaseIfDead(holder: Holder): boolean {
    if (holder.instance === this.#me.instance || !isAbandoned(lockPath(this.#membership.folder, holder.instance)))
      return false;
    return this.#store.transact(() => {
      const state = this.#store.read();
      // Any slot of the holder, also a later one: a dead process takes no more slots.
      if (state.holder?.instance === holder.instance)
        this.#store.write(this.#released(state, { kind: "died" }, this.#host.monotonic()));
      this.#store.removeMember(holder.instance);
      return true;
    });
  }

  /** For work that cannot wait for a timer: it waits longer for a busy file and blocks the event loop meanwhile. */
  urgently<T>(work: () => T): T {
    return this.#store.urgently(this.#lease.urgentMsMax, work);
  }

  /** On disk before it returns, so that a power cut cannot undo it. */
  nonce(lease: Lease): Result<Nonce> {
    return this.#store.transact(() => {
      const state = this.#store.read();
      if (!this.#holds(state, lease)) return err("slot-lost: another process has the slot");
      const venueTime = estimateVenueTime(state.venueOffsets, this.#host.monotonic());
      const next = nextNonce(this.#clock.now(), state.lastNonce, venueTime);
      if (next.ok) this.#store.write({ ...state, lastNonce: next.value });
      return next;
    }, "durable");
  }

  /**
   * The last check before the socket. It writes, so that other processes see that bytes may have left, and wait as long
   * as an answer may take. A holder past its deadline fails, so a suspended process does not send late.
   */
  beginSending(lease: Lease): boolean {
    return this.#store.transact(() => {
      const state = this.#store.read();
      const now = this.#host.monotonic();
      const { holder } = state;
      if (holder === undefined || !this.#holds(state, lease)) return false;
      if (now > lease.grantedAt + this.#lease.prepareMs) return false;
      const deadline = mono(now + this.#lease.answerMs);
      this.#store.write({ ...state, holder: { ...holder, sentAt: now, deadline } });
      return true;
    });
  }

  finish(lease: Lease, end: SlotEnd, at: Mono): void {
    this.#store.transact(() => {
      const state = this.#store.read();
      if (this.#holds(state, lease)) this.#store.write(this.#released(state, end, at));
      // The slot has another holder by now, but a rate-limit answer still counts for all processes.
      else if (end.kind === "answered" && end.rateLimited)
        this.#store.write({ ...state, pacing: paceAfter(state.pacing, end, at, this.#pacing) });
    });
  }

  observe(date: VenueDate): void {
    this.#store.transact(() => {
      const state = this.#store.read();
      const venueOffsets = withVenueOffset(state.venueOffsets, date.venueTime, date.at);
      this.#store.write({ ...state, venueOffsets, skewMs: date.receivedAt - date.venueTime });
    });
  }

  /** How far our wall clock is ahead of the venue's, by the last Date that any process of the key saw; 0 if unknown. */
  aheadMs(): number {
    const state = this.#store.transact(() => this.#store.read());
    return Math.max(0, skewNow(state, this.#hostTime()) ?? 0);
  }

  /** Removes our bid when nothing waits. */
  withdraw(): void {
    this.#bidding.publish(undefined, 0);
  }

  /**
   * Whether the process with this instance id has ended: its lock is free. One that never used the key counts as ended.
   */
  isGone(instance: string): boolean {
    // A folder that is not ours lacks the locks of known processes, so none counts as ended and nothing is sent.
    if (instance === this.#me.instance || !this.isInPlace()) return false;
    // An invalid instance id has no lock file.
    if (!/^[a-z0-9]{1,64}$/.test(instance)) return true;
    try {
      return isAbandoned(lockPath(this.#membership.folder, instance));
    } catch {
      // A lock that cannot be tried (too many open files) proves nothing: the process counts as alive and is checked
      // again later.
      return false;
    }
  }

  /** The key's journal in this environment; undefined before the first. */
  journalOf(environment: string): JournalBinding | undefined {
    return this.#store.transact(() => this.#store.journalOf(environment));
  }

  /** The first journal becomes the key's own; for any other, returns the key's own and changes nothing. */
  claimJournal(environment: string, journal: JournalBinding): JournalBinding | undefined {
    return this.#store.transact(() => {
      const known = this.#store.journalOf(environment);
      if (known !== undefined && !isSame(known, journal)) return known;
      if (known === undefined) this.#store.putJournal(environment, journal);
      this.#change({ books: { ...journal, environment } });
      const state = this.#store.read();
      const openings = { ...state.openings, [environment]: openingsOf(state, environment) + 1 };
      this.#store.write({ ...state, openings });
      return undefined;
    }, "durable");
  }

  /** Publishes the limits that this bot applies from now on. */
  showLimits(limits: NonNullable<Member["limits"]>): void {
    this.#store.transact(() => this.#change({ limits }));
  }

  /** The other fields of this process's row stay. */
  #change(news: Pick<Member, "books" | "limits">): void {
    const mine = this.#store.members().find(({ instance }) => instance === this.#me.instance);
    if (mine !== undefined) this.#store.changeMember({ ...mine, ...news });
  }

  /**
   * A person has decided that this is the key's journal from now on. If another process works with another journal, or
   * did since `keptElsewhere` was called, nothing changes and that one is returned. One transaction, so that no process
   * starts meanwhile.
   */
  moveJournal(environment: string, journal: JournalBinding): KeptElsewhere | undefined {
    return this.#store.transact(() => {
      const kept = this.#keptElsewhere(environment, journal) ?? this.#openedSince(environment, journal);
      if (kept === undefined) this.#store.putJournal(environment, journal);
      return kept;
    }, "durable");
  }

  /** The process that works with another journal of this environment than the one at this path, and that journal. */
  keptElsewhere(environment: string, path: string): KeptElsewhere | undefined {
    return this.#store.transact(() => {
      this.#openingsSeen.set(environment, openingsOf(this.#store.read(), environment));
      return this.#keptElsewhere(environment, { path, chainId: undefined });
    });
  }

  status(): LedgerStatus {
    return readStatus(this.#store, this.#membership.folder, this.#hostTime(), this.#pacing);
  }

  close(): void {
    try {
      this.#store.transact(() => this.#store.removeMember(this.#me.instance));
    } catch {
      // A busy or broken ledger does not matter here: our released lock shows the others that we left.
    }
    this.#store.close();
    for (const lock of this.#membership.locks) lock.release();
    removeLock(lockPath(this.#membership.folder, this.#me.instance));
  }

  #hostTime(): Clock {
    return { now: () => this.#clock.now(), monotonic: () => this.#host.monotonic() };
  }

  #keptElsewhere(environment: string, ours: Place): KeptElsewhere | undefined {
    const known = this.#store.journalOf(environment);
    for (const by of this.#store.members()) {
      // A bot that has not opened its journal yet will open the key's own, so it counts as working with that.
      const journal = by.books ?? (by.role === "bot" ? known && { ...known, environment } : undefined);
      if (journal === undefined || journal.environment !== environment || isSame(journal, ours)) continue;
      if (!this.isGone(by.instance) && by.instance !== this.#me.instance) return { by, journal };
    }
    return undefined;
  }

  #openedSince(environment: string, ours: Place): KeptElsewhere | undefined {
    const seen = this.#openingsSeen.get(environment);
    const journal = this.#store.journalOf(environment);
    if (seen === undefined || journal === undefined || isSame(journal, ours)) return undefined;
    return openingsOf(this.#store.read(), environment) === seen ? undefined : { by: undefined, journal };
  }

  #claimNow(makeBid: (next: NextSlot) => (Bid & { what: string }) | undefined): Claim {
    const now = this.#host.monotonic();
    let state = this.#store.read();
    if (state.holder !== undefined) {
      if (now <= state.holder.deadline) return { kind: "held", by: state.holder };
      state = this.#released(state, { kind: "abandoned" }, now);
      this.#store.write(state);
    }
    if (now < state.pacing.openAt) return { kind: "early", openAt: state.pacing.openAt };
    const bid = makeBid(this.#nextSlot(state, now));
    if (bid === undefined) {
      this.#bidding.put(undefined, state.slot);
      return { kind: "nothing-to-bid" };
    }
    if (this.#bidding.isOutbid(bid, state.pacing.openAt, this.#lease.graceMs)) {
      this.#bidding.put(bid, state.slot);
      return { kind: "outbid" };
    }
    this.#bidding.put(undefined, state.slot);
    const { instance, pid } = this.#me;
    const deadline = mono(now + this.#lease.prepareMs);
    const holder: Holder = { instance, pid, what: bid.what, since: this.#clock.now(), deadline };
    this.#store.write({ ...state, slot: state.slot + 1, holder });
    return { kind: "granted", lease: { slot: state.slot + 1, grantedAt: now } };
  }

  #nextSlot(state: LedgerState, now: Mono): NextSlot {
    const opensAt = mono(Math.max(now, state.pacing.openAt));
    const afterOurs = state.holder?.instance === this.#me.instance;
    const isProbe = state.pacing.pause !== undefined;
    return { slot: state.slot, opensAt, doubtsOnly: doubtsOnly(state.pacing, opensAt), isProbe, afterOurs };
  }

  #released(state: LedgerState, end: PacedEnd, at: Mono): LedgerState {
    // A holder that never passed its last check has sent nothing, however it ended.
    const isUnspent = state.holder?.sentAt === undefined && end.kind !== "answered";
    const pacing = isUnspent ? state.pacing : paceAfter(state.pacing, end, at, this.#pacing);
    return { ...state, holder: undefined, pacing };
  }

  #holds(state: LedgerState, lease: Lease): boolean {
    const { holder } = state;
    return holder !== undefined && holder.instance === this.#me.instance && state.slot === lease.slot;
  }
}

/** A journal, or the path of a future one whose chain is not known yet. */
type Place = Pick<JournalBinding, "path"> & { readonly chainId: string | undefined };

function isSame(one: JournalBinding, other: Place): boolean {
  return one.path === other.path && (other.chainId === undefined || one.chainId === other.chainId);
}

function openingsOf({ openings }: LedgerState, environment: string): number {
  return openings?.[environment] ?? 0;
}

export class Bidding {
  readonly #store: LedgerStore;
  readonly #instance: string;
  readonly #monotonic: () => Mono;
  #published = "";

  constructor(store: LedgerStore, instance: string, monotonic: () => Mono) {
    this.#store = store;
    this.#instance = instance;
    this.#monotonic = monotonic;
  }

  /** Publishes our bid for the slot after `slot`, or that we have none; writes only changes. */
  publish(bid: Bid | undefined, slot: number): void {
    if (bidText(bid, slot) !== this.#published) this.#store.transact(() => this.put(bid, slot));
  }

  /**
   * As `publish`, inside a transaction. A bid is rewritten for each slot, because it may have been removed as stale.
   */
  put(bid: Bid | undefined, slot: number): void {
    const text = bidText(bid, slot);
    if (text === this.#published) return;
    if (bid === undefined) this.#store.removeBid(this.#instance);
    else {
      const { since, isOverdue, class: ofClass } = bid;
      const publishedAt = this.#monotonic();
      this.#store.putBid({ since, isOverdue, class: ofClass, instance: this.#instance, publishedAt });
    }
    this.#published = text;
  }

  /**
   * Whether a better bid stands; inside a transaction. A process that leaves an open slot for `graceMs` loses its bid.
   */
  isOutbid(mine: Bid, openAt: Mono, graceMs: number): boolean {
    const now = this.#monotonic();
    let outbid = false;
    for (const rival of this.#store.bids()) {
      if (rival.instance === this.#instance || !this.#beats(rival, mine)) continue;
      if (now - Math.max(openAt, rival.publishedAt) > graceMs) this.#store.removeBid(rival.instance);
      else outbid = true;
    }
    return outbid;
  }

  #beats(rival: RivalBid, mine: Bid): boolean {
    const ahead = rankOf(rival.class, rival.isOverdue) - rankOf(mine.class, mine.isOverdue);
    if (ahead !== 0) return ahead < 0;
    if (rival.since !== mine.since) return rival.since < mine.since;
    return rival.instance < this.#instance;
  }
}

function bidText(bid: Bid | undefined, slot: number): string {
  return bid === undefined ? "" : `${slot} ${bid.class} ${bid.isOverdue} ${bid.since}`;
}
