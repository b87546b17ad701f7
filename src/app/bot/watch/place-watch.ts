// What a running bot needs on disk beside its journal: the ledger of its key, without which it can ask and send nothing and whoever
// makes a new one shares no slot with it; and a place where a stop can be written, without which nobody's stop would outlast the
// process. Where either fails it halts, and a person has to mend it.

import { dirname } from "node:path";
import type { Control } from "../../../domain/event.ts";
import type { KeyLedger } from "../../../exchange/budget/ledger.ts";
import { RESUME, type Standing, transition } from "../../../risk/standing.ts";
import type { KillFile } from "../../kill-switch/kill-file.ts";

export const PLACE_LOOK_MS = 1_000;

/** To be called now and then. */
type Look = () => void;
/** The state as the engine has it. */
type Known = () => Standing;
type Tell = (control: Control) => void;

export function ledgerWatch(ledger: Pick<KeyLedger, "path" | "isInPlace">, known: Known, tell: Tell): Look {
  const reason = `the ledger of the key is gone: ${dirname(ledger.path)} was moved or deleted while in use, so that nothing can be asked or sent`;
  const wayOut = `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`;
  const halt: Control = { kind: "halt", cause: "journal", subject: "ledger", reason, wayOut };
  return haltWhile(() => (ledger.isInPlace() ? undefined : halt), known, tell);
}

/**
 * One try that fails may be a moment's (no room, no free handle), and only a person leads out of a halt. So it takes two in a row:
 * a stop that comes in between closes the bot's own door all the same, and goes to the journal.
 */
export function killFileWatch(file: Pick<KillFile, "problem">, known: Known, tell: Tell): Look {
  let failures = 0;
  const find = (): Control | undefined => {
    const problem = file.problem();
    failures = problem === undefined ? 0 : failures + 1;
    if (problem === undefined || failures < 2) return undefined;
    const wayOut = `make room there, or let this user write there again; then ${RESUME}`;
    const reason = `no stop could be kept: ${problem}`;
    return { kind: "halt", cause: "journal", subject: "kill file", reason, wayOut };
  };
  return haltWhile(find, known, tell);
}

/** Told once; a resume while it is still so is halted again, also one that comes before the next look. */
function haltWhile(find: () => Control | undefined, known: Known, tell: Tell): Look {
  /** As the engine stood when it was told: as long as it stands so, it has not heard of it. */
  let toldTo: Standing | undefined;
  return () => {
    const standing = known();
    if (standing === toldTo) return;
    toldTo = undefined;
    const halt = find();
    if (halt === undefined || transition(standing, halt, standing.since) === standing) return;
    toldTo = standing;
    tell(halt);
  };
}
