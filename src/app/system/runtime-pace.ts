// Seam: how the runtime is told that a backtest is one long piece of work. By itself it lets memory grow to up to four times
// what is in use before it looks at all of it, which a run of weeks reaches with garbage alone; it begins with so little room
// for what is new that the first days of a run are spent on making room; it waits for long before it compiles for good; it
// guesses from little what will live for long; and it stops to tell kinds of objects apart where there are more than four.

import { setFlagsFromString } from "node:v8";

/** All of it is looked at when so much has been added to what was in use after the last time. */
const GROWTH_PERCENT = 60;
/** The room for what is new grows by this factor, so in one step to what the runtime allows. */
const ROOM_FACTOR = 32;
/** Calls after which a function is compiled, quickly and then for good: half of what the runtime waits for, on its other thread. */
const [CALLS_QUICK, CALLS_GOOD] = [200, 1_500];
/** So many kinds of objects are told apart where one is read: events and inputs have some more than the four of the runtime. */
const KINDS = 8;

export function paceRuntime(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--semi-space-growth-factor=${ROOM_FACTOR}`);
  setFlagsFromString(`--invocation-count-for-maglev=${CALLS_QUICK}`);
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_GOOD}`);
  setFlagsFromString(`--max-valid-polymorphic-map-count=${KINDS}`);
  // What is made at a place in the code would be put among old things for good if the first hundreds of it lived for a while, as
  // what is kept of the last orders does: then all that it refers to is old as well, and a run takes up to a third longer by chance.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
