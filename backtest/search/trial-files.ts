// Files that trials name by hash: columns of recorded prices, and a strategy file with its relative imports, and the
// packages that these import by name and version.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { findPackageJSON, isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { bytesOf } from "../data/column-file.ts";
import { COLUMNS, type Columns, type DataSource, type Subject, subjectOf } from "../data/source.ts";
import { canonicalDigest, canonicalText } from "./identity.ts";

export type TrialFiles = {
  readonly columns: readonly HashedColumns[];
  /** `path`: the file with this digest. */
  readonly strategies: readonly { readonly digest: string; readonly path: string }[];
  readonly codeVersion: string;
};

export type HashedColumns = {
  readonly digest: string;
  readonly subject: Subject;
  readonly columns: Columns;
};

/**
 * Without a copy where the source is in memory as one chunk. The same prices have the same hash, whatever file they
 * came from.
 */
export function hashedColumns(source: DataSource): HashedColumns {
  const subject = subjectOf(source);
  const columns = gathered(source, subject.kind);
  return { digest: columnsDigest(subject, columns), subject, columns };
}

export function columnsDigest(subject: Subject, columns: Columns): string {
  const digest = createHash("sha256").update(canonicalText(subject));
  for (const column of columns) digest.update(bytesOf(column, 0, column.length));
  return digest.digest("hex");
}

function gathered(source: DataSource, kind: Subject["kind"]): Columns {
  const names = COLUMNS[kind];
  let whole: Columns | undefined;
  let row = 0;
  for (const chunk of source.chunks()) {
    const columns = names.map((name) => (chunk as unknown as Record<string, Float64Array>)[name] as Float64Array);
    if (columns.every((one) => one.length === source.rows)) return columns;
    whole ??= names.map(() => new Float64Array(source.rows));
    for (const [c, column] of columns.entries()) whole[c]?.set(column.subarray(0, chunk.length), row);
    row += chunk.length;
  }
  return whole ?? names.map(() => new Float64Array(0));
}

const FILES_MAX = 200;
const BYTES_MAX = 4 * 2 ** 20;
const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** Of a strategy file with its relative imports, wherever they lie, and the packages of all of them. */
export function strategyDigest(path: string): Result<string> {
  const reached = reachedFrom(path);
  if (!reached.ok) return reached;
  const folder = commonFolder([...reached.value.keys()]);
  const nameOf = (file: string): string => relative(folder, file).split(sep).join("/");
  const files = [...reached.value]
    .map(([file, text]) => ({ name: nameOf(file), text }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return ok(canonicalDigest({ main: nameOf(resolve(path)), files, packages: packagesOf(reached.value) }));
}

/** The file and its relative imports, transitively: absolute paths with their texts. */
export function reachedFrom(path: string): Result<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const waiting = [resolve(path)];
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (texts.has(next)) continue;
    if (!isFile(next)) return err(`${next}: there is no such file`);
    const text = readFileSync(next, "utf8");
    bytes += text.length;
    texts.set(next, text);
    if (texts.size > FILES_MAX || bytes > BYTES_MAX)
      return err(`${path}: a strategy may import ${FILES_MAX} files and ${BYTES_MAX} bytes at most`);
    // A missing file may only be named in a comment; otherwise the loader reports it.
    for (const { 1: name = "" } of text.matchAll(RELATIVE)) {
      const file = resolve(dirname(next), name);
      if (isFile(file)) waiting.push(file);
    }
  }
  return ok(texts);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] as string);
  while (!files.every((file) => file.startsWith(join(folder, sep)))) folder = dirname(folder);
  return folder;
}

const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"'\n]+)["']/g;

/**
 * `mypkg 1.0.2`, for each package that the files import: pegbot itself is identified separately, and the loader reports
 * missing ones.
 */
export function packagesOf(files: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set<string>();
  for (const [file, text] of files)
    for (const { 1: name = "" } of text.matchAll(IMPORTED)) {
      if (/^[./#]|:|^pegbot(?:\/|$)/.test(name) || isBuiltin(name)) continue;
      const path = manifestOf(name, pathToFileURL(file).href) ?? manifestOf(name, import.meta.url);
      if (path === undefined) continue;
      const manifest = JSON.parse(readFileSync(path, "utf8")) as { readonly name?: string; readonly version?: string };
      found.add(`${manifest.name} ${manifest.version}`);
    }
  return [...found].sort();
}

function manifestOf(name: string, base: string): string | undefined {
  try {
    return findPackageJSON(name, base);
  } catch {
    return undefined;
  }
}
