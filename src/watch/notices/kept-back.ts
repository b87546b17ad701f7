// What is told once and found no room, in the hour or in the line, and would never be told otherwise: a payment to be made, a stop. It
// waits until there is room. Of too many the oldest of the least urgent go.

import type { Timers } from "../../domain/time.ts";
import { type Hour, rankOf } from "./hour.ts";
import type { Message } from "./notice.ts";
import type { Waiting } from "./waiting-line.ts";

export type KeptBackParts = {
  readonly hour: Hour;
  /** The line has no place for it: whatever leaves that line makes room. */
  readonly isFullFor: (message: Message) => boolean;
  readonly timers: Timers;
  /** There is room for it now. */
  readonly release: (waiting: Waiting) => void;
  readonly leaveOut: (message: Message) => void;
};

export interface KeptBack {
  add(waiting: Waiting, because: string): void;
  /** Those that have room now go; the next ones when they will have. */
  releaseAll(): void;
  /** None is released any more; those that were kept. */
  close(): readonly Message[];
}

const KEPT_MAX = 50;

export function createKeptBack({ hour, isFullFor, timers, release, leaveOut }: KeptBackParts): KeptBack {
  const kept: Waiting[] = [];
  let cancel = (): void => {};

  function releaseAll(): void {
    const mayGo = ({ message }: Waiting): boolean => hour.hasRoom(message) && !isFullFor(message);
    for (let [first] = kept; first !== undefined && mayGo(first); [first] = kept) {
      kept.shift();
      release(first);
    }
    // After them: what is released may lead here again.
    cancel();
    const [next] = kept;
    if (next !== undefined && !isFullFor(next.message)) cancel = timers.after(hour.roomInMs(next.message), releaseAll);
  }

  return {
    add(waiting, because) {
      const place = kept.findIndex((one) => rankOf(one.message) > rankOf(waiting.message));
      const again = { ...waiting, because: waiting.because ?? because, tries: 0, isTold: false };
      kept.splice(place === -1 ? kept.length : place, 0, again);
      if (kept.length > KEPT_MAX) {
        const least = Math.max(...kept.map(({ message }) => rankOf(message)));
        const oldest = kept.findIndex(({ message }) => rankOf(message) === least);
        for (const { message } of kept.splice(oldest, 1)) leaveOut(message);
      }
      releaseAll();
    },
    releaseAll,
    close() {
      cancel();
      return kept.splice(0).map(({ message }) => message);
    },
  };
}
