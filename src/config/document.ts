// YAML text to plain data, with the place of every key and value. Anything that makes a file mean more than it shows is
// refused: aliases, tags, several documents, duplicate keys.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
} from "yaml";
import { printable } from "../domain/sanitise.ts";
import type { Mistake, Place } from "./mistake.ts";

export type Path = readonly PropertyKey[];

export type Document = {
  readonly data: unknown;
  /** Where a key stands, or an element of a list. */
  keyPlace(path: Path): Place | undefined;
  valuePlace(path: Path): Place | undefined;
  /** A scalar as it was written, before YAML made a number of it. */
  source(path: Path): string | undefined;
  readonly mistakes: readonly Mistake[];
};

const DEPTH_MAX = 16;

export function parseYaml(text: string): Document {
  const lines = new LineCounter();
  const reader = createReader(lines);
  const data = compose(text, lines, reader);
  const find = (path: Path): Entry | undefined => reader.entries.get(pathKey(path));
  return {
    data,
    keyPlace: (path) => find(path)?.key,
    valuePlace: (path) => find(path)?.value,
    source: (path) => find(path)?.source,
    mistakes: reader.mistakes,
  };
}

export function pathKey(path: Path): string {
  return JSON.stringify(path.map(String));
}

function compose(text: string, lines: LineCounter, reader: Reader): unknown {
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, merge: false });
    for (const problem of [...document.errors, ...document.warnings])
      reader.refuse(problem.pos[0], `not readable as YAML: ${withoutSource(problem)}`);
    if (reader.mistakes.length > 0) return undefined;
    return document.contents === null ? {} : reader.read(document.contents, []);
  } catch (error) {
    // The only bound that the parser itself has on depth is the stack.
    if (!(error instanceof RangeError)) throw error;
    reader.refuse(0, `must not be nested deeper than ${DEPTH_MAX} levels`);
    return undefined;
  }
}

/** The parser quotes the text it stumbled over, which may be a secret. */
function withoutSource(problem: YAMLError): string {
  if (problem.code === "MULTIPLE_DOCS") return "must be one document";
  return printable(problem.message.replace(/:? ["'`].*$/s, ""));
}

type Entry = { readonly key: Place; readonly value: Place; readonly source: string | undefined };

type Reader = {
  readonly entries: Map<string, Entry>;
  readonly mistakes: Mistake[];
  refuse(offset: number, text: string): void;
  read(node: Node | null, path: Path): unknown;
};

function createReader(lines: LineCounter): Reader {
  const entries = new Map<string, Entry>();
  const mistakes: Mistake[] = [];
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const refuse = (offset: number, text: string): void =>
    void mistakes.push({ text, place: place(offset), variable: undefined });

  function read(node: Node | null, path: Path): unknown {
    const offset = node?.range?.[0] ?? 0;
    if (path.length > DEPTH_MAX) return refuse(offset, `must not be nested deeper than ${DEPTH_MAX} levels`);
    if (isAlias(node)) return refuse(offset, "aliases are not taken here: write the value out");
    if (isMap(node)) return readMap(node.items as Pair<Node, Node | null>[], path);
    if (isSeq(node)) return node.items.map((item, i) => readEntry(item as Node, item as Node, [...path, i]));
    return isScalar(node) ? node.value : null;
  }

  function readMap(pairs: readonly Pair<Node, Node | null>[], path: Path): Record<string, unknown> {
    const map: Record<string, unknown> = Object.create(null);
    for (const { key, value } of pairs) {
      const offset = key.range?.[0] ?? 0;
      const name =
        isScalar(key) && (typeof key.value === "string" || key.source !== undefined) ? keyName(key) : undefined;
      if (name === undefined) refuse(offset, "a key must be plain text");
      // Schemas pass over this one in silence.
      else if (name === "__proto__") refuse(offset, "unknown key __proto__");
      else if (Object.hasOwn(map, name)) {
        const first = entries.get(pathKey([...path, name]))?.key;
        refuse(offset, `duplicate key ${printable(name, 40)}, first on line ${first?.line}`);
      } else map[name] = readEntry(key, value, [...path, name]);
    }
    return map;
  }

  function readEntry(key: Node, value: Node | null, path: Path): unknown {
    entries.set(pathKey(path), {
      key: place(key.range?.[0] ?? 0),
      value: place(value?.range?.[0] ?? key.range?.[0] ?? 0),
      source: isScalar(value) ? value.source : undefined,
    });
    return read(value, path);
  }

  return { entries, mistakes, refuse, read };
}

/** Numbers and words like null are names too when they stand as keys. */
function keyName(key: { readonly value: unknown; readonly source?: string }): string {
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}
