// Identity is an input: ids never repeat within an instance, and the instance part (drawn once, at start) keeps two
// instances apart, also when one of them was restored from a backup.

import { invariant } from "./invariant.ts";

export interface Ids {
  next(): string;
}

/** Ids like `T-k3v9x2qa-17`: prefix, instance, then a counter that starts after `last`. */
export function createIds(prefix: string, instance: string, last = 0): Ids {
  invariant(/^[A-Za-z0-9]+$/.test(prefix), `id prefix must be letters and digits, was "${prefix}"`);
  invariant(/^[a-z0-9]{8,32}$/.test(instance), `id instance must be 8 to 32 of a-z and 0-9, was "${instance}"`);
  invariant(Number.isSafeInteger(last) && last >= 0, `last id must be a whole number from 0, was ${last}`);
  return new CountingIds(`${prefix}-${instance}-`, last);
}

/** Those that were made last are kept: more than anybody is behind with. A power of two. */
const KEPT = 1_024;
const BLOCK = 64;

/** Who made the last one. */
let latest: CountingIds | undefined;

/**
 * What comes before the count of an id, if it is one that was made lately and has that count. Most ids are asked for one after
 * the other: whoever guesses the count is told without the text being read.
 */
export function stemMade(id: string, count: number): string | undefined {
  return latest?.has(id, count) === true ? latest.stem : undefined;
}

class CountingIds implements Ids {
  readonly stem: string;
  private count: number;
  private made: number;
  /** By their counts, those of the next ones included. */
  private readonly kept: (string | undefined)[] = [];

  constructor(stem: string, last: number) {
    this.stem = stem;
    this.count = last;
    this.made = last;
    while (this.kept.length < KEPT) this.kept.push(undefined);
  }

  next(): string {
    if (this.count === this.made) this.make();
    latest = this;
    return this.kept[++this.count & (KEPT - 1)] as string;
  }

  has(id: string, count: number): boolean {
    return count <= this.made && count > this.made - KEPT && this.kept[count & (KEPT - 1)] === id;
  }

  /** Many at once and from one text: a sum of two texts is put together by the first who reads it, one by one, which takes longer. */
  private make(): void {
    const next = `","${this.stem}`;
    let text = "";
    for (let i = 1; i <= BLOCK; i++) text += next + (this.made + i);
    // Parsed and not cut: a part of a text is slow to compare.
    for (const id of JSON.parse(`[${text.slice(2)}"]`) as string[]) this.kept[++this.made & (KEPT - 1)] = id;
  }
}
