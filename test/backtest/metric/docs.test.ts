import { expect, test } from "vitest";
import { figureFiles, listedFigures, metricsPage } from "../../support/metrics-page.ts";

test("docs/METRICS.md says of every figure what its file says; npm run docs:metrics writes it", () => {
  const { found, wanted } = metricsPage();
  expect(found).toBe(wanted);
});

test("every figure's file is on the page once", () => {
  expect(listedFigures()).toEqual(figureFiles());
});
