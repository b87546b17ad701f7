import { expect, it } from "vitest";
import { bestOfMany, SEED } from "../../support/best-of-many.ts";

const SEARCH = { lengths: 4, bands: 3, hours: 72, seed: SEED, workers: 2 };

it("the best of 12 sets does not beat holding in a market without an edge, and does in one with it", async () => {
  const without = await bestOfMany("without edge", SEARCH);
  const withEdge = await bestOfMany("with edge", SEARCH);
  expect(without).toMatchObject({ kind: "known", value: { sets: 12, p: expect.any(Number) } });
  expect(without.kind === "known" && without.value.p).toBeGreaterThan(0.05);
  expect(withEdge.kind === "known" && withEdge.value.p).toBeLessThan(0.05);
});
