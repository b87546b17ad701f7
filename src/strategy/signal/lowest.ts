// The lowest of the last `length` values.

import { Extreme } from "./extreme.ts";

export function lowest(length: number): Extreme {
  return new Extreme("lowest", length);
}
