// `journal export`: writes the records one by one, so that a journal of any length fits in memory. A file is new and
// private and has the stored text with its hash, so that the chain can be checked elsewhere.

import { closeSync, fsyncSync, lstatSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { JOURNAL_FILE, journalPath, problemLine, readable, withReader } from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { Bookings } from "../../bot/bookkeeping/bookings.ts";
import type { AssetTotals } from "../../bot/bookkeeping/reconciled.ts";
import type { Change, Worth } from "../../bot/bookkeeping/worth.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { freshPath, placeNew, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf, writeWhole } from "../../disk/new-file.ts";
import type { Asset } from "../../domain/asset.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { csvCell, csvText } from "../../domain/csv-cell.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import { printableJson } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import type { Entry } from "../../journal/record.ts";
import { columns } from "../columns.ts";
import { day } from "../option/values.ts";
import { summaryOf } from "./journal.ts";
import { BOOKS_TITLES, BooksLedger, type Period, totalCells, UNKNOWN, type Write } from "./journal-books.ts";

export function defineExport(command: Command, run: Run): void {
  command
    .option("--csv <file>", "as a table: number, time, kind, what, and the record")
    .option("--json <file>", "as a JSON list, one record a line; beside --books its totals")
    .option("--books <file>", "for bookkeeping: each movement of money once, with fee, cost and profit")
    .option("--from <day>", "of --books: from this UTC day on, such as 2026-01-01", day)
    .option("--to <day>", "and before this one: 2026-02-01 ends with the last of January", day)
    .option("--journal <file>", JOURNAL_FILE)
    .action((options: ExportOptions) => run((shell) => exportJournal(shell, options)));
}

type ExportOptions = {
  readonly csv?: string;
  readonly json?: string;
  readonly books?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  /** A file other than the configured one. */
  readonly journal?: string;
};

export function exportJournal(shell: Shell, options: ExportOptions): ExitCode {
  const { csv, json, books, from, to, journal } = options;
  if (csv === undefined && books !== undefined) return exportBooks(shell, { books, totals: json, from, to, journal });
  const file = csv ?? json;
  if (file === undefined || books !== undefined || (csv !== undefined && json !== undefined))
    throw usageFailure(
      "one of --csv FILE, --json FILE and --books FILE is needed (--json FILE beside --books); - is stdout",
    );
  if (from !== undefined || to !== undefined)
    throw usageFailure(
      "--from and --to are for --books: --csv and --json alone have every record, so that the chain can be checked",
    );
  const write = csv === undefined ? writeJson : writeCsv(shell);
  return withReader(shell, (reader) => exporting(shell, (open) => write(reader, open(file, "record"))), journal);
}

function writeJson(reader: JournalReader, out: Out): void {
  out.line("[");
  for (const read of reader.after(0)) {
    const { entry, text } = readable(read);
    out.line(`${out.rows++ === 0 ? " " : ","}${text.slice(0, -1)},"hash":"${entry.hash}"}`);
  }
  out.line("]");
}

function writeCsv(shell: Shell): (reader: JournalReader, out: Out) => void {
  return (reader, out) => {
    const bookingIn = bookingMark(shell, reader);
    out.line("sequence,at,writer,kind,what,booking,hash,entry");
    for (const read of reader.after(0)) {
      const { entry, text } = readable(read);
      const { sequence, record, writer, hash } = entry;
      const at = new Date(record.at).toISOString();
      const cells = [String(sequence), at, writer, record.kind, summaryOf(record), bookingIn(entry), hash];
      out.line(`${csvLine(cells)},${csvText(text)}`);
      out.rows++;
    }
  };
}

/**
 * Several records contain the same fill: the one that moved the books is marked with the kind of its booking. Every
 * journal can be exported: after a record that does not fit the books, the marks are unknown.
 */
function bookingMark(shell: Shell, reader: JournalReader): (entry: Entry) => string {
  let bookings: Bookings | undefined = new Bookings(booksCurrency(shell, reader));
  return (entry) => {
    try {
      return bookings === undefined ? UNKNOWN : (bookings.take(entry)[0]?.kind ?? "");
    } catch (error) {
      if (!(error instanceof InvariantViolation)) throw error;
      shell.terminal.note(`the column booking is unknown from record ${entry.sequence} on: ${error.message}`);
      bookings = undefined;
      return UNKNOWN;
    }
  };
}

type BooksOptions = Period & {
  readonly books: string;
  readonly totals: string | undefined;
  readonly journal: string | undefined;
};

function exportBooks(shell: Shell, { books, totals, from, to, journal }: BooksOptions): ExitCode {
  const named = requireApart([books, totals]);
  requireForward({ from, to });
  const path = journalPath(shell, journal);
  const write = (reader: JournalReader, open: Open): void => {
    const ledger = new BooksLedger(reader, booksCurrency(shell, reader), { from, to });
    const [booked, summed] = [open(books, "booking"), open(totals, undefined)];
    booked.line(csvLine(BOOKS_TITLES));
    const { assets, differences, summary, isOpened } = ledger.read(rowsTo(booked));
    for (const total of assets) booked.line(csvLine(totalCells(total)));
    const change = ledger.change();
    // A copy may have no anchor: its books are exported with a note that they may be incomplete.
    const damage = reader.anchorProblem();
    if (damage !== undefined) shell.terminal.note(`it may not be all: ${problemLine(path, damage)}`);
    const told = { ...summary, period: { from: dayOf(from), to: dayOf(to) }, worth: worthText(change) };
    summed.line(JSON.stringify({ ...told, damage: damage?.kind }, undefined, 2));
    if (!named.includes("-")) printTotals(shell, assets, ledger.currency, change);
    requireEqual(differences, path, named);
    if (to !== undefined && change.closing === undefined) shell.terminal.note(isOpened ? unclosed(to) : unopened(to));
  };
  return withReader(shell, (reader) => exporting(shell, (open) => write(reader, open)), journal);
}

/** Checked before any file is made: a second attempt would find it there. */
function requireApart(named: readonly (string | undefined)[]): readonly string[] {
  const files = named.filter((file) => file !== undefined);
  if (new Set(files.map((file) => (file === "-" ? file : resolve(file)))).size < files.length)
    throw usageFailure("--books and --json must each go to a place of their own");
  return files;
}

function requireForward({ from, to }: Period): void {
  if (from === undefined || to === undefined || from < to) return;
  throw usageFailure(
    `--from must be before --to, was ${dayOf(from)} and ${dayOf(to)}`,
    "--to is the first day that is not in it any more: January is --from 2026-01-01 --to 2026-02-01",
  );
}

function unopened(to: number): string {
  return `there is nothing in it: the journal begins after this period, which ends before ${dayOf(to)}; an older one may lie in the archive (--journal)`;
}

function unclosed(to: number): string {
  return `what is held at the end is not valued: the journal has no equity from ${dayOf(to)} on; export again when the bot has run on that day`;
}

function dayOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10);
}

