// `journal export`: every record, one by one, so that a journal of any length fits. A file is new and private; what is
// exported is the stored text itself, with its hash, so that the chain can be checked elsewhere.

import { closeSync, fsyncSync, lstatSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { limitsOf } from "../../app/bot/core-of.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../../app/command-failure.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { JOURNAL_FILE, journalPath, problemLine, readable, withReader } from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { Bookings } from "../../bot/bookkeeping/bookings.ts";
import type { AssetTotals } from "../../bot/bookkeeping/reconciled.ts";
import type { Change, Worth } from "../../bot/bookkeeping/worth.ts";
import { freshPath, placeNew, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf, writeWhole } from "../../disk/new-file.ts";
import type { Asset } from "../../domain/asset.ts";
import { csvCell, csvText } from "../../domain/csv-cell.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import { printableJson } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { JournalReader, StoredEntry } from "../../journal/journal-reader.ts";
import type { Entry } from "../../journal/record.ts";
import { columns } from "../columns.ts";
import { day } from "../option/values.ts";
import { summaryOf } from "./journal.ts";
import {
  BOOKS_TITLES,
  BooksLedger,
  DAYS_TITLES,
  LOTS_TITLES,
  type Period,
  totalCells,
  UNKNOWN,
  type Write,
} from "./journal-books.ts";

export function defineExport(command: Command, run: Run): void {
  command
    .option("--csv <file>", "as a table: number, time, kind, what, and the record")
    .option("--json <file>", "as a JSON list, one record a line; beside --books its totals")
    .option("--books <file>", "for bookkeeping: each movement of money once, with fee, cost and profit")
    .option("--lots <file>", "beside --books or alone: lots, first in first out")
    .option(
      "--days <file>",
      "beside --books or alone: what was held at the ends of each day in the currency of the limits",
    )
    .option("--from <day>", "of --books, --lots and --days: from this UTC day on, such as 2026-01-01", day)
    .option("--to <day>", "and before this one: 2026-02-01 ends with the last of January", day)
    .option("--journal <file>", JOURNAL_FILE)
    .action((options: ExportOptions) => run((shell) => exportJournal(shell, options)));
}

type ExportOptions = {
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
    throw usageFailure(
      "one of --csv FILE, --json FILE and --books FILE is needed (--lots FILE, --days FILE and --json FILE beside --books); - is stdout",
    );
  if (from !== undefined || to !== undefined)
    throw usageFailure(
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

type BooksFiles = {
  readonly books: string | undefined;
  readonly lots: string | undefined;
  readonly days: string | undefined;
  readonly totals: string | undefined;
};
type BooksOptions = Period & { readonly files: BooksFiles; readonly journal: string | undefined };

function exportBooks(shell: Shell, { files, from, to, journal }: BooksOptions): ExitCode {
  const named = requireApart([files.books, files.lots, files.days, files.totals]);
  requireForward({ from, to });
  const exported = (reader: JournalReader): ExitCode => {
    const ledger = new BooksLedger(reader, booksCurrency(shell, reader), { from, to });
    const sinks: Sink[] = [];
    const notes: string[] = [];
    const sinkOf = (file: string | undefined): Sink => {
      const sink = counting(shell, file);
      sinks.push(sink);
      return sink;
    };
    try {
      const [booked, lotted, dayed] = [sinkOf(files.books), sinkOf(files.lots), sinkOf(files.days)];
      const summed = sinkOf(files.totals);
      booked.out?.line(csvLine(BOOKS_TITLES));
      lotted.out?.line(csvLine(LOTS_TITLES));
      dayed.out?.line(csvLine(DAYS_TITLES));
      const { assets, differences, summary, isOpened } = ledger.read(booked.take, lotted.take);
      for (const total of assets) booked.out?.line(csvLine(totalCells(total)));
      ledger.tellDays(dayed.take);
      const change = ledger.change();
      // A copy may have no anchor: its books are told, and that nobody knows whether they are all.
      const damage = reader.anchorProblem();
      if (damage !== undefined)
        shell.terminal.note(`it may not be all: ${problemLine(journalPath(shell, journal), damage)}`);
      const told = { ...summary, period: { from: dayOf(from), to: dayOf(to) }, worth: worthText(change) };
      summed.out?.line(JSON.stringify({ ...told, damage: damage?.kind }, undefined, 2));
      if (!named.includes("-")) printTotals(shell, assets, ledger.currency, change);
      requireEqual(differences, journalPath(shell, journal), named);
      if (booked.isFile) notes.push(writtenText(booked.lines, "booking", files.books));
      if (lotted.isFile) notes.push(`${lotted.lines} lots and parts of lots written to ${files.lots}`);
      if (dayed.isFile) notes.push(writtenText(dayed.lines, "day", files.days));
      if (to !== undefined && change.closing === undefined) notes.push(isOpened ? unclosed(to) : unopened(to));
      placeAll(sinks.flatMap(({ out }) => out ?? []));
    } catch (error) {
      for (const { out } of sinks) out?.discard();
      throw error;
    }
    for (const note of notes) shell.terminal.note(note);
    return exitCode.done;
  };
  return withReader(shell, exported, journal);
}

/** Before one of them is made: a second try would find it there. */
function requireApart(named: readonly (string | undefined)[]): readonly string[] {
  const files = named.filter((file) => file !== undefined);
  if (new Set(files.map((file) => (file === "-" ? file : resolve(file)))).size < files.length)
    throw usageFailure("--books, --lots, --days and --json must each go to a place of their own");
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

type Sink = { readonly out: Out | undefined; readonly isFile: boolean; lines: number; readonly take: Write };

function counting(shell: Shell, file: string | undefined): Sink {
  const out = file === undefined ? undefined : exportTo(shell, file);
  const sink: Sink = {
    ...{ out, isFile: file !== undefined && file !== "-", lines: 0 },
    take: (cells) => {
      sink.lines++;
      out?.line(csvLine(cells));
    },
  };
  return sink;
}

/** What the journal counts in; before the first mark what the limits are in. */
function booksCurrency(shell: Shell, reader: JournalReader): Asset {
  return reader.firstMark()?.asset ?? (limitsOf(botConfig(shell)).currency as Asset);
}

/** What is not known is absent. */
function worthText({ opening, brought, profit, closing }: Change) {
  const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
  const worth = (one: Worth | undefined) => one && { value: text(one.value), ratesAt: new Date(one.at).toISOString() };
  return { opening: worth(opening), brought: text(brought), profit: text(profit), closing: worth(closing) };
}

/** Before a file stands under its name: what does not come out is not to be found there by who did not read the error. */
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
  line(text: string): void;
  /** Whole and on disk when it returns, but not under its name yet. */
  finish(): void;
  /** Puts the finished file under its name. */
  place(): void;
  /** It is not wanted, or not without the others: nothing of it is left, whatever it was. */
  discard(): void;
};

/** All of them under their names, or none: who fails here discards them. */
function placeAll(outs: readonly Out[]): void {
  for (const out of outs) out.finish();
  for (const out of outs) out.place();
}

function writtenText(count: number, what: string, file: string | undefined): string {
  return `${count} ${what}${count === 1 ? "" : "s"} written to ${file}`;
}

/** `-` is stdout. */
function exportTo(shell: Shell, file: string): Out {
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
    throw refused(path, `cannot be made: ${errorMessage(error)}`);
  }
}

/** Not of the journal that is being read, whose own failures are told as such. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const next = "free some disk space, or name another place";
    throw plainFailure(`${path} could not be written: ${errorMessage(error)}`, next);
  }
}

const TAKEN = "exists already, and is never overwritten";

function refused(path: string, why: string): CommandFailure {
  return usageFailure(`${path} ${why}`);
}

function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}
