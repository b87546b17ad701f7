// Seam: tunes V8 for a backtest, which is one long piece of work. By default the heap grows to up to four times its
// live size before a full collection, which a run of weeks reaches with garbage alone; the young generation starts so
// small that the first days of a run are spent on collecting it; optimising compilation comes late; pretenuring guesses
// lifetimes from few samples; and inline caches stop at four object shapes.

import { setFlagsFromString } from "node:v8";

/** A full collection starts when the heap has grown by this share since the last one. */
const GROWTH_PERCENT = 60;
/** The growth factor of the young generation: one step reaches the runtime's maximum. */
const ROOM_FACTOR = 32;
/** Calls before a function is compiled by Maglev and then TurboFan, on the background thread: half of the defaults. */
const [CALLS_QUICK, CALLS_GOOD] = [200, 1_500];
/** Object shapes in a polymorphic inline cache: events and inputs have more than the default of four. */
const KINDS = 8;

export function paceRuntime(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--semi-space-growth-factor=${ROOM_FACTOR}`);
  setFlagsFromString(`--invocation-count-for-maglev=${CALLS_QUICK}`);
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_GOOD}`);
  setFlagsFromString(`--max-valid-polymorphic-map-count=${KINDS}`);
  // Pretenuring would allocate an object type in the old generation for good if its first hundreds lived for a while,
  // as the records of recent orders do: everything they refer to is then kept too, and a run takes up to a third longer
  // by chance.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
