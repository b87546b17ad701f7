// What is told once and found no room in the hour, and would never be told otherwise: a payment to be made, a stop. It waits until
// there is room. Of too many the oldest of the least urgent go.

import type { Timers } from "../domain/time.ts";
import { type Hour, rankOf } from "./hour.ts";
import type { Message } from "./notice.ts";

export type KeptBackParts = {
  readonly hour: Hour;
  readonly perHourMax: number;
  readonly timers: Timers;
  /** There is room for it now. */
  readonly release: (message: Message) => void;
  readonly leaveOut: () => void;
};

export interface KeptBack {
  add(message: Message): void;
  /** Those that have room now go; the next ones when they will have. */
  releaseAll(): void;
  /** None is released any more. */
  close(): void;
}

const KEPT_MAX = 50;

export function createKeptBack({ hour, perHourMax, timers, release, leaveOut }: KeptBackParts): KeptBack {
  const kept: Message[] = [];
  let cancel = (): void => {};

  function releaseAll(): void {
    cancel();
    for (let [first] = kept; first !== undefined && hour.hasRoom(first); [first] = kept) {
      kept.shift();
      release(first);
    }
    const [next] = kept;
    if (next !== undefined) cancel = timers.after(hour.roomInMs(next), releaseAll);
  }

  return {
    add(message) {
      const { at, text } = message;
      const time = new Date(at).toISOString().slice(11, 16);
      const why = `(of ${time} UTC, kept back: more than ${perHourMax} messages in an hour)`;
      const place = kept.findIndex((one) => rankOf(one) > rankOf(message));
      kept.splice(place === -1 ? kept.length : place, 0, { ...message, text: `${text}\n${why}` });
      if (kept.length > KEPT_MAX) {
        const least = Math.max(...kept.map(rankOf));
        kept.splice(
          kept.findIndex((one) => rankOf(one) === least),
          1,
        );
        leaveOut();
      }
      releaseAll();
    },
    releaseAll,
    close: () => cancel(),
  };
}
