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
});
