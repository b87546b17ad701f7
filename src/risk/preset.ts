// Presets of limits, with every limit by name. A preset never changes: another table gets another name. Amounts are
// shares of `equity`, a figure in the file, so that nothing changes by itself while the bot runs.

import { z } from "zod";
import type { Asset } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import { amount } from "../domain/field.ts";
import { Money } from "../domain/money/money.ts";
import { riskSchema } from "./limits.ts";

const presetSchema = z.object({
  preset: z.enum(["cautious"]).describe("every limit that is not named here (docs/guides/limits.md)"),
  equity: amount("1000", "1000000000", "equity that the preset's amounts are shares of, in `currency`")
    // Small enough for any account.
    .prefault("10000"),
});

/** What a section `risk` may name: every limit, or a preset and changes to it. */
export const writtenRiskSchema = z.union([
  riskSchema.describe("the limits, every one by name"),
  riskSchema.partial().extend(presetSchema.shape).describe("a preset of the limits, and changes to it"),
]);

/** The limits that a preset gives to these pairs; a pair of what is no coin has no size in units, and must name one. */
function cautious(equity: string, symbols: readonly string[]) {
  const base = Money.of(equity, "CHF" as Asset);
  const share = (bps: number): string => String(base.share(bps, "down").rounded(2, "down"));
  const coins = symbols.filter((symbol) => standsFor((symbol.split("/")[0] ?? "") as Asset) !== undefined);
  return {
    orderValueMax: share(500),
    orderQuantityMax: Object.fromEntries(coins.map((symbol) => [symbol, share(500)])),
    assetExposureMax: share(3_000),
    grossExposureMax: share(6_000),
    depegLossBpsMax: 400,
    depegAssumedBps: 1_200,
    issuerLossBpsMax: 6_000,
    issuerEndBps: 6_000,
    dailyLossBpsMax: 50,
    drawdownBpsMax: 100,
    markAgeMsMax: 900_000,
    markHaircutBps: 200,
    collarBps: 50,
    collarHardBps: 200,
    exit: { collarBps: 100, floorBps: 3_000, orderValueMax: share(250), perDayMax: share(2_000) },
    referenceAgeMsMax: 5_000,
    referenceSourcesMin: 2,
    referenceSpreadBpsMax: 30,
    ordersPerMinuteMax: 6,
    ordersPerDayMax: 200,
    turnoverPerHourMax: share(5_000),
    turnoverPerDayMax: share(20_000),
    rejectsPerSymbolMax: 5,
    rejectsMax: 10,
    rejectFreezeMs: 900_000,
    lossesMax: 5,
    lossFreezeMs: 900_000,
    adverseBpsMax: 1,
    duplicateWindowMs: 30_000,
    offsetWindowMs: 60_000,
    doubtsPerAssetMax: 1,
    doubtsMax: 2,
    doubtAgeMsMax: 900_000,
    reserveBpsMin: 500,
    feeBpsMax: 10,
    feesPerDayMax: share(5),
    decisionAgeMsMax: 3_000,
    rampOrders: 50,
    rampSizeBps: 1_000,
  };
}

/** A section as written, with what its preset adds; the same without one. */
export function withPreset(risk: unknown) {
  if (typeof risk !== "object" || risk === null || !("preset" in risk)) return { risk, issues: [] };
  const { preset, equity, ...changes } = risk as Record<string, unknown>;
  const chosen = presetSchema.safeParse({ preset, equity });
  const symbols = Array.isArray(changes.symbols) ? changes.symbols.map(String) : [];
  const limits = cautious(chosen.success ? String(chosen.data.equity) : "10000", symbols);
  return { risk: { ...limits, ...changes }, preset, issues: chosen.error?.issues ?? [] };
}
