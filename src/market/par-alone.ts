// The fair value of a pair that has par and no reference: par or nothing. It says what judging all sources would say, without
// the work.

import type { Moment } from "./moment.ts";
import type { PairPrices, SourcePrice, Worth } from "./pair-prices.ts";
import type { FairSettings } from "./pricing.ts";
import { endOf } from "./steady.ts";

export class ParAlone implements Worth {
  private readonly venue: SourcePrice;
  private readonly moment: Moment;
  // Floats from the start, so that reading them needs no look at what they are. NaN is no band: nothing is inside it.
  private bandBps = Number.NaN;
  private ageMsMax = Number.NaN;

  constructor({ venue, parBandBps, sourcesMin }: PairPrices, moment: Moment, { venueAgeMsMax }: FairSettings) {
    this.venue = venue;
    this.moment = moment;
    // Par and the venue's quote are two sources.
    if (parBandBps !== undefined && sourcesMin <= 2) this.bandBps = parBandBps;
    this.ageMsMax = venueAgeMsMax;
  }

  value(): number | undefined {
    const { venue } = this;
    return this.moment.now - venue.since <= this.ageMsMax &&
      Math.abs((venue.bid + venue.ask) / 2 - 1) * 1e4 <= this.bandBps
      ? 1
      : undefined;
  }

  steadyUntil(): number {
    return endOf(this.venue.since, this.ageMsMax, this.moment.now);
  }
}
