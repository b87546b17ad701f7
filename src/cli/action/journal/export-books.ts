// `journal export --books`: each movement of money once, lots, and totals that are compared with the bot's own books before the
// command counts as done. Record by record: only trades that history has not named yet wait for their line.

import { resolve } from "node:path";
import { type Booking, Bookings } from "../../../bot/bookkeeping/bookings.ts";
import { Lots } from "../../../bot/bookkeeping/lots.ts";
import { type AssetTotals, pairTotals, Totals } from "../../../bot/bookkeeping/reconciled.ts";
import type { Asset } from "../../../domain/asset.ts";
import { InvariantViolation } from "../../../domain/invariant.ts";
import type { JournalReader } from "../../../journal/journal-reader.ts";
import type { Entry } from "../../../journal/record.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { botConfig } from "../../bot-config.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { BOOKS_TITLES, bookingCells, LOTS_TITLES, lotCells, totalCells } from "./books-table.ts";
import { csvLine, exportTo, type Out } from "./export-out.ts";
import { journalPath, problemLine, readable, withReader } from "./open-reader.ts";

export type BooksOptions = {
  readonly books: string | undefined;
  readonly lots: string | undefined;
  readonly totals: string | undefined;
};

export function exportBooks(shell: Shell, { books, lots, totals }: BooksOptions): ExitCode {
  const files = requireApart([books, lots, totals]);
  return withReader(shell, (reader) => {
    const ledger = new Ledger(reader, booksCurrency(shell, reader));
    const sinks: Sink[] = [];
    try {
      for (const file of [books, lots, totals]) sinks.push(counting(shell, file));
      const [booked, lotted, summed] = sinks as [Sink, Sink, Sink];
      booked.out?.line(csvLine(BOOKS_TITLES));
      lotted.out?.line(csvLine(LOTS_TITLES));
      ledger.read(booked.take, lotted.take);
      for (const total of ledger.assets()) booked.out?.line(csvLine(totalCells(total)));
      const differences = ledger.differences();
      // A copy may have no anchor: its books are told, and that nobody knows whether they are all.
      const damage = reader.anchorProblem();
      if (damage !== undefined) shell.terminal.note(`it may not be all: ${problemLine(journalPath(shell), damage)}`);
      summed.out?.line(JSON.stringify({ ...ledger.summary(differences), damage: damage?.kind }, undefined, 2));
      for (const { out } of sinks) out?.close();
      if (booked.isFile) shell.terminal.note(`${booked.lines} bookings written to ${books}`);
      if (lotted.isFile) shell.terminal.note(`${lotted.lines} lots and parts of lots written to ${lots}`);
      if (!files.includes("-")) printTotals(shell, ledger.assets());
      return concluded(shell, differences);
    } catch (error) {
      for (const { out } of sinks) out?.discard();
      throw error;
    }
  });
}

