// A run that never happened, from a seed: two coins around par, orders when a coin is cheap or dear, kills, fees, a mint now
// and then. It looks like a run in every column; its figures say nothing about any market.

import type { Holding, RunRecord, Settlement, UnfilledEnd } from "../../backtest/record/run-record.ts";
import { RunRecorder, SlotCounter } from "../../backtest/record/run-recorder.ts";
import { Profit } from "../../src/books/accounts/profit.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { type PriceRow, withPrices } from "./with-prices.ts";

export type SyntheticOptions = {
  readonly seed: number;
  readonly days: number;
  readonly treasury?: boolean;
  readonly stepMs?: number;
  readonly title?: string;
};

const START = Date.UTC(2026, 0, 5);
const CHF = "CHF" as Asset;
const ASSETS = [CHF, "VCHF", "GBP", "VGBP"] as Asset[];
const PAIRS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const OPENING = ["250000", "250000", "100000", "100000"];
const FEE_BPS = 1;
const MISSED: readonly UnfilledEnd[] = ["unfilled-price", "unfilled-price", "unfilled-depth", "rejected", "not-sent"];

export function syntheticRun(options: SyntheticOptions): RunRecord {
  return new SyntheticRun(options).record();
}

class SyntheticRun {
  readonly #options: SyntheticOptions;
  readonly #random: Random;
  readonly #recorder = new RunRecorder(ASSETS);
  readonly #prices: PriceRow[] = [];
  readonly #slots = new SlotCounter(millis(START), { paceMs: 1_000 });
  readonly #held = new Map(ASSETS.map((asset, i) => [asset, Money.of(OPENING[i] as string, asset)]));
  readonly #inFlight = new Map<Asset, number>();
  readonly #profit = new Profit();
  readonly #premium = new Map(PAIRS.map((symbol) => [symbol, 0]));
  readonly #settlements: Settlement[] = [];
  #pound = 1.12;
  #orders = 0;

  constructor(options: SyntheticOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  record(): RunRecord {
    const { days, treasury = false, stepMs = 60_000, seed, title = "synthetic example" } = this.#options;
    const end = START + days * 86_400_000;
    this.#opened();
    const opening = this.#holdings();
    for (let at = START; at < end; at += stepMs) this.#step(millis(at), stepMs, treasury);
    this.#sample(millis(end));
    const record = this.#recorder.finish({
      settings: {
        title,
        strategy: "synthetic",
        params: { edgeBps: 4, size: "500 to 20000" },
        data: `made up from seed ${seed}, ${days} days`,
        seed,
        traceHash: undefined,
        codeVersion: "test",
        from: millis(START),
        to: millis(end),
        currency: CHF,
        riskFreeRate: 0,
        assumptions: [
          { name: "fee", value: `${FEE_BPS} bp of the quote leg` },
          { name: "pace", value: "one request a second" },
          { name: "decision latency", value: "none: nothing here was decided" },
        ],
      },
      books: { opening, closing: this.#holdings(), adopted: [] },
      slots: this.#slots.finish(),
      settlements: treasury ? this.#settlements : undefined,
    });
    const pairs = PAIRS.map((symbol) => ({ symbol, par: 1 }));
    return withPrices(record, pairs, this.#prices);
  }

  #opened(): void {
    for (const [asset, held] of this.#held) this.#recorder.adopt(asset, held.toNumber());
  }

  #step(at: Millis, stepMs: number, treasury: boolean): void {
    const random = this.#random;
    this.#pound *= 1 + random.normal() * 0.0002 * Math.sqrt(stepMs / 60_000);
    this.#settle(at);
    if (treasury && random.next() < stepMs / 86_400_000 / 3) this.#mint(at);
    for (const symbol of PAIRS) {
      const before = this.#premium.get(symbol) as number;
      const pull = Math.min(1, stepMs / 3_600_000);
      const premium = before * (1 - pull) + random.normal() * 8 * Math.sqrt(pull);
      this.#premium.set(symbol, premium);
      this.#quote(symbol, at, premium);
      const isWanted = Math.abs(premium) > 3.5 && random.next() < 0.2;
      if (isWanted) this.#order(symbol, at, premium);
    }
    this.#slots.add(at, "quote", Math.floor((stepMs / 1_000) * (0.5 + 0.3 * random.next())));
    if (random.next() < 0.2) this.#slots.add(at, "balance");
    this.#sample(at);
  }

