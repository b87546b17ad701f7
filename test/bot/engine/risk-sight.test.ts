// Rules first ask for bounds of equity and exposure, which are known at less cost while prices move a little. Whatever the
// bounds are, every verdict is the one that the exact figures give.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../../src/bot/accounts/accounts.ts";
import { EquityWatch } from "../../../src/bot/engine/equity-watch.ts";
import { RiskSight } from "../../../src/bot/engine/risk-sight.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import { createPricing } from "../../../src/market/fair.ts";
import type { Pricing } from "../../../src/market/pricing.ts";
import { Rates } from "../../../src/market/rate.ts";
import type { Books } from "../../../src/risk/books.ts";
import { createBooks } from "../../../src/risk/create-books.ts";
import { createGate } from "../../../src/risk/gate.ts";
import type { Candidate, Gate, RiskContext } from "../../../src/risk/rule.ts";
import { assetExposure } from "../../../src/risk/rules/asset-exposure.ts";
import { dailyLoss, dailyLossWithOrder } from "../../../src/risk/rules/daily-loss.ts";
import { drawdown, drawdownWithOrder } from "../../../src/risk/rules/drawdown.ts";
import { grossExposure } from "../../../src/risk/rules/gross-exposure.ts";
import { instrumentOf } from "../../support/bench-options.ts";

const SEED = 20_261_115;
const REVIEWS = 4_000;
const START = Date.UTC(2026, 0, 5, 12);
const CHF = "CHF" as Asset;
const FEE_BPS = 20;
const SYMBOLS = ["VCHF/CHF", "GBP/CHF", "VGBP/GBP"] as PairSymbol[];
const INSTRUMENTS = SYMBOLS.map(instrumentOf);

/** Limits so near to what is held that each is met again and again. */
function aGate(): Gate {
  const rules = [
    dailyLoss(60),
    drawdown(70),
    assetExposure(Money.of("11800", CHF)),
    grossExposure(Money.of("33200", CHF)),
    dailyLossWithOrder(60, FEE_BPS),
    drawdownWithOrder(70, FEE_BPS),
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
  const accounts = new Accounts(FEE_BPS);
  const books = createBooks(CHF);
  for (const asset of ["CHF", "VCHF", "GBP", "VGBP"] as Asset[]) accounts.adopt([Money.of("10000", asset)]);
  return { pricing, accounts, books, sight: sightOf(accounts, books, pricing) };
}

function sightOf(accounts: Accounts, books: Books, pricing: Pricing): RiskSight {
  const rates = new Rates(pricing, CHF);
  return new RiskSight({ accounts, books, pricing, rates, watch: new EquityWatch(accounts, pricing, rates, 10_000) });
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
    rate: (asset: Asset) => sight.rate(asset),
    equity: () => sight.equity(),
    exposure: (asset: Asset) => sight.exposure(asset),
    grossExposure: () => sight.grossExposure(),
    equityAtLeast: () => undefined,
    isEquityAbove: () => false,
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
      if (verdict.kind === "refused" && verdict.refusal.message.includes("with this order at its worst"))
        seen.set("worst", (seen.get("worst") ?? 0) + 1);
      if (verdict.kind !== "approved") continue;
      // What was approved is no breach once it is open, at the same prices.
      if (gate.monitor(sight).length === 0) {
        accounts.reserve(verdict.intent);
        expect(gate.monitor(sight), `order ${i}`).toEqual([]);
        accounts.release(verdict.intent.clientOrderId);
      }
      if (random.next() < 0.05) accounts.reserve(verdict.intent);
      if (random.next() < 0.1)
        for (const { intent } of [...accounts.open.values()]) accounts.release(intent.clientOrderId as ClientOrderId);
    }
    for (const what of ["approved", "capped", "RC05", "RC06", "RC03", "RC04", "worst"])
      expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true]);
  });

  it("hold for debts, dust, fortunes and rates of any size, and are known exactly when the figures are", () => {
    const random = createRandom(SEED);
    const counts = { known: 0, unknown: 0, debts: 0, above: 0, near: 0 };
    for (let world = 0; world < 100; world++) {
      const { pricing, accounts, books, sight } = wildStage(random);
      for (let i = 0; i < 40; i++) {
        disturb(random, pricing, accounts);
        const afresh = sightOf(accounts, books, pricing);
        const where = `world ${world}, change ${i}`;
        const [equity, ...exposures] = exactFigures(sight);
        expect([equity, ...exposures].map(String), where).toEqual(exactFigures(afresh).map(String));
        const [least, ...most] = boundFigures(sight);
        expect([least, ...most].map(isMissing), where).toEqual([equity, ...exposures].map(isMissing));
        if (equity !== undefined) expect(least?.atMost(equity), `${where}: ${least} of ${equity}`).toBe(true);
        const float = equity?.toNumber() ?? 0;
        const known = counts.above;
        for (const floor of [float - 1e9, float - 1e-3, float - Math.abs(float) * 1e-11, float, float + 1e-9]) {
          if (!sight.isEquityAbove(floor)) continue;
          counts.above++;
          expect(equity !== undefined && equity.toNumber() > floor, `${where}: ${equity} above ${floor}`).toBe(true);
        }
        if (counts.above > known) counts.near += counts.above - known - 1;
        for (const [at, exposure] of exposures.entries()) {
          counts[exposure === undefined ? "unknown" : "known"]++;
          if (exposure?.isNegative()) counts.debts++;
          const bound = most[at];
          if (exposure !== undefined) expect(bound?.atLeast(exposure), `${where}: ${bound} of ${exposure}`).toBe(true);
        }
      }
    }
    expect(Math.min(counts.known, counts.unknown, counts.debts)).toBeGreaterThan(1_000);
    expect(Math.min(counts.above, counts.near)).toBeGreaterThan(200);
  });
});

