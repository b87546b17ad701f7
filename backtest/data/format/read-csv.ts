// Text tables of every dialect: the first line decides the layout, the scanner does the rest.

import type { Layout } from "../csv/layout.ts";
import { Lines } from "../csv/lines.ts";
import { CsvScanner } from "../csv/scan.ts";
import type { DataKind } from "../kind.ts";
import type { Input } from "./format.ts";

export type Table = {
  readonly kind: DataKind;
  readonly layout: Layout;
  /** The first line is a header, and no row. */
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
