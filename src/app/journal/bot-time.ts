// The bot's time, for processes that write into its journal without its pipeline: our clock, less its lead over the
// venue's. A record by a clock that is ahead would make the bot's time jump: every price would be old, and a day would
// open before the venue's.

import { existsSync } from "node:fs";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { type Clock, millis } from "../../domain/time.ts";
import type { KeyLedger } from "../../exchange/budget/ledger.ts";
import { keyFolder } from "../../exchange/budget/open.ts";
import { joinBudget } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";

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

/** For a command without a key. It works even without a ledger. */
export async function inBotTime(shell: Shell, fingerprint: string): Promise<Shell> {
  if (keyFolderHere(fingerprint) === undefined) return shell;
  try {
    const budget = await joinBudget(shell, { fingerprint });
    try {
      const aheadMs = budget.ledger.urgently(() => budget.ledger.aheadMs());
      return { ...shell, clock: behind(shell.clock, () => aheadMs) };
    } finally {
      budget.close();
    }
  } catch {
    return shell;
  }
}

function behind(clock: Clock, aheadMs: () => number): Clock {
  return { now: () => millis(Math.floor(clock.now() - aheadMs())), monotonic: () => clock.monotonic() };
}

// The place of a key's ledger on this machine, for commands that know the key's fingerprint and not the key.

/** Undefined if there is none that can be read. */
function keyFolderHere(fingerprint: string): string | undefined {
  const state = stateFolder(environment());
  if (!state.ok) return undefined;
  const folder = keyFolder({ stateFolder: state.value, fingerprint });
  return existsSync(folder) ? folder : undefined;
}
