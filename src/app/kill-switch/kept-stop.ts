// A stop that lies beside the ledger of the key because it could not be written beside its journal, as commands find it that open
// neither key nor ledger: it counts as if it stood in the latch, where whoever takes it back brings it first.

import type { Opening } from "../../journal/record.ts";
import { FRESH, type Standing } from "../../risk/standing.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { isSameFile } from "../journal/journal-binding.ts";
import { requireOpening } from "../journal/standing-journal.ts";
import { joinBudget } from "../key/join-budget.ts";
import { keyFolderHere } from "../key/key-folder-here.ts";
import type { Shell } from "../shell.ts";
import { openLatch } from "./latch-file.ts";
import { type SpareLatch, spareAt } from "./spare-latch.ts";

export function keptStop(shell: Shell, opening: Opening): Standing {
  return spareOf(shell, opening)?.standing() ?? FRESH;
}

/** Into the latch of this journal, so that it is taken back with the rest; a failure where that cannot be written. */
export async function takeKeptStop(shell: Shell, path: string): Promise<void> {
  const { opening, records } = requireOpening(path);
  const spare = spareOf(shell, opening);
  if (spare === undefined || spare.standing().state === "ACTIVE") return;
  const latch = openLatch(path, shell.clock, records > 1);
  // Of a copy the stop is taken back there, and still stands for the journal that the key's bot uses.
  const taken = (await isKeysOwn(shell, opening, path)) ? spare.takenOverBy(latch) : spare.copiedTo(latch);
  if (!taken.ok) throw new CommandFailure(exitCode.failed, `the stop stands: ${taken.error}`);
}

/** Into the latch of a copy of the journal, and stays where it is: a machine that the copy goes to has no such ledger. False where there is none. */
export function copyKeptStop(shell: Shell, opening: Opening, path: string): boolean {
  const spare = spareOf(shell, opening);
  if (spare === undefined || spare.standing().state === "ACTIVE") return false;
  const copied = spare.copiedTo(openLatch(path, shell.clock, false));
  if (!copied.ok)
    throw new CommandFailure(exitCode.failed, `the stop beside the key's ledger is not in the copy: ${copied.error}`);
  return true;
}

/** Undefined where there is no ledger that could be looked at: it is no stop, and whoever sends needs one and looks there first. */
function spareOf({ clock }: Shell, { account, environment: name }: Opening): SpareLatch | undefined {
  const folder = keyFolderHere(account);
  return folder === undefined ? undefined : spareAt(folder, name, clock);
}

async function isKeysOwn(shell: Shell, { account, environment: name }: Opening, path: string): Promise<boolean> {
  try {
    const budget = await joinBudget(shell, { fingerprint: account });
    try {
      const own = budget.ledger.urgently(() => budget.ledger.journalOf(name));
      return own !== undefined && isSameFile(own.path, path);
    } finally {
      budget.close();
    }
  } catch {
    // A ledger that cannot be asked now: the stop stays there, and the next start asks for another resume.
    return false;
  }
}
