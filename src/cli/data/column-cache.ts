// Where tables that were read once are kept as columns, and how much of them.

import { join } from "node:path";
import { pruneCache } from "../../../backtest/data/file/cache.ts";
import { cacheFolder } from "../../config/cache-folder.ts";
import { environment } from "../../config/environment.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

/** A hundred million quotes. */
const BYTES_MAX = 4 * 2 ** 30;

/** `next`: what else there is for who has no folder of his own. */
export function columnCache(next?: string): string {
  const folder = cacheFolder(environment());
  if (!folder.ok) throw new CommandFailure(exitCode.usage, folder.error, next);
  return join(folder.value, "columns");
}

/** After these of it were used: what has not been for longest makes room. */
export function keepCacheSmall({ clock }: Pick<Shell, "clock">, used: readonly string[]): void {
  if (used.length > 0) pruneCache(columnCache(), used, { bytesMax: BYTES_MAX, now: clock.now() });
}
