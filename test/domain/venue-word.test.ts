import { expect, test } from "vitest";
import { hasSettled } from "../../src/domain/mint.ts";
import { isRejected, isWorking } from "../../src/domain/rail.ts";
import { isHeld, type VenueWord, wordOf } from "../../src/domain/venue-word.ts";

test.each<[string, VenueWord]>([
  ["pending", "pending"],
  ["Rejected", "rejected"],
  ["REJECTED", "rejected"],
  ["held", "held"],
  ["completed", "settled"],
  ["Settled", "settled"],
  ["rejected ", "unknown"],
  ["failed", "unknown"],
  ["approved", "unknown"],
  ["", "unknown"],
  ["constructor", "unknown"],
])("the venue's word %j means %s", (status, word) => {
  expect(wordOf(status)).toBe(word);
  expect([isWorking({ status }), isRejected({ status }), isHeld(status), hasSettled({ status })]).toEqual(
    (["pending", "rejected", "held", "settled"] as const).map((one) => one === word),
  );
});
