// The bot's time, for processes that write into its journal without its pipeline: our clock, less its lead over the
// venue's. A record by a clock that is ahead would make the bot's time jump: every price would be old, and a day would
// open before the venue's.

import { type Clock, millis } from "../../domain/time.ts";
import type { KeyFile } from "../../exchange/budget/key-file.ts";

/** The lead as last measured; our own clock if it is unknown. */
export function botTime(clock: Clock, file: Pick<KeyFile, "aheadMs">): Clock {
  return { now: () => millis(Math.floor(clock.now() - file.aheadMs())), monotonic: () => clock.monotonic() };
}
