import { expect, test } from "vitest";
import { hasSettled } from "../../src/domain/mint.ts";
import { isRejected, isWorking } from "../../src/domain/rail.ts";
import { isHeld, type SettlementStatus, settlementOf } from "../../src/domain/settlement-status.ts";

test.each<[string, SettlementStatus]>([
  ["pending", "pending"],
  ["Rejected", "rejected"],
  ["REJECTED", "rejected"],
  ["held", "held"],
  ["completed", "settled"],
  ["Settled", "settled"],
  ["failed", "unknown"],
  ["approved", "unknown"],
  ["", "unknown"],
])("the venue's word %j means %s", (status, word) => {
  expect(settlementOf(status)).toBe(word);
  expect([isWorking({ status }), isRejected({ status }), isHeld(status), hasSettled({ status })]).toEqual(
    (["pending", "rejected", "held", "settled"] as const).map((one) => one === word),
  );
});
