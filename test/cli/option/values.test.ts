// Times on the command line: read the same on every machine, and refused where no calendar has them.

import { expect, test } from "vitest";
import { day, moment } from "../../../src/cli/option/values.ts";

const at = (text: string): string => new Date(moment(text)).toISOString();

test("a day or a time without an offset is UTC, one with an offset is that moment", () => {
  expect(["2026-01-31", "2024-02-29T12:30", "2026-01-31T12:00:05", "2026-01-31T12:00Z"].map(at)).toEqual([
    "2026-01-31T00:00:00.000Z",
    "2024-02-29T12:30:00.000Z",
    "2026-01-31T12:00:05.000Z",
    "2026-01-31T12:00:00.000Z",
  ]);
  expect(["2026-02-01T01:00+02:00", "2026-01-31T12:00:00.250-09:30"].map(at)).toEqual([
    "2026-01-31T23:00:00.000Z",
    "2026-01-31T21:30:00.250Z",
  ]);
  expect(day("2026-01-31")).toBe(moment("2026-01-31"));
});

test.each([
  "2026-02-30",
  "2026-01-31T24:00Z",
  "2026-01-31T12:00+15:00",
  "2026-01-31T12:00 CET",
  "1989-12-31",
  "yesterday",
])("%j is no time", (text) => {
  expect(() => moment(text)).toThrow(
    `must be a time from 1990 to 2089 such as 2026-01-31, 2026-01-31T12:00 (both UTC), 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00, was ${text}`,
  );
  expect(() => day(text)).toThrow(`must be a time from 1990 to 2089 such as 2026-01-31 (UTC), was ${text}`);
});
