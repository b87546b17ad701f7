import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { completeConfig, mistakesOf, type Plain } from "./complete.ts";

test("without the section the protocol's own defaults hold", () => {
  const { protocol } = unwrap(parseConfig("", "/home/user/pegbot.yaml", {})).config;
  expect({ ...DEFAULT_SETTINGS, ...protocol }).toEqual(DEFAULT_SETTINGS);
});

test.each([
  ["windowMsMin", 119_999, "at least 120000"],
  ["windowPerDelay", 9, "at least 10"],
  ["negatives", 2, "at least 3"],
  ["releaseBpsMax", 101, "at most 100"],
  ["acknowledgedMin", 199, "at least 200"],
  ["escalateAfterMs", 900_001, "at most 900000"],
  ["balancesMsMax", 119_999, "at least 120000"],
])("live mode refuses protocol.%s %i, paper takes it", (key, value, bound) => {
  const settings = completeConfig();
  const changed = { ...settings, protocol: { ...(settings.protocol as Plain), [key]: value } };
  expect(mistakesOf(changed).join()).toContain(`protocol.${key} must be ${bound} in live mode, was ${value}`);
  expect(mistakesOf({ protocol: { [key]: value } })).toEqual([]);
});
