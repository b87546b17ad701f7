// Rules first ask for bounds of equity and exposure, which are known at less cost while prices move a little. Whatever the
// bounds are, every verdict is the one that the exact figures give.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { RiskSight } from "../../src/bot/risk-sight.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { createPricing, type Pricing } from "../../src/market/fair.ts";
import { Rates } from "../../src/market/rate.ts";
import { createBooks } from "../../src/risk/create-books.ts";
import { createGate } from "../../src/risk/gate.ts";
import type { Candidate, Gate, RiskContext } from "../../src/risk/rule.ts";
import { assetExposure } from "../../src/risk/rules/asset-exposure.ts";
import { dailyLoss } from "../../src/risk/rules/daily-loss.ts";
import { drawdown } from "../../src/risk/rules/drawdown.ts";
import { grossExposure } from "../../src/risk/rules/gross-exposure.ts";
import { instrumentOf } from "../support/strategy-bench.ts";

const SEED = 20_261_115;
const REVIEWS = 4_000;
const START = Date.UTC(2026, 0, 5, 12);
const CHF = "CHF" as Asset;
const SYMBOLS = ["VCHF/CHF", "GBP/CHF", "VGBP/GBP"] as PairSymbol[];
const INSTRUMENTS = SYMBOLS.map(instrumentOf);

/** Limits so near to what is held that each is met again and again. */
function aGate(): Gate {
  const rules = [
    dailyLoss(60),
    drawdown(70),
    assetExposure(Money.of("11800", CHF)),
    grossExposure(Money.of("33200", CHF)),
  ];
  return createGate(rules, CHF, createIds("T", "abcdefgh"));
}

function stage() {
  const pricing = createPricing({
    par: new Map(),
    venueAgeMsMax: 5_000,
    referenceAgeMsMax: 5_000,
    frozenMsMax: 1e12,
    sourcesMin: 2,
    disagreementBpsMax: 30,
  });
  const accounts = new Accounts(20);
  const books = createBooks(CHF);
  for (const asset of ["CHF", "VCHF", "GBP", "VGBP"] as Asset[]) accounts.adopt([Money.of("10000", asset)]);
  const sight = new RiskSight(accounts, books, pricing, new Rates(pricing, CHF));
  return { pricing, accounts, books, sight };
}

/** Mostly a little, at times a leap, and now and then nobody knows. */
function move(random: Random, pricing: Pricing, prices: number[]): void {
  const at = millis(Math.max(START, pricing.moment.now) + 1_000);
  pricing.moment.next(at);
  const gone = random.next() < 0.01 ? random.integer(0, 2) : -1;
  for (const [i, symbol] of SYMBOLS.entries()) {
    const base = i === 1 ? 1.12 : 1;
    const drift = (base - (prices[i] as number)) * 0.02;
    prices[i] = (prices[i] as number) + drift + (random.next() - 0.5) * (random.next() < 0.05 ? 0.01 : 0.0004);
    const mid = i === gone ? Number.NaN : (prices[i] as number);
    for (const source of ["a", "b"]) {
      const sizes = { bidSize: undefined, askSize: undefined };
      pricing.pair(symbol).observe({ symbol, bid: mid, ask: mid, ...sizes, source, at: undefined, receivedAt: at });
    }
  }
}

function drawCandidate(random: Random, now: number): Candidate {
  const instrument = INSTRUMENTS[random.integer(0, 2)] as Candidate["instrument"];
  return {
    symbol: instrument.symbol,
    instrument,
    side: random.next() < 0.5 ? "buy" : "sell",
    quantity: Quantity.ofSteps(1_000 + random.integer(0, 150_000), 2),
    limit: Price.ofSteps(95_000 + random.integer(0, 20_000), 5),
    decidedAt: millis(now),
    expiresAt: millis(now + 3_000),
    reason: "test",
  };
}

function withoutBounds(sight: RiskSight): RiskContext {
  const exact = {
    currency: CHF,
    fair: (symbol: PairSymbol) => sight.fair(symbol),
    venueAgeMs: (symbol: PairSymbol) => sight.venueAgeMs(symbol),
    rate: (asset: Asset) => sight.rate(asset),
    equity: () => sight.equity(),
    exposure: (asset: Asset) => sight.exposure(asset),
    grossExposure: () => sight.grossExposure(),
    equityAtLeast: () => undefined,
    exposureAtMost: () => undefined,
    grossExposureAtMost: () => undefined,
  };
  return { accounts: sight.accounts, books: sight.books, pricing: exact, now: sight.now };
}

describe(`bounds of equity and exposure (seed ${SEED})`, () => {
  it("change no verdict, and no halt", () => {
    const random = createRandom(SEED);
    const { pricing, accounts, books, sight } = stage();
    const [gate, exactGate] = [aGate(), aGate()];
    const prices = [1, 1.12, 1];
    const seen = new Map<string, number>();
    for (let i = 0; i < REVIEWS; i++) {
      move(random, pricing, prices);
      const { now } = sight;
      const equity = sight.equity();
      if (equity !== undefined && i % 400 === 0) books.apply({ kind: "mark", equity, at: now });
      const candidate = drawCandidate(random, now);
      const verdict = gate.review(candidate, sight);
      const exact = withoutBounds(sight);
      expect(JSON.stringify(verdict), `review ${i}`).toBe(JSON.stringify(exactGate.review(candidate, exact)));
      expect(gate.monitor(sight), `review ${i}`).toEqual(exactGate.monitor(exact));
      const what =
        verdict.kind === "refused" ? verdict.refusal.rule : verdict.capped.length > 0 ? "capped" : "approved";
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (verdict.kind !== "approved") continue;
      if (random.next() < 0.05) accounts.reserve(verdict.intent, candidate.instrument);
      if (random.next() < 0.1)
        for (const { intent } of [...accounts.open.values()]) accounts.release(intent.clientOrderId as ClientOrderId);
    }
    for (const what of ["approved", "capped", "RC05", "RC06", "RC03", "RC04"])
      expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true]);
  });
});
