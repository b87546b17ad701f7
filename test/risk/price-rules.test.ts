// The rules on prices and time: collar, freshness, agreement, age of the decision, allow-list.

import { describe, expect, test } from "vitest";
import type { NoFair } from "../../src/domain/fair.ts";
import { createRandom } from "../../src/domain/random.ts";
import type { Rule } from "../../src/risk/rule.ts";
import { allowList, priceCollar, reference } from "../../src/risk/rules/price.ts";
import { decisionAge } from "../../src/risk/rules/rate.ts";
import { anInstrument } from "../support/instrument.ts";
import { aDesk, aFair, NOON, VCHF_CHF, VGBP_GBP, verdict } from "./stage.ts";

const POISON = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined as unknown as number];
/** The reason, what the pair itself must keep, and the limit in words. */
const NO_FAIR: [NoFair, number | undefined][] = [
  ["missing", undefined],
  ["missing", 3],
  ["stale", undefined],
  ["disagreeing", undefined],
  ["off-peg", 50],
  ["crossed", undefined],
  ["implausible", undefined],
  ["closed", undefined],
];

function deskWith(changes: Parameters<typeof aFair>[0]) {
  const tradingCore = aDesk();
  tradingCore.fairs.set(VCHF_CHF, aFair(changes));
  return tradingCore;
}

describe("RC07, the price collar", () => {
  const rule = priceCollar(50, undefined) as Rule;

  test.each(["buy", "sell"] as const)("passes a %s at either edge and refuses one tick beyond", (side) => {
    for (const limit of ["0.995", "1.005"]) expect(verdict(rule, aDesk(), { side, limit })).toBe("approved 100");
    expect(verdict(rule, aDesk(), { side, limit: "1.0051" })).toBe("RC07");
    expect(verdict(rule, aDesk(), { side, limit: "0.9949" })).toContain("RC07");
  });

  test("measures from fair value, not from 1", () => {
    expect(verdict(rule, deskWith({ value: 1.2 }), { limit: "1.206" })).toBe("approved 100");
    expect(verdict(rule, deskWith({ value: 1.2 }), { limit: "1.2061" })).toContain("RC07");
    expect(verdict(rule, deskWith({ value: 1.2 }), { limit: "1" })).toContain("RC07");
  });

  test("is what whole numbers say while fair value wanders, at its edges and just beyond", () => {
    const seed = 20_261_115;
    const random = createRandom(seed);
    const seen = { inside: 0, outside: 0 };
    let value = 1;
    for (let i = 0; i < 4_000; i++) {
      value *= 1 + (random.next() - 0.5) * (i % 100 === 0 ? 0.02 : 0.0004);
      const steps = BigInt(Math.round(value * 1e12));
      const away = (steps * 50n) / 10_000n;
      const from = random.next() < 0.5 ? steps - away : steps + away;
      const limit =
        from + BigInt(random.integer(-2, 2)) * (random.next() < 0.5 ? 1n : 10n ** BigInt(random.integer(0, 9)));
      const isInside = limit >= steps - away && limit <= steps + away;
      const text = `${limit / 10n ** 12n}.${(limit % 10n ** 12n).toString().padStart(12, "0")}`;
      const said = verdict(rule, deskWith({ value }), { limit: text });
      expect([said.startsWith("approved"), `seed ${seed}, ${i}: ${text} at ${value}`]).toEqual([
        isInside,
        `seed ${seed}, ${i}: ${text} at ${value}`,
      ]);
      seen[isInside ? "inside" : "outside"]++;
    }
    expect(Math.min(seen.inside, seen.outside)).toBeGreaterThan(500);
  });

  test("is exact for prices of any size", () => {
    expect(verdict(rule, deskWith({ value: 0.00001 }), { limit: "0.00001005" })).toBe("approved 100");
    expect(verdict(rule, deskWith({ value: 0.00001 }), { limit: "0.0000100501" })).toContain("RC07");
    expect(verdict(rule, deskWith({ value: 100_000 }), { limit: "100500" })).toBe("approved 100");
    expect(verdict(rule, deskWith({ value: 100_000 }), { limit: "100500.01" })).toContain("RC07");
  });

  test("refuses without a fair value, and with one that is no price", () => {
    const tradingCore = aDesk();
    tradingCore.fairs.set(VCHF_CHF, { kind: "none", reason: "stale" });
    expect(verdict(rule, tradingCore)).toBe("RC07 unknown");
    for (const value of [...POISON, 0, -1, 1e300, 1e-300])
      expect(verdict(rule, deskWith({ value })), String(value)).toContain("RC07 unknown");
  });

  test("R07: is narrower while the markets behind fair value are closed, and never wider", () => {
    const weekend = (limit: string, collarBps = 10) => verdict(rule, deskWith({ collarBps }), { limit });
    for (const limit of ["0.999", "1.001"]) expect(weekend(limit)).toBe("approved 100");
    expect(weekend("1.0011")).toBe("RC07");
    expect(weekend("0.9989")).toContain("RC07");
    // Near the edge of the other collar too, where that has to be asked exactly.
    for (const limit of ["1.0049", "0.9951"]) expect(weekend(limit)).toBe("RC07");
    expect(weekend("1.0051", 90)).toBe("RC07");
    expect(verdict(priceCollar(50, 200) as Rule, deskWith({ collarBps: 10 }), { limit: "1.0201" })).toMatch(/^RC07H/);
  });

  test("has a code of its own beyond the hard collar", () => {
    const both = priceCollar(50, 200) as Rule;
    expect(verdict(both, aDesk(), { limit: "1.005" })).toBe("approved 100");
    expect(verdict(both, aDesk(), { limit: "1.02" })).toMatch(/^RC07/);
    expect(verdict(both, aDesk(), { limit: "1.0201" })).toMatch(/^RC07H/);
    expect(verdict(both, aDesk(), { limit: "0.98" })).toMatch(/^RC07/);
    expect(verdict(both, aDesk(), { limit: "0.9799" })).toMatch(/^RC07H/);
  });

  test("is the hard one where only that is set, and the narrower one if they are swapped", () => {
    expect(verdict(priceCollar(undefined, 200) as Rule, aDesk(), { limit: "1.02" })).toBe("approved 100");
    expect(verdict(priceCollar(undefined, 200) as Rule, aDesk(), { limit: "1.0201" })).toMatch(/^RC07H/);
    expect(verdict(priceCollar(200, 50) as Rule, aDesk(), { limit: "1.0051" })).toMatch(/^RC07H/);
    expect(priceCollar(undefined, undefined)).toBeUndefined();
  });
});

