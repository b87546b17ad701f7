// Where tables that were read once are kept as columns, and how much of them.

import { join } from "node:path";
import { pruneCache } from "../../backtest/data/file/prune-cache.ts";
import { cacheFolder } from "../config/cache-folder.ts";
import { environment } from "../config/environment.ts";
import { orFail } from "./command-failure.ts";
import type { Shell } from "./shell.ts";

/** A hundred million quotes. */
const BYTES_MAX = 4 * 2 ** 30;

export function columnCache(): string {
  return join(orFail(cacheFolder(environment())), "columns");
}

/** After these of it were used: what has not been for longest makes room. */
export function keepCacheSmall({ clock }: Pick<Shell, "clock">, used: readonly string[]): void {
  if (used.length > 0) pruneCache(columnCache(), used, { bytesMax: BYTES_MAX, now: clock.now() });
}
