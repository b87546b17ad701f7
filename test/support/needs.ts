// Tests that need a program which npm cannot bring say so in their first line: `needs("faketime")`. Without the program
// such a test is skipped with its reason; with CI=true it fails instead, so that a build machine cannot lose it quietly.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { TestRunner } from "vitest";

/** For what is made ready before the tests: each of them still says what it needs. */
export function areThere(...programs: readonly string[]): boolean {
  return missingOf(programs).length === 0;
}

export function needs(...programs: readonly string[]): void {
  const missing = missingOf(programs);
  if (missing.length === 0) return;
  const reason = `needs ${missing.join(" and ")}, not installed here`;
  if (process.env.CI === "true") throw new Error(`${reason}: with CI=true that is a failure`);
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`${reason}: call needs() inside the test that needs it`);
  process.stderr.write(`skipped: "${test.name}" ${reason}\n`);
  test.context.skip(reason);
}

function missingOf(programs: readonly string[]): readonly string[] {
  return programs.filter((program) => !isOnPath(program, process.env.PATH ?? ""));
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
