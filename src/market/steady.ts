// Until when the fair value of a pair stays what it is, known or not, while no price is heard: then a source gets too old, or
// has stood still for too long, or the markets open or close. It may say too early, never too late.

import type { Moment } from "./moment.ts";
import type { PairPrices, SourcePrice } from "./pair-prices.ts";

/** Times are floats: a little before the end what they come to may be the end already. */
const BEFORE_MS = 1;
const HOUR_MS = 3_600_000;

type Ages = { readonly venueAgeMsMax: number; readonly referenceAgeMsMax: number };

/** Of a pair with a source of its own. */
export function ownSteadyUntil(
  prices: PairPrices,
  { now }: Moment,
  { venueAgeMsMax, referenceAgeMsMax }: Ages,
): number {
  const { venue, references } = prices;
  let until = prices.isOfTheWeek ? nextHour(now) : Number.POSITIVE_INFINITY;
  if (prices.parBandBps !== undefined) until = Math.min(until, endOf(venue.since, venueAgeMsMax, now));
  for (let i = 0; i < references.length; i++) {
    const source = references[i] as SourcePrice;
    if (source.seen !== "good") continue;
    // It is measured with what gets old by itself.
    if (!source.isProven) return now;
    until = Math.min(until, endOf(source.since, referenceAgeMsMax, now));
    until = Math.min(until, endOf(source.changedAt, source.frozenMsMax, now));
    if (source.isOfTheWeek) until = Math.min(until, nextHour(now));
  }
  return until;
}

/** What is over stays over. */
export function endOf(since: number, msMax: number, now: number): number {
  return now - since <= msMax ? since + msMax - BEFORE_MS : Number.POSITIVE_INFINITY;
}

/** Markets open and close at full hours. */
function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}
