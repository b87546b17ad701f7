import { expect } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Fair } from "../../src/domain/fair.ts";
import { millis } from "../../src/domain/time.ts";
import { complaintsOf } from "../../src/market/complaint.ts";
import { GUARD_DEFAULTS, type GuardSettings } from "../../src/market/guard.ts";
import { type FairSettings, Pricing } from "../../src/market/pricing.ts";

export const FX = "GBP/CHF" as PairSymbol;
export const COIN = "VCHF/CHF" as PairSymbol;
/** A Wednesday. */
export const NOW = Date.UTC(2026, 10, 11, 12);

export const GUARD: GuardSettings = {
  ...GUARD_DEFAULTS,
  bands: new Map([[FX, { low: 0.8, high: 2 }]]),
  anchors: new Set(["ecb"]),
  agreeBps: 30,
  ageMsMax: 5_000,
};
const SETTINGS: FairSettings = {
  par: new Map([[COIN, { bandBps: 50 }]]),
  venueAgeMsMax: 5_000,
  referenceAgeMsMax: 5_000,
  frozenMsMax: 60_000,
  sourcesMin: 1,
  disagreementBpsMax: 30,
  guard: GUARD,
};

type Told = { readonly source?: string; readonly spread?: number; readonly at?: number; readonly symbol?: string };

export function stage(settings: Partial<FairSettings> = {}, now = NOW) {
  const pricing = new Pricing({ ...SETTINGS, ...settings });
  pricing.moment.next(now);
  const quote = (bid: number, ask: number, { source = "one", at, symbol = FX }: Told = {}): boolean => {
    const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(pricing.moment.now) };
    const told = { symbol: symbol as PairSymbol, bid, ask, bidSize: undefined, askSize: undefined, source, ...times };
    return pricing.pair(told.symbol).observe(told);
  };
  /** A narrow price around a middle. */
  const tell = (mid: number, { spread = 0.0002, ...told }: Told = {}): boolean =>
    quote(mid * (1 - spread / 2), mid * (1 + spread / 2), told);
  const fair = (symbol: string = FX): Fair => {
    const prices = pricing.pair(symbol as PairSymbol);
    const found = pricing.fair(prices);
    expect(pricing.value(prices)).toBe(found.kind === "fair" ? found.value : undefined);
    return found;
  };
  const outcome = (symbol?: string): string => {
    const found = fair(symbol);
    return found.kind === "fair" ? found.value.toFixed(4) : found.reason;
  };
  const pass = (ms: number): void => pricing.moment.next(pricing.moment.now + ms);
  const complaints = (): string[] => complaintsOf(pricing).map(({ source, text }) => `${source}: ${text}`);
  return { pricing, quote, tell, fair, outcome, pass, complaints };
}
