// The one folder for what belongs to the user of this machine and not to a configuration: the ledgers of keys. Every
// process of the user finds the same one, whatever its working directory.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";

export function stateFolder(environment: Environment, home: string = homedir()): Result<string> {
  const { XDG_STATE_HOME: base } = environment;
  if (base === undefined || base === "") return ok(join(home, ".local", "state", "pegbot"));
  // A relative one would be another folder, and so another budget, for every working directory.
  return isAbsolute(base) ? ok(join(base, "pegbot")) : err(`XDG_STATE_HOME must be an absolute path, was "${base}"`);
}
