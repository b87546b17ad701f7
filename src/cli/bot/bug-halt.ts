// A bug outside the pipeline's own care ends the process; before it does, the halt is on disk, so that the next start
// recovers into HALTED instead of trading on. Whatever fails here must not hide the bug itself.

import type { Control } from "../../domain/event.ts";
import type { Clock } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import { FRESH, RESUME, transition } from "../../risk/standing.ts";
import type { LatchFile } from "../latch/latch-file.ts";
import type { Closing } from "./closing.ts";

type Kept = { readonly latch: LatchFile; readonly journal: Pick<Journal, "announce"> };

/** `bot`: what the journal's records are stamped with, which takes a look into the key's ledger. */
type Clocks = { readonly machine: Pick<Clock, "now">; readonly bot: Pick<Clock, "now"> };

/** Runs before the handler that ends the process. */
export function haltOnBug({ latch, journal }: Kept, { machine, bot }: Clocks, closing: Closing): void {
  const halt = (error: unknown): void => {
    const reason = `stopped by a bug: ${error instanceof Error ? error.message : String(error)}`;
    const control: Control = { kind: "halt", reason, wayOut: RESUME };
    // The latch first: it needs no lock and no transaction that the bug may have left open.
    latch.tighten(transition(FRESH, control, machine.now()));
    try {
      journal.announce([{ kind: "control", at: bot.now(), control }]);
    } catch {
      // The latch has it.
    }
  };
  process.prependListener("uncaughtException", halt);
  closing.add(() => void process.off("uncaughtException", halt));
}
