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

test("fewer pairs take the quantities of the others with them, unless those are given too", () => {
  const { symbols, orderQuantityMax } = changedLimits(paperLimits, ['symbols=["VCHF/CHF"]']);
  expect(JSON.parse(JSON.stringify({ symbols, orderQuantityMax }))).toEqual({
    symbols: ["VCHF/CHF"],
    orderQuantityMax: { "VCHF/CHF": JSON.parse(JSON.stringify(paperLimits.orderQuantityMax))["VCHF/CHF"] },
  });
  const both = ['symbols=["VCHF/CHF"]', 'orderQuantityMax={"VGBP/GBP":"5"}'];
  expect(() => changedLimits(paperLimits, both)).toThrow("orderQuantityMax must name VCHF/CHF");
});

test.each([
  [
    "referenceAgeMsMax=60001",
    "--limit referenceAgeMsMax must be a whole number of milliseconds from 500 to 60000, was 60001",
  ],
  ["lossesMax=off", '--limit lossesMax must be the limit, or "off: " with a reason of 8 to 200 characters, was "off"'],
  ["collarBps=300", "--limit collarBps must be at most collarHardBps, 200, was 300"],
  ["referenceAge=1", "--limit referenceAge is no limit"],
  ["__proto__=1", "--limit must look like referenceAgeMsMax=60000, was __proto__=1"],
  ["lossesMax", "--limit must look like referenceAgeMsMax=60000, was lossesMax"],
])("%s is refused as in a configuration", (given, message) => {
  expect(() => changedLimits(paperLimits, [given])).toThrow(message);
  expect(() => changedLimits(paperLimits, ["lossesMax=1", "lossesMax=2"])).toThrow("lossesMax is there twice");
});
