import { expect, it } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import type { RiskContext } from "../../../src/risk/rule.ts";
import { limitsUsed } from "../../../src/watch/status/limit-usage.ts";

const unknown = () => undefined;
const CHF = "CHF" as Asset;

it("the largest exposure is unknown while one of them is: that one may be the largest", () => {
  const largest = (ofBitcoin: Money | undefined) => {
    const exposures = new Map<string, Money | undefined>([
      ["VCHF", Money.of("100", CHF)],
      ["BTC", ofBitcoin],
    ]);
    const context = {
      accounts: { assets: ["CHF", "VCHF", "BTC"] },
      pricing: {
        currency: CHF,
        equity: unknown,
        grossExposure: unknown,
        exposure: (asset: string) => exposures.get(asset),
      },
      counters: {
        day: {},
        doubts: {},
        rejects: {},
        losses: {},
        markouts: {},
        turnoverOfHour: unknown,
        orderTimes: { nthLast: unknown },
      },
      now: 0,
    } as unknown as RiskContext;
    return limitsUsed(paperLimits, context).find(({ key }) => key === "asset-exposure");
  };
  expect(largest(Money.of("300", CHF))).toMatchObject({ name: "largest exposure BTC", used: 300 });
  expect(largest(undefined)).toMatchObject({ name: "largest exposure", used: undefined, usedBps: undefined });
});
