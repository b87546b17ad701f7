// Identity is an input: ids never repeat within an instance, and the instance part, drawn once at the start,
// distinguishes two instances, even if one was restored from a backup.

import { invariant } from "./invariant.ts";

export interface Ids {
  next(): string;
}

/** Ids like `T-k3v9x2qa-17`: prefix, instance, then a counter that starts after `last`. */
export function createIds(prefix: string, instance: string, last = 0): Ids {
  invariant(/^[A-Za-z0-9]+$/.test(prefix), `id prefix must be letters and digits, was "${prefix}"`);
  invariant(/^[a-z0-9]{8,32}$/.test(instance), `id instance must be 8 to 32 of a-z and 0-9, was "${instance}"`);
  invariant(Number.isSafeInteger(last) && last >= 0, `last id must be a whole number from 0, was ${last}`);
  let count = last;
  return { next: () => `${prefix}-${instance}-${++count}` };
}
