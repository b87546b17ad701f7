// Where the files of this user lie that belong to no configuration: in the folder that a variable names, else below the home
// folder. A relative one would be another folder for every working directory, and so another budget for the same key.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";

/** For what belongs to the user of this machine and not to a configuration: the ledgers of keys. */
export function stateFolder(environment: Environment, home?: () => string): Result<string> {
  return userFolder({ variable: "XDG_STATE_HOME", belowHome: [".local", "state"] }, environment, home);
}

/** For what can be made again at any time: prices that were read once, as columns. Deleting it costs time only. */
export function cacheFolder(environment: Environment): Result<string> {
  return userFolder({ variable: "XDG_CACHE_HOME", belowHome: [".cache"] }, environment);
}

type UserFolder = { readonly variable: string; readonly belowHome: readonly string[] };

function userFolder(
  { variable, belowHome }: UserFolder,
  environment: Environment,
  home: () => string = homedir,
): Result<string> {
  const base = environment[variable];
  if (base !== undefined && base !== "")
    return isAbsolute(base) ? ok(join(base, "pegbot")) : err(`${variable} must be an absolute path, was "${base}"`);
  const found = homeFolder(home);
  return found.ok
    ? ok(join(found.value, ...belowHome, "pegbot"))
    : err(`${found.error}; or name the folder in ${variable}`);
}

function homeFolder(home: () => string): Result<string> {
  try {
    const path = home();
    return isAbsolute(path) ? ok(path) : err(`HOME must be an absolute path, was "${path}"`);
  } catch {
    // A user whom the system does not list, as in a container that was started with a number.
    return err("HOME is not set, and the system knows no home folder of this user: set HOME to an absolute path");
  }
}
