// Accounts against exact fractions: what is held is what was opened with, traded and paid, to the last digit.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../../src/books/accounts/accounts.ts";
import { Profit } from "../../../src/books/accounts/profit.ts";
import { Equity } from "../../../src/books/valuation.ts";
import { loadSaved, savedText } from "../../../src/bot/saved-text.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import type { ClientOrderId, Side } from "../../../src/domain/order.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import type { RateRange } from "../../../src/market/rate.ts";
import { add, compare, multiply, type Rational, rational, subtract, textOf } from "../../support/rational.ts";
import { fillAtLimit } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const [CHF, VCHF] = ["CHF", "VCHF"] as [Asset, Asset];

function intentOf(id: number, side: Side, quantity: string, limit: string): OrderIntent {
  const terms = { side, quantity: Quantity.of(quantity), limit: Price.of(limit), reason: "test" };
  const times = { decidedAt: millis(0), expiresAt: millis(1) };
  return { clientOrderId: `T-accounts-${id}` as ClientOrderId, symbol: SYMBOL, ...terms, ...times };
}

function opened(chf = "100000", vchf = "100000"): Accounts {
  const accounts = new Accounts(20);
  accounts.adopt([Money.of(chf, CHF), Money.of(vchf, VCHF)]);
  return accounts;
}

function trade(accounts: Accounts, intent: OrderIntent, fee = Money.zero(CHF)) {
  accounts.reserve(intent);
  return accounts.book({ ...fillAtLimit(intent), fee });
}

function drawTrade(random: Random, id: number): { intent: OrderIntent; fee: string } {
  const quantity = (random.integer(1000, 500_000) / 100).toFixed(2);
  const limit = (random.integer(99_000, 101_000) / 100_000).toFixed(5);
  const intent = intentOf(id, random.next() < 0.5 ? "buy" : "sell", quantity, limit);
  return { intent, fee: (random.integer(0, 1000) / 1e5).toFixed(5) };
}

