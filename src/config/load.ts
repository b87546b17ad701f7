// Loads a configuration from a file and the environment, or reports all mistakes in them at once.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import { withPreset } from "../risk/preset.ts";
import { absolutePaths } from "./absolute-paths.ts";
import { type Document, type Path, parseYaml } from "./document.ts";
import type { Environment } from "./environment.ts";
import { type Complaint, dotted, explainIssues, type Lookup, valueAt } from "./explain-issue.ts";
import { inFileOrder, type Mistake, type Place } from "./mistake.ts";
import { type Overridden, override } from "./override.ts";
import { brokenRules } from "./rule.ts";
import { type Config, configSchema } from "./schema.ts";

/** The origin of a value; undefined for the default. */
export type Origin = { readonly variable: string } | { readonly place: Place };

export type Loaded = {
  readonly config: Config;
  originOf(path: Path): Origin | undefined;
  /** Of the limits that the file does not name. */
  readonly preset: string | undefined;
};

export function loadConfig(file: string, environment: Environment): Result<Loaded, readonly Mistake[]> {
  const text = readConfigText(file);
  return text.ok ? parseConfig(text.value, file, environment) : err([text.error]);
}

/** The same for a given text; `file` is only the base of relative paths. */
export function parseConfig(text: string, file: string, environment: Environment): Result<Loaded, readonly Mistake[]> {
  const document = parseYaml(text);
  if (document.data === undefined) return err(inFileOrder(document.mistakes));
  const overridden = override(document.data, environment);
  const { risk, preset, issues: ofPreset } = withPreset((overridden.data as { risk?: unknown } | null)?.risk);
  const data = preset === undefined ? overridden.data : { ...(overridden.data as object), risk };
  const parsed = configSchema.safeParse(data);
  const issues = [
    ...(parsed.success ? [] : parsed.error.issues),
    ...ofPreset.map((issue) => ({ ...issue, path: ["risk", ...issue.path] })),
  ];
  const complaints: Complaint[] = [
    ...foldMissing(explainIssues(issues, lookup(document, overridden))),
    ...(parsed.success ? brokenRules(parsed.data) : []).map((breach) => ({ ...breach, at: "value" as const })),
  ];
  const mistakes = [
    ...document.mistakes,
    ...overridden.mistakes,
    ...complaints.map((complaint) => located(complaint, document, overridden)),
  ];
  if (mistakes.length > 0 || !parsed.success) return err(inFileOrder(mistakes));
  return ok({
    preset: preset === undefined ? undefined : String(preset),
    config: absolutePaths(parsed.data, dirname(resolve(file)), environment),
    originOf: (path) => originOf(path, document, overridden),
  });
}

function lookup(document: Document, overridden: Overridden): Lookup {
  return (path) => {
    const value = valueAt(overridden.data, path);
    return { value, source: overridden.variableOf(path) === undefined ? document.source(path) : undefined };
  };
}

function located({ path, at, text }: Complaint, document: Document, overridden: Overridden): Mistake {
  const variable = overridden.variableOf(path);
  if (variable !== undefined) return { text, place: undefined, variable };
  const place = (at === "key" ? document.keyPlace(path) : document.valuePlace(path)) ?? nearestPlace(path, document);
  return { text, place, variable };
}

/** A missing key has no place: the nearest mapping above it has one. */
function nearestPlace(path: Path, document: Document): Place {
  for (let length = path.length - 1; length > 0; length--) {
    const place = document.keyPlace(path.slice(0, length));
    if (place !== undefined) return place;
  }
  return { line: 1, column: 1 };
}

function originOf(path: Path, document: Document, overridden: Overridden): Origin | undefined {
  const variable = overridden.variableOf(path);
  if (variable !== undefined) return { variable };
  const place = document.valuePlace(path);
  return place === undefined ? undefined : { place };
}

/**
 * From this many missing keys in one mapping they are folded into one mistake without their rules: thirty lines would
 * hide a mistake in the written keys.
 */
const FOLDED_FROM = 5;

const ADVICE = "it names every limit, or a preset that does (preset: cautious); on paper the section may be left out";

function foldMissing(complaints: readonly Complaint[]): readonly Complaint[] {
  const missing = Map.groupBy(complaints, ({ at, path }) => (at === "missing" ? dotted(path.slice(0, -1)) : undefined));
  return [...missing].flatMap(([section, each]) => {
    const [first, ...others] = each;
    if (section === undefined || first === undefined || each.length < FOLDED_FROM) return each;
    const names = others.map(({ path }) => String(path.at(-1))).join(", ");
    const text = `${dotted(first.path)} is missing, and so are ${others.length} more of ${section}: ${names}`;
    return [{ ...first, text: section === "risk" ? `${text}; ${ADVICE}` : text }];
  });
}

// Reads a configuration file, within bounds.

const BYTES_MAX = 64 * 1024;

export function readConfigText(file: string): Result<string, Mistake> {
  try {
    // Without O_NONBLOCK a pipe without a writer would block for ever.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readHandle(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return refused(reason(error as NodeJS.ErrnoException));
  }
}

function readHandle(handle: number): Result<string, Mistake> {
  const status = fstatSync(handle);
  if (!status.isFile()) return refused("must be a regular file");
  const buffer = Buffer.alloc(BYTES_MAX + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(handle, buffer, length, buffer.length - length, null);
  if (length > BYTES_MAX) return refused(`must be at most ${BYTES_MAX} bytes long, was ${status.size}`);
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length)));
  } catch {
    return refused("must be UTF-8 text");
  }
}

function reason(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return "there is no such file; pegbot start needs none (ask again some seconds after a first start), pegbot init writes one, --config names another";
  if (error.code === "EACCES") return "may not be read by this user; see its permissions";
  return `cannot be read: ${error.message}`;
}

function refused(text: string): { readonly ok: false; readonly error: Mistake } {
  return err({ text, place: undefined, variable: undefined });
}
