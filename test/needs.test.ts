import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const ABSENT = "test/fixture/needs/absent-program.test.ts";

/** Runs the fixture, a test that needs a program nobody has, in a runner of its own. */
async function runAbsent(ci: string): Promise<{ code: number; text: string }> {
  const args = [
    "bin/pegbot.js",
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/fixture/needs/vitest.config.ts",
  ];
  const env = { ...process.env, CI: ci, NO_COLOR: "1" };
  try {
    const { stdout, stderr } = await run("node", args, { env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const failed = error as { code: number; stdout: string; stderr: string };
    return { code: failed.code, text: failed.stdout + failed.stderr };
  }
}

test("a test whose program is missing is skipped and says why", async () => {
  const { code, text } = await runAbsent("");
  expect(text).toContain("needs no-such-program, not installed here");
  expect(text).toContain("1 skipped");
  expect(code).toBe(0);
});

test("with CI=true a test whose program is missing fails", async () => {
  const { code, text } = await runAbsent("true");
  expect(text).toContain("with CI=true that is a failure");
  expect(text).toContain(ABSENT);
  expect(code).toBe(1);
});
