// Matches columns by name, ignoring case, blanks, underscores and dashes. A required column that is missing or occurs
// twice refuses the file; an unknown one is skipped. The time may be in two columns, a date and a time of day.

import { quoted } from "../../../src/domain/sanitise.ts";
import { FORMAT_NAMES } from "../format/format.ts";
import type { ProblemLog } from "../problem.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "../source.ts";

/** Alternative names found in public files. */
const NAMES: Readonly<Record<ColumnName, readonly string[]>> = {
  time: ["time", "timestamp", "date", "datetime", "localtime", "gmttime", "opentime", "unix", "ts"],
  bid: ["bid", "bidprice"],
  ask: ["ask", "askprice", "offer"],
  bidSize: ["bidsize", "bidvolume", "bidqty", "bidquantity", "bidamount"],
  askSize: ["asksize", "askvolume", "askqty", "askquantity", "askamount"],
  open: ["open", "o"],
  high: ["high", "h"],
  low: ["low", "l"],
  close: ["close", "c"],
  volume: ["volume", "vol", "v", "tickvolume", "tickvol"],
};

/** Names that may mean a time of day when there is also a date column. */
const TIMES_OF_DAY: ReadonlySet<string> = new Set(["time", "timestamp"]);

/** A column of a table: a data column, or one part of its time. */
export type TextColumn = ColumnName | "date" | "time of day";

export type Header = {
  readonly kind: DataKind;
  /** For each field of a row the column it fills, or undefined. */
  readonly columns: readonly (TextColumn | undefined)[];
};

type Matched = { readonly kind: DataKind; readonly columns: readonly (ColumnName | undefined)[] };

const DELIMITERS = [",", ";", "\t", "|"];

/** The delimiter that splits the header into the most names; a comma on a tie. */
export function delimiterOf(line: string): string {
  const counts = DELIMITERS.map((delimiter) => namesIn(line, delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

export function readHeader(line: string, delimiter: string, log: ProblemLog): Header {
  return matchNames(namesIn(line, delimiter), log, 1);
}

/** A delimiter inside quotes is part of a name, as in a field; an unclosed quote is a plain character. */
function namesIn(line: string, delimiter: string): string[] {
  const names = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === delimiter && !isQuoted) names.push("");
    else names.push(`${names.pop()}${character}`);
  }
  return isQuoted ? line.split(delimiter) : names;
}

/** `place`: the header line, for formats that have one. */
export function matchNames(names: readonly string[], log: ProblemLog, place?: number): Header {
  const known = columnsOf(names);
  const times = names.filter((_, i) => known[i] === "time");
  const date = times.find((name) => plainName(name) === "date");
  const timeOfDay = times.find((name) => TIMES_OF_DAY.has(plainName(name)));
  if (times.length !== 2 || date === undefined || timeOfDay === undefined) return matched(names, known, log, place);
  // Without both of them it is the header of a table with a single time column.
  const one = names.map((name, i) => (name === timeOfDay ? undefined : known[i]));
  const { kind, columns } = matched(names, one, log, place);
  return {
    kind,
    columns: names.map((name, i) => (name === date ? "date" : name === timeOfDay ? "time of day" : columns[i])),
  };
}

function matched(
  names: readonly string[],
  columns: readonly (ColumnName | undefined)[],
  log: ProblemLog,
  place?: number,
): Matched {
  const kind: DataKind = columns.includes("bid") || columns.includes("ask") ? "quotes" : "bars";
  const wanted: readonly ColumnName[] = COLUMNS[kind];
  const missing = wanted.filter((name) => !OPTIONAL.has(name) && !columns.includes(name));
  const shown = quoted(names.map((name) => name.trim()).join(","), 200);
  // A number in place of a name means that there is no header. The first three formats have names too.
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
  if (twice !== undefined) {
    const those = names.filter((_, i) => columns[i] === twice).map(shownName);
    log.refuse(
      "columns",
      `the column ${twice} must stand there once, was ${those.map((name) => quoted(name)).join(" and ")} of ${shown}; give what should be left alone ${otherName(those.at(-1) ?? "")}`,
      place,
    );
  }
  return { kind, columns: columns.map((name) => (name !== undefined && wanted.includes(name) ? name : undefined)) };
}

/** A name that matches no column. */
function otherName(name: string): string {
  return `another name in the header (x-${quoted(name).slice(1, -1)})`;
}

/**
 * MetaTrader writes ticks and lots side by side; for currencies the lots are 0 in every row. An amount next to a size
 * is its equivalent in the other currency.
 */
function columnsOf(names: readonly string[]): readonly (ColumnName | undefined)[] {
  const plain = names.map(plainName);
  const isBeside = (name: string): boolean =>
    plain.some((other) => other !== name && columnOf(other) === columnOf(name));
  const isOther = (name: string): boolean =>
    name === "vol" ? plain.includes("tickvol") : name.endsWith("amount") && isBeside(name);
  return plain.map((name) => (isOther(name) ? undefined : columnOf(name)));
}

function columnOf(name: string): ColumnName | undefined {
  const plain = plainName(name);
  const found = Object.entries(NAMES).find(([, names]) => names.includes(plain));
  return found?.[0] as ColumnName | undefined;
}

function plainName(name: string): string {
  return shownName(name)
    .replace(/[\s_-]/g, "")
    .toLowerCase();
}

/** Strips quotes and the brackets that MetaTrader writes. */
function shownName(name: string): string {
  return name.replace(/["<>]/g, "").trim();
}
