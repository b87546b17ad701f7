// What waits for a channel: bounded, the urgent ones first, each behind its equals.

import type { Mono } from "../../domain/time.ts";
import { rankOf } from "./hour.ts";
import type { Message } from "./notice.ts";

export type Waiting = {
  readonly message: Message;
  /** When it was to be told: what was kept back is as old as that. */
  readonly since: Mono;
  /** Why it was kept back; undefined where it was not. */
  readonly because: string | undefined;
  /** It has had. */
  tries: number;
  /** That it has failed so far. */
  isTold: boolean;
};

export interface WaitingLine {
  /** What was begun before goes in front of its equals. */
  put(waiting: Waiting, isBegun?: boolean): void;
  next(): Waiting | undefined;
  /** Whether something more urgent waits. */
  overtakes(waiting: Waiting): boolean;
  /** All places are taken, by what is no less urgent; never for a stop, which would be told behind a later one. */
  isFullFor(message: Message): boolean;
  /** A place for it, if it has one, and whose it was. */
  placeFor(message: Message): { readonly hasOne: boolean; readonly gone?: Waiting | undefined };
  /** Those that waited. */
  clear(): readonly Message[];
}

export function createWaitingLine(lengthMax: number): WaitingLine {
  const line: Waiting[] = [];

  function isFullFor(message: Message): boolean {
    return line.length >= lengthMax && rankOf(message) > 0 && !isBeforeLast(message);
  }

  function isBeforeLast(message: Message): boolean {
    const last = line.at(-1);
    return last !== undefined && rankOf(last.message) > rankOf(message);
  }

  return {
    put(waiting, isBegun = waiting.tries > 0) {
      const rank = rankOf(waiting.message);
      const place = line.findIndex((one) => (isBegun ? rankOf(one.message) >= rank : rankOf(one.message) > rank));
      line.splice(place === -1 ? line.length : place, 0, waiting);
    },
    next: () => line.shift(),
    overtakes({ message }) {
      const [first] = line;
      return first !== undefined && rankOf(first.message) < rankOf(message);
    },
    isFullFor,
    /** The last of the least urgent gives way to what is more urgent, and the first stop to the last. */
    placeFor(message) {
      if (line.length < lengthMax) return { hasOne: true };
      if (isFullFor(message)) return { hasOne: false };
      const gone = isBeforeLast(message) ? line.pop() : line.shift();
      return { hasOne: true, gone };
    },
    clear: () => line.splice(0).map(({ message }) => message),
  };
}
