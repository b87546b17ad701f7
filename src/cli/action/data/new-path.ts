// Where a command may write data: never over something that is there.

import { existsSync } from "node:fs";
import { manifestPath } from "../../../../backtest/data/manifest.ts";
import { isFull } from "../../../journal/file/sqlite-failure.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";

export function requireNew(path: string): void {
  for (const taken of [path, manifestPath(path)])
    if (existsSync(taken))
      throw new CommandFailure(exitCode.usage, `${taken} exists already, and is never overwritten`);
}

/** A write that finds the disk full does not say which file it was for. */
export async function writingTo<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFull(error)) throw error;
    const said = `${path} could not be written (${(error as Error).message}), and nothing of it is left`;
    throw new CommandFailure(exitCode.failed, said, "free some disk space, or name another place with --out");
  }
}

export function isDataFile(path: string): boolean {
  return path.endsWith(".columns") || path.endsWith(".csv");
}
