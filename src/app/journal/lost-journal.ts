// Was there a journal at this path? The ledgers of this user's keys remember theirs, also when the file is gone: whoever looks for
// it then stands in the right folder. It needs no key; what cannot be looked at is left out.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { goneText } from "../../journal/open-journal.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { joinBudget } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";
import { isSameFile } from "./journal-binding.ts";

/** More keys than that no user has; each is a file to open. */
const KEYS_MAX = 50;

/** In the words of a start. `name`: of the environment that the configuration is for. */
export async function refuseLostJournal(shell: Shell, name: string, path: string): Promise<void> {
  for (const fingerprint of keysKnown())
    if (await isJournalOf(shell, fingerprint, name, path))
      throw new CommandFailure(exitCode.usage, `journal ${path}: ${goneText(path)}`);
}

async function isJournalOf(shell: Shell, fingerprint: string, name: string, path: string): Promise<boolean> {
  try {
    const budget = await joinBudget(shell, { fingerprint });
    try {
      const known = budget.ledger.urgently(() => budget.ledger.journalOf(name));
      return known !== undefined && isSameFile(known.path, path);
    } finally {
      budget.close();
    }
  } catch {
    return false;
  }
}

function keysKnown(): readonly string[] {
  try {
    const state = stateFolder(environment());
    return state.ok ? readdirSync(join(state.value, "keys")).slice(0, KEYS_MAX) : [];
  } catch {
    return [];
  }
}
