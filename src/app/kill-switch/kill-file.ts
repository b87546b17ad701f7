// The kill file next to the journal, `.KILL`: whatever stands at that path stops every process that sends, so that `touch` is
// enough. It is read anew at every check, and what cannot be read counts. The journal has all other stops.

import { lstatSync, rmSync } from "node:fs";
import { syncFolderOf } from "../../disk/new-file.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { FRESH, isStanding, RESUME, stopsOf, type TradingState, transition } from "../../risk/trading-state.ts";
import { readSmall, writeDurably } from "./durable-text.ts";

export function killFilePath(journalPath: string): string {
  return `${journalPath}.KILL`;
}

/** Who has written a halt that the journal could not take. */
export const BOT = "bot";

export interface KillFile {
  /** Why nothing may be sent; synchronous and cheap, made to be the last statement before the socket. */
  check(): string | undefined;
  /** The stop that it is. */
  standing(): TradingState;
  /** On disk when it returns; the reason that stands there already stays the first. */
  write(reason: string, by: string): Result<void>;
  remove(): Result<void>;
}

export function openKillFile(journalPath: string): KillFile {
  const path = killFilePath(journalPath);
  const standing = (): TradingState => {
    const at = writtenAt(path);
    return stopsAt(path).reduce((found, stop) => transition(found, stop, at), FRESH);
  };
  return {
    check() {
      const [first] = stopsAt(path);
      return first && `HALTED: ${printable(first.reason)}`;
    },
    standing,
    write(reason, by) {
      const stands = standing();
      if (transition(stands, stopOf(reason, by), stands.since) === stands) return ok(undefined);
      // What stands there and cannot be read stops everything already.
      if (!readSmall(path).ok) return ok(undefined);
      try {
        writeDurably(path, [...stopsAt(path), stopOf(reason, by)].map(textOf).join(""));
        return ok(undefined);
      } catch (error) {
        return stands.state === "ACTIVE"
          ? err(`kill file ${path} cannot be written: ${errorMessage(error)}`)
          : ok(undefined);
      }
    },
    remove() {
      try {
        rmSync(path, { force: true });
        syncFolderOf(path);
        return ok(undefined);
      } catch (error) {
        return err(`kill file ${path} cannot be removed: ${errorMessage(error)}`);
      }
    },
  };
}

/** What the engine, or the journal, has to take so that it knows every stop that was found. */
export function controlsFrom(found: TradingState, known: TradingState): readonly Control[] {
  return stopsOf(found)
    .filter((stop) => !isStanding(stop, known))
    .map(({ state, cause = "other", subject, finding, reason, wayOut, by }) => {
      if (cause === "person") return { kind: "kill", reason, by };
      const halt = { cause, subject, finding, reason, wayOut };
      return state === "HALTED" ? { kind: "halt", ...halt } : { kind: "reduce", ...halt };
    });
}

type FileStop = Extract<Control, { kind: "kill" | "halt" }>;

function stopOf(reason: string, by: string): FileStop {
  return by === BOT ? { kind: "halt", cause: "journal", reason, wayOut: RESUME } : { kind: "kill", reason, by };
}

function textOf(stop: FileStop): string {
  return `${stop.reason}\nby ${stop.kind === "kill" ? stop.by : BOT}\n`;
}

/** A line `by NAME` ends each; what has none was put there by hand. */
function stopsAt(path: string): readonly FileStop[] {
  const byHand = (reason: string): FileStop => stopOf(reason, "kill file");
  const read = readSmall(path);
  if (!read.ok) return [byHand(`the kill file cannot be read: ${read.error}`)];
  if (read.value === undefined) return [];
  const parts = read.value.split(/\nby (.+)$/m).map((part) => part.trim());
  const named = parts.flatMap((reason, i) =>
    i % 2 === 0 && i + 1 < parts.length ? [stopOf(reason, parts[i + 1] ?? "")] : [],
  );
  const rest = parts.at(-1) ?? "";
  return named.length > 0 && rest === "" ? named : [...named, byHand(rest === "" ? "the kill file is there" : rest)];
}

/** Taken away in this very moment, it is of no time. */
function writtenAt(path: string): Millis {
  return millis(Math.floor(lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

// The kill switch is tried at every start, before anything can be sent: a scratch file on the disk of the real one, against a
// sender that only counts.

/** What is wrong with the switch, or undefined. */
export function testKillSwitch(journalPath: string): string | undefined {
  // A name of its own: a command that starts at the same moment tries its own file.
  const scratch = `${journalPath}.self-test-${process.pid}`;
  let sent = 0;
  const goesOut = (): boolean => {
    const before = sent;
    if (openKillFile(scratch).check() === undefined) sent++;
    return sent !== before;
  };
  const clear = (): void => rmSync(killFilePath(scratch), { recursive: true, force: true });
  try {
    clear();
    const file = openKillFile(scratch);
    if (!goesOut()) return "a clear switch must let a request out";
    const written = file.write("self-test", "self-test");
    if (!written.ok) return written.error;
    if (goesOut()) return "a set switch must hold a request back";
    const removed = file.remove();
    if (!removed.ok) return removed.error;
    return goesOut() ? undefined : "a cleared switch must let a request out";
  } finally {
    clear();
  }
}
