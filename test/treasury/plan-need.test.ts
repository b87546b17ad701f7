// Whether what is left of a plan is still needed, by what is held now.

import { describe, expect, test } from "vitest";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { ContentStep } from "../../src/treasury/approval/plan-content.ts";
import { whyUnneeded } from "../../src/treasury/approval/plan-need.ts";
import { assetOf, bandText, type HoldingName } from "../../src/treasury/plan/holding.ts";

const money = (text: string, holding: string): Money => Money.of(text, assetOf(holding as HoldingName));
const holding = (holding: string, text: string) => ({
  holding: holding as HoldingName,
  available: money(text, holding),
  bound: money("0", holding),
  inFlight: [],
});
const band = (holding: string, low?: string, high?: string) => ({
  holding: holding as HoldingName,
  low: low === undefined ? undefined : money(low, holding),
  high: high === undefined ? undefined : money(high, holding),
});
const step = (name: string, takes: string, brings: string) => ({ name, takes, brings }) as ContentStep;

const BUY = step("buy VGBP/GBP", "36000 GBP", "36000 VGBP");
const MINT = step("mint VGBP on ETH", "101700 GBP", "101700 VGBP");
const BANDS = [band("VGBP", "250000", "270000")];
const rates = () => Price.of("1");
const holdings = (vgbp: string, bands = BANDS) => ({
  holdings: [holding("VGBP", vgbp), holding("GBP", "500000")],
  bands,
  rates,
});

describe("a step of a plan", () => {
  test("is needed while the holdings miss less with it than without it", () => {
    // 250,000 - 112,300 = 137,700 are missing.
    expect(whyUnneeded(BUY, holdings("112300"))).toBeUndefined();
    expect(whyUnneeded(MINT, holdings("148300"))).toBeUndefined();
  });

  test("is not when its holding came into its band by itself, also where there is no upper edge", () => {
    expect(whyUnneeded(BUY, holdings("260000"))).toBe(
      "buy VGBP/GBP brings no holding nearer to its band: VGBP has 260,000.00, its band is 250,000 to 270,000",
    );
    expect(whyUnneeded(MINT, holdings("260000", [band("VGBP", "250000")]))).toMatch(
      /^mint VGBP on ETH brings no holding/,
    );
    // Only what it moves is named.
    expect(whyUnneeded(MINT, holdings("260000", [band("VGBP", "250000"), band("CHF", "1")]))).toMatch(
      /: VGBP has 260,000\.00, its band is 250,000 to any$/,
    );
    expect(bandText(undefined)).toBe("");
  });
});
