// What rules read of equity and exposure: the same as worked out afresh, whatever changed in between, and never outside the
// bounds that looks are left out by.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../../src/books/accounts/accounts.ts";
import type { Books } from "../../../src/books/books.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import { Pricing } from "../../../src/market/pricing.ts";
import { Counters } from "../../../src/risk/counters.ts";
import { createGate } from "../../../src/risk/gate.ts";
import type { Candidate, Gate } from "../../../src/risk/rule.ts";
import { assetExposure, grossExposure } from "../../../src/risk/rules/exposure.ts";
import { DAILY_LOSS, DRAWDOWN, lossRule, orderLossRule } from "../../../src/risk/rules/losses.ts";
import { instrumentOf } from "../../support/bench-options.ts";
import { testBooks } from "../../support/test-books.ts";

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
    lossRule(DAILY_LOSS, 60),
    lossRule(DRAWDOWN, 70),
    assetExposure(Money.of("11800", CHF)),
    grossExposure(Money.of("33200", CHF)),
    orderLossRule(DAILY_LOSS, 60, FEE_BPS),
    orderLossRule(DRAWDOWN, 70, FEE_BPS),
  ];
  return createGate(rules, CHF, createIds("T", "abcdefgh"));
}

function stage() {
  const pricing = new Pricing({
    par: new Map(),
    venueAgeMsMax: 5_000,
    referenceAgeMsMax: 5_000,
    sourcesMin: 2,
    disagreementBpsMax: 30,
  });
  const accounts = new Accounts(FEE_BPS);
  const counters = new Counters(CHF);
  for (const asset of ["CHF", "VCHF", "GBP", "VGBP"] as Asset[]) accounts.adopt([Money.of("10000", asset)]);
  return { pricing, accounts, counters, books: testBooks({ accounts, counters, prices: pricing }) };
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

describe(`equity and exposure (seed ${SEED})`, () => {
  it("are such that what is approved is no breach once it is open, at the same prices", () => {
    const random = createRandom(SEED);
    const { pricing, accounts, counters, books } = stage();
    const gate = aGate();
    const prices = [1, 1.12, 1];
    const seen = new Map<string, number>();
    for (let i = 0; i < REVIEWS; i++) {
      move(random, pricing, prices);
      const { now } = books;
      const equity = books.pricing.equity();
      if (equity !== undefined && i % 400 === 0) counters.apply({ kind: "mark", equity, at: now });
      const verdict = gate.review(drawCandidate(random, now), books);
      const what =
        verdict.kind === "refused" ? verdict.refusal.rule : verdict.capped.length > 0 ? "capped" : "approved";
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (verdict.kind === "refused" && verdict.refusal.message.includes("with this order at its worst"))
        seen.set("worst", (seen.get("worst") ?? 0) + 1);
      if (verdict.kind !== "approved") continue;
      if (gate.monitor(books).length === 0) {
        accounts.reserve(verdict.intent);
        expect(gate.monitor(books), `order ${i}`).toEqual([]);
        accounts.release(verdict.intent.clientOrderId);
      }
      if (random.next() < 0.05) accounts.reserve(verdict.intent);
      if (random.next() < 0.1)
        for (const { intent } of [...accounts.open.values()]) accounts.release(intent.clientOrderId as ClientOrderId);
    }
    for (const what of ["approved", "capped", "RC05", "RC06", "RC03", "RC04", "worst"])
      expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true]);
  });

  it("kept are what is worked out afresh, of debts, dust, fortunes and rates of any size", () => {
    const random = createRandom(SEED);
    const counts = { known: 0, unknown: 0, debts: 0 };
    for (let world = 0; world < 100; world++) {
      const { pricing, accounts, counters, books } = wildStage(random);
      for (let i = 0; i < 40; i++) {
        disturb(random, pricing, accounts);
        const where = `world ${world}, change ${i}`;
        const [equity, ...exposures] = exactFigures(books);
        expect([equity, ...exposures].map(String), where).toEqual(
          exactFigures(testBooks({ accounts, counters, prices: pricing })).map(String),
        );
        for (const exposure of exposures) {
          counts[exposure === undefined ? "unknown" : "known"]++;
          if (exposure?.isNegative()) counts.debts++;
        }
      }
    }
    expect(Math.min(counts.known, counts.unknown, counts.debts)).toBeGreaterThan(1_000);
  });
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

function exactFigures({ pricing }: Books): (Money | undefined)[] {
  return [pricing.equity(), pricing.grossExposure(), ...WILD_ASSETS.map((asset) => pricing.exposure(asset))];
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(0, list.length - 1)] as T;
}
