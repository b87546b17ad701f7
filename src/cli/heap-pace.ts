// Seam: when the runtime collects garbage in a backtest. By itself it lets memory grow to up to four times what is in use
// before it looks at all of it, which a run of weeks reaches with garbage alone; and it begins with so little room for what
// is new that the first days of a run are spent on making room.

import { setFlagsFromString } from "node:v8";

/** All of it is looked at when so much has been added to what was in use after the last time. */
const GROWTH_PERCENT = 60;
/** The room for what is new grows by this factor, so in one step to what the runtime allows. */
const ROOM_FACTOR = 32;

export function paceCollections(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--semi-space-growth-factor=${ROOM_FACTOR}`);
}