it("the smallest debt there is counts in the bound of all exposures too", () => {
  const { pricing, accounts, sight } = stage();
  pricing.moment.next(START);
  for (const symbol of SYMBOLS) tellPrice(pricing, symbol, 1);
  accounts.adopt(accounts.assets.map((asset) => Money.of("-10000", asset)));
  accounts.adopt([Money.ofSteps(-1, 18, "VCHF" as Asset)]);
  expect([sight.grossExposure(), sight.grossExposureAtMost()].map(String)).toEqual(
    ["0.000000000000000001", "0.000000000000000002"], // 1 x 1.002, rounded away from zero
  );
});

const WILD = ["VCHF/CHF", "GBP/CHF", "VGBP/GBP", "CHF/EUR", "VEUR/EUR"] as PairSymbol[];
const WILD_ASSETS = ["CHF", "VCHF", "GBP", "VGBP", "EUR", "VEUR", "BTC"] as Asset[];

function wildStage(random: Random) {
  const made = stage();
  made.pricing.moment.next(START);
  for (const symbol of WILD)
    if (random.next() < 0.95) tellPrice(made.pricing, symbol, random.next() < 0.5 ? 1 : 10 ** random.integer(-4, 3));
  // Half of them begin with nothing: beside a fortune no bound on dust would show.
  const { accounts } = made;
  if (random.next() < 0.5) accounts.adopt(accounts.assets.map((asset) => Money.of("-10000", asset)));
  return made;
}

/** Units of 10^-18 up to millions, and debts as often as holdings. */
function wildMoney(random: Random, asset: Asset): Money {
  const steps = random.integer(1, random.next() < 0.3 ? 3 : 9_999) * (random.next() < 0.5 ? -1 : 1);
  return Money.ofSteps(steps, pick(random, [18, 18, 17, 9, 2, 0]), asset);
}

function disturb(random: Random, pricing: Pricing, accounts: Accounts): void {
  // Accounts change within an event too: by each order that is approved.
  if (random.next() < 0.7) reprice(random, pricing);
  moveMoney(random, accounts);
}

function reprice(random: Random, pricing: Pricing): void {
  pricing.moment.next(pricing.moment.now + (random.next() < 0.03 ? 6_000 : 10));
  for (const symbol of WILD) {
    const known = pricing.pairs.get(symbol)?.references[0];
    if (known === undefined || random.next() < 0.1) continue;
    const factor = random.next() < 0.05 ? 10 ** random.integer(-2, 2) : 1 + (random.next() - 0.5) * 0.001;
    tellPrice(pricing, symbol, Math.min(Math.max(known.bid * factor, 1e-9), 8e6));
  }
}

function moveMoney(random: Random, accounts: Accounts): void {
  const draw = random.next();
  const asset = pick(random, WILD_ASSETS.slice(0, 6));
  const held = accounts.held(asset);
  if (draw < 0.2) accounts.adopt([wildMoney(random, asset)]);
  else if (draw < 0.3 && held !== undefined) accounts.adopt([held.negated(), wildMoney(random, asset)]);
  else if (draw < 0.32) accounts.adopt([wildMoney(random, "BTC" as Asset)]);
  else if (draw < 0.34) accounts.adopt([accounts.held("BTC" as Asset)?.negated() ?? Money.zero(CHF)]);
  else if (draw < 0.5) accounts.reserve(wildIntent(random, accounts.version));
  else if (draw < 0.6) for (const { intent } of [...accounts.open.values()]) accounts.release(intent.clientOrderId);
}

function tellPrice(pricing: Pricing, symbol: PairSymbol, mid: number): void {
  const at = millis(pricing.moment.now);
  const sizes = { bidSize: undefined, askSize: undefined };
  for (const source of ["a", "b"])
    pricing.pair(symbol).observe({ symbol, bid: mid, ask: mid, ...sizes, source, at: undefined, receivedAt: at });
}

function wildIntent(random: Random, id: number): OrderIntent {
  const { instrument: _, ...candidate } = drawCandidate(random, START);
  return { ...candidate, clientOrderId: `T-${id}` as ClientOrderId, symbol: pick(random, WILD) };
}

function exactFigures(sight: RiskSight): (Money | undefined)[] {
  return [sight.equity(), sight.grossExposure(), ...WILD_ASSETS.map((asset) => sight.exposure(asset))];
}

function boundFigures(sight: RiskSight): (Money | undefined)[] {
  return [
    sight.equityAtLeast(),
    sight.grossExposureAtMost(),
    ...WILD_ASSETS.map((asset) => sight.exposureAtMost(asset)),
  ];
}

function isMissing(amount: Money | undefined): boolean {
  return amount === undefined;
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(0, list.length - 1)] as T;
}