describe("RC08, the age of the reference", () => {
  const rule = reference({ ageMsMax: 5_000, sourcesMin: 1, spreadBpsMax: undefined });

  test("passes at the limit and refuses a millisecond over it", () => {
    expect(verdict(rule, deskWith({ ageMs: 5_000 }))).toBe("approved 100");
    expect(verdict(rule, deskWith({ ageMs: 5_001 }))).toBe("RC08");
  });

  test.each(NO_FAIR)("refuses a fair value that is %s", (reason, limit) => {
    const tradingCore = aDesk();
    tradingCore.fairs.set(VCHF_CHF, { kind: "none", reason, limit });
    const apart = reference({ ageMsMax: 5_000, sourcesMin: 1, spreadBpsMax: 30 });
    expect(verdict(apart, tradingCore)).toBe("RC08");
  });

  test("refuses an age that proves nothing, and a fair value that is none", () => {
    for (const ageMs of [...POISON, -1]) expect(verdict(rule, deskWith({ ageMs })), String(ageMs)).toContain("RC08");
    for (const value of POISON) expect(verdict(rule, deskWith({ value })), String(value)).toContain("RC08");
  });
});

describe("RC09, agreement of sources", () => {
  test("needs so many of them", () => {
    const rule = reference({ ageMsMax: 5_000, sourcesMin: 2, spreadBpsMax: undefined });
    expect(verdict(rule, deskWith({ sources: 2 }))).toBe("approved 100");
    expect(verdict(rule, deskWith({ sources: 1 }))).toBe("RC09");
    for (const sources of POISON) expect(verdict(rule, deskWith({ sources }))).toContain("RC09");
    expect(verdict(rule, aDesk(), { symbol: VGBP_GBP })).toContain("RC08");
  });

  test("lets them disagree up to the limit, and not a hundredth more", () => {
    const rule = reference({ ageMsMax: 5_000, sourcesMin: 1, spreadBpsMax: 30 });
    expect(verdict(rule, deskWith({ disagreementBps: 30 }))).toBe("approved 100");
    expect(verdict(rule, deskWith({ disagreementBps: 30.01 }))).toBe("RC09");
    for (const disagreementBps of [32.815, 30.000001])
      expect(verdict(rule, deskWith({ disagreementBps }))).toBe("RC09");
    for (const disagreementBps of [...POISON, -1])
      expect(verdict(rule, deskWith({ disagreementBps }))).toContain("RC09 unknown");
  });

  test("asks for age, number and disagreement in this order, and for the last only where it is limited", () => {
    const all = { ageMs: 5_001, sources: 1, disagreementBps: 31 };
    const rule = reference({ ageMsMax: 5_000, sourcesMin: 2, spreadBpsMax: 30 });
    expect(verdict(rule, deskWith(all))).toContain("RC08");
    expect(verdict(rule, deskWith({ ...all, ageMs: 5_000 }))).toContain("RC09");
    expect(verdict(rule, deskWith({ ...all, ageMs: 5_000, sources: 2 }))).toContain("RC09");
    const loose = reference({ ageMsMax: 5_000, sourcesMin: 2, spreadBpsMax: undefined });
    expect(verdict(loose, deskWith({ ...all, ageMs: 5_000, sources: 2 }))).toBe("approved 100");
  });
});

