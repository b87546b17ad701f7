// A bug outside the pipeline's own care, or an error in a timer of the strategy's own, ends the process; before it does, the halt is on disk, so that the next start
// recovers into HALTED instead of trading on. Whatever fails here must not hide the bug itself.

import { MEND } from "../../bot/seat/strategy-state.ts";
import type { Control } from "../../domain/event.ts";
import type { Result } from "../../domain/result.ts";
import { thrownText } from "../../domain/thrown-text.ts";
import type { Clock } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import { FRESH, RESUME, transition } from "../../risk/standing.ts";
import { strayError } from "../../strategy/guest.ts";
import type { Spare } from "../kill-switch/guard.ts";
import type { LatchFile } from "../kill-switch/latch-file.ts";
import type { Closing } from "./closing.ts";

type Kept = {
  readonly latch: Pick<LatchFile, "tighten">;
  /** For a latch that cannot be written. */
  readonly spare: Pick<Spare, "put">;
  readonly journal: Pick<Journal, "announce">;
};

/** `bot`: what the journal's records are stamped with, which takes a look into the key's ledger. */
type Clocks = { readonly machine: Pick<Clock, "now">; readonly bot: Pick<Clock, "now"> };

/** Runs before the handler that ends the process. `say`: what a person has to know where the halt could be kept nowhere. */
export function haltOnBug(
  { latch, spare, journal }: Kept,
  { machine, bot }: Clocks,
  closing: Closing,
  say: (text: string) => void,
): void {
  const halt = (error: unknown): void => {
    const stray = strayError(error);
    const reason = stray ?? `stopped by a bug: ${thrownText(error)}`;
    const cause = stray === undefined ? "bug" : "strategy";
    const wayOut = stray === undefined ? RESUME : MEND;
    const control: Control = { kind: "halt", cause, reason, wayOut };
    const standing = transition(FRESH, control, machine.now());
    // The latch first: it needs no lock and no transaction that the bug may have left open.
    const latched = tried(() => problemOf(latch.tighten(standing)));
    const spared = latched === undefined ? undefined : tried(() => spare.put(standing));
    const written = tried(() => problemOf(journal.announce([{ kind: "control", at: bot.now(), control }])));
    if (latched === undefined || spared === undefined || written === undefined) return;
    const why = [latched, spared, written].join("; ");
    say(`this halt could be kept nowhere, and a restart would trade on: pegbot halt "a bug" before it (${why})`);
  };
  process.prependListener("uncaughtException", halt);
  closing.add(() => void process.off("uncaughtException", halt));
}

/** What is wrong: the next place has its turn, whatever became of this one. */
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
