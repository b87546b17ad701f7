// The manifest of a data file: the origin and licence of the numbers, the declarations and omissions when they were
// read, and the digest that identifies the file.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { freshPath, placeNew, removeFresh, removeLeftovers } from "../../src/disk/fresh-file.ts";
import { syncFolderOf, writeNew } from "../../src/disk/new-file.ts";
import { parseSymbol } from "../../src/domain/asset.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { complaintsOf } from "../../src/domain/schema-complaint.ts";
import { sha256Of } from "./digest.ts";
import type { Summary } from "./summary.ts";

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
      zone: z.string(),
      /** The origin in the importer's words. */
      origin: z.string(),
      licence: z.string(),
      importedAt: instant,
      declared: z.record(z.string(), z.unknown()),
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

// A column file and its manifest appear together when both are complete and on disk, or not at all. Until then they
// have temporary names of this process, by which the next writer of the same file finds leftovers.

export function prepare(out: string): void {
  removeLeftovers(out);
  removeLeftovers(manifestPath(out));
}

/** Gives the complete file of the temporary name its own, with a manifest. */
export function publish(out: string, summary: Summary, source: Manifest["source"]): Manifest {
  const { stepMs, gaps, price, ...extent } = summary;
  const manifest: Manifest = {
    ...{ format: "pegbot-data", version: 1, file: basename(out), sha256: sha256Of(freshPath(out)) },
    ...extent,
    leftOut: { ...summary.leftOut },
    source,
    report: { stepMs, gaps, price },
  };
  writeNew(freshPath(manifestPath(out)), `${JSON.stringify(manifest, undefined, 2)}\n`);
  // In this order, with nothing in between: a visible file has its manifest. The process that owns the manifest's name
  // owns both.
  placeNew(freshPath(manifestPath(out)), manifestPath(out));
  try {
    placeNew(freshPath(out), out);
  } catch (error) {
    rmSync(manifestPath(out), { force: true });
    throw error;
  }
  syncFolderOf(out);
  return manifest;
}

/** Removes what this thread has not published. */
export function removeStaged(out: string): void {
  removeFresh(out);
  removeFresh(manifestPath(out));
}
