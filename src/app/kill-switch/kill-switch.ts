// The kill switch of a running process. A stop first blocks this process's own sends, then goes to the kill file, and
// to the engine and its journal. While neither file nor journal can be written, sends stay blocked and both writes are
// retried.

import type { Control } from "../../domain/event.ts";
import type { Millis, Timers } from "../../domain/time.ts";
import { FRESH, isStanding, joined, stopsOf, type TradingState, transition } from "../../risk/trading-state.ts";
import { controlsFrom, type KillFile } from "./kill-file.ts";

const POLL_MS = 250;
const SIGNAL = "SIGUSR2";

export type KillSwitchParts = {
  readonly file: KillFile;
  readonly now: () => Millis;
  readonly timers: Timers;
  /** The engine's trading state. */
  readonly known: () => TradingState;
  /** To the engine, and through it to the journal; never dropped. */
  readonly tell: (control: Control) => void;
  /** Reports a failed write. */
  readonly trouble: (message: string) => void;
};

export interface KillSwitch {
  /** The last statement before the socket: why nothing may be sent. */
  check(): string | undefined;
  /** A person's stop by signal, page or API; returns the write error, if any. */
  kill(reason: string, by: string): string | undefined;
  /** Called after every turn with the state and whether it was journaled. */
  follow(standing: TradingState, isJournaled?: boolean): void;
  /** The state from file and memory, for when the journal fails and the engine is not informed. */
  standing(): TradingState;
  /** Why the next start would trade on: this stop is in neither file nor journal. */
  unwritten(): string | undefined;
  close(): void;
}

export function startKillSwitch({ file, now, timers, known, tell, trouble }: KillSwitchParts): KillSwitch {
  /** A person's stop; it ends when the engine's state, after including it, no longer does. */
  let person: TradingState = FRESH;
  let isHeard = false;
  /** The state that the journal could not record. */
  let failed: TradingState = FRESH;
  let journaled: TradingState = FRESH;
  let told: ReadonlySet<string> = new Set();

  /** Writes the first stop that is only in memory to the file; returns the error if that fails. */
  function keep(): string | undefined {
    const [first] = stopsOf(joined(person, failed)).filter((stop) => !isStanding(stop, journaled));
    if (first === undefined || first.state === "REDUCED") return undefined;
    const written = file.write(first.reason, first.by);
    if (written.ok) return undefined;
    return `${written.error}; this process sends nothing more, and the next start knows of it only if the journal can be written until then`;
  }

  function keepNow(): string | undefined {
    const problem = keep();
    if (problem !== undefined) trouble(problem);
    return problem;
  }

  function look(): void {
    keep();
    const controls = controlsFrom(file.standing(), known());
    const texts = new Set(controls.map((control) => JSON.stringify(control)));
    for (const control of controls) if (!told.has(JSON.stringify(control))) tell(control);
    told = texts;
    cancel = timers.after(POLL_MS, look);
  }

  let cancel = (): void => {};
  look();
  return {
    check() {
      const memory = joined(joined(person, failed), known());
      return memory.state === "HALTED" ? `HALTED: ${memory.reason}` : file.check();
    },
    kill(reason, by) {
      const control: Control = { kind: "kill", reason, by };
      person = transition(FRESH, control, now());
      isHeard = isStanding(person, known());
      const problem = keepNow();
      tell(control);
      return problem;
    },
    follow(standing, isJournaled = true) {
      if (!isJournaled) {
        failed = standing;
        keepNow();
        return;
      }
      journaled = standing;
      failed = FRESH;
      if (person === FRESH || isStanding(person, standing)) isHeard = true;
      // Only a resume ends a person's stop, and it was journaled after it.
      else if (isHeard) person = FRESH;
    },
    standing: () => joined(joined(file.standing(), person), failed),
    unwritten: keep,
    close: () => cancel(),
  };
}

/**
 * SIGUSR2 is a person's stop. Without a listener it would end the process, so the listener exists before the switch
 * does.
 */
export interface KillSignal {
  /** From now on each signal calls `kill` at once; an earlier signal calls it now. */
  arm(kill: (reason: string, by: string) => void): void;
  close(): void;
}

export function hearKillSignal(): KillSignal {
  let act: ((reason: string, by: string) => void) | undefined;
  let early = false;
  const hear = (): void => {
    early ||= act === undefined;
    act?.(`${SIGNAL} was received`, SIGNAL);
  };
  process.on(SIGNAL, hear);
  return {
    arm(kill) {
      act = kill;
      if (early) hear();
      early = false;
    },
    close: () => void process.off(SIGNAL, hear),
  };
}
