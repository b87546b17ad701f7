// One file of any format becomes one data file of ours with a manifest beside it, or nothing at all.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { err, ok, type Result } from "../../src/domain/result.ts";
import type { Millis } from "../../src/domain/time.ts";
import { writeCsv } from "./csv/write-csv.ts";
import { openColumnFile } from "./file/read-columns.ts";
import { sha256Of } from "./input/file-bytes.ts";
import { type Manifest, manifestPath } from "./manifest.ts";
import { DataRefused, type Refusal } from "./problem.ts";
import type { Original } from "./read-data.ts";
import { readToColumns } from "./read-to-columns.ts";
import type { DataSource } from "./source.ts";
import { type Survey, survey } from "./survey/survey.ts";

export type Imported = {
  readonly manifest: Manifest;
  readonly survey: Survey;
  /** The first rows that were left out by name. */
  readonly tolerated: Refusal;
};

export type Provenance = { readonly origin: string; readonly licence: string; readonly at: Millis };

/** `out` ends in .columns or .csv, and does not exist yet. */
export async function importData(
  original: Original,
  out: string,
  provenance: Provenance,
): Promise<Result<Imported, Refusal>> {
  const { path, format, declared } = original;
  mkdirSync(dirname(out), { recursive: true });
  // Text is written from columns, which go again.
  const columns = out.endsWith(".csv") ? `${out}.${process.pid}-${threadId}.part` : out;
  try {
    const reading = await readToColumns(original, { path: columns, isDurable: true });
    const source = openColumnFile(columns);
    if (columns !== out) await writeCsv(out, source);
    const seen = survey(source);
    const manifest = {
      ...describe(out, source, seen),
      source: {
        kind: "import" as const,
        file: basename(path),
        sha256: sha256Of(path),
        format: format.name,
        zone: format.zone === "own" ? "fixed by the format" : (declared.zone?.name ?? "stated in every row"),
        origin: provenance.origin,
        licence: provenance.licence,
        importedAt: new Date(provenance.at).toISOString(),
        declared: { ...declared, zone: declared.zone?.name },
      },
    };
    writeManifest(out, manifest);
    return ok({ manifest, survey: seen, tolerated: reading.tolerated });
  } catch (error) {
    if (error instanceof DataRefused) return err(error.refusal);
    throw error;
  } finally {
    if (columns !== out) rmSync(columns, { force: true });
  }
}

/** What a manifest says whatever the numbers came from. */
export function describe(out: string, source: DataSource, seen: Survey): Omit<Manifest, "source"> {
  const { remarks, gaps, stepMs, price, spreadBps, volatilityPerYear, stillMs } = seen;
  return {
    format: "pegbot-data",
    version: 1,
    file: basename(out),
    sha256: sha256Of(out),
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

export function writeManifest(out: string, manifest: Manifest): void {
  const path = manifestPath(out);
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`, { flush: true });
  renameSync(`${path}.new`, path);
}