describe("the books", () => {
  const seed = 4711;
  it(`agree with exact fractions to the last digit over 5,000 random trades (seed ${seed})`, () => {
    const random = createRandom(seed);
    const accounts = opened();
    const held = { CHF: rational("100000"), VCHF: rational("100000") };
    let flow: Rational = rational("0");
    for (let id = 0; id < 5_000; id++) {
      const { intent, fee } = drawTrade(random, id);
      expect(trade(accounts, intent, Money.of(fee, CHF)).kind).toBe("booked");
      const quantity = rational(intent.quantity.toString());
      const value = multiply(quantity, rational(intent.limit.toString()));
      const inQuote = subtract(intent.side === "buy" ? subtract(rational("0"), value) : value, rational(fee));
      held.CHF = shortened(add(held.CHF, inQuote));
      held.VCHF = intent.side === "buy" ? add(held.VCHF, quantity) : subtract(held.VCHF, quantity);
      held.VCHF = shortened(held.VCHF);
      flow = shortened(add(flow, inQuote));
    }
    for (const asset of [CHF, VCHF]) {
      expect(String(accounts.held(asset))).toBe(textOf(held[asset as "CHF" | "VCHF"], 18, "down"));
      expect(accounts.ledger.imbalance(asset).isZero()).toBe(true);
      expect(accounts.open.leaving(asset).isZero()).toBe(true);
      expect(accounts.open.coming(asset).isZero()).toBe(true);
    }
    const position = accounts.profit.positions.get(SYMBOL);
    // Money in and out is profit minus the cost of what is still held: nothing is lost to rounding.
    const kept = subtract(rational(String(position?.realised)), rational(String(position?.cost)));
    expect(compare(kept, flow)).toBe(0);
    expect(position?.amount.toString()).toBe(String(accounts.held(VCHF)?.minus(Money.of("100000", VCHF))));
  });

  it("survive JSON exactly, open and given up orders included", () => {
    const random = createRandom(7);
    const accounts = opened();
    for (let id = 0; id < 50; id++) trade(accounts, drawTrade(random, id).intent);
    accounts.reserve(intentOf(98, "buy", "10", "0.99"));
    accounts.reserve(intentOf(99, "sell", "20", "1.01"));
    accounts.release("T-accounts-99" as ClientOrderId);
    accounts.tell([
      { asset: CHF, available: Money.of("5", CHF), pending: Money.of("1", CHF) },
      { asset: VCHF, available: Money.of("5", VCHF), pending: undefined },
    ]);
    const loaded = new Accounts(20, loadSaved(savedText(accounts.save())));
    expect(loaded.save()).toEqual(accounts.save());
    expect(String(loaded.spendable(CHF))).toBe(String(accounts.spendable(CHF)));
    // What the venue did not tell is unknown afterwards too, not nothing.
    expect([CHF, VCHF].map((asset) => String(loaded.balance(asset)?.pending))).toEqual(["1", "undefined"]);
    expect(loaded.endOf("T-accounts-99" as ClientOrderId)).toBe("not filled");
  });

  it("take a fee that is already off what was bought only once", () => {
    const accounts = opened();
    const intent = intentOf(1, "buy", "500", "0.998");
    accounts.reserve(intent);
    const fee = Money.of("0.5", VCHF);
    const net = { ...fillAtLimit(intent), bought: Money.of("499.5", VCHF), fee };
    expect(accounts.book(net).kind).toBe("booked");
    expect(String(accounts.held(VCHF))).toBe("100499.5");
    expect(String(accounts.ledger.total("fees", VCHF))).toBe("0.5");
    expect(accounts.ledger.imbalance(VCHF).isZero()).toBe(true);
    // Off the position too, and once.
    expect(String(accounts.profit.positions.get(SYMBOL)?.amount)).toBe("499.5");
  });

  it("take a fee on top of what was bought off it", () => {
    const accounts = opened();
    expect(trade(accounts, intentOf(1, "buy", "500", "0.998"), Money.of("0.5", VCHF)).kind).toBe("booked");
    expect(String(accounts.held(VCHF))).toBe("100499.5");
  });

  it("refuse a fill that is worse than its limit, or of a trade that another order owns", () => {
    const accounts = opened();
    const [one, two] = [intentOf(1, "buy", "500", "0.998"), intentOf(2, "buy", "400", "0.998")];
    accounts.reserve(one);
    accounts.reserve(two);
    expect(accounts.book({ ...fillAtLimit(one), side: "sell" })).toMatchObject({
      message: expect.stringContaining("must be a buy of VCHF/CHF, was a sell of VCHF/CHF"),
    });
    expect(accounts.book({ ...fillAtLimit(one), sold: Money.of("499.1", CHF) })).toMatchObject({
      kind: "contradiction",
    });
    expect(accounts.book(fillAtLimit(one)).kind).toBe("booked");
    const stolen = { ...fillAtLimit(two), tradeId: fillAtLimit(one).tradeId };
    expect(accounts.book(stolen)).toMatchObject({ message: expect.stringContaining("must belong to T-accounts-1") });
    expect(String(accounts.held(VCHF))).toBe("100500");
  });
});

describe("a mint", () => {
  const departed: MovementReport = {
    kind: "departed",
    door: "mint",
    spent: Money.of("1001", CHF),
    fee: Money.of("1", CHF),
    comes: Money.of("1000", VCHF),
  };
  const totals = ({ ledger }: Accounts): string[] =>
    (["holdings", "mints", "fees"] as const).map((account) => String(ledger.total(account, CHF)));

  it("that is given back leaves neither cost nor fee", () => {
    const accounts = opened();
    const back: MovementReport = { kind: "returned", reason: "test" };
    const told = [departed, back, back].map((report) => accounts.move("M-1", report, millis(0)));
    expect(told).toEqual([undefined, undefined, "M-1 was given back, but the books do not know it in flight"]);
    expect([totals(accounts), String(accounts.inFlight(VCHF))]).toEqual([["100000", "0", "0"], "0"]);
  });
});

