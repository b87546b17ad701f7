import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "pegbot-ci-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly object[];
};

/** The last line and the exit code for reports of the runner (one that is not there: undefined) and the exit code of `npm test`. */
function reportOf(
  reports: readonly (Report | undefined)[],
  testStatus: number,
): readonly [string | undefined, number | null] {
  const files = reports.map((_, i) => join(folder, `${i}.json`));
  for (const [i, file] of files.entries()) {
    rmSync(file, { force: true });
    if (reports[i] !== undefined) writeFileSync(file, JSON.stringify(reports[i]));
  }
  const { stdout, status } = spawnSync("node", [".ci/report.js", String(testStatus), ...files], { encoding: "utf8" });
  return [stdout.trimEnd().split("\n").at(-1), status];
}

function counted(numPassedTests: number, numFailedTests = 0): Report {
  return { numPassedTests, numFailedTests, testResults: [] };
}

test("the build ends with the numbers of the runner's reports, added up", () => {
  expect(reportOf([counted(12)], 0)).toEqual(["12 passed, 0 failed", 0]);
  expect(reportOf([counted(12), counted(5)], 0)).toEqual(["17 passed, 0 failed", 0]);
  expect(reportOf([counted(9, 3), counted(5)], 1)).toEqual(["14 passed, 3 failed", 1]);
  expect(reportOf([counted(9), counted(4, 1)], 1)).toEqual(["13 passed, 1 failed", 1]);
  // Whatever the runner's exit code says.
  expect(reportOf([counted(9), counted(4, 1)], 0)).toEqual(["13 passed, 1 failed", 1]);
});

test("a test file that breaks before its tests is a failure", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "passed", assertionResults: [{ status: "passed" }] },
  ];
  expect(reportOf([{ ...counted(1), testResults }, counted(5)], 1)).toEqual(["6 passed, 1 failed", 1]);
});

test("a run without one of its reports, or that failed outside its tests, is a failure", () => {
  expect(reportOf([undefined, undefined], 1)).toEqual(["0 passed, 2 failed", 1]);
  expect(reportOf([counted(5), undefined], 0)).toEqual(["5 passed, 1 failed", 1]);
  expect(reportOf([undefined, counted(5)], 0)).toEqual(["5 passed, 1 failed", 1]);
  expect(reportOf([], 0)).toEqual(["0 passed, 1 failed", 1]);
  expect(reportOf([counted(5), counted(1)], 1)).toEqual(["6 passed, 1 failed", 1]);
});

test("the build counts every report that npm test writes", () => {
  const written = [...readFileSync("scripts/check.ts", "utf8").matchAll(/reports\/\w+\.json/g)].map(([file]) => file);
  const [, read] = /^reports=\((.*)\)$/m.exec(readFileSync(".ci/run", "utf8")) ?? [];
  expect(read?.split(" ").sort()).toEqual(written.sort());
  expect(written.length).toBe(2);
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
