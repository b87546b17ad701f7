// The switch of a running process: memory, the two files and the engine, kept as strict as the strictest of them. A stop
// closes this process's own door first, then goes to disk, and only then to the engine and its journal.

import type { Control } from "../../domain/event.ts";
import type { Timers } from "../../domain/time.ts";
import { formatLatch } from "../../risk/latch.ts";
import { FRESH, isStanding, joined, type Standing, transition } from "../../risk/standing.ts";
import { controlsFrom, type LatchFile } from "./latch-file.ts";

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
  /** What files and memory say: how this process stands where its journal fails, and the engine hears of nothing. */
  standing(): Standing;
  close(): void;
}

export function startGuard({ latch, timers, known, tell, trouble }: GuardParts): Guard {
  let stop: Standing | undefined;
  /** The engine knows of the stop: when it stands there no more, a person has taken it back. */
  let isHeard = false;
  let told: ReadonlySet<string> = new Set();
  let written: string | undefined;

  function kill(reason: string, by: string): string | undefined {
    stop = transition(FRESH, { kind: "kill", reason, by }, FRESH.since);
    isHeard = isStanding(stop, known());
    const killed = latch.kill(reason, by);
    tell({ kind: "kill", reason, by });
    if (killed.ok) return undefined;
    const problem = `${killed.error}; this process sends nothing more, but a restart would not know it`;
    trouble(problem);
    return problem;
  }

  function follow(standing: Standing): void {
    if (stop !== undefined && isStanding(stop, standing)) isHeard = true;
    // Only a resume leads out of KILLED, and it was journaled after this stop.
    else if (isHeard) stop = undefined;
    // Written where it changes and not again: a resume that is just being journaled must not be written over. Stopped anew
    // in the turn that heard of a resume is a change: the first reason of a stop stands as long as it does.
    const text = formatLatch(standing);
    if (text === written) return;
    if (standing.state === "ACTIVE") {
      written = text;
      return;
    }
    const tightened = latch.tighten(standing);
    if (tightened.ok) written = text;
    else trouble(tightened.error);
  }

  function look(): void {
    const controls = controlsFrom(latch.standing(), known());
    const texts = new Set(controls.map((control) => JSON.stringify(control)));
    for (const control of controls) if (!told.has(JSON.stringify(control))) tell(control);
    told = texts;
    cancel = timers.after(POLL_MS, look);
  }

  let cancel = (): void => {};
  look();
  return {
    check: () => (stop === undefined ? latch.check() : `KILLED: ${stop.reason}`),
    kill,
    follow,
    standing: () => joined(latch.standing(), stop ?? FRESH),
    close: () => cancel(),
  };
}