  #quote(symbol: PairSymbol, at: number, premiumBps: number): { bid: number; ask: number } {
    const mid = 1 + premiumBps / 10_000;
    const [bid, ask] = [Number((mid - 0.0002).toFixed(5)), Number((mid + 0.0002).toFixed(5))];
    this.#prices.push([at, symbol, bid, ask, 1 + this.#random.normal() * 0.00003]);
    return { bid, ask };
  }

  #order(symbol: PairSymbol, at: Millis, premium: number): void {
    const random = this.#random;
    const side: Side = premium < 0 ? "buy" : "sell";
    const { base, quote } = assetsOf(symbol);
    const { bid, ask } = this.#quote(symbol, at + 100, premium);
    const size = Quantity.ofSteps(500 * random.integer(1, 40), 0);
    // The larger the dearer, so that there is a size at which the edge is gone.
    const impact = Number((size.toNumber() * 1.5e-8).toFixed(5));
    const touch = Number((side === "buy" ? ask + impact : bid - impact).toFixed(5));
    const spends = side === "buy" ? quote : base;
    if (!(this.#held.get(spends) as Money).moreThan(size.of(spends).plus(size.of(spends).share(100, "up")))) {
      this.#recorder.refused({ rule: "RC12", message: "too many rejections in a row" }, symbol, at);
      return;
    }
    const id = `S-${++this.#orders}`;
    const rate = quote === CHF ? "1" : this.#pound.toFixed(6);
    const decided = {
      decidedAt: at,
      reason: side === "buy" ? "below par" : "above par",
      limit: touch,
      touch,
      fair: 1,
      rate,
    };
    this.#slots.add(at, "order");
    if (random.next() < 0.25 + size.toNumber() / 60_000) {
      const end = MISSED[random.integer(0, MISSED.length - 1)] as UnfilledEnd;
      this.#recorder.unfilled(
        { at: millis(at + 900), id, symbol, side, quantity: size.toNumber(), end, cause: end },
        decided,
      );
      return;
    }
    this.#slots.add(at, "confirmation");
    const slip = random.next() < 0.2 ? 0.00001 : 0;
    const price = Price.of((side === "buy" ? touch - slip : touch + slip).toFixed(5));
    this.#fill(millis(at + 900), id, symbol, side, size, price, decided);
    for (const [delay, part] of [
      [950, 0.98],
      [9_000, 0.9],
      [55_000, 0.6],
    ] as const)
      this.#quote(symbol, at + 900 + delay, premium * part + random.normal());
    this.#premium.set(symbol, premium * 0.6);
  }

  #fill(
    at: Millis,
    id: string,
    symbol: PairSymbol,
    side: Side,
    size: Quantity,
    price: Price,
    decided: Parameters<RunRecorder["fill"]>[2],
  ): void {
    const { base, quote } = assetsOf(symbol);
    const worth = price.times(size, quote, side === "buy" ? "up" : "down");
    const [bought, sold] = side === "buy" ? [size.of(base), worth] : [worth, size.of(base)];
    const fee = worth.share(FEE_BPS, "up");
    for (const amount of [bought, sold.negated(), fee.negated()]) this.#add(amount);
    const inBase = side === "buy" ? bought : sold.negated();
    const inQuote = (side === "buy" ? sold.negated() : bought).minus(fee);
    const realised = this.#profit.trade(symbol, inBase, inQuote);
    const fill: Fill = {
      clientOrderId: id as ClientOrderId,
      orderId: id,
      tradeId: id,
      symbol,
      side,
      bought,
      sold,
      fee,
      at,
    };
    this.#recorder.fill(at, fill, decided, realised?.toString());
  }

  #mint(at: Millis): void {
    const amount = 20_000;
    if ((this.#held.get(CHF) as Money).toNumber() < amount * 2) return;
    this.#slots.add(at, "treasury", 4);
    this.#add(Money.of(`-${amount + 2.5}`, CHF));
    this.#add(Money.of(String(amount), "VCHF" as Asset));
    this.#inFlight.set("VCHF" as Asset, (this.#inFlight.get("VCHF" as Asset) ?? 0) + amount);
    this.#settlements.push({
      kind: this.#settlements.length % 3 === 2 ? "off-ramp" : "mint",
      id: `M-${this.#settlements.length + 1}`,
      asset: "VCHF" as Asset,
      amount: String(amount),
      fees: [{ at, amount: "2.5", asset: CHF, rate: "1" }],
      from: at,
      to: undefined,
      state: "in flight",
    });
  }

  #settle(at: Millis): void {
    this.#settlements.forEach((one, index) => {
      if (one.state !== "in flight" || at < one.from + 6 * 3_600_000) return;
      this.#settlements[index] = { ...one, to: at, state: "settled" };
      this.#inFlight.set(one.asset, (this.#inFlight.get(one.asset) ?? 0) - Number(one.amount));
    });
  }

  #add(amount: Money): void {
    this.#held.set(amount.asset, (this.#held.get(amount.asset) as Money).plus(amount));
  }

  #rate(asset: Asset): string {
    return asset.endsWith("GBP") ? this.#pound.toFixed(6) : "1";
  }

  #sample(at: Millis): void {
    this.#recorder.sample(at, {
      held: (asset) => (this.#held.get(asset) as Money).toNumber(),
      inFlight: (asset) => this.#inFlight.get(asset) ?? 0,
      rate: (asset) => Number(this.#rate(asset)),
    });
  }

  #holdings(): Holding[] {
    return ASSETS.map((asset) => ({ asset, amount: String(this.#held.get(asset)), rate: this.#rate(asset) }));
  }
}
