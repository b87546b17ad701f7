// The bookings of a journal, record by record, and those of a period: the opening balances, the bookings, and the
// closing balances. A period begins with the first step of its first day and ends before the first step after its last
// day, so that it closes exactly where the next one opens.

import { plainFailure } from "../../app/command-failure.ts";
import { readable } from "../../app/journal/open-reader.ts";
import { type Booking, Bookings, type Leg } from "../../bot/bookkeeping/bookings.ts";
import { type LotRow, Lots } from "../../bot/bookkeeping/lots.ts";
import { type AssetTotals, pairTotals, Totals } from "../../bot/bookkeeping/reconciled.ts";
import { type Border, Borders, type Change, changeBetween, type Sums } from "../../bot/bookkeeping/worth.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import type { Entry } from "../../journal/record.ts";

/** `from` is inclusive, `to` exclusive. */
export type Period = { readonly from: Millis | undefined; readonly to: Millis | undefined };
export type Write = (cells: readonly string[]) => void;

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

type Day = { readonly number: number; readonly from: Border };
type Began = {
  readonly border: Border;
  readonly sums: Sums;
  readonly realised: ReadonlyMap<PairSymbol, { readonly average: Money; readonly lots: Money | undefined }>;
};

export class BooksLedger {
  readonly currency: Asset;
  readonly #reader: JournalReader;
  readonly #period: Period;
  readonly #bookings: Bookings;
  #borders = new Borders();
  readonly #lots = new Lots();
  readonly #days: Day[] = [];
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

