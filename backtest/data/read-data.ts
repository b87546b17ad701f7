// Reads a file of any format, or several consecutive ones, into clean rows and describes the result. Throws DataRefused
// with every problem found, and leaves nothing half done.

import { statSync } from "node:fs";
import { DAY_MS } from "../../src/domain/time.ts";
import { ColumnWriter } from "./file/column-file.ts";
import { type Declaration, type Format, JUMP_MAX } from "./format/format.ts";
import { type FileIdentity, fileBytes, identityOf, requireSame } from "./input/file-bytes.ts";
import { Intake } from "./intake.ts";
import { ProblemLog, type Refusal } from "./problem.ts";
import { type DataKind, type LeftOut, type Sink, type Subject, summed } from "./source.ts";

/** Length of the shortest month. */
const MONTH_DAYS = 28;

type Reading = {
  readonly subject: Subject;
  readonly rows: number;
  /** Rows left out because their problem was tolerated by name. */
  readonly tolerated: Refusal;
  /** The same per reason, plus other counts of rows. */
  readonly leftOut: LeftOut;
};

/** The input of a reading. */
export type Original = {
  readonly path: string;
  /** Files that continue where it ends, in order of time. */
  readonly more?: readonly string[];
  readonly format: Format;
  readonly declared: Declaration;
  /** The identity when the digest was taken; a file that has changed by the end of the reading is refused. */
  readonly identity?: FileIdentity;
  /** Rows that were left out before the file was written, per reason. */
  readonly leftOut?: LeftOut;
  /** Receives the number of bytes done from time to time, including those of previous files. */
  readonly watch?: (bytes: number) => void;
};

/** `sinkFor` is called once, when the kind of rows is known. */
export async function readData(original: Original, sinkFor: (kind: DataKind) => Sink): Promise<Reading> {
  const { path: first, more = [], format, declared, watch } = original;
  const log = new ProblemLog(first, format.unit, declared.tolerate);
  const opened: { intake?: Intake } = {};
  const intakeOf = (kind: DataKind): Intake => {
    opened.intake ??= new Intake(kind, log, declared.jumpMax ?? JUMP_MAX, sinkFor(kind));
    if (opened.intake.kind !== kind)
      log.refuse("format", `it must have ${opened.intake.kind} as ${first}, has ${kind}`);
    return opened.intake;
  };
  let [done, rows] = [0, 0];
  let last = first;
  for (const [index, path] of [first, ...more].entries()) {
    // A file may be named twice; it is then refused like any that goes back in time.
    const isFirst = index === 0;
    if (!isFirst) log.turnTo(path);
    const identity = (isFirst ? original.identity : undefined) ?? identityOf(path, log);
    const { entry } = declared;
    const before = done;
    const watched = watch && ((bytes: number): void => watch(before + bytes));
    const bytes = (): AsyncIterable<Uint8Array> => fileBytes(path, log, { entry, watch: watched });
    await format.read({ path, declared, log, bytes, intake: intakeOf });
    // Its places belong to this file.
    opened.intake?.flush();
    if (!isFirst && opened.intake?.rows === rows)
      log.refuse(
        "rest",
        `no row of it goes on where ${last} ended: files must have rows, and be named in order of time`,
      );
    rows = opened.intake?.rows ?? 0;
    requireSame(path, identity, log);
    done += statSync(path).size;
    last = path;
  }
  log.requireNone();
  const { intake } = opened;
  if (intake === undefined || intake.rows === 0) return log.refuse("empty", "there is no row of data in it");
  requireRest(intake, log);
  const { symbol } = declared;
  const subject: Subject =
    intake.kind === "quotes"
      ? { kind: "quotes", symbol }
      : { kind: "bars", symbol, intervalMs: barLength(intake, declared.intervalMs, log) };
  return {
    subject,
    rows: intake.rows,
    tolerated: log.tolerations(),
    leftOut: summed(original.leftOut ?? {}, log.reasons()),
  };
}

/** A single row must not discard the rest of the file, whatever is tolerated. */
function requireRest({ strays: { rows, behind }, rows: kept }: Intake, log: ProblemLog): void {
  if (rows > 1)
    log.refuse(
      "rest",
      `the last ${rows} rows would all be left out behind ${behind}, and ${kept} be kept: mend or remove what is wrong there`,
    );
}

function barLength({ stepMsMin }: Intake, intervalMs: number | undefined, log: ProblemLog): number {
  const length = intervalMs ?? stepMsMin;
  if (!Number.isFinite(length)) log.refuse("format", "the length of a single bar must be declared (--interval does)");
  if (stepMsMin < length)
    log.refuse("format", `bars of ${length} ms must be as far apart or more, was ${stepMsMin} ms`);
  // With the length of the shortest month, bars of longer months would be known before they close.
  if (length >= MONTH_DAYS * DAY_MS)
    log.refuse(
      "format",
      `bars must be shorter than ${MONTH_DAYS} days, were ${length / DAY_MS} days: months have no one length; take bars of days or weeks, or declare --interval where only the rows are so far apart`,
    );
  return length;
}

// Converts a file of any format into a column file, completely or not at all.

type Target = {
  readonly path: string;
  /** The data are on disk before the file gets its name; not needed for files that can be rebuilt. */
  readonly isDurable: boolean;
};

export async function readToColumns(original: Original, target: Target): Promise<Reading> {
  let writer: ColumnWriter | undefined;
  try {
    const reading = await readData(original, (kind) => {
      const columns = new ColumnWriter(target.path, kind, target.isDurable);
      writer = columns;
      return (rows, count) => columns.write(rows, count);
    });
    writer?.finish(reading.subject, reading.leftOut);
    return reading;
  } catch (error) {
    writer?.abandon();
    throw error;
  }
}
