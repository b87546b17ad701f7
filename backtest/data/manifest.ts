// The manifest beside a data file: where the numbers came from, under which licence, what was declared and left out to read
// them, and the digest by which the file is recognised.

import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
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
      /** Those that went on where it ended. */
      more: z.array(z.object({ file: z.string(), sha256: digest })).optional(),
      format: z.string(),
      zone: z.string(),
      /** In the importer's words: where it came from. */
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

/** Undefined when there is none; an error when there is one that cannot be read. */
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
