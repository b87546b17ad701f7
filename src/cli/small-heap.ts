// Seam: how far the runtime lets memory grow before it collects. By itself it waits for up to four times what is in use, which
// a backtest of weeks reaches with garbage alone.

import { setFlagsFromString } from "node:v8";

/** A collection comes when so much has been added to what was in use after the last one. */
const GROWTH_PERCENT = 60;

export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
