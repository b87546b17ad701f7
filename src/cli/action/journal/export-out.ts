// Where an export goes: a new file that only its owner can read, or stdout.

import { closeSync, fsyncSync, lstatSync, rmSync } from "node:fs";
import { freshPath, placeNew, removeFresh, removeLeftovers } from "../../../disk/fresh-file.ts";
import { openNew, syncFolderOf, writeWhole } from "../../../disk/new-file.ts";
import { csvCell } from "../../../domain/csv-cell.ts";
import { printableJson } from "../../../domain/outside-text.ts";
import { thrownText } from "../../../domain/thrown-text.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";

export type Out = {
  line(text: string): void;
  /** Whole and on disk when it returns, but not under its name yet. */
  finish(): void;
  /** Puts the finished file under its name. */
  place(): void;
  /** It is not wanted, or not without the others: nothing of it is left, whatever it was. */
  discard(): void;
};

/** All of them under their names, or none: who fails here discards them. */
export function placeAll(outs: readonly Out[]): void {
  for (const out of outs) out.finish();
  for (const out of outs) out.place();
}

export function writtenText(count: number, what: string, file: string | undefined): string {
  return `${count} ${what}${count === 1 ? "" : "s"} written to ${file}`;
}

/** `-` is stdout. */
export function exportTo(shell: Shell, file: string): Out {
  return file === "-" ? toTerminal(shell) : toFile(shell, file);
}

/** On a screen unprintable characters are escaped; into a pipe goes the text as it is stored. */
function toTerminal({ terminal }: Shell): Out {
  const line = (text: string): void => terminal.print(terminal.isScreen ? printableJson(text) : text);
  return { line, finish: () => {}, place: () => {}, discard: () => {} };
}

/** Written beside its place until it is whole: half of an export is not to be taken for all of it, however it ends. */
function toFile(shell: Shell, path: string): Out {
  const file = fileBeside(path);
  let waiting = "";
  let isOpen = true;
  let isPlaced = false;
  const flush = (): void => {
    writing(path, () => writeWhole(file, waiting));
    waiting = "";
  };
  return {
    line(text) {
      waiting += `${text}\n`;
      if (waiting.length > 65_536) flush();
    },
    finish() {
      flush();
      writing(path, () => fsyncSync(file));
      isOpen = false;
      closeSync(file);
    },
    place() {
      writing(path, () => placeNew(freshPath(path), path));
      isPlaced = true;
      syncFolderOf(path);
    },
    discard() {
      if (isOpen) closeSync(file);
      if (isPlaced) rmSync(path, { force: true });
      else removeFresh(path);
      shell.terminal.note(`${path} is not made: what was written of it is removed`);
    },
  };
}

function fileBeside(path: string): number {
  // Also where a link leads nowhere: what is there stays.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw refused(path, TAKEN);
  try {
    removeLeftovers(path);
    return openNew(freshPath(path), 0o600);
  } catch (error) {
    throw refused(path, `cannot be made: ${thrownText(error)}`);
  }
}

/** Not of the journal that is being read, whose own failures are told as such. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const next = "free some disk space, or name another place";
    throw new CommandFailure(exitCode.failed, `${path} could not be written: ${thrownText(error)}`, next);
  }
}

const TAKEN = "exists already, and is never overwritten";

function refused(path: string, why: string): CommandFailure {
  return new CommandFailure(exitCode.usage, `${path} ${why}`);
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}
