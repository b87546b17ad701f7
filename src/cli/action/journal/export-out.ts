// Where an export goes: a new file that only its owner can read, or stdout.

import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { writeWhole } from "../../../disk/new-file.ts";
import { printableJson } from "../../../domain/outside-text.ts";
import { thrownText } from "../../../domain/thrown-text.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";

export type Out = {
  line(text: string): void;
  close(): void;
  /** It did not become whole: a file goes, so that the next try finds its place free. */
  discard(): void;
};

/** `-` is stdout. */
export function exportTo(shell: Shell, file: string): Out {
  return file === "-" ? toTerminal(shell) : toFile(file);
}

/** On a screen unprintable characters are escaped; into a pipe goes the text as it is stored. */
function toTerminal({ terminal }: Shell): Out {
  const line = (text: string): void => terminal.print(terminal.isScreen ? printableJson(text) : text);
  return { line, close: () => {}, discard: () => {} };
}

function toFile(path: string): Out {
  const file = newFile(path);
  let waiting = "";
  const flush = (): void => {
    writeWhole(file, waiting);
    waiting = "";
  };
  return {
    line(text) {
      waiting += `${text}\n`;
      if (waiting.length > 65_536) flush();
    },
    close() {
      flush();
      fsyncSync(file);
      closeSync(file);
    },
    discard() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

function newFile(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    // Not of the journal that is being read, whose own failures are told as such.
    const why = isThere ? "exists already, and is never overwritten" : `cannot be made: ${thrownText(error)}`;
    throw new CommandFailure(exitCode.usage, `${path} ${why}`);
  }
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(cell).join(",");
}

/** A spreadsheet takes a cell that begins with one of these for a formula; an amount below nothing is none. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
