// How many damaged inputs a fuzzer makes, and from which seed: few in the suite, 10,000 with `npm run campaign fuzz`.

import { createRandom, type Random } from "../../src/domain/random.ts";

export type Fuzz = { readonly seed: number; readonly count: number; readonly random: Random };

export function fuzz(name: string, few: number): Fuzz {
  const { PEGBOT_SEED, PEGBOT_FUZZ } = process.env;
  const seed = Number(PEGBOT_SEED ?? (PEGBOT_FUZZ === undefined ? 1857006346 : Date.now() % 2e9));
  const count = Number(PEGBOT_FUZZ ?? few);
  process.stdout.write(`${name}: seed ${seed}, ${count} inputs\n`);
  return { seed, count, random: createRandom(seed) };
}

export function oneOf<T>(choices: readonly T[], random: Random): T {
  return choices[random.integer(0, choices.length - 1)] as T;
}

/** A few bytes changed, taken out, put in or doubled; rarely the end cut off. */
export function damagedBytes(bytes: Uint8Array, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let times = random.integer(1, 3); times > 0; times--) {
    const at = random.integer(0, Math.max(0, changed.length - 1));
    const end = Math.min(changed.length, at + random.integer(1, 12));
    const [head, piece, tail] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    const junk = Buffer.from(Array.from({ length: random.integer(1, 4) }, () => random.integer(0, 255)));
    const forms = [[head, junk, tail], [head, tail], [head, piece, piece, tail], [head, junk, piece, tail], [head]];
    changed = Buffer.concat(forms[random.integer(0, random.next() < 0.1 ? 4 : 3)] as Buffer[]);
  }
  return changed;
}
