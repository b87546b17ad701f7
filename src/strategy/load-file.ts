// Loads a user's strategy file from any folder: the one place that imports a computed path. Packages that the file
// lacks may come from ours; every load is a fresh module, including its relative imports.

import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { errorMessage } from "../domain/error-message.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import { GUEST_MARK, keepGuestsIn, welcomeGuest } from "./guest.ts";
import { prepareStrategy, type Strategy } from "./prepare.ts";
import { takeUserModules } from "./user-modules.ts";

/**
 * `path` is absolute. The reason names the file, the line if known, and the problem. `imported` receives the specifiers
 * that the file and its relative imports ask for.
 */
export async function loadStrategyFile(
  path: string,
  params: unknown,
  imported?: (specifier: string) => void,
): Promise<Result<Strategy>> {
  const definition = await loadDefinitionFile(path, imported);
  if (!definition.ok) return definition;
  const strategy = prepareStrategy(definition.value, params);
  return strategy.ok ? strategy : err(`${path}: ${strategy.error}`);
}

/** The file's default export, unchecked. */
export async function loadDefinitionFile(
  path: string,
  imported?: (specifier: string) => void,
): Promise<Result<unknown>> {
  hook();
  const load = String(++loads);
  if (imported !== undefined) listeners.set(load, imported);
  const release = keepGuestsIn();
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return err(`${path}: there is no such file`);
    if (found.isDirectory()) return err(`${path}: must be the file of a strategy, was a folder`);
    const module = (await import(`${pathToFileURL(path).href}?${GUEST_MARK}=${load}`)) as { default?: unknown };
    if (module.default === undefined)
      return err(`${path}: must have a default export: export default defineStrategy({ ... })`);
    welcomeGuest(load, nameIn(module.default) ?? basename(path));
    return ok(module.default);
  } catch (error) {
    return err(explained(path, error));
  } finally {
    release();
  }
}

/** The value is validated later. */
function nameIn(definition: unknown): string | undefined {
  const name: unknown = (definition as { readonly name?: unknown } | null)?.name;
  return typeof name === "string" ? printable(name) : undefined;
}

const listeners = new Map<string, (specifier: string) => void>();
let loads = 0;
let isHooked = false;

/** Once per process, because a hook cannot be removed. */
function hook(): void {
  if (isHooked) return;
  isHooked = true;
  takeUserModules();
  const own = import.meta.url;
  registerHooks({
    resolve(specifier, context, next) {
      const load = context.parentURL?.split(`?${GUEST_MARK}=`)[1];
      if (load !== undefined) listeners.get(load)?.(specifier);
      if (load === undefined) return next(specifier, context);
      if (specifier.startsWith(".")) {
        const found = next(specifier, context);
        return { ...found, url: `${found.url}?${GUEST_MARK}=${load}` };
      }
      try {
        return next(specifier, context);
      } catch (error) {
        if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
        return next(specifier, { ...context, parentURL: own });
      }
    },
  });
}

function explained(path: string, error: unknown): string {
  if (!(error instanceof Error)) return `${path}: threw ${errorMessage(error)} while it was loaded`;
  const line = lineIn(path, error.stack ?? "");
  const where = line === undefined ? path : `${path}:${line}`;
  const message = printable(error.message);
  switch ((error as { code?: unknown }).code) {
    case "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX":
      return `${where}: ${message}: types are only stripped here, so write it without enum, namespace and parameter properties`;
    case "ERR_MODULE_NOT_FOUND":
      return `${where}: ${absentPackage(error.message) ?? message}`;
    case "ERR_INVALID_TYPESCRIPT_SYNTAX":
      return `${where}: syntax error: ${message}`;
    default:
      return error instanceof SyntaxError ? `${where}: syntax error: ${message}` : `${where}: ${message}`;
  }
}

/** The last specifier was resolved in our name, and the author knows no such file. */
function absentPackage(message: string): string | undefined {
  const missing = /^Cannot find package '[^']+'/.exec(message)?.[0];
  if (!message.includes(fileURLToPath(import.meta.url))) return undefined;
  return missing && `${printable(missing)}: it is neither beside the file nor among pegbot's own`;
}

/** The first line of this file on the stack. */
function lineIn(path: string, stack: string): string | undefined {
  const places = [path, pathToFileURL(path).href];
  for (const place of places) {
    const from = stack.indexOf(place);
    if (from < 0) continue;
    const line = /^(?:\?[^:\s]*)?:(\d+)/.exec(stack.slice(from + place.length));
    if (line !== null) return line[1];
  }
  return undefined;
}

/** Compiled and never run, in a process of its own, because the flags hold for a whole process. */
const COMPILE = `
const [path] = process.argv.slice(1);
const text = require("node:fs").readFileSync(path, "utf8");
const code = path.endsWith("ts") ? require("node:module").stripTypeScriptTypes(text) : text;
for (const flag of ["--no-lazy", "--print-bytecode"]) require("node:v8").setFlagsFromString(flag);
new (require("node:vm").SourceTextModule)(code);`;

/**
 * A name in the file that is declared nowhere, with its line: V8 reads it as a global, wherever it is. `typeof` may ask
 * for any name. An engine that prints no bytecode finds none.
 */
export async function undeclaredIn(path: string): Promise<string | undefined> {
  const flags = ["--experimental-vm-modules", "--no-warnings", "-e", COMPILE, path];
  const compiled = await promisify(execFile)(process.execPath, flags, { maxBuffer: 2 ** 28, timeout: 30_000 });
  const reads = compiled.stdout.matchAll(/^ *(?:(\d+) [ES]>)?.*\b(?:Lda|Sta)Global \[\d+:"([^"]+)"\]/gm);
  for (const [, at, name = ""] of reads) {
    if (name in globalThis) continue;
    const line = at && `:${readFileSync(path, "utf8").slice(0, Number(at)).split("\n").length}`;
    return `${path}${line ?? ""}: ${name} is not defined`;
  }
  return undefined;
}
