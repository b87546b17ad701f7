// Files that trials name by hash: columns of recorded prices, a strategy file with the files that it imports by a relative name,
// and the packages that it imports, which do not travel to other machines.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { findPackageJSON, isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { bytesOf } from "../data/file/column-file.ts";
import { COLUMNS, type Columns, type DataSource, type Subject } from "../data/source.ts";
import { canonicalDigest, canonicalText } from "./identity.ts";

export type TrialFiles = {
  readonly columns: readonly HashedColumns[];
  /** `path`: of the main file of the bundle with this digest. */
  readonly strategies: readonly { readonly digest: string; readonly path: string }[];
  readonly codeVersion: string;
};

export type HashedColumns = {
  readonly digest: string;
  readonly subject: Subject;
  readonly columns: Columns;
};

/** Without a copy where the source lies in memory as one chunk. The same prices have the same hash, whatever file they came from. */
export function hashedColumns(source: DataSource): HashedColumns {
  const { kind, symbol } = source;
  const subject: Subject =
    source.kind === "bars" ? { kind: "bars", symbol, intervalMs: source.intervalMs } : { kind: "quotes", symbol };
  const columns = gathered(source, kind);
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

export type StrategyBundle = {
  readonly digest: string;
  /** The file that has the strategy. */
  readonly main: string;
  /** Names are relative to one folder, with slashes, and never lead out of it. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

const FILES_MAX = 200;
const BYTES_MAX = 4 * 2 ** 20;
const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** Texts are named too, so that what looks like a comment in one is none. */
const COMMENT_OR_TEXT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

export function bundleOf(path: string): Result<StrategyBundle> {
  const reached = reachedFrom(path);
  if (!reached.ok) return reached;
  const texts = reached.value;
  const folder = commonFolder([...texts.keys()]);
  const nameOf = (file: string): string => relative(folder, file).split(sep).join("/");
  const files = [...texts].map(([file, text]) => ({ name: nameOf(file), text }));
  return ok(bundled(nameOf(resolve(path)), files));
}

/** The file and what it imports by a relative name: absolute paths, with their texts. */
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
    for (const { 1: name, index } of text.matchAll(RELATIVE)) {
      const file = resolve(dirname(next), name as string);
      if (isFile(file)) waiting.push(file);
      else if (!isInComment(text, index))
        return err(`${next}:${lineAt(text, index)}: imports ${name}, and there is no such file`);
    }
  }
  return ok(texts);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Asked only of what is not there: a file that is there may travel without being needed, but never the other way round. */
function isInComment(text: string, index: number): boolean {
  for (const found of text.matchAll(COMMENT_OR_TEXT))
    if (found.index <= index && index < found.index + found[0].length) return found[0].startsWith("/");
  return false;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** With its digest, whoever brought the files. */
export function bundled(main: string, files: StrategyBundle["files"]): StrategyBundle {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { digest: canonicalDigest({ main, files: sorted }), main, files: sorted };
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] as string);
  while (!files.every((file) => file.startsWith(join(folder, sep)))) folder = dirname(folder);
  return folder;
}

export type ImportedPackage = {
  readonly name: string;
  readonly version: string;
  /** Over the names and contents of what code can be loaded from. */
  readonly sha256: string;
};

const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"'\n]+)["']/g;
const LOADED = /(?<!\.d)\.(?:[cm]?[jt]s|json|node|wasm)$/;

/**
 * `files` are those of the strategy, by absolute path. `known` keeps what was hashed, for who asks again and again: a process loads
 * a package once.
 */
export function packagesOf(
  files: ReadonlyMap<string, string>,
  known: Map<string, ImportedPackage> = new Map(),
): readonly ImportedPackage[] {
  const waiting = [...files].flatMap(([file, text]) => manifestsFrom(file, text));
  const found = new Map<string, ImportedPackage>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    const manifest = JSON.parse(readFileSync(next, "utf8")) as Manifest;
    const hashed = known.get(next) ?? hashedPackage(dirname(next), manifest);
    known.set(next, hashed);
    found.set(next, hashed);
    for (const name of dependenciesOf(manifest)) waiting.push(...manifestOf(name, next));
  }
  return [...found.values()].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

/** What differs between the packages that a trial names and those that are here; undefined where nothing does. */
export function whyOthers(named: readonly ImportedPackage[], here: readonly ImportedPackage[]): string | undefined {
  const without = (list: readonly ImportedPackage[], others: readonly ImportedPackage[]): string => {
    const texts = new Set(others.map(textOf));
    return (
      list
        .map(textOf)
        .filter((text) => !texts.has(text))
        .join(", ") || "none"
    );
  };
  const [missing, instead] = [without(named, here), without(here, named)];
  return missing === "none" && instead === "none" ? undefined : `${missing}; here: ${instead}`;
}

/** `mypkg 1.0.2 (sha256 1a2b3c4d5e6f)`. */
function textOf({ name, version, sha256 }: ImportedPackage): string {
  return `${name} ${version} (sha256 ${sha256.slice(0, 12)})`;
}

function manifestsFrom(file: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORTED)].flatMap(({ 1: name }) => manifestOf(name as string, file));
}

/** None for what is no package, for pegbot, whose code has its own identity, and for what is not there: whoever loads it says so. */
function manifestOf(name: string, from: string): readonly string[] {
  if (/^[./]|:|^pegbot(?:\/|$)/.test(name) || isBuiltin(name)) return [];
  const base = pathToFileURL(from).href;
  if (name.startsWith("#")) return real(() => findPackageJSON(base));
  const own = real(() => findPackageJSON(name, base));
  return own.length > 0 ? own : real(() => findPackageJSON(name, import.meta.url));
}

/** A package that is linked depends on what lies beside its own files. */
function real(find: () => string | undefined): readonly string[] {
  try {
    const manifest = find();
    return manifest === undefined ? [] : [realpathSync(manifest)];
  } catch {
    return [];
  }
}

function dependenciesOf({ dependencies, peerDependencies, optionalDependencies }: Manifest): readonly string[] {
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
}

function hashedPackage(folder: string, { name = "", version = "" }: Manifest): ImportedPackage {
  const digest = createHash("sha256");
  for (const file of loadedFiles(folder, "")) digest.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return { name, version, sha256: digest.digest("hex") };
}

/** Names have slashes and one order on every machine. Other packages and what tools keep beside a package are left out. */
function loadedFiles(folder: string, under: string): readonly string[] {
  const files: string[] = [];
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const name = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
      files.push(...loadedFiles(folder, name));
    else if (entry.isFile() && LOADED.test(entry.name)) files.push(name);
  }
  return files.sort();
}

type Manifest = {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly optionalDependencies?: object;
};
