// `journal export`: every record, one by one, so that a journal of any length fits. A file is new and private; what is
// exported is the stored text itself, with its hash, so that the chain can be checked elsewhere.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { writeWhole } from "../../../disk/new-file.ts";
import { printableJson } from "../../../domain/outside-text.ts";
import type { StoredEntry } from "../../../journal/journal-reader.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { readable, withReader } from "./open-reader.ts";
import { summaryOf } from "./summary.ts";

export type ExportOptions = { readonly csv?: string; readonly json?: string };

/** Lines before, per record and after. */
type Format = {
  readonly opening: string;
  readonly line: (stored: StoredEntry, isFirst: boolean) => string;
  readonly closing: string | undefined;
};

export function exportJournal(shell: Shell, { csv, json }: ExportOptions): ExitCode {
  const file = csv ?? json;
  if (file === undefined || (csv !== undefined && json !== undefined))
    throw new CommandFailure(exitCode.usage, "one of --csv FILE and --json FILE is needed; - is stdout");
  const format = csv === undefined ? asJson : asCsv;
  return withReader(shell, (reader) => {
    const out = file === "-" ? toTerminal(shell) : toFile(file);
    let records = 0;
    try {
      out.line(format.opening);
      for (const read of reader.after(0)) {
        out.line(format.line(readable(read), records === 0));
        records += 1;
      }
      if (format.closing !== undefined) out.line(format.closing);
    } finally {
      out.close();
    }
    if (file !== "-") shell.terminal.note(`${records} records written to ${file}`);
    return exitCode.done;
  });
}

const asJson: Format = {
  opening: "[",
  line: ({ entry, text }, isFirst) => `${isFirst ? " " : ","}${text.slice(0, -1)},"hash":"${entry.hash}"}`,
  closing: "]",
};

const asCsv: Format = {
  opening: "sequence,at,writer,kind,what,hash,entry",
  line: ({ entry, text }) =>
    [
      String(entry.sequence),
      new Date(entry.record.at).toISOString(),
      entry.writer,
      entry.record.kind,
      summaryOf(entry.record),
      entry.hash,
      text,
    ]
      .map(cell)
      .join(","),
  closing: undefined,
};

/** A spreadsheet takes a cell that begins with one of these for a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type Out = { line(text: string): void; close(): void };

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
