// The problems of data, by name and place. A file with a problem is refused as a whole. Some problems of rows can be
// tolerated by name: such rows are left out, counted and reported, and nothing is dropped silently.

import { printable } from "../../src/domain/sanitise.ts";

type FileProblem = "missing" | "format" | "empty" | "columns" | "changed" | "zone" | "manifest" | "damaged";

/** A row of these kinds can be left out; docs/guides/data.md says what each means. */
export const TOLERABLE = ["fields", "time", "number", "price", "size", "crossed", "bar", "duplicate"] as const;
export type Tolerable = (typeof TOLERABLE)[number];

/** Left out, a row that goes back or jumps would take all rows after it along. */
export type RowProblem = Tolerable | "backwards" | "jump";

export type Problem = {
  readonly kind: FileProblem | RowProblem;
  readonly file: string;
  /** A line of text, or a row of Parquet; both count from 1. */
  readonly place?: number;
  readonly message: string;
};

export type Refusal = {
  /** The first problems, in order. */
  readonly problems: readonly Problem[];
  readonly counts: Readonly<Record<string, number>>;
};

/** `prices.csv:12: crossed: bid 1.2 is above ask 1.1`. */
export function problemLine({ kind, file, place, message }: Problem): string {
  return `${printable(place === undefined ? file : `${file}:${place}`)}: ${kind}: ${message}`;
}

/** Thrown when reading cannot continue. */
export class DataRefused extends Error {
  override readonly name = "DataRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.problems[0] && problemLine(refusal.problems[0]));
    this.refusal = refusal;
  }
}

const LISTED = 100;

export class ProblemLog {
  /** The file being read. */
  file: string;
  readonly #tolerated: ReadonlySet<string>;
  readonly #problems: Problem[] = [];
  readonly #counts: Record<string, number> = {};
  /** Rows left out by toleration. */
  readonly leftOut: { readonly problems: Problem[]; readonly counts: Record<string, number> };

  constructor(file: string, tolerated: readonly Tolerable[] = []) {
    this.file = file;
    this.#tolerated = new Set(tolerated);
    this.leftOut = { problems: [], counts: {} };
  }

  row(kind: RowProblem, place: number, message: string): void {
    const isTolerated = this.#tolerated.has(kind);
    const counts = isTolerated ? this.leftOut.counts : this.#counts;
    const list = isTolerated ? this.leftOut.problems : this.#problems;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (list.length < LISTED) list.push({ kind, file: this.file, place, message });
  }

  refuse(kind: FileProblem, message: string): never {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    this.#problems.push({ kind, file: this.file, message });
    throw this.#refused();
  }

  requireNone(): void {
    if (this.#problems.length > 0) throw this.#refused();
  }

  #refused(): DataRefused {
    return new DataRefused({ problems: this.#problems, counts: this.#counts });
  }
}
