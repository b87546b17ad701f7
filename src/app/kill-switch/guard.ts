// The switch of a running process: memory, the two files and the engine, kept as strict as the strictest of them. A stop
// closes this process's own door first, then goes to disk, and only then to the engine and its journal. One that cannot be written
// stays in memory, is tried again at every look, and lies meanwhile where the next start finds it, if that can be written.

import type { Control } from "../../domain/event.ts";
import { ok } from "../../domain/result.ts";
import type { Millis, Timers } from "../../domain/time.ts";
import { formatLatch } from "../../risk/latch.ts";
import { FRESH, isStanding, joined, type Standing, transition } from "../../risk/standing.ts";
import { controlsFrom, type LatchFile } from "./latch-file.ts";

const POLL_MS = 250;
const DONE = ok(undefined);

export type GuardParts = {
  readonly latch: LatchFile;
  /** On another disk perhaps: for a stop that cannot be written to the latch. Whoever starts next takes it over. */
  readonly spare: Spare;
  readonly now: () => Millis;
  readonly timers: Timers;
  /** The state as the engine has it. */
  readonly known: () => Standing;
  /** To the engine, and through it to the journal; never dropped. */
  readonly tell: (control: Control) => void;
  /** What could not be written. The door stays closed all the same, as long as this process lives. */
  readonly trouble: (message: string) => void;
};

/** A second place for a stop. */
export interface Spare {
  /** Gives what is wrong where it could not be written. */
  put(standing: Standing): string | undefined;
  clear(): void;
}

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

export function startGuard({ latch, spare, now, timers, known, tell, trouble }: GuardParts): Guard {
  let stop: Standing | undefined;
  /** The engine knows of the stop: when it stands there no more, a person has taken it back. */
  let isHeard = false;
  let told: ReadonlySet<string> = new Set();
  let written: string | undefined;
  /** Not on disk: a person's stop, and what the engine came to. */
  let isStopOwed = false;
  let owed: Standing | undefined;
  /** What the second place has. */
  let spared: string | undefined;

  const unwritten = (): Standing => joined(isStopOwed && stop !== undefined ? stop : FRESH, owed ?? FRESH);

  function kill(reason: string, by: string): string | undefined {
    stop = transition(FRESH, { kind: "kill", reason, by }, now());
    isHeard = isStanding(stop, known());
    const killed = latch.kill(reason, by);
    isStopOwed = !killed.ok;
    const problem = killed.ok ? settled() : owing(killed.error);
    tell({ kind: "kill", reason, by });
    return problem;
  }

  /** What is wrong with the second place. */
  function keepElsewhere(): string | undefined {
    const standing = unwritten();
    const text = formatLatch(standing);
    const failed = text === spared ? undefined : spare.put(standing);
    spared = failed === undefined ? text : undefined;
    return failed;
  }

  function owing(error: string): string {
    const failed = keepElsewhere();
    const next =
      failed === undefined
        ? "it is kept beside the ledger of the key, and the next start takes it over"
        : `a restart would not know it unless the journal has it: ${failed}`;
    const problem = `${error}; this process sends nothing more; ${next}`;
    trouble(problem);
    return problem;
  }

  function settled(): undefined {
    if (spared === undefined || unwritten().state !== "ACTIVE") return;
    spared = undefined;
    spare.clear();
  }

  /** What could not be written is tried again: the disk may have room again, though the journal does not heal by it. */
  function payOff(): void {
    if (unwritten().state === "ACTIVE") return;
    if (isStopOwed && stop !== undefined) isStopOwed = !latch.kill(stop.reason, stop.by).ok;
    if (owed !== undefined && latch.tighten(owed).ok) {
      written = formatLatch(owed);
      owed = undefined;
    }
    if (unwritten().state !== "ACTIVE") keepElsewhere();
    settled();
  }

  function follow(standing: Standing): void {
    if (stop !== undefined && isStanding(stop, standing)) isHeard = true;
    // Only a resume leads out of KILLED, and it was journaled after this stop.
    else if (isHeard) stop = undefined;
    // Written where it changes and not again: a resume that is just being journaled must not be written over. Stopped anew
    // in the turn that heard of a resume is a change: the first reason of a stop stands as long as it does.
    const text = formatLatch(standing);
    const tightened = text === written || standing.state === "ACTIVE" ? DONE : latch.tighten(standing);
    owed = tightened.ok ? undefined : standing;
    if (tightened.ok) {
      written = text;
      settled();
    } else owing(tightened.error);
  }

  function look(): void {
    payOff();
    const controls = controlsFrom(latch.standing(), known());
    const texts = new Set(controls.map((control) => JSON.stringify(control)));
    for (const control of controls) if (!told.has(JSON.stringify(control))) tell(control);
    told = texts;
    cancel = timers.after(POLL_MS, look);
  }

  let cancel = (): void => {};
  look();
  return {
    check() {
      if (stop !== undefined) return `KILLED: ${stop.reason}`;
      if (owed !== undefined && owed.state !== "REDUCED") return `${owed.state}: ${owed.reason}`;
      return latch.check();
    },
    kill,
    follow,
    standing: () => joined(joined(latch.standing(), stop ?? FRESH), owed ?? FRESH),
    close: () => cancel(),
  };
}
