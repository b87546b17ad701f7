// The folders for this user's files that belong to no configuration: named by a variable, otherwise below the home
// folder. A relative one would differ for every working directory, and would give the same key another budget.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";

/** For state of the machine's user and not of a configuration: the ledgers of keys. */
export function stateFolder(environment: Environment, home: () => string = homedir): Result<string> {
  const base = environment.XDG_STATE_HOME;
  if (base !== undefined && base !== "")
    return isAbsolute(base) ? ok(join(base, "pegbot")) : err(`XDG_STATE_HOME must be an absolute path, was "${base}"`);
  const found = homeFolder(home);
  return found.ok
    ? ok(join(found.value, ".local", "state", "pegbot"))
    : err(`${found.error}; or name the folder in XDG_STATE_HOME`);
}

function homeFolder(home: () => string): Result<string> {
  try {
    const path = home();
    return isAbsolute(path) ? ok(path) : err(`HOME must be an absolute path, was "${path}"`);
  } catch {
    // The system does not list the user, as in a container started with a numeric id.
    return err("HOME is not set, and the system knows no home folder of this user: set HOME to an absolute path");
  }
}
