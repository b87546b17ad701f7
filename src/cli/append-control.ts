// Appends a person's control to the journal: a running bot reads it within a second, and the next start finds it.

import { inBotTime } from "../app/journal/bot-time.ts";
import { openAsItIs, requireOpening } from "../app/kill-switch/stop-journal.ts";
import type { Shell } from "../app/shell.ts";
import { plainFailure } from "../domain/command-failure.ts";
import type { Control } from "../domain/event.ts";
import type { Millis } from "../domain/time.ts";

/** Returns the time of the record. */
export async function appendControl(shell: Shell, path: string, control: Control): Promise<Millis> {
  const { opening } = requireOpening(path);
  const at = inBotTime(shell, opening).clock.now();
  const journal = openAsItIs(shell, path, opening);
  try {
    const written = await journal.append([{ kind: "control", at, control }]);
    if (!written.ok) throw plainFailure(written.error.message);
    return at;
  } finally {
    journal.close();
  }
}
