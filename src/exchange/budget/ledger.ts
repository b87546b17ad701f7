// The ledger of one key: slot and nonce, durable, shared by every process of the host that uses the key. Each change is
// one immediate transaction. A slot goes to the best live bid, is a lease with a deadline, and is taken back from a
// holder that died or fell silent; docs/BUDGET.md has the argument why that is safe.

import { err, type Result } from "../../domain/result.ts";
import { type Clock, type Millis, type Mono, mono } from "../../domain/time.ts";
import type { Nonce } from "../port.ts";
import type { HostClock } from "./host-clock.ts";
import { type LedgerStatus, readStatus, skewNow } from "./ledger-status.ts";
import type { Bid, Holder, JournalBinding, LedgerState, LedgerStore, Member, RivalBid } from "./ledger-store.ts";
import { isAbandoned, type LockFile, lockPath, removeLock } from "./lock-file.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "./nonce.ts";
import { doubtsOnly, type PacedEnd, type PacingSettings, paceAfter, type SlotEnd } from "./pacing.ts";

export type LeaseSettings = {
  /** From the grant to the last check before the socket; longer than connecting may take. */
  readonly prepareMs: number;
  /** From that check to the end; longer than the whole answer may take. */
  readonly answerMs: number;
  /** A waiting process that outbids us but does not take the open slot within this is passed over. */
  readonly graceMs: number;
  /** How long what cannot be put off (a nonce, the last check) waits for another process inside the ledger: one that a busy machine has stopped. */
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

/** Why a key keeps its journal: the process that works with it, or one that did since it was looked at and has ended. */
export type KeptElsewhere = { readonly by: Member | undefined; readonly journal: JournalBinding };

/** A Date of the venue, and when we read it by both of our clocks. */
export type VenueDate = { readonly venueTime: Millis; readonly receivedAt: Millis; readonly at: Mono };

/** What a bid depends on: when the slot to come opens, and who may have it. */
export type NextSlot = {
  /** The number of the one before it, which is what waiting is counted from. */
  readonly slot: number;
  readonly opensAt: Mono;
  readonly doubtsOnly: boolean;
  /** The slot before it is in our hands. */
  readonly afterOurs: boolean;
};

/** A process's place in the ledger: its row, and the locks that die with it. */
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
  /** Openings of the key's journals when `keptElsewhere` looked. */
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

  /** Its file is still the one at its path: nothing can be asked or sent without. */
  isInPlace(): boolean {
    return this.#store.isInPlace();
  }

  read(): LedgerState {
    return this.#store.read();
  }

  /** Takes the slot if it is open and our bid is the best live one; otherwise the bid is left for the others to see. */
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

  /** A holder whose lock is free is dead: its slot opens again. */
  releaseIfDead(holder: Holder): boolean {
    if (holder.instance === this.#me.instance || !isAbandoned(lockPath(this.#membership.folder, holder.instance)))
      return false;
    return this.#store.transact(() => {
      const state = this.#store.read();
      // Whichever slot it has by now: who is dead takes none any more.
      if (state.holder?.instance === holder.instance)
        this.#store.write(this.#released(state, { kind: "died" }, this.#host.monotonic()));
      this.#store.removeMember(holder.instance);
      return true;
    });
  }

  /** For what cannot be put off to a timer: the event loop waits for a busy file too, and longer. */
  urgently<T>(work: () => T): T {
    return this.#store.urgently(this.#lease.urgentMsMax, work);
  }

  /** On disk before it returns: a power cut does not take it back. */
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
   * The last check before the socket. It is a write: a process that looks afterwards sees that bytes may be out, and waits as
   * long as an answer may take. Only a holder that is still in time passes, so one that was stopped does not send late.
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
      // The slot is someone else's by now, but a rate-limit answer still counts for everyone.
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

  /** How far our wall clock is ahead of the venue's, by what any process of the key heard last; 0 where that is not known. */
  aheadMs(): number {
    const state = this.#store.transact(() => this.#store.read());
    return Math.max(0, skewNow(state, this.#hostTime()) ?? 0);
  }

  /** Nothing of ours waits any more. */
  withdraw(): void {
    this.#bidding.publish(undefined, 0);
  }

  /** Whether the process of this name is no more: its lock is free. One that never used the key is no more either. */
  isGone(instance: string): boolean {
    // In another folder than ours there is no lock of those that we know: they are not known to be gone, and nothing is sent.
    if (instance === this.#me.instance || !this.isInPlace()) return false;
    // What is no name of a process names no file either.
    if (!/^[a-z0-9]{1,64}$/.test(instance)) return true;
    try {
      return isAbandoned(lockPath(this.#membership.folder, instance));
    } catch {
      // A lock that cannot be looked at (too many open files) says nothing: the process counts as alive, and is asked about again.
      return false;
    }
  }

  /** Which journal belongs to the key in this environment; undefined before there was one. */
  journalOf(environment: string): JournalBinding | undefined {
    return this.#store.transact(() => this.#store.journalOf(environment));
  }

  /** The first journal that comes is the key's own; for any other one, the right one is given back and nothing changes. */
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

  /** Shows the address of this process to others of the key. */
  showPage(page: string): void {
    this.#store.transact(() => this.#change({ page }));
  }

  /** By which limits this bot goes from now on. */
  showLimits(limits: NonNullable<Member["limits"]>): void {
    this.#store.transact(() => this.#change({ limits }));
  }

  /** What is known of this process besides stays. */
  #change(news: Pick<Member, "books" | "page" | "limits">): void {
    const mine = this.#store.members().find(({ instance }) => instance === this.#me.instance);
    if (mine !== undefined) this.#store.changeMember({ ...mine, ...news });
  }

  /**
   * A person has decided that this is the one from now on. While another process works with another one, or if one has since
   * `keptElsewhere` looked, nothing changes, and that is given back; in one transaction, so that none begins meanwhile.
   */
  moveJournal(environment: string, journal: JournalBinding): KeptElsewhere | undefined {
    return this.#store.transact(() => {
      const kept = this.#keptElsewhere(environment, journal) ?? this.#openedSince(environment, journal);
      if (kept === undefined) this.#store.putJournal(environment, journal);
      return kept;
    }, "durable");
  }

  /** Who works with another journal of this environment than the one at this path, and which one that is. */
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
      // Busy or broken, it does not matter here: our freed lock tells the others that we left.
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
      // A bot that has not opened its journal yet will ask for the one that the key has; a command is refused then.
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
    return { slot: state.slot, opensAt, doubtsOnly: doubtsOnly(state.pacing, opensAt), afterOurs };
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

/** A journal, or where one is to be whose chain is not known yet. */
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

  /** Shows our bid for the slot after `slot`, or that we have none; writes only what changed. */
  publish(bid: Bid | undefined, slot: number): void {
    if (bidText(bid, slot) !== this.#published) this.#store.transact(() => this.put(bid, slot));
  }

  /** As publish, inside a transaction. A bid is written again for each slot: it may have been removed as asleep. */
  put(bid: Bid | undefined, slot: number): void {
    const text = bidText(bid, slot);
    if (text === this.#published) return;
    if (bid === undefined) this.#store.removeBid(this.#instance);
    else {
      const { tier, worth, since, class: ofClass } = bid;
      const publishedAt = this.#monotonic();
      this.#store.putBid({ tier, worth, since, class: ofClass, instance: this.#instance, publishedAt });
    }
    this.#published = text;
  }

  /** Inside a transaction: does a better bid stand? Owners that let an open slot pass for `graceMs` lose theirs. */
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
    if (rival.tier !== mine.tier) return rival.tier < mine.tier;
    if (mine.tier !== 0 && rival.worth !== mine.worth) return rival.worth > mine.worth;
    if (rival.since !== mine.since) return rival.since < mine.since;
    return rival.instance < this.#instance;
  }
}

function bidText(bid: Bid | undefined, slot: number): string {
  return bid === undefined ? "" : `${slot} ${bid.tier} ${bid.worth} ${bid.since}`;
}
