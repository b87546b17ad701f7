// Tables with a header: time, bid, ask and sizes, or bars. pegbot writes text in this form too.

import { delimiterOf, readHeader } from "../csv/header.ts";
import { Lines } from "../csv/lines.ts";
import { CsvScanner, type Field, type Layout } from "../csv/scan.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "../source.ts";
import type { Zone } from "../zone.ts";
import { type Declaration, type Format, type Input, priceScale, sizeScale } from "./format.ts";

export const csv: Format = {
  name: "csv",
  title: "a table with a header: time, bid, ask, bidSize, askSize, or time, open, high, low, close, volume",
  unit: "line",
  zone: "declared",
  halfSpread: "none",
  takes: ["timeUnit", "delimiter", "decimalComma", "sizeTimes", "intervalMs", "entry"],
  read: (input) => readCsv(input, (line) => tableByHeader(input, line)),
};

/** Properties fixed by a format's tables: the unit of sizes, and the clock. */
type Known = { readonly sizeTimes?: number; readonly zone?: Zone; readonly noZone?: string };

export function tableByHeader({ declared, log }: Input, line: string, known: Known = {}): Table {
  const delimiter = declared.delimiter ?? delimiterOf(line);
  const { kind, columns } = readHeader(line, delimiter, log);
  const fields = columns.map((column): Field => {
    if (column === "date" || column === "time of day") return { kind: column };
    return fieldOf(kind, column, declared, known.sizeTimes);
  });
  const { decimalComma = false, zone = known.zone } = declared;
  const { noZone } = known;
  const layout = { delimiter, decimalComma, fields, zone, ...(noZone === undefined ? {} : { noZone }) };
  return { kind, layout, hasHeader: true };
}

/** The field for a column, or a skipped one. */
export function fieldOf(kind: DataKind, name: ColumnName | undefined, declared: Declaration, sizeTimes = 1): Field {
  if (name === undefined) return { kind: "skip" };
  if (name === "time") return { kind: "time", unit: declared.timeUnit ?? "ms" };
  const isOptional = OPTIONAL.has(name);
  const scale = isOptional ? sizeScale(declared, sizeTimes) : priceScale(declared);
  return { kind: "value", name, column: (COLUMNS[kind] as readonly string[]).indexOf(name), isOptional, scale };
}

// Text tables of every dialect: the first line decides the layout, the scanner does the rest.

export type Table = {
  readonly kind: DataKind;
  readonly layout: Layout;
  /** The first line is a header and not a row. */
  readonly hasHeader: boolean;
};

const LF = 10;

export async function readCsv(input: Input, tableOf: (firstLine: string) => Table): Promise<void> {
  const { log } = input;
  let scanner: CsvScanner | undefined;
  const lines = new Lines(log);
  for await (const piece of lines.pieces(input.bytes())) {
    if (scanner !== undefined) {
      lines.line += scanner.scan(piece);
      continue;
    }
    const end = piece.bytes.indexOf(LF, piece.start);
    const first = new TextDecoder().decode(piece.bytes.subarray(piece.start, end)).replace(/\r$/, "");
    const { kind, layout, hasHeader } = tableOf(first);
    scanner = new CsvScanner(layout, input.intake(kind));
    if (hasHeader) lines.line++;
    lines.line += scanner.scan(hasHeader ? { ...piece, start: end + 1, line: piece.line + 1 } : piece);
  }
  if (scanner !== undefined) return;
  log.requireNone();
  log.refuse("empty", "the file is empty");
}
