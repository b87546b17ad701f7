import { expect, test } from "vitest";
import { figures, listedFigures, metricsPage } from "../../support/metrics-page.ts";

test("docs/reference/figures.md says of every figure what its comment says; npm run docs:metrics writes it", () => {
  const { found, wanted } = metricsPage();
  expect(found).toBe(wanted);
});

test("every figure is on the page once", () => {
  expect(listedFigures()).toEqual([...figures().keys()].sort());
});
