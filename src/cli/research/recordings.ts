// The data files of a backtest, each with its role. A problem with one ends the command with file and line.

import { basename, dirname, resolve } from "node:path";
import type { Memory, OpenedData } from "../../../backtest/data/open-data.ts";
import { type Recording, roleOf, whyCopied, whyNotOnce } from "../../../backtest/recording.ts";
import type { Shell } from "../../app/shell.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import type { PlanFlags } from "./plan.ts";

/** `whole` loads them into shared memory, for many runs. */
export async function openRecordings(shell: Shell, flags: PlanFlags, memory?: Memory): Promise<readonly Recording[]> {
  const { data: path, as: role } = flags;
  if (path === "synthetic") {
    if (role !== undefined) throw usageFailure("--as needs --data with a file");
    if (flags.halfSpreadBps !== undefined) throw usageFailure("--half-spread-bps needs --data with a file of bars");
    return [];
  }
  // The code that reads data files is loaded only if there is one.
  const { openDataFiles } = await import("../../app/data/data-file.ts");
  const opened = openDataFiles(shell, path, memory);
  const recordings = opened.map((file) => recordingOf(file, resolve(path), flags));
  if (flags.halfSpreadBps !== undefined) requireBars(opened);
  const twice = whyNotOnce(recordings) ?? whyCopied(recordings);
  if (twice !== undefined) throw usageFailure(twice, "--data names the file that counts");
  return recordings;
}

/** Quotes keep their spread, so a half spread would have no effect on the figures. */
function requireBars(opened: readonly OpenedData[]): void {
  if (opened.some(({ source }) => source.kind === "bars")) return;
  const why = "there are quotes here, with a bid and an ask of their own, and no bars";
  throw usageFailure(`--half-spread-bps must not be given: ${why}`);
}

function recordingOf({ path, source, digest }: OpenedData, root: string, flags: PlanFlags): Recording {
  const { as: wanted, halfSpreadBps = 0 } = flags;
  // A folder is named after the source that was recorded.
  const folder = dirname(resolve(path));
  const told = folder === root || resolve(path) === root ? undefined : basename(folder);
  const role = wanted ?? (told === undefined ? undefined : told === "venue" ? "venue" : "reference");
  const name = printable(told === undefined ? basename(path) : `${told}/${basename(path)}`, 60);
  return { name, role: orFail(roleOf(source, role)), source, halfSpreadBps, digest };
}
