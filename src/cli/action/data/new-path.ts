// Where a command may write data: never over something that is there.

import { existsSync } from "node:fs";
import { manifestPath } from "../../../../backtest/data/manifest.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";

export function requireNew(path: string): void {
  for (const taken of [path, manifestPath(path)])
    if (existsSync(taken))
      throw new CommandFailure(exitCode.usage, `${taken} exists already, and is never overwritten`);
}

export function isDataFile(path: string): boolean {
  return path.endsWith(".columns") || path.endsWith(".csv");
}
