// Ids: they never repeat within an instance, and name it.

import { expect, test } from "vitest";
import { createIds, stemMade } from "../../src/domain/ids.ts";
import { createRandom } from "../../src/domain/random.ts";

test("they count on from the last one and name their instance", () => {
  const ids = createIds("T", "k3v9x2qa", 16);
  expect([ids.next(), ids.next()]).toEqual(["T-k3v9x2qa-17", "T-k3v9x2qa-18"]);
});

test("they are made in blocks, and none is left out or given twice", () => {
  for (const last of [0, 9, 63, 64, 990, 1_023, 99_999]) {
    const ids = createIds("T", "k3v9x2qa", last);
    const counts = Array.from({ length: 2_500 }, (_, i) => last + 1 + i);
    expect(counts.map(() => ids.next())).toEqual(counts.map((count) => `T-k3v9x2qa-${count}`));
  }
});

const SEED = 20_261_116;

test(`what comes before its count is told of an id that was made lately, and of no other text or count (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const below = (bound: number): number => Math.floor(random.next() * bound);
  const makers = ["k3v9x2qa", "another0"].map((instance) => ({
    stem: `T-${instance}-`,
    ids: createIds("T", instance, 7),
  }));
  const wrong: unknown[] = [];
  let told = 0;
  const check = (text: string, count: number, ...right: readonly (string | undefined)[]): void => {
    const answer = stemMade(text, count);
    if (answer !== undefined) told++;
    if (!right.includes(answer)) wrong.push({ text, count, answer });
  };
  for (let turn = 0; turn < 5_000; turn++) {
    const { stem, ids } = makers[below(100) === 0 ? 1 : 0] as (typeof makers)[number];
    const id = ids.next();
    const count = Number(id.slice(stem.length));
    check(id, count, stem);
    for (const other of [count - 1_024, count - 1, count + 1, count + 1_024]) check(id, other, undefined);
    for (const text of ["", `${count}`, `${stem}0${count}`]) check(text, count, undefined);
    const before = count - below(3_000);
    for (const maker of makers) check(`${maker.stem}${before}`, before, undefined, maker.stem);
  }
  expect(wrong).toEqual([]);
  expect(told).toBeGreaterThan(5_500);
});

test("bad parts are refused", () => {
  expect(() => createIds("", "k3v9x2qa")).toThrow("id prefix must be letters and digits");
  expect(() => createIds("T", "short")).toThrow("id instance must be 8 to 32 of a-z and 0-9");
  for (const last of [-1, 1.5, Number.NaN, 2 ** 53])
    expect(() => createIds("T", "k3v9x2qa", last)).toThrow(`last id must be a whole number from 0, was ${last}`);
});
