// The manifest of a data file: the origin and licence of the numbers, the declarations and omissions when they were
// read, and the digest that identifies the file.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { z } from "zod";
import { requireFolder } from "../../src/disk/create-folder.ts";
import { freshPath, placeNew, removeLeftovers } from "../../src/disk/fresh-file.ts";
import { syncFolderOf, writeNew } from "../../src/disk/new-file.ts";
import { parseSymbol } from "../../src/domain/asset.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { complaintsOf } from "../../src/domain/schema-complaint.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
const instant = z.iso.datetime("must be a time like 2026-01-01T00:00:00Z");

const manifestSchema = z.object({
  format: z.literal("pegbot-data"),
  version: z.literal(1),
  file: z.string(),
  sha256: digest,
  symbol: z.string().refine((text) => parseSymbol(text).ok, "must be a pair like VCHF/CHF"),
  kind: z.enum(["quotes", "bars"]),
  intervalMs: z.number().positive().optional(),
  rows: z.int().positive(),
  from: instant,
  to: instant,
  source: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("import"),
      file: z.string(),
      sha256: digest,
      /** Consecutive files that followed the first. */
      more: z.array(z.object({ file: z.string(), sha256: digest })).optional(),
      format: z.string(),
      zone: z.string(),
      /** The origin in the importer's words. */
      origin: z.string(),
      licence: z.string(),
      importedAt: instant,
      declared: z.looseObject({ jumpMax: z.number().optional() }),
    }),
    z.object({
      kind: z.literal("generated"),
      seed: z.int(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ]),
  leftOut: z.record(z.string(), z.int()),
  report: z.record(z.string(), z.unknown()),
});

export type Manifest = z.infer<typeof manifestSchema>;

export function manifestPath(file: string): string {
  return `${file}.manifest.json`;
}

/** Undefined when there is none; an error when it cannot be read. */
export function readManifest(file: string): Result<Manifest | undefined> {
  const path = manifestPath(file);
  if (!existsSync(path)) return ok(undefined);
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const parsed = manifestSchema.safeParse(value);
    if (parsed.success) return ok(parsed.data);
    const wrong = complaintsOf(parsed.error.issues, value, (place) => place.join(".") || "it");
    return err(`${path} is no manifest: ${wrong.join("; ")}`);
  } catch (error) {
    return err(`${path} is no manifest: ${(error as Error).message}`);
  }
}

// A data file and its manifest appear together when both are complete and on disk, or not at all. Until then they have
// temporary names of this process, by which the next writer of the same file finds leftovers.

type Stage = {
  /** The future data file. */
  readonly file: string;
  /** The columns from which text is written; the file itself where it is a column file. */
  readonly columns: string;
};

/** `out` ends in .columns or .csv. */
export function openStage(out: string): Stage {
  requireFolder(dirname(out));
  removeLeftovers(out);
  return stageOf(out);
}

export function publish(out: string, manifest: Manifest): void {
  const staged = `${stageOf(out).file}.json`;
  writeNew(staged, `${JSON.stringify(manifest, undefined, 2)}\n`);
  // In this order, with nothing in between: a visible file has its manifest. The process that owns the manifest's name
  // owns both.
  placeNew(staged, manifestPath(out));
  try {
    placeNew(stageOf(out).file, out);
  } catch (error) {
    rmSync(manifestPath(out), { force: true });
    throw error;
  }
  syncFolderOf(out);
}

/** Removes this thread's unpublished files. */
export function removeStage(out: string): void {
  const { file, columns } = stageOf(out);
  for (const path of [file, freshPath(file), columns, freshPath(columns), `${file}.json`])
    rmSync(path, { force: true });
}

function stageOf(out: string): Stage {
  const columns = `${out}.${process.pid}-${threadId}.part`;
  return { columns, file: out.endsWith(".csv") ? `${out}.${process.pid}-${threadId}.text` : columns };
}