describe("RC28, the age of a decision", () => {
  const rule = decisionAge(3_000);
  const late = (ms: number) => ({ ...aDesk(), now: (NOON + ms) as typeof NOON });

  test("passes at the limit and refuses a millisecond later", () => {
    expect(verdict(rule, late(3_000), { expiresAt: NOON + 9_000 })).toBe("approved 100");
    expect(verdict(rule, late(3_001), { expiresAt: NOON + 9_000 })).toBe("RC28");
  });

  test("ends with the decision's own lifetime where that is shorter", () => {
    expect(verdict(rule, late(500), { expiresAt: NOON + 500 })).toBe("approved 100");
    expect(verdict(rule, late(501), { expiresAt: NOON + 500 })).toBe("RC28");
  });

  test("refuses decisions of the future and times that are none", () => {
    expect(verdict(rule, aDesk(), { decidedAt: NOON + 1 })).toContain("RC28 unknown");
    for (const at of POISON.map((value) => value ?? Number.NaN)) {
      expect(verdict(rule, aDesk(), { decidedAt: at })).toContain("RC28");
      expect(verdict(rule, aDesk(), { expiresAt: at })).toContain("RC28");
      expect(verdict(rule, { ...aDesk(), now: at as typeof NOON })).toContain("RC28");
    }
  });
});

describe("RC19, the allow-list", () => {
  const rule = allowList(new Set([VCHF_CHF]));

  test("passes what is listed and online, and nothing else", () => {
    expect(verdict(rule, aDesk())).toBe("approved 100");
    expect(verdict(rule, aDesk(), { symbol: VGBP_GBP })).toBe("RC19");
    expect(verdict(rule, aDesk(), { instrument: anInstrument({ status: "halted" }) })).toBe("RC19");
  });

  test("refuses a listed symbol that comes with another pair's terms", () => {
    expect(verdict(rule, aDesk(), { instrument: anInstrument({ symbol: VGBP_GBP }) })).toBe("RC19");
    // Also when these terms have just passed for the pair that they belong to.
    const instrument = anInstrument();
    expect(verdict(rule, aDesk(), { instrument })).toBe("approved 100");
    expect(verdict(rule, aDesk(), { symbol: VGBP_GBP, instrument })).toContain("RC19");
  });
});
