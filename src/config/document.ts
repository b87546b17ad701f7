// Parses YAML text to plain data, with the place of every key and value. Anything that gives a file a hidden meaning is
// refused: aliases, tags, several documents, duplicate keys.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLError,
} from "yaml";
import { printable } from "../domain/sanitise.ts";
import type { Mistake, Place } from "./mistake.ts";

export type Path = readonly PropertyKey[];

export type Document = {
  readonly data: unknown;
  /** The place of a key, or of an element of a list. */
  keyPlace(path: Path): Place | undefined;
  valuePlace(path: Path): Place | undefined;
  /** A scalar as written, before YAML converted it to a number. */
  source(path: Path): string | undefined;
  readonly mistakes: readonly Mistake[];
};

const DEPTH_MAX = 16;
const TOO_DEEP = `must not be nested deeper than ${DEPTH_MAX} levels`;

type Entry = { readonly key: Place; readonly value: Place; readonly source: string | undefined };

export function parseYaml(text: string): Document {
  const lines = new LineCounter();
  const mistakes: Mistake[] = [];
  const entries = new Map<string, Entry>();
  const placeOf = (offset = 0): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const refuse = (place: Place, text: string): undefined => void mistakes.push({ text, place, variable: undefined });

  function readEntry(name: string | number, keyNode: Node, node: Node | null, above: Path): undefined {
    const path = [...above, name];
    const key = placeOf(keyNode.range?.[0]);
    const value = node?.range ? placeOf(node.range[0]) : key;
    const first = entries.get(pathKey(path))?.key;
    if (first !== undefined)
      return refuse(key, `duplicate key ${printable(`${name}`, 40)}, first on line ${first.line}`);
    // Schemas silently ignore this key.
    if (name === "__proto__") return refuse(key, "unknown key __proto__");
    entries.set(pathKey(path), { key, value, source: isScalar(node) ? node.source : undefined });
    read(node, path, value);
  }

  function read(node: unknown, path: Path, place: Place): undefined {
    if (path.length > DEPTH_MAX) return refuse(place, TOO_DEEP);
    if (isAlias(node)) return refuse(place, "aliases are not taken here: write the value out");
    if (isSeq<Node>(node)) for (const [i, item] of node.items.entries()) readEntry(i, item, item, path);
    if (isMap<Scalar, Node>(node))
      for (const { key, value } of node.items) readEntry(String(key.value), key, value, path);
  }

  const document = parsed(text, lines, (offset, text) => refuse(placeOf(offset), text));
  if (mistakes.length === 0) read(document?.contents, [], placeOf());
  const find = (path: Path): Entry | undefined => entries.get(pathKey(path));
  return {
    data: mistakes.length === 0 ? (document?.toJS() ?? {}) : undefined,
    keyPlace: (path) => find(path)?.key,
    valuePlace: (path) => find(path)?.value,
    source: (path) => find(path)?.source,
    mistakes,
  };
}

export function pathKey(path: Path): string {
  return JSON.stringify(path.map(String));
}

function parsed(text: string, lineCounter: LineCounter, refuse: (offset: number, text: string) => void) {
  const options = { lineCounter, prettyErrors: false, stringKeys: true, uniqueKeys: false, merge: false } as const;
  try {
    const document = parseDocument(text, options);
    for (const problem of [...document.errors, ...document.warnings])
      refuse(problem.pos[0], `not readable as YAML: ${withoutSource(problem)}`);
    return document;
  } catch (error) {
    // The parser's only bound on depth is the stack.
    if (!(error instanceof RangeError)) throw error;
    refuse(0, TOO_DEEP);
    return undefined;
  }
}

/** The parser quotes the offending text, which may be a secret. */
function withoutSource(problem: YAMLError): string {
  if (problem.code === "MULTIPLE_DOCS") return "must be one document";
  return printable(problem.message.replace(/:? ["'`].*$/s, ""));
}