/** Before one of them is made: a second try would find it there. */
function requireApart(named: readonly (string | undefined)[]): readonly string[] {
  const files = named.filter((file) => file !== undefined);
  if (new Set(files.map((file) => (file === "-" ? file : resolve(file)))).size < files.length)
    throw new CommandFailure(exitCode.usage, "--books, --lots and --json must each go to a place of their own");
  return files;
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

type Write = (cells: readonly string[]) => void;

/** What the journal counts in; before the first mark what the limits are in. */
export function booksCurrency(shell: Shell, reader: JournalReader): Asset {
  return reader.firstMark()?.asset ?? (limitsOf(botConfig(shell)).currency as Asset);
}

/** So many bookings wait at most for one that history has not named. */
const WAITING_MAX = 10_000;

class Ledger {
  readonly #reader: JournalReader;
  readonly #bookings: Bookings;
  readonly #lots = new Lots();
  readonly #totals = new Totals();
  #count = 0;
  #unpriced = 0;
  #head = { sequence: 0, hash: "" };

  constructor(reader: JournalReader, currency: Asset) {
    this.#reader = reader;
    this.#bookings = new Bookings(currency);
  }

  read(booked: Write, lotted: Write): void {
    const { currency } = this.#bookings;
    // In their order, and a trade with the id that history gives it: those after one wait with it.
    const waiting: Booking[] = [];
    for (const read of this.#reader.telling(0)) {
      const { entry } = readable(read);
      this.#head = { sequence: entry.sequence, hash: entry.hash };
      for (const booking of this.#taken(entry)) {
        this.#count++;
        if (booking.kind === "trade" && booking.value === undefined) this.#unpriced++;
        this.#totals.take(booking);
        for (const row of this.#lots.take(booking)) lotted(lotCells(row));
        waiting.push(booking);
      }
      const unnamed = waiting.findIndex(({ isWaiting }) => isWaiting);
      const ready = unnamed < 0 ? waiting.length : Math.max(unnamed, waiting.length - WAITING_MAX);
      if (ready > 0) for (const booking of waiting.splice(0, ready)) booked(bookingCells(booking, currency));
    }
    for (const booking of waiting) booked(bookingCells(booking, currency));
    for (const row of this.#lots.open()) lotted(lotCells(row));
  }

  #taken(entry: Entry): readonly Booking[] {
    try {
      return this.#bookings.take(entry);
    } catch (error) {
      if (!(error instanceof InvariantViolation)) throw error;
      const message = `record ${entry.sequence} does not fit the books of those before it: ${error.message}`;
      throw new CommandFailure(exitCode.failed, message, "pegbot journal verify says whether the journal is intact");
    }
  }

  assets(): readonly AssetTotals[] {
    return this.#totals.assets(this.#bookings.accounts);
  }

  differences(): readonly string[] {
    return this.#totals.differences(this.#bookings.accounts, this.#lots);
  }

  /** Amounts are decimal text. */
  summary(differences: readonly string[]) {
    const { accounts, books, currency } = this.#bookings;
    const { turnover, fees, realised, mintFees, railFees, brought, unvalued, unvaluedFees } = books.shown.totals;
    return {
      last: this.#head,
      bookings: this.#count,
      currency,
      assets: this.assets().map(({ asset, opening, came, went, fees, realised, onAccount, inFlight }) => ({
        ...{ asset, opening: String(opening), in: String(came), out: String(went), fees: String(fees) },
        held: String(onAccount.plus(inFlight)),
        ...{ onAccount: String(onAccount), inFlight: String(inFlight), realised: String(realised) },
      })),
      pairs: pairTotals(accounts, this.#lots).map(({ pair, average, lots }) => ({
        ...{ pair, position: String(average.amount) },
        averageCost: { cost: String(average.cost), realised: String(average.realised) },
        fifo: lots && { openLots: lots.lots, cost: String(lots.cost), realised: String(lots.realised) },
      })),
      inCurrency: {
        ...{ turnover: String(turnover), fees: String(fees), realised: String(realised) },
        ...{ mintFees: String(mintFees), railFees: String(railFees), brought: String(brought) },
        withoutRate: { fills: this.#unpriced, brought: unvalued, fees: unvaluedFees },
      },
      differences,
    };
  }
}

function concluded(shell: Shell, differences: readonly string[]): ExitCode {
  if (differences.length === 0) return exitCode.done;
  throw new CommandFailure(
    exitCode.failed,
    `the bookings do not come to the books of journal ${journalPath(shell)}: ${differences.join("; ")}`,
    "do not use these files: pegbot journal verify says whether the journal is intact",
  );
}

function printTotals({ terminal }: Shell, assets: readonly AssetTotals[]): void {
  const right = (title: string) => ({ title, align: "right" as const });
  const titles = ["opening", "in", "out", "fees", "held", "in flight of it", "realised"];
  terminal.table(
    [{ title: "asset" }, ...titles.map(right)],
    assets.map(({ asset, opening, came, went, fees, onAccount, inFlight, realised }) =>
      [asset, opening, came, went, fees, onAccount.plus(inFlight), inFlight, realised].map(String),
    ),
  );
}
