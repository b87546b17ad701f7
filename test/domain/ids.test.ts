// Ids: they never repeat within an instance, and name it.

import { expect, test } from "vitest";
import { createIds } from "../../src/domain/ids.ts";

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
