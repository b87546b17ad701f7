// `--limit` of research.

import { expect, test } from "vitest";
import { changedLimits } from "../../../src/cli/option/changed-limits.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";

test("one limit is changed and all others stay", () => {
  const changed = changedLimits(paperLimits, ["referenceAgeMsMax=60000", "orderValueMax=75000.5"]);
  expect(JSON.parse(JSON.stringify(changed))).toEqual({
    ...JSON.parse(JSON.stringify(paperLimits)),
    referenceAgeMsMax: 60_000,
    orderValueMax: "75000.5",
  });
  expect(changedLimits(paperLimits, ["lossesMax=off: a study of losing streaks"]).lossesMax).toBe(
    "off: a study of losing streaks",
  );
});

test.each([
  [
    "referenceAgeMsMax=60001",
    "--limit referenceAgeMsMax must be a whole number of milliseconds from 500 to 60000, was 60001",
  ],
  ["lossesMax=off", '--limit lossesMax must be the limit, or "off: " with a reason of 8 to 200 characters, was "off"'],
  ["__proto__=1", "--limit must look like referenceAgeMsMax=60000, was __proto__=1"],
])("%s is refused as in a configuration", (given, message) => {
  expect(() => changedLimits(paperLimits, [given])).toThrow(message);
  expect(() => changedLimits(paperLimits, ["lossesMax=1", "lossesMax=2"])).toThrow("lossesMax is there twice");
});
