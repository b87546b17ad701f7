import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { inOrder, LONGEST } from "./support/longest-first.ts";

test("the tests that take longest begin first, and all of them are there", () => {
  const [first, second] = LONGEST as [string, string];
  const files = ["/x/test/a.test.ts", `/x/${second}`, "/x/test/b.test.ts", `/x/${first}`];
  expect(inOrder(files, (path) => path)).toEqual([
    `/x/${first}`,
    `/x/${second}`,
    "/x/test/a.test.ts",
    "/x/test/b.test.ts",
  ]);
  expect(LONGEST.filter((path) => !existsSync(path))).toEqual([]);
});
