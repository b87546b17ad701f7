// The problems of data, by name and place. A file with a problem is refused as a whole; a problem of a row can be
// tolerated by name, and then the row is left out, counted and reported: nothing is dropped silently.

import { printable } from "../../src/domain/sanitise.ts";

/** Problems of the file: reading cannot continue. */
const OF_FILE = {
  missing: "there is no such file",
  format: "the file is not what its format says",
  empty: "there is nothing in it",
  columns: "the header lacks a column, or has one twice",
  changed: "the file changed while it was read",
  rest: "tolerated, a leap or a time that goes back would leave out the rest of the file",
  encoding: "bytes that are not UTF-8",
  zone: "times without a zone, and none was declared",
  "line-length": "a line longer than 65,536 bytes",
  manifest: "the manifest beside the file contradicts it",
  damaged: "a column file that is cut or changed",
} as const;

/** Problems of a row, which can be tolerated by name. */
const OF_ROW = {
  fields: "too few or too many fields in a row",
  "open-end":
    "the last row has no line end, or an Arrow stream no end mark: it may have been cut (tolerated, the row is kept)",
  time: "a time that cannot be read, does not exist in its zone, or lies outside 1990 to 2099",
  number: "a value that is not a number, NaN and infinity included",
  "decimal-comma": "a comma where a point belongs",
  "not-positive": "a price of zero or less",
  magnitude: "a price below 0.000001 or above 1,000,000,000",
  size: "a negative size or volume",
  crossed: "a bid above the ask",
  wide: "an ask more than the jump limit above the bid",
  bar: "a high below, or a low above, another price of its bar",
  backwards: "a time before that of the row above",
  duplicate: "the same row again",
  jump: "a price further from the row above than the jump limit",
} as const;

/** The only problem that, if tolerated, keeps its row. */
export const OPEN_END = "open-end";

/**
 * Rows left out without a problem (`absent`: the format states that there is no price; `repeated`: a trade that gives
 * the same quote as the one above), or kept although uncertain.
 */
type CountedKind = "absent" | "repeated" | typeof REPEATED_HOUR;

/** Rows of an hour that the clock showed twice: which of the two they belong to is unknown. */
export const REPEATED_HOUR = "repeated-hour";

export type RowProblem = keyof typeof OF_ROW;
export type ProblemKind = keyof typeof OF_FILE | RowProblem;

export const ROW_PROBLEMS = Object.keys(OF_ROW) as RowProblem[];

/** Every problem with its meaning; docs/DATA.md lists them. */
export const PROBLEMS: Readonly<Record<ProblemKind, string>> = { ...OF_FILE, ...OF_ROW };

export type Problem = {
  readonly kind: ProblemKind;
  readonly file: string;
  /** A line of a text, or a row of a format without lines; both count from 1. */
  readonly line?: number;
  readonly row?: number;
  readonly message: string;
};

export type Refusal = {
  /** The first problems, in order. */
  readonly problems: readonly Problem[];
  readonly counts: Readonly<Partial<Record<ProblemKind, number>>>;
};

/** `prices.csv:12: crossed: bid 1.2 is above ask 1.1`. */
export function problemLine({ kind, file, line, row, message }: Problem): string {
  const place = line !== undefined ? `${file}:${line}` : row !== undefined ? `${file}: row ${row}` : file;
  return `${printable(place)}: ${kind}: ${message}`;
}

export function totalOf(counts: Refusal["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Thrown when reading cannot continue. */
export class DataRefused extends Error {
  override readonly name = "DataRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const first = refusal.problems[0];
    super(first === undefined ? "data refused" : problemLine(first));
    this.refusal = refusal;
  }
}

const KEPT = 100;

export class ProblemLog {
  /** The file being read, and all files so far. */
  private file: string;
  private readonly files: string[];
  /** Whether places are lines or rows. */
  readonly unit: "line" | "row";
  private readonly tolerated: ReadonlySet<string>;
  private readonly problems: Problem[] = [];
  private readonly counts: Partial<Record<ProblemKind, number>> = {};
  private readonly leftOut: Problem[] = [];
  private readonly leftOutCounts: Partial<Record<ProblemKind, number>> = {};
  private readonly counted = new Map<CountedKind, number>();

  constructor(file: string, unit: "line" | "row" = "line", tolerated: readonly RowProblem[] = []) {
    this.file = file;
    this.files = [file];
    this.unit = unit;
    this.tolerated = new Set(tolerated);
  }

  /** The following problems are of another file, which continues where the last one ended. */
  turnTo(file: string): void {
    this.file = file;
    this.files.push(file);
  }

  /** A bad row. The text is built only while problems are still listed one by one. */
  row(kind: RowProblem, place: number, message: () => string): void {
    const isTolerated = this.tolerated.has(kind);
    const counts = isTolerated ? this.leftOutCounts : this.counts;
    const list = isTolerated ? this.leftOut : this.problems;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (list.length < KEPT) list.push({ kind, file: this.file, [this.unit]: place, message: message() });
  }

  /** Counts rows that are not a problem, for the reader of the file. */
  count(kind: CountedKind, rows: number): void {
    this.counted.set(kind, (this.counted.get(kind) ?? 0) + rows);
  }

  tolerates(kind: RowProblem): boolean {
    return this.tolerated.has(kind);
  }

  /** Ends the reading. */
  refuse(kind: keyof typeof OF_FILE, message: string, place?: number): never {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    this.problems.push({
      kind,
      file: this.file,
      ...(place === undefined ? {} : { [this.unit]: place }),
      message,
    });
    throw new DataRefused(this.refusal());
  }

  /** Throws if there was any problem that is not tolerated. */
  requireNone(): void {
    if (this.problems.length > 0) throw new DataRefused(this.refusal());
  }

  /** Rows left out or uncertain, per reason, as in the manifest. */
  reasons(): Readonly<Record<string, number>> {
    const counted = [...this.counted].filter(([, rows]) => rows > 0);
    return { ...this.leftOutCounts, ...Object.fromEntries(counted) };
  }

  /** Rows left out by toleration. */
  tolerations(): Refusal {
    return { problems: this.leftOut, counts: this.leftOutCounts };
  }

  /** In the order of files and rows, because parse errors are found before rule violations. */
  private refusal(): Refusal {
    const place = ({ line, row }: Problem): number => line ?? row ?? 0;
    const order = (one: Problem, other: Problem): number =>
      this.files.indexOf(one.file) - this.files.indexOf(other.file) || place(one) - place(other);
    return { problems: this.problems.toSorted(order), counts: this.counts };
  }
}