/** The journal's currency; before the first mark that of the limits. */
function booksCurrency(shell: Shell, reader: JournalReader): Asset {
  return reader.firstMark()?.asset ?? (limitsOf(botConfig(shell)).currency as Asset);
}

/** Unknown values are left out. */
function worthText({ opening, brought, profit, closing }: Change) {
  const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
  const worth = (one: Worth | undefined) => one && { value: text(one.value), ratesAt: new Date(one.at).toISOString() };
  return { opening: worth(opening), brought: text(brought), profit: text(profit), closing: worth(closing) };
}

/** Checked before a file gets its name: unbalanced books must not remain as a file after the error. */
function requireEqual(differences: readonly string[], path: string, named: readonly string[]): void {
  if (differences.length === 0) return;
  const left = named.includes("-") ? "do not use what was printed" : "no file is made";
  throw plainFailure(
    `the bookings do not come to the books of journal ${path}: ${differences.join("; ")}`,
    `${left}: pegbot journal verify says whether the journal is intact`,
  );
}

function printTotals({ terminal }: Shell, assets: readonly AssetTotals[], currency: Asset, change: Change): void {
  terminal.table(
    columns("asset", ">opening", ">in", ">out", ">fees", ">held", ">in flight of it", ">realised"),
    assets.map(({ asset, opening, came, went, fees, onAccount, inFlight, realised }) =>
      [asset, opening, came, went, fees, onAccount.plus(inFlight), inFlight, realised].map(String),
    ),
  );
  const { opening, brought, profit, closing } = change;
  const worth = [opening?.value, brought, profit, closing?.value].map((value) => String(value ?? UNKNOWN));
  terminal.print();
  terminal.table(columns(`all of it in ${currency}`, ">opening", ">brought", ">profit", ">closing"), [
    ["worth", ...worth],
  ]);
  if (worth.includes(UNKNOWN))
    terminal.print(
      "unknown: the journal has no equity there yet, or something that was brought had no rate; --to DAY ends with the equity of a day",
    );
}

