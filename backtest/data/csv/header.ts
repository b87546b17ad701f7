// Columns by name. A header is matched without regard to case, blanks, underscores and dashes; a column that is needed and
// missing, or there twice, refuses the file, and one that nobody knows is left alone.

import { quoted } from "../../../src/domain/outside-text.ts";
import { FORMAT_NAMES } from "../format/names.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "../kind.ts";
import type { ProblemLog } from "../problem.ts";

/** Other names that files in the field use. */
const NAMES: Readonly<Record<ColumnName, readonly string[]>> = {
  time: ["time", "timestamp", "date", "datetime", "localtime", "gmttime", "opentime", "unix", "ts"],
  bid: ["bid", "bidprice"],
  ask: ["ask", "askprice", "offer"],
  bidSize: ["bidsize", "bidvolume", "bidqty", "bidquantity"],
  askSize: ["asksize", "askvolume", "askqty", "askquantity"],
  open: ["open", "o"],
  high: ["high", "h"],
  low: ["low", "l"],
  close: ["close", "c"],
  volume: ["volume", "vol", "v", "tickvolume"],
};

export type Header = {
  readonly kind: DataKind;
  /** Per field of a row the column it fills, or undefined. */
  readonly columns: readonly (ColumnName | undefined)[];
};

const DELIMITERS = [",", ";", "\t", "|"];

/** The delimiter that gives the header most names; a comma in doubt. */
export function delimiterOf(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

export function readHeader(line: string, delimiter: string, log: ProblemLog): Header {
  return matchNames(line.split(delimiter), log, 1);
}

/** For formats that name their columns elsewhere than in a first line. */
export function matchNames(names: readonly string[], log: ProblemLog, place?: number): Header {
  const columns = names.map((name) => columnOf(name));
  const kind: DataKind = columns.includes("bid") || columns.includes("ask") ? "quotes" : "bars";
  const wanted: readonly ColumnName[] = COLUMNS[kind];
  const missing = wanted.filter((name) => !OPTIONAL.has(name) && !columns.includes(name));
  const shown = quoted(names.map((name) => name.trim()).join(","), 200);
  // Where a number stands for a name there is no header at all. The first three formats have names too.
  const hint = names.some((name) => /^[0-9]/.test(name.trim()))
    ? `; give it a header line, or import it by its --format (${FORMAT_NAMES.slice(3).join(", ")})`
    : "";
  if (kind === "bars" && !columns.includes("open"))
    log.refuse(
      "columns",
      `columns must be time, bid, ask (bidSize, askSize) or time, open, high, low, close (volume), was ${shown}${hint}`,
      place,
    );
  if (missing.length > 0)
    log.refuse("columns", `${kind} need the column ${missing.join(" and ")}, was ${shown}`, place);
  const twice = wanted.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (twice !== undefined) log.refuse("columns", `the column ${twice} must stand there once, was ${shown}`, place);
  return { kind, columns: columns.map((name) => (name !== undefined && wanted.includes(name) ? name : undefined)) };
}

function columnOf(name: string): ColumnName | undefined {
  const plain = name.replace(/["\s_-]/g, "").toLowerCase();
  const found = Object.entries(NAMES).find(([, names]) => names.includes(plain));
  return found?.[0] as ColumnName | undefined;
}
