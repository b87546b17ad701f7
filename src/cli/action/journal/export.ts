// `journal export`: every record, one by one, so that a journal of any length fits. A file is new and private; what is
// exported is the stored text itself, with its hash, so that the chain can be checked elsewhere.

import { Bookings } from "../../../bot/bookkeeping/bookings.ts";
import { csvText } from "../../../domain/csv-cell.ts";
import { InvariantViolation } from "../../../domain/invariant.ts";
import type { Millis } from "../../../domain/time.ts";
import type { JournalReader, StoredEntry } from "../../../journal/journal-reader.ts";
import type { Entry } from "../../../journal/record.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { booksCurrency, exportBooks } from "./export-books.ts";
import { csvLine, exportTo, placeAll, writtenText } from "./export-out.ts";
import { readable, withReader } from "./open-reader.ts";
import { summaryOf } from "./summary.ts";

export type ExportOptions = {
  readonly csv?: string;
  readonly json?: string;
  readonly books?: string;
  readonly lots?: string;
  readonly days?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  /** Another file than the configured one. */
  readonly journal?: string;
};

/** Lines before, per record and after. */
type Format = {
  readonly opening: string;
  readonly line: (stored: StoredEntry, isFirst: boolean) => string;
  readonly closing: string | undefined;
};

export function exportJournal(shell: Shell, options: ExportOptions): ExitCode {
  const { csv, json, books, lots, days, from, to, journal } = options;
  const isBooks = [books, lots, days].some((one) => one !== undefined);
  if (csv === undefined && isBooks)
    return exportBooks(shell, { files: { books, lots, days, totals: json }, from, to, journal });
  const file = csv ?? json;
  if (file === undefined || isBooks || (csv !== undefined && json !== undefined))
    throw new CommandFailure(
      exitCode.usage,
      "one of --csv FILE, --json FILE and --books FILE is needed (--lots FILE, --days FILE and --json FILE beside --books); - is stdout",
    );
  if (from !== undefined || to !== undefined)
    throw new CommandFailure(
      exitCode.usage,
      "--from and --to are for --books, --lots and --days: --csv and --json alone have every record, so that the chain can be checked",
    );
  return withReader(
    shell,
    (reader) => {
      const format = csv === undefined ? asJson : asCsv(shell, reader);
      const out = exportTo(shell, file);
      let records = 0;
      try {
        out.line(format.opening);
        for (const read of reader.after(0)) {
          out.line(format.line(readable(read), records === 0));
          records += 1;
        }
        if (format.closing !== undefined) out.line(format.closing);
        placeAll([out]);
      } catch (error) {
        out.discard();
        throw error;
      }
      if (file !== "-") shell.terminal.note(writtenText(records, "record", file));
      return exitCode.done;
    },
    journal,
  );
}

const asJson: Format = {
  opening: "[",
  line: ({ entry, text }, isFirst) => `${isFirst ? " " : ","}${text.slice(0, -1)},"hash":"${entry.hash}"}`,
  closing: "]",
};

function asCsv(shell: Shell, reader: JournalReader): Format {
  const bookingIn = bookingMark(shell, reader);
  return {
    opening: "sequence,at,writer,kind,what,booking,hash,entry",
    line: ({ entry, text }) =>
      `${csvLine([
        String(entry.sequence),
        new Date(entry.record.at).toISOString(),
        entry.writer,
        entry.record.kind,
        summaryOf(entry.record),
        bookingIn(entry),
        entry.hash,
      ])},${csvText(text)}`,
    closing: undefined,
  };
}

/**
 * The same fill stands in several records: the one that moved the books has the kind of its booking. Whatever stands in a journal,
 * its records can be exported: where one does not fit the books, it is not known of those after it what they moved.
 */
function bookingMark(shell: Shell, reader: JournalReader): (entry: Entry) => string {
  const bookings = new Bookings(booksCurrency(shell, reader));
  let isLost = false;
  return (entry) => {
    if (isLost) return "unknown";
    try {
      return bookings.take(entry)[0]?.kind ?? "";
    } catch (error) {
      if (!(error instanceof InvariantViolation)) throw error;
      shell.terminal.note(`the column booking is unknown from record ${entry.sequence} on: ${error.message}`);
      isLost = true;
      return "unknown";
    }
  };
}
