// The kill file next to the journal, `.KILL`: anything at that path stops every process that sends, so `touch` is
// enough. It is read at every check, and an unreadable one counts. All other stops are in the journal.

import { lstatSync, renameSync, rmSync } from "node:fs";
import { syncFolderOf } from "../../disk/new-file.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { FRESH, isStanding, MEND, RESUME, stopsOf, type TradingState, transition } from "../../risk/trading-state.ts";
import { readSmall, writeDurably } from "../system/durable-text.ts";

export function killFilePath(journalPath: string): string {
  return `${journalPath}.KILL`;
}

/** The author of a halt that the journal could not record. */
export const BOT = "bot";
const WATCHDOG = "watchdog";

/** Where the watchdog of the strategy appends its halt, and the line that ends it. */
export function watchdogHalt(journalPath: string): { readonly path: string; readonly by: string } {
  return { path: killFilePath(journalPath), by: `by ${WATCHDOG}` };
}

export interface KillFile {
  /** Why nothing may be sent; synchronous and cheap, made to be the last statement before the socket. */
  check(): string | undefined;
  /** The stop that the file states. */
  standing(): TradingState;
  /** On disk when it returns; the reason already in the file stays the first. */
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
      try {
        if (transition(stands, stopOf(reason, by), stands.since) === stands) return ok(undefined);
        // An unreadable file already stops everything.
        if (!readSmall(path).ok) return ok(undefined);
        writeDurably(path, [...stopsAt(path), stopOf(reason, by)].map(textOf).join(""));
        return ok(undefined);
      } catch (error) {
        if (stands.state !== "ACTIVE" || isSparePlaced(path)) return ok(undefined);
        return err(`kill file ${path} cannot be written: ${errorMessage(error)}`);
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

/** A full disk has room for no file, and for a new name of one that is there. */
const SPARE = ".spare";
const FULL = "the disk had no room for the reason of this stop: pegbot status and the log have it";

function isSparePlaced(path: string): boolean {
  try {
    renameSync(`${path}${SPARE}`, path);
    syncFolderOf(path);
    return true;
  } catch {
    return false;
  }
}

/** The controls that engine or journal must take to know every stop found. */
export function controlsFrom(found: TradingState, known: TradingState): readonly Control[] {
  return stopsOf(found)
    .filter((stop) => !isStanding(stop, known))
    .map(({ state, cause = "other", subject, finding, reason, wayOut, by }) => {
      if (cause === "person") return { kind: "kill", reason, by };
      const halt = { cause, subject, finding, reason, wayOut };
      return state === "HALTED" ? { kind: "halt", ...halt } : { kind: "reduce", ...halt };
    });
}

const TOO_MANY_FILES =
  "too many open files: the kill file cannot be read; raise the limit (ulimit -n, LimitNOFILE= in a unit) and start again";

type FileStop = Extract<Control, { kind: "kill" | "halt" }>;

function stopOf(reason: string, by: string): FileStop {
  if (by === WATCHDOG) return { kind: "halt", cause: "strategy", reason, wayOut: MEND };
  return by === BOT ? { kind: "halt", cause: "journal", reason, wayOut: RESUME } : { kind: "kill", reason, by };
}

function textOf(stop: FileStop): string {
  return `${stop.reason}\nby ${stop.kind === "kill" ? stop.by : stop.cause === "strategy" ? WATCHDOG : BOT}\n`;
}

/** Each stop ends with a line `by NAME`; text without one was written by hand. */
function stopsAt(path: string): readonly FileStop[] {
  const byHand = (reason: string): FileStop => stopOf(reason, "kill file");
  const read = readSmall(path);
  if (!read.ok && /^E[MN]FILE$/.test(read.error)) return [stopOf(TOO_MANY_FILES, BOT)];
  if (!read.ok) return [byHand(`the kill file cannot be read: ${read.error}`)];
  if (read.value === undefined) return [];
  const parts = read.value.split(/\nby (.+)$/m).map((part) => part.trim());
  const named = parts.flatMap((reason, i) =>
    i % 2 === 0 && i + 1 < parts.length ? [stopOf(reason, parts[i + 1] ?? "")] : [],
  );
  const rest = parts.at(-1) ?? "";
  return named.length > 0 && rest === "" ? named : [...named, byHand(rest === "" ? "the kill file is there" : rest)];
}

/** 0 if the file was removed just now. */
function writtenAt(path: string): Millis {
  return millis(Math.floor(lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

// The self-test of the kill switch at every start, before anything can be sent: a scratch file on the disk of the real
// one.

/** Returns the problem with the switch, or undefined. */
export function testKillSwitch(journalPath: string): string | undefined {
  // A separate name for each process, because a command may run the test at the same moment.
  const scratch = `${journalPath}.self-test-${process.pid}`;
  const file = openKillFile(scratch);
  const clear = (): void => rmSync(killFilePath(scratch), { recursive: true, force: true });
  try {
    clear();
    if (file.check() !== undefined) return "a clear switch must let a request out";
    const written = file.write("self-test", "self-test");
    if (!written.ok) return written.error;
    if (file.check() === undefined) return "a set switch must hold a request back";
    const removed = file.remove();
    if (!removed.ok) return removed.error;
    if (file.check() !== undefined) return "a cleared switch must let a request out";
    writeDurably(`${killFilePath(journalPath)}${SPARE}`, textOf(stopOf(FULL, BOT)));
    return undefined;
  } finally {
    clear();
  }
}