describe("profit at average cost", () => {
  it("is told for each quote asset by itself", () => {
    const closed = (symbol: string, realised: string) => {
      const { base, quote } = assetsOf(symbol as PairSymbol);
      const position = { amount: Money.zero(base), cost: Money.zero(quote), realised: Money.of(realised, quote) };
      return [symbol as PairSymbol, position] as const;
    };
    const profit = new Profit([closed("VCHF/CHF", "1.5"), closed("USDC/CHF", "2"), closed("VGBP/GBP", "40")]);
    expect([CHF, "GBP" as Asset, VCHF].map((asset) => String(profit.realised(asset)))).toEqual(["3.5", "40", "0"]);
  });

  it("is realised when a position is closed, fees included", () => {
    const accounts = opened();
    trade(accounts, intentOf(1, "buy", "100", "0.99"));
    trade(accounts, intentOf(2, "buy", "100", "1.01"));
    // Average 1.00; half sold at 1.02 with a fee of 0.1: 102 - 0.1 - 100
    const booking = trade(accounts, intentOf(3, "sell", "100", "1.02"), Money.of("0.1", CHF));
    expect(booking.kind === "booked" && String(booking.realised)).toBe("1.9");
    expect(String(accounts.profit.realised(CHF))).toBe("1.9");
    expect(String(accounts.profit.positions.get(SYMBOL)?.cost)).toBe("100");
  });

  it("counts a sale out of old inventory as a short position, closed by the buy that brings it back", () => {
    const accounts = opened();
    expect(trade(accounts, intentOf(1, "sell", "100", "1.01"))).toMatchObject({ realised: undefined });
    // 101 received, 99 paid for the first hundred; the other fifty open a long position at 0.99
    const booking = trade(accounts, intentOf(2, "buy", "150", "0.99"));
    expect(booking.kind === "booked" && String(booking.realised)).toBe("2");
    expect(String(accounts.profit.positions.get(SYMBOL)?.cost)).toBe("49.5");
  });
});

describe("what may be spent", () => {
  it("is unknown before the venue told it and the books are open", () => {
    const accounts = new Accounts(20);
    expect(accounts.spendable(CHF)).toBeUndefined();
    accounts.tell([{ asset: CHF, available: Money.of("100", CHF), pending: undefined }]);
    expect(accounts.spendable(CHF)).toBeUndefined();
    accounts.adopt([Money.of("100", CHF)]);
    expect(String(accounts.spendable(CHF))).toBe("100");
    accounts.tell([]);
    expect(accounts.spendable(CHF)).toBeUndefined();
  });

  it("is the lower of the venue's word and the books, less what open orders may spend", () => {
    const accounts = opened("1000", "1000");
    accounts.tell([
      { asset: CHF, available: Money.of("900", CHF), pending: Money.of("500", CHF) },
      { asset: VCHF, available: Money.of("2000", VCHF), pending: undefined },
    ]);
    accounts.reserve(intentOf(1, "buy", "100", "1"));
    accounts.reserve(intentOf(2, "sell", "300", "1"));
    expect(String(accounts.spendable(CHF))).toBe("799.8");
    // What the open buy brings is not sellable yet.
    expect(String(accounts.spendable(VCHF))).toBe("700");
    expect([accounts.heldAtLeast(VCHF), accounts.heldAtMost(VCHF)].map(String)).toEqual(["700", "1100"]);
  });
});

