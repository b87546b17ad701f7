// Again and again, as long as the process runs or until it is ended.

import type { Timers } from "../../domain/time.ts";
import { systemTimers } from "./system-timers.ts";

/** The function it gives back ends it. */
export function every(ms: number, run: () => void, timers: Timers = systemTimers): () => void {
  const again = (): void => {
    cancel = timers.after(ms, again);
    run();
  };
  let cancel = timers.after(ms, again);
  return () => cancel();
}
