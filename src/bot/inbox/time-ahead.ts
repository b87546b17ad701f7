// The books' time is that of their newest event and never goes back. Where a clock was ahead when it was recorded, it stands still
// until that time has come: every price counts as old and nothing is ordered. That is safe, and has to have a name.

import type { Millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";

/** As far as the clock of a machine may be off; less than any price may be old. */
const AHEAD_MS_MAX = 2_000;

/** What people are told; undefined while the books are not ahead. `now` is not later than the venue's clock. */
export function timeAhead(books: Millis, now: number): string | undefined {
  const aheadMs = books - now;
  if (!(aheadMs > AHEAD_MS_MAX && Number.isFinite(aheadMs))) return undefined;
  return `the journal's time is ${durationText(aheadMs)} ahead of the clock: some clock was ahead when it was written. Until ${new Date(books).toISOString()} every price counts as old and nothing is ordered; then it goes on by itself. If this machine's clock is behind, set it right; to trade sooner, begin a new journal (docs/OPERATIONS.md, "A journal whose time is ahead")`;
}
