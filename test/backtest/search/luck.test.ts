// Twelve parameter sets over 72 hours.

import { expect, it } from "vitest";
import { overfittingSection } from "../../../backtest/report/page-parts.ts";
import { bestOfMany, SEED } from "../../support/best-of-many.ts";

const SHORT = { lengths: 4, bands: 3, hours: 72, seed: SEED, workers: 2 };

it("the best of many sets is not significant in a market without an edge, and is in one with it; the report says so", async () => {
  const without = await bestOfMany("without edge", SHORT);
  const withEdge = await bestOfMany("with edge", SHORT);
  expect(without.checks.deflated).toMatchObject({ kind: "known", value: { trials: 12 } });
  expect(textOf(without.rows)).toMatch(/deflated Sharpe<\/th><td><b class="loss">not significant, /);
  expect(withEdge.checks.deflated).toMatchObject({ kind: "known", value: { trials: 12 } });
  expect(textOf(withEdge.rows)).toMatch(/deflated Sharpe<\/th><td><b class="gain">significant, (?:9[5-9]|100)/);
});

function textOf(rows: Parameters<typeof overfittingSection>[0]): string {
  return overfittingSection(rows).markup;
}
