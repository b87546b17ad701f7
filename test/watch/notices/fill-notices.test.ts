// Which fills people are told of.

import { describe, expect, test } from "vitest";
import { approved, fill, staged } from "./notice-bench.ts";

describe("people are told", () => {
  test("of a fill from its size on, valued in the currency of the limits, once", async () => {
    const { notices, texts, pass } = staged();
    // 1,000 at 0.999 is worth 999, 1,002 is worth 1,000.998.
    for (const record of [fill("A", "1000"), fill("B", "1002"), fill("B", "1002")]) notices.record(record);
    // 900 GBP at 1.12 CHF are worth 1,007; without a rate nobody knows, so it is told.
    for (const record of [approved("C", "1.12"), fill("C", "900.9009", "VGBP/GBP")]) notices.record(record);
    for (const record of [approved("D", undefined), fill("D", "1", "VGBP/GBP")]) notices.record(record);
    notices.record(fill("E", "1002", "VCHF/CHF", "sell"));
    await pass(0);
    expect(texts()).toEqual([
      "buy 1002 VCHF/CHF at 0.999000, worth 1,000.99 CHF, fee 0.5 CHF",
      expect.stringMatching(/^buy 900\.9009 VGBP\/GBP at 0\.999000, worth 1,007\.9\d CHF, fee 0\.5 GBP$/),
      "buy 1 VGBP/GBP at 0.999000, worth 0.99 GBP, fee 0.5 GBP",
      "sell 1002 VCHF/CHF at 0.999000, worth 1,000.99 CHF, fee 0.5 CHF",
    ]);
  });
});
