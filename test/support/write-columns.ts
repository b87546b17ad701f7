// A column file from the text of a table in pegbot's own columns; the pair comes from the name (VCHF-CHF.columns).

import { renameSync } from "node:fs";
import { basename } from "node:path";
import { ColumnWriter } from "../../backtest/data/column-file.ts";
import { COLUMNS } from "../../backtest/data/source.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";

export function writeColumns(path: string, table: string): void {
  const [header = "", ...lines] = table.trim().split("\n");
  const names = header.split(",");
  const kind = names.includes("bid") ? "quotes" : "bars";
  const rows = lines.map((line) => line.split(","));
  const columns = COLUMNS[kind].map((name, c) =>
    Float64Array.from(rows, (cells) => {
      const cell = cells[names.indexOf(name)];
      return c === 0 && cell?.includes("-") ? Date.parse(cell) : cell ? Number(cell) : Number.NaN;
    }),
  );
  const symbol = basename(path, ".columns").replace("-", "/") as PairSymbol;
  const [first = 0, second = 60_000] = columns[0] as Float64Array;
  const writer = new ColumnWriter(`${path}.half`, kind);
  writer.write(columns, rows.length);
  writer.finish(kind === "quotes" ? { kind, symbol } : { kind, symbol, intervalMs: second - first });
  renameSync(`${path}.half`, path);
}
