// Chance as an input: repeatable, forkable without accidents, and it survives a restart.

import { describe, expect, test } from "vitest";
import { createRandom, loadRandom, type Random } from "../../src/domain/random.ts";

const take = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

test("one seed is one history, and two seeds are two", () => {
  expect(take(createRandom(7), 100)).toEqual(take(createRandom(7), 100));
  expect(take(createRandom(7), 4)).not.toEqual(take(createRandom(8), 4));
});

test("seeds beyond 32 bits and below zero are seeds of their own", () => {
  const firsts = [1, -1, 1 + 2 ** 32, 2 ** 53 - 1, 0].map((seed) => createRandom(seed).next());
  expect(new Set(firsts).size).toBe(5);
});

test("a seed that is no whole number is refused", () => {
  for (const seed of [1.5, Number.NaN, 2 ** 53])
    expect(() => createRandom(seed)).toThrow(`seed must be a safe whole number, was ${seed}`);
});

test("the first draws of neighbouring seeds are spread evenly", () => {
  const firsts = Array.from({ length: 10_000 }, (_, seed) => createRandom(seed).next());
  expectUniform(firsts);
});

describe("forks", () => {
  test("a fork depends on its purpose, not on how much was drawn before", () => {
    const early = createRandom(1).fork("prices");
    const parent = createRandom(1);
    take(parent, 1_000);
    expect(take(parent.fork("prices"), 10)).toEqual(take(early, 10));
    expect(take(createRandom(1).fork("faults"), 10)).not.toEqual(take(createRandom(1).fork("prices"), 10));
  });

  test("forking draws nothing from the parent", () => {
    const [a, b] = [createRandom(1), createRandom(1)];
    a.fork("prices");
    expect(take(a, 10)).toEqual(take(b, 10));
  });

  test("half a million forks of look-alike names and seeds begin with half a million different states", () => {
    const states = new Set<string>();
    let count = 0;
    for (let seed = 0; seed < 500; seed++) {
      const parent = createRandom(seed);
      for (let i = 0; i < 500; i++) {
        const child = parent.fork(String(i));
        states.add(child.save().state.join());
        states.add(child.fork("x").save().state.join());
        count += 2;
      }
    }
    expect(states.size).toBe(count);
  });

  test("names that could be confused are different streams", () => {
    const root = createRandom(1);
    const streams = [
      root,
      root.fork(""),
      root.fork("a"),
      root.fork("ab"),
      root.fork("a").fork("b"),
      root.fork("b").fork("a"),
    ];
    streams.push(
      root.fork("\0"),
      root.fork("\0\0"),
      root.fork("seed:1"),
      createRandom(11).fork("1"),
      createRandom(1).fork("11"),
    );
    expect(new Set(streams.map((stream) => take(stream, 3).join())).size).toBe(streams.length);
  });

  test("the first draws of numbered forks are spread evenly, and neighbours are not alike", () => {
    const root = createRandom(3);
    const firsts = Array.from({ length: 10_000 }, (_, i) => root.fork(`order-${i}`).next());
    expectUniform(firsts);
    expect(Math.abs(correlation(firsts.slice(1), firsts.slice(0, -1)))).toBeLessThan(0.04);
  });

  test("a fork is not its parent moved along", () => {
    const parent = new Set(take(createRandom(5), 100_000));
    const child = take(createRandom(5).fork("child"), 1_000);
    // 32-bit values meet by chance: 1,000 * 100,000 / 2^32 = 0.02 times.
    expect(child.filter((value) => parent.has(value)).length).toBeLessThan(4);
  });
});

describe("distributions", () => {
  test("integers cover both ends of their range and nothing else", () => {
    const random = createRandom(9);
    const counts = new Map<number, number>();
    for (let i = 0; i < 60_000; i++) {
      const value = random.integer(-2, 3);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  test("an empty, endless or too wide range is refused", () => {
    const random = createRandom(9);
    expect(() => random.integer(1, 0)).toThrow("a range must hold 1 to 2^32 integers, was 1 to 0");
    expect(() => random.integer(0, Number.NaN)).toThrow("a range must hold");
    expect(() => random.integer(0, 2 ** 32)).toThrow("a range must hold");
    expect(random.integer(5, 5)).toBe(5);
  });

  test("normals have mean 0, deviation 1 and the right tails", () => {
    const random = createRandom(10);
    const values = Array.from({ length: 100_000 }, () => random.normal());
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.015);
    expect(Math.abs(variance - 1)).toBeLessThan(0.02);
    const beyondTwo = values.filter((x) => Math.abs(x) > 2).length / values.length;
    expect(Math.abs(beyondTwo - 0.0455)).toBeLessThan(0.004);
  });
});

describe("a stream survives a restart", () => {
  test("saved as JSON and loaded, it goes on with the same draws, normals and forks", () => {
    const before = createRandom(4).fork("market");
    take(before, 123);
    before.normal();
    const after = loadRandom(JSON.parse(JSON.stringify(before.save())));
    expect(after.normal()).toBe(before.normal());
    expect(take(after, 50)).toEqual(take(before, 50));
    expect(after.normal()).toBe(before.normal());
    expect(take(after.fork("x"), 5)).toEqual(take(before.fork("x"), 5));
    expect(after.save()).toEqual(before.save());
  });

  test("what was saved does not change while the stream goes on", () => {
    const random = createRandom(4);
    const saved = random.save();
    const copy = structuredClone(saved);
    take(random, 10);
    expect(saved).toEqual(copy);
  });

  test("a damaged state is refused", () => {
    const good = createRandom(4).save();
    for (const state of [[], [1, 2, 3], [0, 0, 0, 0], [1, 2, 3, 0.5], [1, 2, 3, 2 ** 40]])
      expect(() => loadRandom({ ...good, state })).toThrow("random state must be two times four 32-bit integers");
    expect(() => loadRandom({ ...good, spare: Number.NaN })).toThrow("random state");
  });
});

/** Chi-squared over 100 bins: 99 degrees of freedom stay below 150 but for one time in a thousand. */
function expectUniform(values: readonly number[]): void {
  const bins = new Array<number>(100).fill(0);
  for (const value of values) bins[Math.floor(value * 100)] = (bins[Math.floor(value * 100)] as number) + 1;
  const expected = values.length / 100;
  const chiSquared = bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquared).toBeLessThan(150);
  expect(chiSquared).toBeGreaterThan(55);
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (x: readonly number[]): number => x.reduce((sum, value) => sum + value, 0) / x.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [da, db] = [(a[i] as number) - meanA, (b[i] as number) - meanB];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return ab / Math.sqrt(aa * bb);
}
