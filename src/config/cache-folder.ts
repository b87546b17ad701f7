// The folder for what can be made again at any time: prices that were read once, as columns. Deleting it costs time only.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";

export function cacheFolder(environment: Environment, home: string = homedir()): Result<string> {
  const { XDG_CACHE_HOME: base } = environment;
  if (base === undefined || base === "") return ok(join(home, ".cache", "pegbot"));
  return isAbsolute(base) ? ok(join(base, "pegbot")) : err(`XDG_CACHE_HOME must be an absolute path, was "${base}"`);
}
