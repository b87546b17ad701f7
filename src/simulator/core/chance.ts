// The venue's randomness: one stream per purpose, all derived from one seed, so that switching on one fault does not
// change the draws of another. It is saved with the venue.

import { createRandom, loadRandom, type Random, type RandomState } from "../../domain/random.ts";
import type { ChancedDelay } from "./settings.ts";

export type Chance = ReturnType<typeof createChance>;

export function createChance(seed: number, saved: Readonly<Record<string, RandomState>> = {}) {
  const root = createRandom(seed).fork("venue");
  const streams = new Map<string, Random>();
  for (const [purpose, state] of Object.entries(saved))
    streams.set(purpose, loadRandom({ ...state, spare: state.spare }));

  function stream(purpose: string): Random {
    const known = streams.get(purpose);
    if (known !== undefined) return known;
    const fresh = root.fork(purpose);
    streams.set(purpose, fresh);
    return fresh;
  }

  /** Draws only when the chance is above zero. */
  function occurs(purpose: string, chance: number): boolean {
    return chance > 0 && stream(purpose).next() < chance;
  }

  return {
    occurs,
    /** Zero, or with the given chance a delay within its bounds. */
    delayMs: (purpose: string, { chance, minMs, maxMs }: ChancedDelay) =>
      occurs(purpose, chance) ? stream(purpose).integer(minMs, maxMs) : 0,
    normal: (purpose: string) => stream(purpose).normal(),
    pick: (purpose: string, of: readonly string[]) => of[stream(purpose).integer(0, of.length - 1)] as string,
    hex: (purpose: string, digits: number) =>
      Array.from({ length: digits }, () => stream(purpose).integer(0, 15).toString(16)).join(""),
    save: (): Readonly<Record<string, RandomState>> =>
      Object.fromEntries([...streams].map(([purpose, random]) => [purpose, random.save()])),
  };
}

/** A version 4 UUID. */
export function uuid(chance: Chance, purpose: string): string {
  const hex = chance.hex(purpose, 30);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
}
