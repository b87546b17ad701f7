// Numbers by id, beside a map of the same.

import { expect, it } from "vitest";
import { CountedIds } from "../../src/bot/counted-ids.ts";
import { createRandom } from "../../src/domain/random.ts";

const SEED = 20_261_115;

it(`ids are told apart as texts are, whatever they look like and in whatever order they come (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const below = (bound: number): number => Math.floor(random.next() * bound);
  const stems = ["T-a-", "T-b-", "T", "", "9", "T-a-0", "\u00e9", "T-a-1"];
  const counters = ["", "0", "00", "7", "07", "999999999999999", "1000000000000000", "90071992547409931"];
  for (let round = 0; round < 40; round++) {
    const ids = new CountedIds();
    const map = new Map<string, number>();
    let next = below(2_000_000);
    for (let i = 0; i < 400; i++) {
      next += below(10) === 0 ? below(5_000) : 1;
      const counter = below(6) === 0 ? (counters[below(counters.length)] as string) : `${next - below(3)}`;
      const id = `${stems[below(6) === 0 ? below(stems.length) : round % stems.length]}${counter}`;
      expect(ids.get(id)).toBe(map.get(id));
      if (below(4) === 0) continue;
      ids.set(id, i);
      map.set(id, i);
    }
    for (const [id, number] of map) expect(ids.get(id)).toBe(number);
  }
});
