// Whose prices come next. Only the feed that was taken from has another time afterwards: so the next one is looked for
// then, and not whenever anything happens.

import type { Feed } from "./feed.ts";

export class FeedLine {
  private readonly feeds: readonly Feed[];
  /** Undefined when no prices come any more. */
  next: Feed | undefined = undefined;
  /** When its prices arrive, and the first of the others'; infinite where none do. */
  nextAt = Number.POSITIVE_INFINITY;
  othersAt = Number.POSITIVE_INFINITY;

  constructor(feeds: readonly Feed[]) {
    this.feeds = feeds;
    this.look();
  }

  /** After prices were taken. At the same time the first in the list goes first. */
  look(): void {
    this.end();
    const { feeds } = this;
    for (let i = 0; i < feeds.length; i++) {
      const feed = feeds[i] as Feed;
      const { nextAt } = feed;
      if (this.next === undefined || nextAt < this.nextAt) {
        this.othersAt = this.nextAt;
        this.next = feed;
        this.nextAt = nextAt;
      } else if (nextAt < this.othersAt) this.othersAt = nextAt;
    }
  }

  /** No prices come any more. */
  end(): void {
    this.next = undefined;
    this.nextAt = Number.POSITIVE_INFINITY;
    this.othersAt = Number.POSITIVE_INFINITY;
  }
}
