// The bookings of a journal, record by record, and those of a period: the opening balances, the bookings, and the
// closing balances. A period begins with the first step of its first day and ends before the first step after its last
// day, so that it closes exactly where the next one opens.

import { readable } from "../../app/journal/open-reader.ts";
import { type Booking, Bookings } from "../../bot/bookkeeping/bookings.ts";
import { type AssetTotals, Totals } from "../../bot/bookkeeping/reconciled.ts";
import { type Border, Borders, type Change, changeBetween, type Sums } from "../../bot/bookkeeping/worth.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import type { Entry } from "../../journal/record.ts";

/** `from` is inclusive, `to` exclusive. */
export type Period = { readonly from: Millis | undefined; readonly to: Millis | undefined };
type Booked = (booking: Booking) => void;

/** The result at the end of the period. Amounts in the summary are decimal text. */
type Closed = {
  readonly assets: readonly AssetTotals[];
  readonly differences: readonly string[];
  readonly summary: object;
  readonly border: Border;
  /** False if the period ended before the opening booking. */
  readonly isOpened: boolean;
};

/** The most bookings that wait for a trade without its id from history. */
const WAITING_MAX = 10_000;

type Began = {
  readonly border: Border;
  readonly sums: Sums;
  readonly realised: ReadonlyMap<PairSymbol, Money>;
};

export class BooksLedger {
  readonly currency: Asset;
  readonly #reader: JournalReader;
  readonly #period: Period;
  readonly #bookings: Bookings;
  #borders = new Borders();
  /** Kept in order: a trade waits for its id from history, and later bookings wait with it. */
  readonly #waiting: Booking[] = [];
  #totals = new Totals();
  #began: Began | undefined;
  #closed: Closed | undefined;
  #count = 0;
  #unpriced = 0;
  #isOpened = false;
  #latest = 0;
  #head = { sequence: 0, hash: "" };

  constructor(reader: JournalReader, currency: Asset, period: Period) {
    this.#reader = reader;
    this.#period = period;
    this.currency = currency;
    this.#bookings = new Bookings(currency);
  }

  read(booked: Booked): Closed {
    if (this.#period.from === undefined) this.#begin();
    for (const read of this.#reader.telling(0)) {
      const { entry } = readable(read);
      this.#reach(entry);
      if (this.#closed === undefined) this.#head = { sequence: entry.sequence, hash: entry.hash };
      for (const booking of this.#taken(entry)) this.#book(booking);
      this.#mark(entry);
      const unnamed = this.#waiting.findIndex(({ isWaiting }) => isWaiting);
      const ready = unnamed < 0 ? this.#waiting.length : Math.max(unnamed, this.#waiting.length - WAITING_MAX);
      this.#write(booked, ready);
      if (this.#closed?.border.worth !== undefined && this.#waiting.length === 0) break;
    }
    if (this.#began === undefined) this.#begin();
    const closed = this.#closed ?? this.#close();
    this.#write(booked, this.#waiting.length);
    return closed;
  }

  /** The change over the whole period; call it after `read`. */
  change(): Change {
    return changeBetween((this.#began as Began).border, (this.#closed as Closed).border);
  }

  get #sums(): Sums {
    return { ...this.#bookings.counters.shown.totals, unpriced: this.#unpriced };
  }

  /** Runs before the record is applied, so that its bookings count on its own day. */
  #reach({ record }: Entry): void {
    if (record.kind !== "step" || this.#closed !== undefined) return;
    const { from, to } = this.#period;
    this.#latest = Math.max(this.#latest, record.step.at);
    if (this.#began === undefined && from !== undefined && this.#latest >= from) this.#begin();
    if (this.#began !== undefined && to !== undefined && this.#latest >= to) this.#close();
  }

  #begin(): void {
    const { accounts } = this.#bookings;
    this.#began = {
      border: this.#borders.cut(this.#sums),
      sums: this.#sums,
      realised: new Map([...accounts.profit.positions].map(([pair, { realised }]) => [pair, realised])),
    };
    const { from } = this.#period;
    if (from === undefined) return;
    this.#totals = new Totals(accounts);
    for (const booking of this.#bookings.held(this.#head.sequence, from)) this.#take(booking);
  }

  #close(): Closed {
    const { accounts } = this.#bookings;
    const differences = this.#totals.differences(accounts);
    // The opening balances of the journal come after this period.
    if (!this.#isOpened) this.#borders = new Borders();
    const border = this.#isOpened ? this.#borders.cut(this.#sums) : { sums: this.#sums, worth: undefined };
    this.#closed = {
      ...{ assets: this.#totals.assets(accounts), differences, border, isOpened: this.#isOpened },
      summary: this.#summary(differences),
    };
    return this.#closed;
  }

  #taken(entry: Entry): readonly Booking[] {
    try {
      return this.#bookings.take(entry);
    } catch (error) {
      if (!(error instanceof InvariantViolation)) throw error;
      const message = `record ${entry.sequence} does not fit the books of those before it: ${error.message}`;
      throw plainFailure(message, "pegbot journal verify says whether the journal is intact");
    }
  }

  #book(booking: Booking): void {
    if (booking.kind === "opening") this.#isOpened = true;
    if (this.#closed !== undefined) return;
    if (booking.kind === "trade" && booking.value === undefined) this.#unpriced++;
    if (this.#began !== undefined) this.#take(booking);
  }

  #take(booking: Booking): void {
    this.#count++;
    this.#totals.take(booking);
    this.#waiting.push(booking);
  }

  #mark({ record }: Entry): void {
    if (record.kind !== "step" || record.step.mark === undefined) return;
    this.#borders.mark(record.step.mark, record.step.at, this.#sums);
  }

  #write(booked: Booked, ready: number): void {
    if (ready > 0) for (const booking of this.#waiting.splice(0, ready)) booked(booking);
  }

  #summary(differences: readonly string[]) {
    const { accounts } = this.#bookings;
    const { sums: before, realised } = this.#began as Began;
    const now = this.#sums;
    const since = (of: "turnover" | "fees" | "realised" | "mintFees" | "railFees" | "brought"): string =>
      String(now[of].minus(before[of]));
    return {
      last: this.#head,
      bookings: this.#count,
      currency: this.currency,
      assets: this.#totals
        .assets(accounts)
        .map(({ asset, opening, came, went, fees, realised, onAccount, inFlight }) => ({
          ...{ asset, opening: String(opening), in: String(came), out: String(went), fees: String(fees) },
          held: String(onAccount.plus(inFlight)),
          ...{ onAccount: String(onAccount), inFlight: String(inFlight), realised: String(realised) },
        })),
      pairs: [...accounts.profit.positions].map(([pair, average]) => ({
        ...{ pair, position: String(average.amount) },
        averageCost: { cost: String(average.cost), realised: less(average.realised, realised.get(pair)) },
      })),
      inCurrency: {
        ...{ turnover: since("turnover"), fees: since("fees"), realised: since("realised") },
        ...{ mintFees: since("mintFees"), railFees: since("railFees"), brought: since("brought") },
        withoutRate: {
          fills: now.unpriced - before.unpriced,
          brought: now.unvalued - before.unvalued,
          fees: now.unvaluedFees - before.unvaluedFees,
        },
      },
      differences,
    };
  }
}

function less(now: Money, then: Money | undefined): string {
  return String(then === undefined ? now : now.minus(then));
}
