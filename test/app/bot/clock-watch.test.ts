// That our clock is not the venue's is said once, and once that it is again.

import { expect, it } from "vitest";
import { clockWatch } from "../../../src/app/bot/watches.ts";

it("a clock that is off at two looks in a row is said once, and that it agrees again", () => {
  const said: string[] = [];
  let skewMs: number | undefined;
  const look = clockWatch(
    () => skewMs,
    (level, text) => void said.push(`${level} ${text}`),
  );
  const looks = (...skews: (number | undefined)[]): readonly string[] => {
    said.length = 0;
    for (const one of skews) {
      skewMs = one;
      look();
    }
    return [...said];
  };
  // A Date is cut to the second, and one answer may be slow.
  expect(looks(undefined, 300, 1_999, -999, 5_000, 300)).toEqual([]);
  expect(looks(-89_000)).toEqual([]);
  expect(looks(-89_400, -89_000, -2_000)).toEqual([
    "warn our clock is 89.4 s behind the venue's: orders go by the venue's; tell the venue if NTP says that this machine's clock is right, else mend it",
  ]);
  expect(looks(undefined, 300, 300)).toEqual(["info our clock agrees with the venue's again"]);
  expect(looks(7_000, 7_500)).toEqual([
    "warn our clock is 7.5 s ahead of the venue's: orders go by the venue's; tell the venue if NTP says that this machine's clock is right, else mend it",
  ]);
});
