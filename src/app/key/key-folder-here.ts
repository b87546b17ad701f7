// Where the ledger of a key lies on this machine, for commands that have its name and not the key.

import { existsSync } from "node:fs";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { keyFolder } from "../../exchange/budget/open.ts";

/** Undefined where there is none that could be looked at. */
export function keyFolderHere(fingerprint: string): string | undefined {
  const state = stateFolder(environment());
  if (!state.ok) return undefined;
  const folder = keyFolder({ stateFolder: state.value, fingerprint });
  return existsSync(folder) ? folder : undefined;
}
