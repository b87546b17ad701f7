// The switch on disk, two files beside the journal: `.latch` has the state that the bot was left in, `.KILL` is there as
// long as a person's stop stands (anybody may touch it). What either says counts, and both fail closed. They are read anew
// at every check, so that what another process has written holds for the very next request.

import { rmSync } from "node:fs";
import { syncFolderOf } from "../../disk/new-file.ts";
import type { Control } from "../../domain/event.ts";
import { printable } from "../../domain/outside-text.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Clock, Millis } from "../../domain/time.ts";
import { formatLatch, readLatch } from "../../risk/latch.ts";
import { FRESH, isStanding, joined, type Standing, stopsOf, transition } from "../../risk/standing.ts";
import { foundAt, readSmall, tryWriting, writeDurably } from "./durable-text.ts";

export function latchPath(journalPath: string): string {
  return `${journalPath}.latch`;
}

export function killFilePath(journalPath: string): string {
  return `${journalPath}.KILL`;
}

export interface LatchFile {
  /** Why nothing may be sent; synchronous and cheap, made to be the last statement before the socket. */
  check(): string | undefined;
  /** What both files say. */
  standing(): Standing;
  /** Why a stop could not be written now. Tried with a file beside them; nothing is waited for. */
  problem(): string | undefined;
  /** A person's stop, on disk when it returns. An error means that neither file could be written. */
  kill(reason: string, by: string): Result<Standing>;
  /** What the bot itself came to, or at a start how it begins: every stop on disk stays, and a latch must be there. */
  tighten(standing: Standing): Result<Standing>;
  /**
   * A person takes the stop back. Inside the transaction that journals it, so that a stop which comes later is found.
   * `known` is how the journal stands: what stays beneath the stop is written, though the files knew nothing of it.
   */
  resume(reason: string, by: string, known: Standing): Result<Standing>;
}

/** `journalHasRecords`: beside a journal that was written to, a latch that is missing is one that was taken away. */
export function openLatch(journalPath: string, clock: Pick<Clock, "now">, journalHasRecords: boolean): LatchFile {
  const latch = latchPath(journalPath);
  const killFile = killFilePath(journalPath);
  let hasRecords = journalHasRecords;

  const latched = (): Standing => readLatch(foundAt(latch, hasRecords), clock.now());
  const standing = (): Standing => joined(latched(), killedBy(killFile, clock.now()) ?? FRESH);

  function put(next: Standing): Result<Standing> {
    try {
      writeDurably(latch, formatLatch(next));
      // From now on it must be there.
      hasRecords = true;
      return ok(next);
    } catch (error) {
      return err(unwritable(latch, error));
    }
  }

  return {
    check() {
      const { state, reason } = standing();
      return state === "KILLED" || state === "HALTED" ? `${state}: ${printable(reason)}` : undefined;
    },
    standing,
    problem() {
      try {
        tryWriting(latch);
        return undefined;
      } catch (error) {
        return unwritable(latch, error);
      }
    },
    kill(reason, by) {
      const next = transition(standing(), { kind: "kill", reason, by }, clock.now());
      const marked = placeKillFile(killFile, next.reason);
      const written = put(next);
      return written.ok || !marked.ok ? written : ok(next);
    },
    tighten(next) {
      const wanted = joined(standing(), next);
      const found = foundAt(latch, hasRecords);
      return found.kind === "text" && found.text === formatLatch(wanted) ? ok(wanted) : put(wanted);
    },
    resume(reason, by, known) {
      const before = joined(standing(), known);
      const next = transition(before, { kind: "resume", reason, by }, clock.now());
      if (next === before) return ok(next);
      try {
        rmSync(killFile, { force: true });
        syncFolderOf(killFile);
      } catch (error) {
        return err(`kill file ${killFile} cannot be removed: ${messageOf(error)}`);
      }
      return put(next);
    },
  };
}

/** Nothing stands there any more: what it said is kept elsewhere. */
export function removeLatch(journalPath: string): void {
  for (const file of [killFilePath(journalPath), latchPath(journalPath)]) rmSync(file, { force: true });
}

/** What the engine has to be told so that it knows every stop in the files. */
export function controlsFrom(found: Standing, known: Standing): readonly Control[] {
  return stopsOf(found)
    .filter((stop) => !isStanding(stop, known))
    .map(({ state, cause = "other", subject, finding, reason, wayOut, by }) => {
      if (state === "KILLED") return { kind: "kill", reason, by, ...(cause === "person" ? {} : { cause }) };
      const halt = { cause, subject, finding, reason, wayOut };
      return state === "HALTED" ? { kind: "halt", ...halt } : { kind: "reduce", ...halt };
    });
}

/** Whatever stands there, also what cannot be read, means KILLED. */
function killedBy(killFile: string, at: Millis): Standing | undefined {
  const read = readSmall(killFile);
  if (read.ok && read.value === undefined) return undefined;
  const text = read.ok ? (read.value ?? "").trim() : `it cannot be read: ${read.error}`;
  const reason = text === "" ? "the kill file is there" : text;
  return transition(FRESH, { kind: "kill", reason, by: "kill file" }, at);
}

function placeKillFile(killFile: string, reason: string): Result<void> {
  const found = readSmall(killFile);
  if (!found.ok || found.value !== undefined) return ok(undefined);
  try {
    writeDurably(killFile, `${reason}\n`);
    return ok(undefined);
  } catch (error) {
    return err(`kill file ${killFile} cannot be written: ${messageOf(error)}`);
  }
}

function unwritable(latch: string, error: unknown): string {
  return `latch ${latch} cannot be written: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
