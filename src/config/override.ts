// Variables like PEGBOT__SERVER__PORT set or replace values of the file. Names match keys case-insensitively; a
// variable without a matching key is a mistake, as a misspelt key is.

import { descriptionsAt, keysAt } from "./description.ts";
import { type Path, parseYaml, pathKey } from "./document.ts";
import type { Environment } from "./environment.ts";
import type { Mistake } from "./mistake.ts";

const PREFIX = "PEGBOT__";

export type Overridden = {
  readonly data: unknown;
  /** The variable that set a path, or the nearest path above it. */
  variableOf(path: Path): string | undefined;
  readonly mistakes: readonly Mistake[];
};

export function override(data: unknown, environment: Environment): Overridden {
  const root = { config: structuredClone(data) };
  const variables = new Map<string, string>();
  const mistakes: Mistake[] = [];
  // Sections before their keys, whatever the order of the environment.
  const names = Object.keys(environment).filter((name) => name.toUpperCase().startsWith(PREFIX));
  for (const name of names.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
    const problem = apply(root, name, environment[name] ?? "", variables);
    if (problem !== undefined) mistakes.push({ text: problem, place: undefined, variable: name });
  }
  const variableOf = (path: Path): string | undefined =>
    variables.get(pathKey(path)) ?? (path.length === 0 ? undefined : variableOf(path.slice(0, -1)));
  return { data: root.config, variableOf, mistakes };
}

function depth(name: string): number {
  return name.split("__").length;
}

function apply(
  root: { config: unknown },
  name: string,
  text: string,
  variables: Map<string, string>,
): string | undefined {
  const path: string[] = [];
  let current: unknown = root.config;
  for (const segment of name.slice(PREFIX.length).split("__")) {
    const mapping = current ?? {};
    if (!isMapping(mapping)) return `cannot be set: ${path.join(".") || "the file"} is not a mapping`;
    const known = [...new Set([...keysAt(path), ...Object.keys(mapping)])];
    const key = known.find((candidate) => candidate.toLowerCase() === segment.toLowerCase());
    if (key === undefined) return unknownVariable(path, known);
    path.push(key);
    current = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  }
  const twin = variables.get(pathKey(path));
  if (twin !== undefined) return `sets ${path.join(".")}, which ${twin} sets too`;
  const value = typed(text, path);
  if ("problem" in value) return value.problem;
  place(root, ["config", ...path], value.value);
  variables.set(pathKey(path), name);
  return undefined;
}

/** Every step above the last is known to be a mapping, or absent. */
function place(holder: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    holder[key] = value;
    return;
  }
  holder[key] ??= {};
  place(holder[key] as Record<string, unknown>, rest, value);
}

function unknownVariable(path: readonly string[], known: readonly string[]): string {
  const start = PREFIX + path.map((key) => `${key.toUpperCase()}__`).join("");
  return `no such setting; known here: ${known.map((key) => start + key.toUpperCase()).join(", ") || "none"}`;
}

/** Variables are text; the type of the place decides the conversion. Lists and mappings are written as YAML. */
function typed(text: string, path: Path): { readonly value: unknown } | { readonly problem: string } {
  const types = new Set(descriptionsAt(path).flatMap((description) => description.type ?? []));
  if (types.size === 0 || (/^\s*[[{]/.test(text) && (types.has("array") || types.has("object")))) {
    const { data, mistakes } = parseYaml(text);
    return mistakes[0] === undefined ? { value: data } : { problem: mistakes[0].text };
  }
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(text) && (types.has("integer") || types.has("number")))
    return { value: Number(text) };
  if (/^(true|false)$/.test(text) && types.has("boolean")) return { value: text === "true" };
  return { value: text };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
