// Where a command shall write, checked before the work and not after it.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { CommandFailure } from "./command-failure.ts";
import { exitCode } from "./exit-code.ts";

export function requirePlace(flag: string, path: string, ending: string): void {
  if (!path.endsWith(ending)) throw new CommandFailure(exitCode.usage, `${flag} must end in ${ending}, was ${path}`);
  if (!existsSync(dirname(path)))
    throw new CommandFailure(exitCode.usage, `${flag}: there is no folder ${dirname(path)}`);
}
