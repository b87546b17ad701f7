// The folder for what can be made again at any time: prices that were read once, as columns. Deleting it costs time only.

import type { Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";
import { userFolder } from "./user-folder.ts";

export function cacheFolder(environment: Environment): Result<string> {
  return userFolder({ variable: "XDG_CACHE_HOME", belowHome: [".cache"] }, environment);
}
