// Two seconds told as one, for a page that cannot take each by itself: the newest status, and all else that happened.

import type { Tick } from "./shown.ts";

export function mergedTick(earlier: Tick, later: Tick): Tick {
  const { decisions, notes } = earlier.status;
  const settlements = later.settlements ?? earlier.settlements;
  return {
    status: {
      ...(decisions === undefined ? {} : { decisions }),
      ...(notes === undefined ? {} : { notes }),
      ...later.status,
    },
    points: [...earlier.points, ...later.points],
    fills: [...earlier.fills, ...later.fills],
    misses: [...earlier.misses, ...later.misses],
    slots: [...earlier.slots, ...later.slots],
    ...(settlements === undefined ? {} : { settlements }),
  };
}
