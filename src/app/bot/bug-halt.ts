// A bug outside the pipeline's own care, or an error in a timer of the strategy's own, ends the process; before it does, the halt is on disk, so that the next start
// recovers into HALTED instead of trading on. Whatever fails here must not hide the bug itself.

import { MEND } from "../../bot/strategy-host/strategy-state.ts";
import type { Control } from "../../domain/event.ts";
import type { Result } from "../../domain/result.ts";
import { thrownText } from "../../domain/thrown-text.ts";
import type { Clock } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import { RESUME } from "../../risk/standing.ts";
import { strayError } from "../../strategy/guest.ts";
import { BOT, type KillFile } from "../kill-switch/kill-file.ts";
import type { Closing } from "./closing.ts";

type Kept = { readonly killFile: Pick<KillFile, "write">; readonly journal: Pick<Journal, "announce"> };

/** Runs before the handler that ends the process. `leave` ends it where neither could be written: 5 is what no supervisor restarts. */
export function haltOnBug(
  { killFile, journal }: Kept,
  bot: Pick<Clock, "now">,
  closing: Closing,
  leave: (reason: string) => void,
): void {
  const halt = (error: unknown): void => {
    const stray = strayError(error);
    const reason = stray ?? `stopped by a bug: ${thrownText(error)}`;
    const cause = stray === undefined ? "bug" : "strategy";
    const wayOut = stray === undefined ? RESUME : MEND;
    const control: Control = { kind: "halt", cause, reason, wayOut };
    // The bug may have left a transaction open: then the file has it.
    const journaled = tried(() => problemOf(journal.announce([{ kind: "control", at: bot.now(), control }])));
    const kept = journaled && tried(() => problemOf(killFile.write(reason, BOT)));
    if (kept !== undefined) leave(`${reason}; this halt is in neither journal nor kill file (${journaled}; ${kept})`);
  };
  process.prependListener("uncaughtException", halt);
  closing.add(() => void process.off("uncaughtException", halt));
}

function tried(keep: () => string | undefined): string | undefined {
  try {
    return keep();
  } catch (error) {
    return thrownText(error);
  }
}

function problemOf(kept: Result<unknown, string | { readonly message: string }>): string | undefined {
  if (kept.ok) return undefined;
  return typeof kept.error === "string" ? kept.error : kept.error.message;
}
