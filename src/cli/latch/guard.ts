// The switch of a running process: memory, the two files and the engine, kept as strict as the strictest of them. A stop
// closes this process's own door first, then goes to disk, and only then to the engine and its journal.

import type { Control } from "../../domain/event.ts";
import type { Timers } from "../../domain/time.ts";
import type { Standing } from "../../risk/standing.ts";
import { controlFrom, type LatchFile } from "./latch-file.ts";

const POLL_MS = 250;

export type GuardParts = {
  readonly latch: LatchFile;
  readonly timers: Timers;
  /** The state as the engine has it. */
  readonly known: () => Standing;
  /** To the engine, and through it to the journal; never dropped. */
  readonly tell: (control: Control) => void;
  /** What could not be written. The door stays closed all the same, as long as this process lives. */
  readonly trouble: (message: string) => void;
};

export interface Guard {
  /** The last statement before the socket: why nothing may be sent. */
  check(): string | undefined;
  /** A person's stop by signal, page or API; gives back what could not be written. */
  kill(reason: string, by: string): string | undefined;
  /** After every turn: what the engine came to is on disk when it returns. */
  follow(standing: Standing): void;
  close(): void;
}

export function startGuard({ latch, timers, known, tell, trouble }: GuardParts): Guard {
  let stop: string | undefined;
  let wasKilled = false;
  let told: Control["kind"] | undefined;
  let written: Pick<Standing, "state" | "reason" | "since"> | undefined;

  function kill(reason: string, by: string): string | undefined {
    stop = `KILLED: ${reason}`;
    // An engine that is stopped already will not change for this one: the next resume is of both.
    wasKilled = known().state === "KILLED";
    const killed = latch.kill(reason, by);
    tell({ kind: "kill", reason, by });
    if (killed.ok) return undefined;
    const problem = `${killed.error}; this process sends nothing more, but a restart would not know it`;
    trouble(problem);
    return problem;
  }

  function follow({ state, ...rest }: Standing): void {
    if (state === "KILLED") wasKilled = true;
    // Only a resume leads out of KILLED, and it was journaled after this stop.
    if (state === "ACTIVE" && wasKilled) stop = undefined;
    // Written where it changes and not again: a resume that is just being journaled must not be written over. Stopped anew
    // in the turn that heard of a resume is a change: the first reason of a stop stands as long as it does.
    const { reason, since } = rest;
    if (state === written?.state && reason === written.reason && since === written.since) return;
    const found = { state, reason, since };
    if (state === "ACTIVE") {
      written = found;
      return;
    }
    const tightened = latch.tighten({ state, ...rest });
    if (tightened.ok) written = found;
    else trouble(tightened.error);
  }

  function look(): void {
    const control = controlFrom(latch.standing(), known());
    if (control !== undefined && control.kind !== told) tell(control);
    told = control?.kind;
    cancel = timers.after(POLL_MS, look);
  }

  let cancel = (): void => {};
  look();
  return { check: () => stop ?? latch.check(), kill, follow, close: () => cancel() };
}
