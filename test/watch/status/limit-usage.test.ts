import { expect, it } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import type { RiskContext } from "../../../src/risk/rule.ts";
import { limitsUsed, STRESS } from "../../../src/watch/status/limit-usage.ts";

const unknown = () => undefined;
const CHF = "CHF" as Asset;

it("the largest exposure is unknown while one of them is: that one may be the largest", () => {
  const largest = (ofBitcoin: Money | undefined) => {
    const exposures = new Map<string, Money | undefined>([
      ["VCHF", Money.of("100", CHF)],
      ["BTC", ofBitcoin],
    ]);
    const context = {
      accounts: { assets: ["CHF", "VCHF", "BTC"], heldAtMost: () => Money.of("100", CHF) },
      pricing: {
        currency: CHF,
        equity: unknown,
        grossExposure: unknown,
        exposure: (asset: string) => exposures.get(asset),
      },
      counters: {
        day: {},
        doubts: {},
        streaks: { rejects: {}, losses: {} },
        markouts: { missing: ofBitcoin === undefined ? 4 : 0, adverseBps: 0.5 },
        hour: { total: unknown },
        orderTimes: { nthLast: unknown },
      },
      now: 0,
    } as unknown as RiskContext;
    return limitsUsed(paperLimits, context);
  };
  const exposure = (ofBitcoin: Money | undefined) => largest(ofBitcoin).find(({ key }) => key === "asset-exposure");
  expect(exposure(Money.of("300", CHF))).toMatchObject({ name: "largest exposure BTC", used: 300 });
  expect(exposure(undefined)).toMatchObject({ name: "largest exposure", used: undefined, usedBps: undefined });
  const adverse = (ofBitcoin: Money | undefined) => largest(ofBitcoin).find(({ key }) => key === "adverse-fills");
  expect([adverse(undefined)?.used, adverse(Money.of("300", CHF))?.used]).toEqual([undefined, 0.5]);
  // The fullest first: 0.5 bp against our fills of 1 bp.
  const used = largest(Money.of("300", CHF)).map(({ usedBps }) => usedBps || 0);
  expect([used[0], used]).toEqual([5_000, used.toSorted((one, other) => other - one)]);
  // The status has no number for a part of an unknown limit: JSON would make NaN null, and no command could read it.
  expect(largest(Money.of("300", CHF)).filter(({ usedBps }) => Number.isNaN(usedBps))).toEqual([]);
  // 12 % of 100 VCHF, 60 % of 100 VCHF and 100 CHF, and all of it with 300 in BTC.
  const stress = largest(Money.of("300", CHF)).filter(({ key }) => STRESS.has(key));
  expect(stress.map(({ key, used }) => [key, used])).toEqual([
    ["depeg-loss", 12],
    ["issuer-loss", 120],
    ["everything-lost", 500],
  ]);
});
