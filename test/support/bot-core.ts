// Engine, executor and gate for simulated lives of the bot: one pair, wide limits, and a protocol that may be shortened.

import type { SavedBooks } from "../../src/books/books.ts";
import type { Core } from "../../src/bot/core.ts";
import { createCore } from "../../src/bot/core.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import type { Limits, Off } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";

export const PAIR = "VCHF/CHF" as PairSymbol;
export const CORE_FUNDS = { CHF: "1000000", VCHF: "500000" };
const off: Off = "off: a simulated life";

/** Every rule that would stop a restless strategy for being restless is off; money and doubts are still watched. */
export const LIFE_LIMITS: Limits = {
  ...paperLimits,
  symbols: [PAIR],
  orderQuantityMax: { [PAIR]: Quantity.of("50000") },
  orderValueMax: Quantity.of("50000"),
  assetExposureMax: Quantity.of("1000000"),
  grossExposureMax: Quantity.of("3000000"),
  feesPerDayMax: Quantity.of("20000"),
  exit: { collarBps: 100, floorBps: 3_000, orderValueMax: Quantity.of("25000"), perDayMax: Quantity.of("200000") },
  referenceSpreadBpsMax: 499,
  collarBps: 400,
  collarHardBps: 900,
  ordersPerMinuteMax: off,
  turnoverPerHourMax: off,
  rejectsPerSymbolMax: off,
  rejectsMax: off,
  lossesMax: off,
  adverseBpsMax: off,
  duplicateWindowMs: off,
  offsetWindowMs: off,
  depegLossBpsMax: off,
  issuerLossBpsMax: off,
  issuerEndBps: 6_000,
  dailyLossBpsMax: off,
  drawdownBpsMax: off,
  doubtAgeMsMax: off,
};

/** Short enough for a simulated hour: the window covers the longest delay of the histories there, 60 s. */
export const SHORT_PROTOCOL: Settings = {
  ...DEFAULT_SETTINGS,
  windowMsMin: 75_000,
  windowPerDelay: 1,
  releaseBpsMax: 9_999,
  acknowledgedMin: 0,
  escalateAfterMs: 7_200_000,
};

export type CoreOptions = {
  readonly writer: string;
  readonly settings?: Settings;
  readonly limits?: Partial<Limits>;
  readonly endedMax?: number;
};

export function makeCore(
  { writer, settings = SHORT_PROTOCOL, limits = {}, endedMax = 10_000 }: CoreOptions,
  strategy: Strategy,
  saved?: SavedBooks,
): Core {
  const par = new Map([[PAIR, { bandBps: 499 }]]);
  const parts = {
    limits: { ...LIFE_LIMITS, ...limits },
    par,
    ids: createIds("T", writer),
    writer,
    settings,
    endedMax,
  };
  return createCore(strategy, parts, saved);
}