type Out = {
  /** Rows written, without headers. */
  rows: number;
  line(text: string): void;
  /** On return the file is complete, on disk and under its name. */
  place(): void;
  /** Removes the file, finished or not, if it or one of the others failed. */
  discard(): void;
};

/** `what` names a row in the message; undefined for no message. */
type Open = (file: string | undefined, what: string | undefined) => Out;

function rowsTo(out: Out): Write {
  return (cells) => {
    out.rows++;
    out.line(csvLine(cells));
  };
}

/** Places all files, or none. */
function exporting(shell: Shell, write: (open: Open) => void): ExitCode {
  const outs: Out[] = [];
  try {
    write((file, what) => {
      const out = file === undefined || file === "-" ? toTerminal(shell, file) : toFile(shell, file, what);
      outs.push(out);
      return out;
    });
    for (const out of outs) out.place();
    return exitCode.done;
  } catch (error) {
    for (const out of outs) out.discard();
    throw error;
  }
}

/** A screen gets unprintable characters escaped; a pipe gets the text as stored. */
function toTerminal({ terminal }: Shell, file: "-" | undefined): Out {
  const print = (text: string): void => terminal.print(terminal.isScreen ? printableJson(text) : text);
  return { rows: 0, line: file === undefined ? () => {} : print, place: () => {}, discard: () => {} };
}

/**
 * Written to a temporary file next to its place until it is complete, so that a partial export never passes for a whole
 * one.
 */
function toFile({ terminal }: Shell, path: string, what: string | undefined): Out {
  const file = fileBeside(path);
  let waiting = "";
  let stage: "open" | "closed" | "placed" = "open";
  const flush = (): void => {
    writing(path, () => writeWhole(file, waiting));
    waiting = "";
  };
  return {
    rows: 0,
    line(text) {
      waiting += `${text}\n`;
      if (waiting.length > 65_536) flush();
    },
    place() {
      flush();
      writing(path, () => fsyncSync(file));
      stage = "closed";
      closeSync(file);
      writing(path, () => placeNew(freshPath(path), path));
      stage = "placed";
      syncFolderOf(path);
      if (what !== undefined) terminal.note(`${this.rows} ${what}${this.rows === 1 ? "" : "s"} written to ${path}`);
    },
    discard() {
      if (stage === "open") closeSync(file);
      if (stage === "placed") rmSync(path, { force: true });
      else removeFresh(path);
      terminal.note(`${path} is not made: what was written of it is removed`);
    },
  };
}

function fileBeside(path: string): number {
  // Also true for a dangling link, which is kept.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw usageFailure(`${path} exists already, and is never overwritten`);
  try {
    removeLeftovers(path);
    return openNew(freshPath(path), 0o600);
  } catch (error) {
    throw usageFailure(`${path} cannot be made: ${errorMessage(error)}`);
  }
}

/** Only failures of the written file; failures of the journal being read are reported as such. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const next = "free some disk space, or name another place";
    throw plainFailure(`${path} could not be written: ${errorMessage(error)}`, next);
  }
}

function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}
