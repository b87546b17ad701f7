// Opens data files named by a person: through the cache, with progress, and with every problem at its line.

import { join } from "node:path";
import { pruneCache } from "../../../backtest/data/file/cache.ts";
import type { Declaration, TimeUnit } from "../../../backtest/data/format/format.ts";
import { type OpenedData, type OpenSettings, openData } from "../../../backtest/data/open-data.ts";
import type { RowProblem } from "../../../backtest/data/problem.ts";
import type { Zone } from "../../../backtest/data/zone.ts";
import { environment } from "../../config/environment.ts";
import { cacheFolder } from "../../config/user-folder.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../command-failure.ts";
import type { Shell } from "../shell.ts";
import { readingProgress } from "../terminal/progress.ts";
import { usable } from "./data-file.ts";

export type DataFlags = {
  readonly pair?: PairSymbol;
  readonly zone?: Zone;
  readonly timeUnit?: TimeUnit;
  readonly delimiter?: string;
  readonly decimalComma?: true;
  readonly pricePer?: number;
  readonly sizeTimes?: number;
  readonly halfSpreadBps?: number;
  readonly interval?: number;
  readonly jumpMax?: number;
  readonly tolerate?: readonly RowProblem[];
  readonly entry?: string;
};

export type OpenFlags = DataFlags & {
  readonly cache: boolean;
  readonly otherwise?: OpenSettings["otherwise"];
  /** A configuration names the file, so the format cannot be declared by flags. */
  readonly isConfigured?: boolean;
};

export async function openDataFiles(
  shell: Shell,
  path: string,
  flags: OpenFlags,
  memory: OpenSettings["memory"] = "stream",
): Promise<readonly OpenedData[]> {
  const cacheFolder = flags.cache ? columnCache("or read without a cache by --no-cache") : undefined;
  const progress = readingProgress(shell, path);
  const settings = {
    cacheFolder,
    memory,
    declared: declarationOf(flags),
    otherwise: flags.otherwise,
    watch: progress.at,
  };
  const result = await openData(path, settings).catch((error: unknown) => {
    throw isFull(error) && cacheFolder !== undefined ? cacheFull(cacheFolder, error as Error) : error;
  });
  progress.end();
  const opened = usable(shell, path, result, flags.isConfigured);
  keepCacheSmall(
    shell,
    opened.flatMap(({ cached }) => cached ?? []),
  );
  for (const { notes } of opened) for (const note of notes) shell.terminal.note(note);
  return opened;
}

/** The write error does not name the file. */
function cacheFull(folder: string, { message }: Error): CommandFailure {
  const said = `the cache of tables in ${folder} could not be written (${message})`;
  return plainFailure(said, "free some disk space there, or read without it by --no-cache");
}

/** About a hundred million quotes. */
const BYTES_MAX = 4 * 2 ** 30;

/** `next`: the alternative for a user without a cache folder. */
function columnCache(next?: string): string {
  const folder = cacheFolder(environment());
  if (!folder.ok) throw usageFailure(folder.error, next);
  return join(folder.value, "columns");
}

/** Removes the entries that were unused for longest; `used` are those just used. */
function keepCacheSmall({ clock }: Pick<Shell, "clock">, used: readonly string[]): void {
  if (used.length > 0) pruneCache(columnCache(), used, { bytesMax: BYTES_MAX, now: clock.now() });
}

export function declarationOf(flags: DataFlags): Partial<Declaration> {
  const { pair: symbol, interval: intervalMs, zone, timeUnit, delimiter, decimalComma } = flags;
  const { pricePer, sizeTimes, halfSpreadBps, jumpMax, tolerate, entry } = flags;
  const all = { symbol, intervalMs, zone, timeUnit, delimiter, decimalComma };
  const rest = { pricePer, sizeTimes, halfSpreadBps, jumpMax, tolerate, entry };
  const given = Object.entries({ ...all, ...rest }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Declaration>;
}
