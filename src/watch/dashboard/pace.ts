// How many answers those without the token get, all together: who asks as fast as he can waits, and the bot's own thread, which
// trades as well, is not his. Nobody is refused for it: a page with all its files comes at once.

import type { Timers } from "../../domain/time.ts";

export type Pace = {
  /** Now, or as soon as it has its turn; never where nobody waits for it any more. */
  readonly when: (isAwaited: () => boolean, go: () => void) => void;
  readonly close: () => void;
};

const EVERY_MS = 250;
/** A page with all its files; 200 in a second, from which 16 pages that say each second what they heard are far. */
const AT_ONCE = 50;

export function createPace(timers: Timers): Pace {
  let waiting: { readonly isAwaited: () => boolean; readonly go: () => void }[] = [];
  let left = AT_ONCE;
  let cancel: (() => void) | undefined;

  function next(): void {
    cancel = undefined;
    left = AT_ONCE;
    const awaited = waiting.filter(({ isAwaited }) => isAwaited());
    waiting = awaited.slice(AT_ONCE);
    for (const { go } of awaited.slice(0, AT_ONCE)) begin(go);
  }

  function begin(go: () => void): void {
    left--;
    cancel ??= timers.after(EVERY_MS, next);
    go();
  }

  return {
    when(isAwaited, go) {
      if (left > 0) begin(go);
      else waiting.push({ isAwaited, go });
    },
    close() {
      cancel?.();
      waiting = [];
    },
  };
}
