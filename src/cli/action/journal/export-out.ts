// Where an export goes: a new file that only its owner can read, or stdout.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { writeWhole } from "../../../disk/new-file.ts";
import { printableJson } from "../../../domain/outside-text.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";

export type Out = { line(text: string): void; close(): void };

/** `-` is stdout. */
export function exportTo(shell: Shell, file: string): Out {
  return file === "-" ? toTerminal(shell) : toFile(file);
}

/** On a screen unprintable characters are escaped; into a pipe goes the text as it is stored. */
function toTerminal({ terminal }: Shell): Out {
  return { line: (text) => terminal.print(terminal.isScreen ? printableJson(text) : text), close: () => {} };
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
  };
}

function newFile(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new CommandFailure(exitCode.usage, `${path} exists already, and is never overwritten`);
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
