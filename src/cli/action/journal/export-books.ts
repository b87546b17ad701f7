// `journal export --books`: each movement of money once, lots, days, and totals that are compared with the bot's own books before
// the command counts as done. Record by record: only trades that history has not named yet wait for their line.

import { resolve } from "node:path";
import type { AssetTotals } from "../../../bot/bookkeeping/reconciled.ts";
import type { Change, Worth } from "../../../bot/bookkeeping/worth.ts";
import type { Asset } from "../../../domain/asset.ts";
import type { JournalReader } from "../../../journal/journal-reader.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { CommandFailure } from "../../command-failure.ts";
import { botConfig } from "../../config/bot-config.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { BooksLedger, type Period, type Write } from "./books-ledger.ts";
import { BOOKS_TITLES, DAYS_TITLES, LOTS_TITLES, totalCells, UNKNOWN } from "./books-table.ts";
import { csvLine, exportTo, type Out, placeAll, writtenText } from "./export-out.ts";
import { journalPath, problemLine, withReader } from "./open-reader.ts";

type BooksFiles = {
  readonly books: string | undefined;
  readonly lots: string | undefined;
  readonly days: string | undefined;
  readonly totals: string | undefined;
};
export type BooksOptions = Period & { readonly files: BooksFiles; readonly journal: string | undefined };

export function exportBooks(shell: Shell, { files, from, to, journal }: BooksOptions): ExitCode {
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
      if (!named.includes("-")) {
        printTotals(shell, assets, ledger.currency, change);
        for (const why of isOpened ? unknowns(change, to) : []) shell.terminal.print(why);
      }
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
    throw new CommandFailure(exitCode.usage, "--books, --lots, --days and --json must each go to a place of their own");
  return files;
}

function requireForward({ from, to }: Period): void {
  if (from === undefined || to === undefined || from < to) return;
  throw new CommandFailure(
    exitCode.usage,
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
export function booksCurrency(shell: Shell, reader: JournalReader): Asset {
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
  throw new CommandFailure(
    exitCode.failed,
    `the bookings do not come to the books of journal ${path}: ${differences.join("; ")}`,
    `${left}: pegbot journal verify says whether the journal is intact`,
  );
}

/** Why the table has an unknown, where nothing else says so. */
function unknowns({ opening, brought, closing }: Change, to: number | undefined): readonly string[] {
  const unrated = "something that was brought had no rate";
  return [
    ...(opening === undefined ? ["opening is unknown: the journal has no equity from there on"] : []),
    ...(opening !== undefined && opening.value === undefined
      ? [`opening is unknown: ${unrated}, before the first equity from there on`]
      : []),
    ...(brought === undefined ? [`brought is unknown: ${unrated}, and has no value in --books`] : []),
    ...(closing === undefined && to === undefined
      ? [
          "closing is unknown: the journal ends there, and has no equity of it yet; --to DAY ends with the equity of a day",
        ]
      : []),
    ...(closing !== undefined && closing.value === undefined
      ? [`closing is unknown: ${unrated}, before the first equity from there on`]
      : []),
  ];
}

function printTotals({ terminal }: Shell, assets: readonly AssetTotals[], currency: Asset, change: Change): void {
  const right = (title: string) => ({ title, align: "right" as const });
  const titles = ["opening", "in", "out", "fees", "held", "in flight of it", "realised"];
  terminal.table(
    [{ title: "asset" }, ...titles.map(right)],
    assets.map(({ asset, opening, came, went, fees, onAccount, inFlight, realised }) =>
      [asset, opening, came, went, fees, onAccount.plus(inFlight), inFlight, realised].map(String),
    ),
  );
  const { opening, brought, profit, closing } = change;
  const worth = [opening?.value, brought, profit, closing?.value].map((value) => String(value ?? UNKNOWN));
  terminal.print();
  terminal.table(
    [{ title: `all of it in ${currency}` }, ...["opening", "brought", "profit", "closing"].map(right)],
    [["worth", ...worth]],
  );
}
