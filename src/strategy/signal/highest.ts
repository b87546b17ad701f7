// The highest of the last `length` values.

import { Extreme } from "./extreme.ts";

export function highest(length: number): Extreme {
  return new Extreme("highest", length);
}
