import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeKilled } from "./support/temporary.ts";

test("what tests leave behind lies in one folder, which goes with the run", () => {
  expect(basename(tmpdir())).toMatch(/^pegbot-tests-\d+-/);
});

test("what a killed run left goes with a later one; what is young, of a run that goes on, or nobody's of ours stays", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const now = Date.now();
  // No process has so high a number; our parent runs.
  const names = [
    "pegbot-tests-999999999-old",
    "pegbot-tests-999999998-new",
    `pegbot-tests-${process.ppid}-old`,
    "other-old",
  ];
  for (const name of names) {
    mkdirSync(join(folder, name, "inner"), { recursive: true });
    const at = (now - (name.endsWith("-old") ? 2 * 3_600_000 : 0)) / 1_000;
    utimesSync(join(folder, name), at, at);
  }
  removeKilled(folder, now);
  expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort());
});
