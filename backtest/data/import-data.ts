// Imports one file of any format, or several consecutive ones, into one data file with a manifest, or nothing at all.
// Signals are handled between portions.

import { basename } from "node:path";
import { err, ok, type Result } from "../../src/domain/result.ts";
import type { Millis } from "../../src/domain/time.ts";
import { nextTurn } from "../next-turn.ts";
import { writeCsv } from "./csv/write-csv.ts";
import { openColumnFile } from "./file/column-file.ts";
import { type FileIdentity, identityOf, requireSame, sha256Of } from "./input/file-bytes.ts";
import { type Manifest, openStage, publish, removeStage } from "./manifest.ts";
import { DataRefused, ProblemLog, type Refusal } from "./problem.ts";
import { type Original, readToColumns } from "./read-data.ts";
import type { DataSource } from "./source.ts";
import { type Survey, survey } from "./survey/survey.ts";

export type Imported = {
  readonly manifest: Manifest;
  readonly survey: Survey;
  /** The first rows that were left out by toleration. */
  readonly tolerated: Refusal;
};

export type Provenance = { readonly origin: string; readonly licence: string; readonly at: Millis };

/** `out` ends in .columns or .csv, and does not exist yet. */
export async function importData(
  original: Original,
  out: string,
  provenance: Provenance,
): Promise<Result<Imported, Refusal>> {
  const { path, more = [], format, declared } = original;
  const log = new ProblemLog(path);
  const stage = openStage(out);
  try {
    const identity = identityOf(path, log);
    const others = more.map((file) => ({ file, identity: identityOf(file, new ProblemLog(file)) }));
    const reading = await readToColumns({ ...original, identity }, { path: stage.columns, isDurable: true });
    if (reading.subject.kind === "quotes" && declared.intervalMs !== undefined)
      log.refuse("format", "--interval must not be given: the file has quotes, not bars");
    const sha256 = digestOf({ file: path, identity });
    const rest = others.map((other) => ({ file: basename(other.file), sha256: digestOf(other) }));
    const source = openColumnFile(stage.columns);
    if (stage.file !== stage.columns) await writeCsv(stage.file, source);
    const seen = survey(source);
    const manifest = {
      ...describe(out, sha256Of(stage.file), source, seen),
      source: {
        kind: "import" as const,
        file: basename(path),
        sha256,
        ...(rest.length === 0 ? {} : { more: rest }),
        format: format.name,
        zone: format.zone === "own" ? "fixed by the format" : (declared.zone?.name ?? "stated in every row"),
        origin: provenance.origin,
        licence: provenance.licence,
        importedAt: new Date(provenance.at).toISOString(),
        declared: { ...declared, zone: declared.zone?.name },
      },
    };
    await nextTurn();
    publish(out, manifest);
    return ok({ manifest, survey: seen, tolerated: reading.tolerated });
  } catch (error) {
    if (error instanceof DataRefused) return err(error.refusal);
    throw error;
  } finally {
    removeStage(out);
  }
}

function digestOf({ file, identity }: { readonly file: string; readonly identity: FileIdentity }): string {
  const digest = sha256Of(file);
  requireSame(file, identity, new ProblemLog(file));
  return digest;
}

/** The part of a manifest that does not depend on where the numbers came from. */
export function describe(out: string, sha256: string, source: DataSource, seen: Survey): Omit<Manifest, "source"> {
  const { remarks, gaps, stepMs, price, spreadBps, volatilityPerYear, stillMs } = seen;
  return {
    format: "pegbot-data",
    version: 1,
    file: basename(out),
    sha256,
    symbol: source.symbol,
    kind: source.kind,
    ...(source.kind === "bars" ? { intervalMs: source.intervalMs } : {}),
    rows: source.rows,
    from: seen.from,
    to: seen.to,
    leftOut: { ...source.leftOut },
    report: { stepMs, gaps, price, spreadBps, volatilityPerYear, stillMs, remarks },
  };
}