describe("equity", () => {
  it("counts an open order as the worse of filled and not filled", () => {
    const accounts = opened("1000", "1000");
    const worth = new Equity(accounts, ratesOf(0));
    accounts.reserve(intentOf(1, "buy", "100", "0.99"));
    expect(String(worth.value)).toBe("2000");
    // Filled, it would lose 100 x 1.05 x 1.002 - 100
    accounts.reserve(intentOf(2, "buy", "100", "1.05"));
    expect(String(worth.value)).toBe("1994.79");
  });

  it("counts a debt at the high end of its price, and a holding at the low end", () => {
    const rates = ratesOf(0);
    rates.move(VCHF, 0.9, 1.1);
    // 1,000 - 100 x 1.1, and 1,000 + 100 x 0.9
    const values = ["-100", "100"].map((vchf) => String(new Equity(opened("1000", vchf), rates).value));
    expect(values).toEqual(["890", "1090"]);
  });

  it("counts a mint that is approved as the worse of made and not made, like an order", () => {
    const accounts = opened("1000", "1000");
    const worth = new Equity(accounts, ratesOf(0));
    const comes = Money.of("500", VCHF);
    accounts.move("m1", { kind: "reserved", door: "mint", leaves: Money.of("500.5", CHF), comes }, millis(0));
    expect([String(worth.value), String(worth.exposure(VCHF))]).toEqual(["1999.5", "1500"]);
    accounts.move("m2", { kind: "reserved", door: "mint", leaves: Money.of("400", CHF), comes }, millis(0));
    expect([String(worth.value), String(worth.exposure(VCHF))]).toEqual(["1999.5", "2000"]);
  });

  it("is never called surely above or below what it exactly is, and is so by floats 5 away from billions", () => {
    const random = createRandom(977);
    const coins = [VCHF, "VGBP", "GBP", "BTC"] as Asset[];
    const scales = [1e-6, 1, 1e3, 1e6, 8e9];
    for (let run = 0; run < 2_000; run++) {
      const accounts = new Accounts(20);
      const rates = ratesOf(run);
      for (const asset of [CHF, ...coins]) {
        const size = (random.next() - (run % 2) / 2) * (scales[random.integer(0, run % 4 === 0 ? 4 : 3)] as number);
        accounts.adopt([Money.of(size.toFixed(random.integer(0, 18)), asset)]);
        const low = random.next() * (asset === "BTC" ? 9e4 : 2) + 1e-9;
        if (asset !== CHF) rates.move(asset, low, low * (1 + random.next() / 10));
      }
      if (run % 4 === 3) accounts.reserve(intentOf(1, "buy", (random.next() * 1e5).toFixed(6), "0.9"));
      const worth = new Equity(accounts, rates);
      const exact = worth.value as Money;
      const least = Money.of("0.000000000000000001", CHF);
      for (const at of [exact, exact.plus(least), exact.minus(least)]) {
        expect([worth.isSurely("above", at), worth.isSurely("below", at)], `run ${run}`).toEqual([false, false]);
      }
      if (run % 4 === 0) continue;
      const [less, more] = [exact.minus(Money.of("5", CHF)), exact.plus(Money.of("5", CHF))];
      // With a pending order the exact value alone tells.
      const told = run % 4 !== 3;
      expect([worth.isSurely("above", less), worth.isSurely("below", more)], `run ${run}`).toEqual([told, told]);
    }
    const unknown = new Equity(opened("1000", "1000"), { ...ratesOf(0), floatRange: () => undefined });
    const far = [Money.of("-1000000", CHF), Money.of("1000000", CHF)] as const;
    expect([unknown.isSurely("above", far[0]), unknown.isSurely("below", far[1])]).toEqual([false, false]);
  });

  it("is unknown while something may bring a coin that nobody has heard of, and known again afterwards", () => {
    const accounts = new Accounts(20);
    accounts.adopt([Money.of("1000", CHF)]);
    const worth = new Equity(accounts, ratesOf(0));
    const intent = intentOf(1, "buy", "100", "1");
    const leaves = Money.of("100", CHF);
    const comes = Money.of("100", VCHF);
    for (const [begin, end] of [
      [() => accounts.reserve(intent), () => accounts.release(intent.clientOrderId)],
      [
        () => accounts.move("m1", { kind: "reserved", door: "mint", leaves, comes }, millis(0)),
        () => accounts.move("m1", { kind: "released", reason: "test" }, millis(0)),
      ],
    ] as const) {
      begin();
      expect(worth.grossExposure()).toBeUndefined();
      end();
      expect(String(worth.grossExposure())).toBe("0");
    }
  });

  it("is unknown before the opening entry, and not nothing: a day that opens at nothing could lose nothing", () => {
    const accounts = new Accounts(20);
    const worth = new Equity(accounts, ratesOf(0));
    expect(worth.value).toBeUndefined();
    accounts.adopt([Money.of("0", CHF)]);
    expect(String(worth.value)).toBe("0");
  });
});

function ratesOf(version: number) {
  const known = new Map<Asset, RateRange | undefined>();
  const floats = new Map<Asset, { low: number; high: number } | undefined>();
  const rangeOf = (low: number, high: number) => ({ low: Price.of(low.toFixed(9)), high: Price.of(high.toFixed(9)) });
  return {
    currency: CHF,
    version,
    range(asset: Asset) {
      if (!known.has(asset)) known.set(asset, rangeOf(1, 1));
      return known.get(asset);
    },
    floatRange: (asset: Asset) => (floats.has(asset) ? floats.get(asset) : { low: 1, high: 1 }),
    move(asset: Asset, low: number, high: number) {
      floats.set(asset, Number.isNaN(low) ? undefined : { low, high });
      known.set(asset, Number.isNaN(low) ? undefined : rangeOf(low, high));
      this.version++;
    },
  };
}

/** Fractions grow without end unless they are cut; nothing here has more than 18 decimals. */
function shortened(value: Rational): Rational {
  return rational(textOf(value, 18, "down"));
}
