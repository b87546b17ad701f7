// `journal export`: the records one by one, so that a journal of any length fits in memory, or the books of a period. A file
// is new and private; the records have the stored text with its hash, so that the chain can be checked elsewhere.

import { closeSync, fsyncSync, lstatSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { JOURNAL_FILE, journalPath, problemLine, readable, withReader } from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import type { AssetTotals } from "../../bot/bookkeeping/reconciled.ts";
import type { Change, Worth } from "../../bot/bookkeeping/worth.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { freshPath, placeNew, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf, writeWhole } from "../../disk/new-file.ts";
import { amountText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printableJson } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import { columns } from "../columns.ts";
import { day, month } from "../option/values.ts";
import { BooksLedger, type Period } from "./journal-books.ts";
import { booksWriter, FORMATS, type Format, UNKNOWN } from "./journal-postings.ts";

export function defineExport(command: Command, run: Run): void {
  command
    .option("--json <file>", "every record as a JSON list, one a line; with --books its totals")
    .option(
      "--books <file>",
      "for bookkeeping, in double entry: each movement of money once, with fee and average cost",
    )
    .addOption(new Option("--format <name>", "of --books").choices(FORMATS).default("csv"))
    .option("--month <month>", "of --books: 2026-01, from its opening balances to its closing ones", month)
    .option("--from <day>", "of --books: from this UTC day on, such as 2026-01-01", day)
    .option("--to <day>", "and before this one: 2026-02-01 ends with the last of January", day)
    .option("--journal <file>", JOURNAL_FILE)
    .action((options: ExportOptions) => run((shell) => exportJournal(shell, options)));
}

type ExportOptions = {
  readonly json?: string;
  readonly books?: string;
  readonly format?: Format;
  readonly month?: Period;
  readonly from?: Millis;
  readonly to?: Millis;
  /** A file other than the configured one. */
  readonly journal?: string;
};

export function exportJournal(shell: Shell, options: ExportOptions): ExitCode {
  const { json, books, format = "csv", month, journal } = options;
  if (month !== undefined && (options.from ?? options.to) !== undefined)
    throw usageFailure("--month is --from and --to of a month: give one of them");
  const { from, to } = month ?? { from: options.from, to: options.to };
  if (books !== undefined) return exportBooks(shell, { books, totals: json, format, from, to, journal });
  if (json === undefined) throw usageFailure("--json FILE or --books FILE is needed; - is stdout");
  if (from !== undefined || to !== undefined)
    throw usageFailure("--from and --to are for --books: --json has every record, so that the chain can be checked");
  return withReader(shell, (reader) => exporting(shell, (open) => writeRecords(reader, open(json))), journal);
}

function writeRecords(reader: JournalReader, write: Write): void {
  write("[");
  let before = " ";
  for (const read of reader.after(0)) {
    const { entry, text } = readable(read);
    write(`${before}${text.slice(0, -1)},"hash":"${entry.hash}"}`);
    before = ",";
  }
  write("]");
}

type BooksOptions = Period & {
  readonly books: string;
  readonly totals: string | undefined;
  readonly format: Format;
  readonly journal: string | undefined;
};

function exportBooks(shell: Shell, { books, totals, format, from, to, journal }: BooksOptions): ExitCode {
  const named = requireApart([books, totals]);
  requireForward({ from, to });
  const path = journalPath(shell, journal);
  const write = (reader: JournalReader, open: Open): void => {
    const ledger = new BooksLedger(reader, booksCurrency(shell, reader), { from, to });
    const [booked, summed] = [open(books), totals === undefined ? undefined : open(totals)];
    const { environment } = reader.opening;
    const writer = booksWriter(format, ledger.currency, environment, booked);
    const { assets, differences, summary, isOpened } = ledger.read((booking) => writer.booked(booking));
    const change = ledger.change();
    // A period that is not over ends with its last booking.
    writer.closed(assets, change.closing && to);
    // A copy may have no anchor: its books are exported with a note that they may be incomplete.
    const damage = reader.anchorProblem();
    if (damage !== undefined) shell.terminal.note(`it may not be all: ${problemLine(path, damage)}`);
    const told = {
      environment,
      ...summary,
      period: { from: dayOf(from), to: dayOf(to) },
      worth: worthText(change),
    };
    summed?.(JSON.stringify({ ...told, damage: damage?.kind }, undefined, 2));
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
    `the bookings do not add up to the books of journal ${path}: ${differences.join("; ")}`,
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
  const worth = [opening?.value, brought, profit, closing?.value].map((one) => (one ? amountText(`${one}`) : UNKNOWN));
  terminal.print();
  terminal.table(columns(`all of it in ${currency}`, ">opening", ">brought", ">profit", ">closing"), [
    ["worth", ...worth],
  ]);
  if (worth.includes(UNKNOWN))
    terminal.print(
      "unknown: the journal has no equity there yet, or an amount brought in had no rate; --to DAY ends with the equity of a day",
    );
  terminal.print();
}

type Write = (line: string) => void;
type Open = (file: string) => Write;

/** All files, or none; a screen gets unprintable characters escaped, a pipe the text as stored. */
function exporting({ terminal }: Shell, write: (open: Open) => void): ExitCode {
  const files: NewFile[] = [];
  try {
    write((path) => {
      if (path === "-") return (text) => terminal.print(terminal.isScreen ? printableJson(text) : text);
      const file = new NewFile(path);
      files.push(file);
      return (text) => file.write(`${text}\n`);
    });
    for (const file of files) file.place();
  } catch (error) {
    for (const file of files) file.discard();
    throw error;
  }
  for (const { path } of files) terminal.note(`written to ${path}`);
  return exitCode.done;
}

const WAITING_MAX = 65_536;

/** Has a temporary name until it is complete, so that a partial export never passes for a whole one. */
class NewFile {
  readonly path: string;
  readonly #file: number;
  #waiting = "";
  #stage: "open" | "closed" | "placed" = "open";

  constructor(path: string) {
    this.path = path;
    // Also true for a dangling link, which is kept.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      throw usageFailure(`${path} exists already, and is never overwritten`);
    try {
      removeLeftovers(path);
      this.#file = openNew(freshPath(path), 0o600);
    } catch (error) {
      throw usageFailure(`${path} cannot be made: ${errorMessage(error)}`);
    }
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > WAITING_MAX) this.#flush();
  }

  place(): void {
    this.#flush(true);
    closeSync(this.#file);
    this.#stage = "closed";
    placeNew(freshPath(this.path), this.path);
    this.#stage = "placed";
    syncFolderOf(this.path);
  }

  discard(): void {
    if (this.#stage === "open") closeSync(this.#file);
    if (this.#stage === "placed") rmSync(this.path, { force: true });
    else removeFresh(this.path);
  }

  #flush(isLast = false): void {
    try {
      writeWhole(this.#file, this.#waiting);
      if (isLast) fsyncSync(this.#file);
    } catch (error) {
      const next = "free some disk space, or name another place";
      throw plainFailure(`${this.path} could not be written, and is not made: ${errorMessage(error)}`, next);
    }
    this.#waiting = "";
  }
}
