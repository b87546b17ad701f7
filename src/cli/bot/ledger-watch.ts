// Without the ledger of its key the bot can ask the venue nothing and send nothing, and whoever makes a new ledger in its place
// shares no slot with it: it halts, and a person has to bring the folder back.

import { dirname } from "node:path";
import type { Control } from "../../domain/event.ts";
import type { KeyLedger } from "../../exchange/budget/key-ledger.ts";
import { RESUME, type Standing, transition } from "../../risk/standing.ts";

export const LEDGER_LOOK_MS = 1_000;

type Watched = Pick<KeyLedger, "path" | "isInPlace">;

/** To be called now and then. `known`: the state as the engine has it. A resume while it is still gone is halted again. */
export function ledgerWatch(ledger: Watched, known: () => Standing, tell: (control: Control) => void): () => void {
  const reason = `the ledger of the key is gone: ${dirname(ledger.path)} was moved or deleted while in use, so that nothing can be asked or sent`;
  const wayOut = `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`;
  const halt: Control = { kind: "halt", reason, wayOut };
  let isTold = false;
  return () => {
    const standing = known();
    const isHeard = transition(standing, halt, standing.since) === standing;
    if (isHeard) isTold = false;
    if (isHeard || isTold || ledger.isInPlace()) return;
    isTold = true;
    tell(halt);
  };
}
