// Numbers by id, beside a map of the same.

import { expect, it } from "vitest";
import { CountedIds } from "../../../src/bot/accounts/counted-ids.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { createRandom } from "../../../src/domain/random.ts";

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

it(`ids that were made here are told apart as well, those of two makers and texts like theirs (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  for (let round = 0; round < 5; round++) {
    const makers = ["bot00001", "bot00002"].map((instance) => createIds("T", instance, 90 * round));
    const ids = new CountedIds();
    const map = new Map<string, number>();
    const waiting: string[] = [];
    for (let i = 0; i < 1_500; i++) {
      const made = makers[random.next() < 0.1 ? 1 : 0]?.next() as string;
      waiting.push(made);
      // Another maker, whose count goes on where this one's is.
      if (random.next() < 0.1) {
        expect(ids.get(made)).toBe(map.get(made));
        const other = createIds("T", "another0", Number(made.split("-")[2])).next();
        ids.set(other, i);
        map.set(other, i);
      }
      // Named long after they were made, and some never, or as another text of the same letters.
      if (i < 300 * round) continue;
      const id = waiting.shift() as string;
      const text = random.next() < 0.2 ? Buffer.from(id).toString() : id;
      const asked = [text, waiting[0] ?? "", `T-bot00002-${i}`, `T-bot00001-0${i}`];
      expect(asked.map((one) => ids.get(one))).toEqual(asked.map((one) => map.get(one)));
      if (random.next() < 0.3) continue;
      ids.set(text, i);
      map.set(text, i);
    }
    expect([...map].filter(([id, number]) => ids.get(id) !== number)).toEqual([]);
  }
});
