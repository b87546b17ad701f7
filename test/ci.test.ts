import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "pegbot-ci-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The last line and the exit code for a report of the runner and the exit code of `npm test`. */
function reportOf(report: object | undefined, testStatus: number): readonly [string | undefined, number | null] {
  const file = join(folder, "suite.json");
  rmSync(file, { force: true });
  if (report !== undefined) writeFileSync(file, JSON.stringify(report));
  const { stdout, status } = spawnSync("node", [".ci/report.js", file, String(testStatus)], { encoding: "utf8" });
  return [stdout.trimEnd().split("\n").at(-1), status];
}

test("the build ends with the numbers of the runner's report", () => {
  expect(reportOf({ numPassedTests: 12, numFailedTests: 0, testResults: [] }, 0)).toEqual(["12 passed, 0 failed", 0]);
  expect(reportOf({ numPassedTests: 9, numFailedTests: 3, testResults: [] }, 1)).toEqual(["9 passed, 3 failed", 1]);
});

test("a test file that breaks before its tests is a failure", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "passed", assertionResults: [{ status: "passed" }] },
  ];
  expect(reportOf({ numPassedTests: 1, numFailedTests: 0, testResults }, 1)).toEqual(["1 passed, 1 failed", 1]);
});

test("a run without a report, or that failed outside its tests, is a failure", () => {
  expect(reportOf(undefined, 1)).toEqual(["0 passed, 1 failed", 1]);
  expect(reportOf(undefined, 0)).toEqual(["0 passed, 1 failed", 1]);
  expect(reportOf({ numPassedTests: 5, numFailedTests: 0, testResults: [] }, 1)).toEqual(["5 passed, 1 failed", 1]);
});

test("the build runs the README's test command as it stands", () => {
  const command = "npm ci && npm test";
  expect(
    readFileSync("README.md", "utf8")
      .split("\n")
      .map((line) => line.replace(/\s*#.*/, "")),
  ).toContain(command);
  expect(readFileSync(".ci/run", "utf8")).toContain(`(${command})`);
});

test("the build brings every program that a test says it needs", () => {
  const tests = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith(join("fixture", "")),
  );
  const calls = tests.flatMap((file) => [
    ...readFileSync(join("test", file), "utf8").matchAll(/^\s*needs\((.*?)\);$/gm),
  ]);
  const needed = new Set(calls.flatMap((call) => [...(call[1] ?? "").matchAll(/"([^"]+)"/g)].map((name) => name[1])));
  const brought = [...readFileSync(".ci/run", "utf8").matchAll(/^ {2}(\S+):\S+$/gm)].map((pair) => pair[1]);
  // The build script is bash itself.
  expect([...needed].filter((program) => program !== "bash" && !brought.includes(program))).toEqual([]);
  expect(needed).toContain("git");
});