  read(booked: Write, lotted: Write): Closed {
    if (this.#period.from === undefined) this.#begin();
    for (const read of this.#reader.telling(0)) {
      const { entry } = readable(read);
      this.#reach(entry);
      if (this.#closed === undefined) this.#head = { sequence: entry.sequence, hash: entry.hash };
      for (const booking of this.#taken(entry)) this.#book(booking, lotted);
      this.#mark(entry);
      const unnamed = this.#waiting.findIndex(({ isWaiting }) => isWaiting);
      const ready = unnamed < 0 ? this.#waiting.length : Math.max(unnamed, this.#waiting.length - WAITING_MAX);
      this.#write(booked, ready);
      if (this.#closed?.border.worth !== undefined && this.#waiting.length === 0) break;
    }
    if (this.#began === undefined) this.#begin();
    const closed = this.#closed ?? this.#close();
    this.#write(booked, this.#waiting.length);
    for (const row of this.#lots.open()) lotted(lotCells(row));
    return closed;
  }

  /** One row for each day with a step; call it after `read`. */
  tellDays(write: Write): void {
    const { border: end } = this.#closed as Closed;
    for (const [i, { number, from }] of this.#days.entries()) {
      const to = this.#days[i + 1]?.from ?? end;
      write(
        dayCells(new Date(number * DAY_MS).toISOString().slice(0, 10), from.sums, to.sums, changeBetween(from, to)),
      );
    }
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
    if (this.#began === undefined) return;
    if (to !== undefined && this.#latest >= to) {
      this.#close();
      return;
    }
    const number = Math.floor(this.#latest / DAY_MS);
    if (number !== this.#days.at(-1)?.number) this.#days.push({ number, from: this.#borders.cut(this.#sums) });
  }

  #begin(): void {
    const { accounts } = this.#bookings;
    const pairs = pairTotals(accounts, this.#lots);
    this.#began = {
      border: this.#borders.cut(this.#sums),
      sums: this.#sums,
      realised: new Map(
        pairs.map(({ pair, average, lots }) => [pair, { average: average.realised, lots: lots?.realised }]),
      ),
    };
    const { from } = this.#period;
    if (from === undefined) return;
    this.#totals = new Totals(accounts);
    for (const booking of this.#bookings.held(this.#head.sequence, from)) this.#take(booking);
  }

  #close(): Closed {
    const { accounts } = this.#bookings;
    const differences = this.#totals.differences(accounts, this.#lots);
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

  #book(booking: Booking, lotted: Write): void {
    if (booking.kind === "opening") this.#opened();
    if (this.#closed !== undefined) return;
    const isWithin = this.#began !== undefined;
    for (const row of this.#lots.take(booking)) if (isWithin) lotted(lotCells(row));
    if (booking.kind === "trade" && booking.value === undefined) this.#unpriced++;
    if (isWithin) this.#take(booking);
  }

  #opened(): void {
    this.#isOpened = true;
    // Days before the opening are dropped.
    this.#days.splice(0, this.#days.length - 1);
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

  #write(booked: Write, ready: number): void {
    if (ready > 0) for (const booking of this.#waiting.splice(0, ready)) booked(bookingCells(booking, this.currency));
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
      pairs: pairTotals(accounts, this.#lots).map(({ pair, average, lots }) => {
        const then = realised.get(pair);
        return {
          ...{ pair, position: String(average.amount) },
          averageCost: { cost: String(average.cost), realised: less(average.realised, then?.average) },
          fifo: lots && { openLots: lots.lots, cost: String(lots.cost), realised: less(lots.realised, then?.lots) },
        };
      }),
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

export const BOOKS_TITLES: readonly string[] = [
  ...["sequence", "at", "venue_at", "kind", "id", "venue_id", "trade_id", "pair", "side"],
  ...["in", "in_asset", "in_to", "in_after", "out", "out_asset", "out_of", "out_after"],
  ...["fee", "fee_asset", "fee_from", "fee_after", "price"],
  ...["closed", "cost", "proceeds", "realised", "profit_asset", "unknown_cost_of", "position", "position_cost"],
  ...["value", "fee_value", "realised_value", "value_currency", "by", "note"],
];

export const LOTS_TITLES: readonly string[] = [
  ...["lot", "pair", "side", "opened_at", "opened_by", "amount", "asset", "cost"],
  ...["closed_at", "closed_by", "proceeds", "realised", "profit_asset"],
];

export const DAYS_TITLES: readonly string[] = [
  ...["day", "opening", "brought", "profit", "closing", "currency", "closing_at"],
  ...["trades", "turnover", "fees", "realised", "mint_fees", "rail_fees", "without_rate"],
];

export const UNKNOWN = "unknown";

function bookingCells(booking: Booking, currency: Asset): readonly string[] {
  const { sequence, at, venueAt, kind, id, venueId, tradeId, came, went, fee, trade, costless } = booking;
  const { value, feeValue, realisedValue, by, note } = booking;
  const hasValue = [value, feeValue, realisedValue].some((one) => one !== undefined);
  const closed = trade?.closed;
  return [
    ...[String(sequence), timeOf(at), timeOf(venueAt), kind, textOf(id), textOf(venueId), textOf(tradeId)],
    ...[textOf(trade?.pair), textOf(trade?.side), ...legCells(came), ...legCells(went), ...legCells(fee)],
    ...[textOf(trade?.price), textOf(closed?.amount)],
    costless !== undefined && closed === undefined ? UNKNOWN : textOf(closed?.cost),
    ...[textOf(closed?.proceeds), textOf(trade?.realised), textOf(trade?.after.realised.asset), textOf(costless)],
    ...[textOf(trade?.after.amount), textOf(trade?.after.cost)],
    ...[textOf(value), textOf(feeValue), textOf(realisedValue), hasValue ? currency : "", textOf(by), textOf(note)],
  ];
}

/** The totals of an asset over all rows; the opening balance does not count as `in`. */
export function totalCells({ asset, opening, came, went, fees, realised, onAccount, inFlight }: AssetTotals): string[] {
  const cells: Readonly<Record<string, unknown>> = {
    ...{ kind: "total", in: came, in_asset: asset, in_after: onAccount.plus(inFlight) },
    ...{ out: went, out_asset: asset, fee: fees, fee_asset: asset, realised, profit_asset: asset },
    note: `opening ${opening}, on account ${onAccount}, in flight ${inFlight}`,
  };
  return BOOKS_TITLES.map((title) => textOf(cells[title]));
}

function lotCells({ lot, pair, side, opened, amount, cost, closed, proceeds, realised }: LotRow): string[] {
  return [
    ...[String(lot), pair, side, timeOf(opened.at), opened.id ?? "", String(amount), amount.asset],
    cost === undefined ? UNKNOWN : String(cost),
    ...[timeOf(closed?.at), textOf(closed?.id), textOf(proceeds), textOf(realised)],
    textOf((cost ?? proceeds)?.asset),
  ];
}

function dayCells(day: string, from: Sums, to: Sums, change: Change): readonly string[] {
  const since = (of: "turnover" | "fees" | "realised" | "mintFees" | "railFees"): string => `${to[of].minus(from[of])}`;
  const { opening, brought, profit, closing } = change;
  return [
    ...[day, textOf(opening?.value), textOf(brought), textOf(profit), textOf(closing?.value), to.brought.asset],
    ...[timeOf(closing?.at), String(to.fills - from.fills), since("turnover"), since("fees"), since("realised")],
    ...[since("mintFees"), since("railFees"), String(unratedOf(to) - unratedOf(from))],
  ];
}

function unratedOf({ unpriced, unvalued, unvaluedFees }: Sums): number {
  return unpriced + unvalued + unvaluedFees;
}

function legCells(leg: Leg | undefined): readonly string[] {
  return leg === undefined ? ["", "", "", ""] : [`${leg.amount}`, leg.amount.asset, leg.place, `${leg.after}`];
}

function textOf(value: unknown): string {
  return value === undefined ? "" : String(value);
}

function timeOf(at: Millis | undefined): string {
  return at === undefined ? "" : new Date(at).toISOString();
}
