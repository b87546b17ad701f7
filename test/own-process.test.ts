import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needsOwnProcess } from "./support/own-process.ts";

const files = globSync("test/**/*.test.ts", { exclude: ["test/fixture/**"] });

test("a test file that starts programs or mocks modules has a process of its own, and most share one", () => {
  const own = files.filter((file) => needsOwnProcess(readFileSync(file, "utf8")));
  expect(own).toContain("test/cli/person-commands.test.ts");
  expect(own).toContain("test/backtest/honesty-broken.test.ts");
  // Its program is a browser.
  expect(own).toContain("test/backtest/report/browser.test.ts");
  expect(own).not.toContain("test/domain/money/money.test.ts");
  expect(own.length).toBeLessThan(files.length / 2);
});
