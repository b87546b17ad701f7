// How processes compete for the next slot: each publishes the best it has, and whoever finds the slot open takes it
// unless a better bid stands whose owner may still come for it.

import type { Mono } from "../../domain/time.ts";
import type { Bid, LedgerStore, RivalBid } from "./ledger-store.ts";

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
