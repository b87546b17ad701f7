// Recorded prices as many runs need them: whole, in memory that threads share, and named by the hash of what they say. The
// same prices have the same hash whatever file they came from.

import { createHash } from "node:crypto";
import { createColumn } from "../../src/market/column.ts";
import { bytesOf } from "../data/file/column-file.ts";
import { COLUMNS, type Columns, type Subject } from "../data/kind.ts";
import type { DataSource } from "../data/source.ts";
import { canonicalText } from "./canonical.ts";

export type SharedColumns = {
  readonly digest: string;
  readonly subject: Subject;
  readonly columns: Columns;
};

/** Without a copy where the source lies in shared memory as one chunk. */
export function sharedColumns(source: DataSource): SharedColumns {
  const { kind, symbol } = source;
  const subject: Subject =
    source.kind === "bars" ? { kind: "bars", symbol, intervalMs: source.intervalMs } : { kind: "quotes", symbol };
  const columns = gathered(source, kind);
  return { digest: columnsDigest(subject, columns), subject, columns };
}

export function columnsDigest(subject: Subject, columns: Columns): string {
  const digest = createHash("sha256").update(canonicalText(subject));
  for (const column of columns) digest.update(bytesOf(column, 0, column.length));
  return digest.digest("hex");
}

function gathered(source: DataSource, kind: Subject["kind"]): Columns {
  const names = COLUMNS[kind];
  let whole: Columns | undefined;
  let row = 0;
  for (const chunk of source.chunks()) {
    const columns = names.map((name) => (chunk as unknown as Record<string, Float64Array>)[name] as Float64Array);
    if (columns.every((one) => one.length === source.rows && one.buffer instanceof SharedArrayBuffer)) return columns;
    whole ??= names.map(() => createColumn(source.rows, "shared"));
    for (const [c, column] of columns.entries()) whole[c]?.set(column.subarray(0, chunk.length), row);
    row += chunk.length;
  }
  return whole ?? names.map(() => createColumn(0, "shared"));
}
