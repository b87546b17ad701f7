// The packages that a strategy imports, each by the hash of its own files, with those that they depend on. They are no part of a
// bundle and do not travel, so a trial names them beside it: another content of one, under the same version too, is another trial.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { findPackageJSON, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

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
