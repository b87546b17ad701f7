// The time of the bot, for whoever writes into its journal beside its pipeline: our clock, less what it is ahead of the venue's. By
// a clock that is ahead the bot's time would jump when it reads the record: every price is old, and a day opens before the venue's.

import { existsSync } from "node:fs";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { type Clock, millis } from "../../domain/time.ts";
import type { KeyLedger } from "../../exchange/budget/ledger.ts";
import { keyFolder } from "../../exchange/budget/open.ts";
import { joinBudget } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";

/** As any process of the key heard the venue last; our own where nobody knows, or the ledger cannot be asked. */
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

/** For a command without a key. It works where nothing else does: without a ledger too. */
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

// Where the ledger of a key lies on this machine, for commands that have its name and not the key.

/** Undefined where there is none that could be looked at. */
function keyFolderHere(fingerprint: string): string | undefined {
  const state = stateFolder(environment());
  if (!state.ok) return undefined;
  const folder = keyFolder({ stateFolder: state.value, fingerprint });
  return existsSync(folder) ? folder : undefined;
}
