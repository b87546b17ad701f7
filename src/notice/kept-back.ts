// What is told once and found no room, in the hour or in the line, and would never be told otherwise: a payment to be made, a stop. It
// waits until there is room. Of too many the oldest of the least urgent go.

import type { Timers } from "../domain/time.ts";
import { type Hour, rankOf } from "./hour.ts";
import type { Message } from "./notice.ts";

export type KeptBackParts = {
  readonly hour: Hour;
  /** The line has no place for it: whatever leaves that line makes room. */
  readonly isFullFor: (message: Message) => boolean;
  readonly timers: Timers;
  /** There is room for it now. */
  readonly release: (message: Message) => void;
  readonly leaveOut: (message: Message) => void;
};

export interface KeptBack {
  add(message: Message, because: string): void;
  /** Those that have room now go; the next ones when they will have. */
  releaseAll(): void;
  /** None is released any more; those that were kept. */
  close(): readonly Message[];
}

const KEPT_MAX = 50;

export function createKeptBack({ hour, isFullFor, timers, release, leaveOut }: KeptBackParts): KeptBack {
  const kept: Message[] = [];
  let cancel = (): void => {};

  function releaseAll(): void {
    const mayGo = (one: Message): boolean => hour.hasRoom(one) && !isFullFor(one);
    for (let [first] = kept; first !== undefined && mayGo(first); [first] = kept) {
      kept.shift();
      release(first);
    }
    // After them: what is released may lead here again.
    cancel();
    const [next] = kept;
    if (next !== undefined && !isFullFor(next)) cancel = timers.after(hour.roomInMs(next), releaseAll);
  }

  return {
    add(message, because) {
      const { at, text } = message;
      const why = `(of ${new Date(at).toISOString().slice(11, 16)} UTC, kept back: ${because})`;
      // What was kept back before says so already.
      const shown = text.endsWith(why) ? text : `${text}\n${why}`;
      const place = kept.findIndex((one) => rankOf(one) > rankOf(message));
      kept.splice(place === -1 ? kept.length : place, 0, { ...message, text: shown });
      if (kept.length > KEPT_MAX) {
        const least = Math.max(...kept.map(rankOf));
        const oldest = kept.findIndex((one) => rankOf(one) === least);
        for (const gone of kept.splice(oldest, 1)) leaveOut(gone);
      }
      releaseAll();
    },
    releaseAll,
    close() {
      cancel();
      return kept.splice(0);
    },
  };
}
