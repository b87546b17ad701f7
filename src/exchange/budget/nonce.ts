// The next nonce of a key: the wall clock in milliseconds, or the venue's where they are apart, always above the last one
// and never further ahead of the venue's clock than a margin. If the wall clock steps back, the nonce counts up from the last one; if it jumps ahead,
// it cannot carry the key's nonce into the future, where every later correct one would be refused.

import { err, ok, type Result } from "../../domain/result.ts";
import { type Millis, type Mono, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Nonce } from "../port.ts";

/** INV-10. */
const nonceAheadMsMax = 2_000;
/** The estimate of the venue's clock uses at most this many of the latest answers. */
const venueOffsetsMax = 8;

export function nextNonce(now: Millis, last: Nonce | undefined, venueTime: Millis | undefined): Result<Nonce> {
  if (venueTime === undefined)
    return err("venue-time-unknown: a nonce needs the venue's time, which an unsigned call reads first");
  const ceiling = Math.floor(venueTime) + nonceAheadMsMax;
  // A wall clock beyond the ceiling is ignored: using the ceiling itself would leave no room for the estimate to fall
  // by the second that a Date may be off.
  const isApart = now > ceiling || now < venueTime - nonceAheadMsMax;
  const time = isApart ? venueTime : now;
  const next = Math.max((last ?? 0) + 1, Math.floor(time));
  if (next > ceiling) return err(tooFarAhead(next - Math.floor(venueTime)));
  return ok(next as Nonce);
}

/** Only waiting resolves it; the message states how long. */
function tooFarAhead(ms: number): string {
  return (
    `nonce-ahead: next nonce is ${ms} ms ahead of the venue's clock, limit is ${nonceAheadMsMax} ms: a clock, of this machine or ` +
    "of the venue, was ahead when the last nonce was drawn, and the venue accepts none below it. Nothing signed " +
    `can be asked or sent for ${durationText(ms - nonceAheadMsMax)}, then it goes on by itself; a new key works at once; ` +
    "do not delete the key's file"
  );
}

/**
 * A Date is cut to the second and delayed by the way back, so each is a lower bound of the venue's clock; the estimate
 * is the highest of the latest few. A wrong Date that is low changes nothing, one that is high is soon dropped.
 */
export function estimateVenueTime(offsets: readonly number[], now: Mono): Millis | undefined {
  if (offsets.length === 0) return undefined;
  return millis(Math.max(...offsets) + now);
}

/** Each offset is the venue's clock minus our monotonic one. */
export function withVenueOffset(offsets: readonly number[], venueTime: Millis, at: Mono): readonly number[] {
  return [...offsets.slice(1 - venueOffsetsMax), venueTime - at];
}
