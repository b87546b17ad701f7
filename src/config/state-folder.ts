// The one folder for what belongs to the user of this machine and not to a configuration: the ledgers of keys. Every
// process of the user finds the same one, whatever its working directory.

import type { Result } from "../domain/result.ts";
import type { Environment } from "./environment.ts";
import { userFolder } from "./user-folder.ts";

export function stateFolder(environment: Environment, home?: () => string): Result<string> {
  return userFolder({ variable: "XDG_STATE_HOME", belowHome: [".local", "state"] }, environment, home);
}
