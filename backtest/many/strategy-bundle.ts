// A strategy file with every file that it imports by a relative name: what travels to another machine, and what a trial
// names by hash. Packages do not travel: a worker has those of pegbot (strategy-packages.ts).

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { canonicalDigest } from "./canonical.ts";

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
