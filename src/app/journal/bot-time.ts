// The bot's time, for processes that write into its journal without its pipeline: our clock, less its lead over the
// venue's. A record by a clock that is ahead would make the bot's time jump: every price would be old, and a day would
// open before the venue's.

import { type Clock, millis } from "../../domain/time.ts";
import type { KeyLedger } from "../../exchange/budget/ledger.ts";

/** The lead as any process of the key last measured it; our own clock if it is unknown or the ledger cannot be read. */
export function botTime(clock: Clock, ledger: Pick<KeyLedger, "urgently" | "aheadMs">): Clock {
  const aheadMs = (): number => {
    try {
      return ledger.urgently(() => ledger.aheadMs());
    } catch {
      return 0;
    }
  };
  return behind(clock, aheadMs);
}

function behind(clock: Clock, aheadMs: () => number): Clock {
  return { now: () => millis(Math.floor(clock.now() - aheadMs())), monotonic: () => clock.monotonic() };
}
