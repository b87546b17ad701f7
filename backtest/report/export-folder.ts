// A run as a folder of CSV tables from which every figure can be computed again: fills, unfilled orders, samples,
// quotes and requests. `run.json` has the settings and the books, `schema.json` every column with its meaning.

import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Step } from "../../src/domain/step.ts";
import { type RunRecord, SLOT_CLASSES, UNFILLED_ENDS } from "../record/run-record.ts";
import { type Column, cell, FILL_COLUMNS, nullForMissing, tradeRows } from "./export.ts";

/** Quotes of the venue as the bot received them, in memory until the run is over. */
export class SeenQuotes {
  readonly columns = Array.from({ length: 6 }, (): number[] => []);
  readonly symbols: PairSymbol[] = [];
  readonly #places = new Map<PairSymbol, number>();

  step({ event }: Step): void {
    if (event.kind !== "quote" || event.source !== "venue") return;
    const { symbol, bid, ask, bidSize, askSize, receivedAt } = event;
    const place = this.#places.get(symbol) ?? this.symbols.push(symbol) - 1;
    this.#places.set(symbol, place);
    const row = [receivedAt, place, bid, ask, bidSize ?? NaN, askSize ?? NaN];
    for (const [index, column] of this.columns.entries()) column.push(row[index] as number);
  }
}

export type ExportFile = { readonly name: string; readonly text: Iterable<string> };

export function exportFiles(record: RunRecord, seen: SeenQuotes): readonly ExportFile[] {
  const fills = tradeRows(record);
  const tables = [
    table("fills.csv", FILL_COLUMNS, fills.length, (row) => fills[row] as (typeof fills)[number]),
    table("unfilled.csv", unfilledColumns(record), record.unfilled.length, number),
    table("samples.csv", sampleColumns(record), record.samples.length, number),
    table("quotes.csv", quoteColumns(seen), seen.columns[0]?.length ?? 0, number),
    table("requests.csv", requestColumns(record), record.slots?.buckets ?? 0, number),
  ];
  const schema = { version: 1, time: "UTC milliseconds", unknown: "an empty cell", tables: tables.map(described) };
  return [...tables, json("schema.json", schema), json("run.json", runOf(record))];
}

type Table = ExportFile & { readonly columns: readonly (readonly [string, string])[]; readonly rows: number };

function table<R>(name: string, columns: readonly Column<R>[], rows: number, rowAt: (row: number) => R): Table {
  const named = columns.map(([title, , meaning]) => [title, meaning] as const);
  return { name, columns: named, rows, text: linesOf(columns, rows, rowAt) };
}

const ROWS_A_PART = 4_096;

function* linesOf<R>(columns: readonly Column<R>[], rows: number, rowAt: (row: number) => R): Iterable<string> {
  let text = `${columns.map(([name]) => name).join(",")}\n`;
  for (let row = 0; row < rows; row++) {
    const values = rowAt(row);
    text += `${columns.map(([, of]) => cell(of(values))).join(",")}\n`;
    if (row % ROWS_A_PART !== ROWS_A_PART - 1) continue;
    yield text;
    text = "";
  }
  yield text;
}

function described({ name, rows, columns }: Table): object {
  return { file: name, rows, columns: columns.map(([title, meaning]) => ({ name: title, meaning })) };
}

function json(name: string, value: object): ExportFile {
  return { name, text: [`${JSON.stringify(nullForMissing(value), undefined, 2)}\n`] };
}

function number(row: number): number {
  return row;
}

function unfilledColumns({ unfilled }: RunRecord): readonly Column<number>[] {
  return [
    ["time_ms", (row) => unfilled.time[row], "when the order ended"],
    ["id", (row) => unfilled.id[row], "client order id"],
    ["symbol", (row) => unfilled.symbol[row], "pair"],
    ["side", (row) => (unfilled.side[row] === 0 ? "buy" : "sell"), "buy or sell"],
    ["end", (row) => UNFILLED_ENDS[unfilled.end[row] as number], `how it ended: ${UNFILLED_ENDS.join(", ")}`],
    ["cause", (row) => unfilled.cause[row], "the venue's code or the bot's reason"],
    ["quantity", (row) => unfilled.quantity[row], "in the base asset"],
    ["limit", (row) => unfilled.limit[row], "limit price"],
    ["quoted", (row) => unfilled.touch[row], "the venue's price on the side taken, at the decision"],
    ["fair", (row) => unfilled.fair[row], "fair value at the decision"],
    ["rate", (row) => unfilled.rate[row], "one unit of the quote asset in the currency, at the decision"],
  ];
}

function sampleColumns({ samples }: RunRecord): readonly Column<number>[] {
  const assets = samples.assets.flatMap(({ asset, held, inFlight, rate }): readonly Column<number>[] => [
    [`held_${asset}`, (row) => held[row], `${asset} owned, with what is in transit`],
    [`in_flight_${asset}`, (row) => inFlight[row], `${asset} in transit`],
    [`rate_${asset}`, (row) => rate[row], `the mark: one ${asset} in the currency`],
  ]);
  return [
    ["time_ms", (row) => samples.time[row], "at most a minute apart, and one after each fill"],
    ["equity", (row) => samples.equity[row], "of the bot, in the currency"],
    ["holding", (row) => samples.benchmark[row], "the opening inventory and deposits, had nothing been traded"],
    ...assets,
  ];
}

function quoteColumns({ columns, symbols }: SeenQuotes): readonly Column<number>[] {
  const [time, place, ...prices] = columns;
  const sides = ["bid", "ask", "bid_size", "ask_size"].map(
    (name, index): Column<number> => [name, (row) => prices[index]?.[row], `${name} on show`],
  );
  return [
    ["time_ms", (row) => time?.[row], "when the bot received it"],
    ["symbol", (row) => symbols[place?.[row] as number], "pair"],
    ...sides,
  ];
}

function requestColumns({ slots }: RunRecord): readonly Column<number>[] {
  const counts = SLOT_CLASSES.map(
    (name, index): Column<number> => [
      name.replace("-", "_"),
      (row) => slots?.counts[row * SLOT_CLASSES.length + index],
      `requests of the class ${name}`,
    ],
  );
  const from = (row: number): number | undefined => slots && slots.from + row * slots.bucketMs;
  return [["from_ms", from, "start of the span; run.json has its length"], ...counts];
}

function runOf({ settings, books, prices, slots, settlements, refusals, ended }: RunRecord): object {
  return {
    ...{ settings, books, ended, refusals, settlements },
    pairs: prices.map(({ symbol, par }) => ({ symbol, par })),
    requests: slots && { bucketMs: slots.bucketMs, paceMs: slots.paceMs },
  };
}
