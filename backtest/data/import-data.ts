// Imports a table, or several that continue each other, into one column file with a manifest, or nothing at all.

import { statSync } from "node:fs";
import { basename } from "node:path";
import { freshPath } from "../../src/disk/fresh-file.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { DAY_MS, type Millis } from "../../src/domain/time.ts";
import { ColumnWriter, openColumnFile } from "./column-file.ts";
import { hasHeader, readCsv } from "./csv.ts";
import { sha256Of } from "./digest.ts";
import { type Manifest, prepare, publish, removeStaged } from "./manifest.ts";
import { readParquet } from "./parquet.ts";
import { DataRefused, ProblemLog, type Refusal } from "./problem.ts";
import { Intake, JUMP_MAX } from "./row-check.ts";
import type { LeftOut, Subject } from "./source.ts";
import { type Summary, summaryOf } from "./summary.ts";
import type { Declaration } from "./table.ts";

/** Length of the shortest month: bars of months have no one length. */
const BAR_MS_MAX = 28 * DAY_MS;

type Original = {
  readonly path: string;
  /** Files that continue where it ends, in order of time. */
  readonly more?: readonly string[];
  readonly symbol: PairSymbol;
  readonly declared: Declaration;
  /** Rows that were left out before the file was written, per reason. */
  readonly leftOut?: LeftOut;
  /** Receives the number of bytes done from time to time, over all files. */
  readonly watch?: (bytes: number) => void;
};

export type Provenance = { readonly origin: string; readonly licence: string; readonly at: Millis };

type Imported = {
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** The first rows that were left out by toleration, and how many. */
  readonly leftOut: Refusal;
};

/** `out` does not exist yet. */
export async function importData(
  original: Original,
  out: string,
  { origin, licence, at }: Provenance,
): Promise<Result<Imported, Refusal>> {
  const { path, more = [], symbol, declared } = original;
  const log = new ProblemLog(path, declared.tolerate);
  let writer: ColumnWriter | undefined;
  prepare(out);
  try {
    const read = await readAll(original, log, (kind) => {
      const columns = new ColumnWriter(freshPath(out), kind);
      writer = columns;
      return new Intake(kind, log, declared.jumpMax ?? JUMP_MAX, (rows, count) => columns.write(rows, count));
    });
    writer?.finish(subjectOf(read.intake, symbol, declared, log), { ...original.leftOut, ...log.leftOut.counts });
    const summary = summaryOf(openColumnFile(freshPath(out)));
    const [first, ...rest] = read.digests;
    const manifest = publish(out, summary, {
      kind: "import",
      file: basename(path),
      sha256: first as string,
      ...(rest.length === 0 ? {} : { more: rest.map((sha256, i) => ({ file: basename(more[i] as string), sha256 })) }),
      zone: declared.zone?.name ?? "stated in every row",
      origin,
      licence,
      importedAt: new Date(at).toISOString(),
      declared: { ...declared, zone: declared.zone?.name },
    });
    return ok({ manifest, summary, leftOut: log.leftOut });
  } catch (error) {
    if (error instanceof DataRefused) return err(error.refusal);
    throw error;
  } finally {
    writer?.abandon();
    removeStaged(out);
  }
}

async function readAll(
  { path: first, more = [], declared, watch }: Original,
  log: ProblemLog,
  open: (kind: Intake["kind"]) => Intake,
): Promise<{ readonly intake: Intake; readonly digests: readonly string[] }> {
  let intake: Intake | undefined;
  let done = 0;
  const digests: string[] = [];
  for (const path of [first, ...more]) {
    log.file = path;
    const before = identityOf(path, log);
    digests.push(sha256Of(path));
    const watched = (bytes: number): void => watch?.(done + bytes);
    await readerOf(path, declared, log)({ path, declared, log, watch: watched, intake: takeIntake });
    if (identityOf(path, log).text !== before.text) log.refuse("changed", "the file changed while it was read");
    done += before.size;
  }
  function takeIntake(kind: Intake["kind"]): Intake {
    intake ??= open(kind);
    if (intake.kind !== kind) log.refuse("format", `it must have ${intake.kind} as ${first}, has ${kind}`);
    return intake;
  }
  intake?.flush();
  log.requireNone();
  if (intake === undefined || intake.rows === 0) return log.refuse("empty", "there is no row of data in it");
  return { intake, digests };
}

function readerOf(path: string, declared: Declaration, log: ProblemLog): typeof readCsv {
  if (/\.csv$/i.test(path)) return readCsv;
  if (!/\.parquet$/i.test(path))
    log.refuse("format", "the name must end in .csv or .parquet; docs/guides/data.md shows how to bring other formats");
  if (!hasHeader(declared)) log.refuse("columns", "--columns names the columns of Parquet, and has no places");
  return readParquet;
}

function subjectOf(
  { kind, stepMsMin }: Intake,
  symbol: PairSymbol,
  { intervalMs }: Declaration,
  log: ProblemLog,
): Subject {
  if (kind === "quotes") {
    if (intervalMs !== undefined) log.refuse("format", "--interval must not be given: the file has quotes, not bars");
    return { kind, symbol };
  }
  const length = intervalMs ?? stepMsMin;
  if (!Number.isFinite(length)) log.refuse("format", "the length of a single bar must be declared (--interval does)");
  if (stepMsMin < length)
    log.refuse("format", `bars of ${length} ms must be as far apart or more, was ${stepMsMin} ms`);
  if (length >= BAR_MS_MAX)
    log.refuse(
      "format",
      `bars must be shorter than 28 days, were ${length / DAY_MS} days; --interval declares their length`,
    );
  return { kind, symbol, intervalMs: length };
}

/** A file has changed when its inode, size or change time has. */
function identityOf(path: string, log: ProblemLog): { readonly text: string; readonly size: number } {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return log.refuse("missing", "there is no such file");
  // A pipe cannot be read twice.
  if (!found.isFile()) log.refuse("format", "it must be a file");
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join("."), size: Number(size) };
}
