// Again and again, as long as the process runs or until it is ended.

import { systemTimers } from "./system-timers.ts";

/** The function it gives back ends it. */
export function every(ms: number, run: () => void): () => void {
  const again = (): void => {
    cancel = systemTimers.after(ms, again);
    run();
  };
  let cancel = systemTimers.after(ms, again);
  return () => cancel();
}
