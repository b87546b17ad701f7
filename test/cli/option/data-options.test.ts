// Times on a command line.

import { expect, test } from "vitest";
import { duration } from "../../../src/cli/option/values.ts";

test.each([
  ["500ms", 500],
  ["15m", 900_000],
  ["1d", 86_400_000],
])("%s is read", (text, ms) => {
  expect(duration(text)).toBe(ms);
});

test.each([
  ["0ms", "must be above zero, was 0ms"],
  ["25", "must look like 500ms, 1s, 15m, 1h or 1d, was 25"],
  ["-1s", "must look like 500ms, 1s, 15m, 1h or 1d, was -1s"],
])("%s is refused with what is wrong about it", (text, message) => {
  expect(() => duration(text)).toThrow(message);
});
