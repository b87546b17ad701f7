// What waits for a channel: bounded, the urgent ones first, each behind its equals.

import type { Mono } from "../domain/time.ts";
import { rankOf } from "./hour.ts";
import type { Message } from "./notice.ts";

/** `tries`: it has had; `isTold`: that it has failed so far. */
export type Waiting = { readonly message: Message; readonly since: Mono; tries: number; isTold: boolean };

export interface WaitingLine {
  /** What was begun before goes in front of its equals. */
  put(waiting: Waiting, isBegun?: boolean): void;
  next(): Waiting | undefined;
  /** Whether something more urgent waits. */
  overtakes(waiting: Waiting): boolean;
  /** A place for it: free, of another that had to go, or none. */
  placeFor(message: Message): "free" | "of another" | "none";
  clear(): void;
}

export function createWaitingLine(lengthMax: number): WaitingLine {
  const line: Waiting[] = [];
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
    /** The last of the least urgent gives way to what is more urgent, and the first stop to the last. */
    placeFor(message) {
      if (line.length < lengthMax) return "free";
      const rank = rankOf(message);
      const last = line.at(-1);
      if (last !== undefined && rankOf(last.message) > rank) line.pop();
      else if (rank === 0) line.shift();
      else return "none";
      return "of another";
    },
    clear() {
      line.length = 0;
    },
  };
}
