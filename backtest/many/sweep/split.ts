// Which runs may choose and which judge: the first part of the time and its last part, or one seed and other seeds. Both
// begin with fresh funds and a fresh strategy; what judges was never seen by the choice.

import { err, ok, type Result } from "../../../src/domain/result.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";

export type Split =
  | { readonly kind: "time"; readonly share: number }
  | { readonly kind: "seeds"; readonly count: number };

/** Of a trial, what the split sets. */
export type Part = { readonly seed: number; readonly from: Millis; readonly to: Millis };

const SHARE_MIN = 0.05;
const SHARE_MAX = 0.95;
const SEEDS_MAX = 100;

/** `0.3` or `seeds:3`. */
export function parseSplit(text: string): Result<Split> {
  const seeds = /^seeds:([0-9]{1,4})$/.exec(text);
  if (seeds !== null) {
    const count = Number(seeds[1]);
    return count >= 1 && count <= SEEDS_MAX ? ok({ kind: "seeds", count }) : refused(text);
  }
  const share = /^0?\.[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return share >= SHARE_MIN && share <= SHARE_MAX ? ok({ kind: "time", share }) : refused(text);
}

function refused(text: string): Result<never> {
  return err(
    `must be the last part of the time, ${SHARE_MIN} to ${SHARE_MAX}, or other seeds, seeds:1 to seeds:${SEEDS_MAX}, was ${text.slice(0, 40)}`,
  );
}

/** On whole seconds, as everything here. */
export function inSample({ seed, from, to }: Part, split: Split): Part {
  if (split.kind === "seeds") return { seed, from, to };
  const seconds = Math.round(((to - from) * (1 - split.share)) / 1_000);
  return { seed, from, to: millis(from + seconds * 1_000) };
}

export function outOfSample(whole: Part, split: Split): readonly Part[] {
  if (split.kind === "time") return [{ ...whole, from: inSample(whole, split).to }];
  return Array.from({ length: split.count }, (_, i) => ({ ...whole, seed: whole.seed + i + 1 }));
}
