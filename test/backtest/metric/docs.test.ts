import { expect, test } from "vitest";
import { figures, listedFigures } from "../../../scripts/reference/figures.ts";

test("every figure is on the page once", () => {
  expect(listedFigures()).toEqual([...figures().keys()].sort());
});
