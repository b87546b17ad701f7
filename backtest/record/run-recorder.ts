// Fills a run record while the run goes on. It keeps what it is told and works out only equity and benchmark of a sample;
// whoever drives it decides how often to sample. Nothing here reads a clock.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { InvariantViolation, invariant } from "../../src/domain/invariant.ts";
import type { Money, Price } from "../../src/domain/money/money.ts";
import type { Fill, Side } from "../../src/domain/order.ts";
import type { Refusal } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import { FloatColumn, sharedConstants } from "./column.ts";
import { markoutMids } from "./markout.ts";
import {
  type AssetSamples,
  type Books,
  type Capped,
  type Fills,
  type FirstRefusal,
  type Prices,
  type RunRecord,
  type RunSettings,
  type Settlement,
  type Slots,
  UNFILLED_ENDS,
  type Unfilled,
  type UnfilledEnd,
} from "./run-record.ts";

/** What was known of the pair when the order was decided. */
export type Decided = {
  readonly decidedAt: Millis;
  readonly reason: string;
  readonly limit: number;
  readonly touch: number | undefined;
  readonly fair: number | undefined;
  /** Exact: one unit of the quote asset in the currency. */
  readonly rate: Price | string | undefined;
};

export type UnfilledOrder = {
  readonly at: Millis;
  readonly id: string;
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly quantity: number;
  readonly end: UnfilledEnd;
  readonly cause: string;
};

/** What there is of each asset at the moment of a sample; `place` is the asset's among those of the run. */
export type Sampled = {
  held(asset: Asset, place: number): number;
  inFlight(asset: Asset, place: number): number;
  rate(asset: Asset): number;
};

export type Ends = {
  readonly settings: RunSettings;
  readonly books: Books;
  readonly slots: Slots | undefined;
  readonly settlements: readonly Settlement[] | undefined;
};

export class RunRecorder {
  readonly #assets: readonly AssetColumns[];
  readonly #samples = { time: new FloatColumn(), equity: new FloatColumn(), benchmark: new FloatColumn() };
  readonly #pairs = new Map<PairSymbol, PairColumns>();
  readonly #fills = new FillRows();
  readonly #unfilled = new UnfilledRows();
  readonly #refusals = new Map<string, number>();
  readonly #caps = new Map<string, Capped>();
  readonly #refusedPairs = new Map<PairSymbol, number>();
  readonly #firstRefusals = new Map<string, FirstRefusal>();

  constructor(assets: readonly Asset[], pairs: readonly { readonly symbol: PairSymbol; readonly par?: number }[]) {
    this.#assets = assets.map((asset) => new AssetColumns(asset));
    for (const { symbol, par } of pairs) this.#pairs.set(symbol, new PairColumns(par));
  }

  /** How many samples there are. */
  get sampled(): number {
    return this.#samples.time.length;
  }

  /** At the opening and when a person adopts: moves the benchmark, which is holding all of it. */
  adopt(asset: Asset, amount: number): void {
    const columns = this.#assets.find((one) => one.asset === asset);
    invariant(columns !== undefined, `assets of a run must be named at its start, ${asset} was not`);
    columns.untraded += amount;
  }

  /**
   * A rate that is not known is NaN, and so is then the equity of a holding; of what is neither held nor was at first the rate
   * is not asked for.
   */
  sample(at: Millis, of: Sampled): void {
    const { time, equity, benchmark } = this.#samples;
    if (at < time.last()) throw new InvariantViolation(`samples must not go back in time, was ${at}`);
    let worth = 0;
    let untraded = 0;
    for (let place = 0; place < this.#assets.length; place++) {
      const columns = this.#assets[place] as AssetColumns;
      const { asset } = columns;
      const held = of.held(asset, place);
      const inFlight = of.inFlight(asset, place);
      const rate = held !== 0 || inFlight !== 0 || columns.untraded !== 0 ? of.rate(asset) : NaN;
      columns.held.push(held);
      columns.inFlight.push(inFlight);
      columns.rate.push(rate);
      if (held !== 0) worth += held * rate;
      if (columns.untraded !== 0) untraded += columns.untraded * rate;
    }
    time.push(at);
    equity.push(worth);
    benchmark.push(untraded);
  }

  price(symbol: PairSymbol, at: Millis, bid: number, ask: number, fair: number | undefined): void {
    const columns = this.#pairs.get(symbol);
    if (columns === undefined)
      throw new InvariantViolation(`pairs of a run must be named at its start, ${symbol} was not`);
    columns.time.push(at);
    columns.bid.push(bid);
    columns.ask.push(ask);
    columns.fair.push(fair ?? NaN);
  }

  fill(at: Millis, fill: Fill, decided: Decided, realised: Money | string | undefined): void {
    this.#fills.push({ at, fill, decided, realised });
  }

  unfilled(order: UnfilledOrder, decided: Decided): void {
    this.#unfilled.push(order, decided);
  }

  /** `symbol` is undefined when what was refused named no pair. */
  refused({ rule, message }: Pick<Refusal, "rule" | "message">, symbol: PairSymbol | undefined, at: Millis): void {
    count(this.#refusals, rule);
    if (!this.#firstRefusals.has(rule)) this.#firstRefusals.set(rule, { at, symbol, message });
    if (rule === "RC19" && symbol !== undefined) count(this.#refusedPairs, symbol);
  }

  capped({ rule, message }: Pick<Refusal, "rule" | "message">, symbol: PairSymbol, at: Millis): void {
    const known = this.#caps.get(rule) ?? { at, symbol, message, orders: 0 };
    this.#caps.set(rule, { ...known, orders: known.orders + 1 });
  }

  /** `market` is every quote of the run where the caller has them: markouts are then read from it, not from the samples. */
  finish({ settings, books, slots, settlements }: Ends, market?: readonly Prices[]): RunRecord {
    const prices = [...this.#pairs].map(([symbol, columns]) => columns.finish(symbol));
    const { time, equity, benchmark } = this.#samples;
    // Of most assets most columns are nothing at all.
    const constants = sharedConstants();
    return {
      settings,
      books,
      samples: {
        length: time.length,
        time: time.toArray(),
        equity: equity.toArray(),
        benchmark: benchmark.toArray(),
        assets: this.#assets.map((columns) => columns.finish(constants)),
      },
      prices,
      // With the last sample ends what anybody knows, which may be before the end that was asked for.
      fills: this.#fills.finish(market ?? prices, time.last()),
      unfilled: this.#unfilled.finish(),
      refusals: byName(this.#refusals),
      refusedPairs: byName(this.#refusedPairs),
      firstRefusals: byName(this.#firstRefusals),
      caps: byName(this.#caps),
      slots,
      settlements,
    };
  }
}

class AssetColumns {
  readonly asset: Asset;
  readonly held = new FloatColumn();
  readonly inFlight = new FloatColumn();
  readonly rate = new FloatColumn();
  untraded = 0;

  constructor(asset: Asset) {
    this.asset = asset;
  }

  finish(constants: ReturnType<typeof sharedConstants>): AssetSamples {
    const { asset, held, inFlight, rate } = this;
    return {
      asset,
      held: held.toArray(constants),
      inFlight: inFlight.toArray(constants),
      rate: rate.toArray(constants),
    };
  }
}

class PairColumns {
  readonly par: number | undefined;
  readonly time = new FloatColumn();
  readonly bid = new FloatColumn();
  readonly ask = new FloatColumn();
  readonly fair = new FloatColumn();

  constructor(par: number | undefined) {
    this.par = par;
  }

  finish(symbol: PairSymbol): Prices {
    const { par, time, bid, ask, fair } = this;
    return {
      symbol,
      par,
      length: time.length,
      time: time.toArray(),
      bid: bid.toArray(),
      ask: ask.toArray(),
      fair: fair.toArray(),
    };
  }
}

type FillRow = {
  readonly at: Millis;
  readonly fill: Fill;
  readonly decided: Decided;
  readonly realised: Money | string | undefined;
};

/** So many are packed together: to write them one after the other takes a part of what it takes each by itself. */
const PACKED = 256;

/** A long run has many: of each there are some floats and texts, and no amounts. */
class FillRows {
  /** Not packed yet. */
  #waiting: FillRow[] = [];
  readonly #time = new FloatColumn();
  readonly #decidedAt = new FloatColumn();
  readonly #limit = new FloatColumn();
  readonly #touch = new FloatColumn();
  readonly #fair = new FloatColumn();
  readonly #side: Side[] = [];
  readonly #symbol: PairSymbol[] = [];
  readonly #feeAsset: Asset[] = [];
  readonly #id: string[] = [];
  readonly #bought: string[] = [];
  readonly #sold: string[] = [];
  readonly #fee: string[] = [];
  readonly #rate: (string | undefined)[] = [];
  readonly #realised: (string | undefined)[] = [];
  readonly #reason: string[] = [];

  push(row: FillRow): void {
    this.#waiting.push(row);
    if (this.#waiting.length >= PACKED) this.#pack();
  }

  #pack(): void {
    for (const row of this.#waiting) this.#add(row);
    this.#waiting = [];
  }

  #add({ at, fill, decided, realised }: FillRow): void {
    this.#time.push(at);
    this.#decidedAt.push(decided.decidedAt);
    this.#limit.push(decided.limit);
    this.#touch.push(decided.touch ?? NaN);
    this.#fair.push(decided.fair ?? NaN);
    this.#side.push(fill.side);
    this.#symbol.push(fill.symbol);
    this.#feeAsset.push(fill.fee.asset);
    this.#id.push(fill.clientOrderId);
    this.#bought.push(fill.bought.toString());
    this.#sold.push(fill.sold.toString());
    this.#fee.push(fill.fee.toString());
    this.#rate.push(decided.rate?.toString());
    this.#realised.push(realised?.toString());
    this.#reason.push(decided.reason);
  }

  finish(market: readonly Prices[], end: number): Fills {
    this.#pack();
    const time = this.#time.toArray();
    const symbol = this.#symbol;
    return {
      length: time.length,
      time,
      decidedAt: this.#decidedAt.toArray(),
      id: this.#id,
      symbol,
      side: sidesOf(this.#side),
      bought: this.#bought,
      sold: this.#sold,
      fee: this.#fee,
      feeAsset: this.#feeAsset,
      rate: this.#rate,
      realised: this.#realised,
      reason: this.#reason,
      limit: this.#limit.toArray(),
      touch: this.#touch.toArray(),
      fair: this.#fair.toArray(),
      mids: markoutMids(time, symbol, market, end),
    };
  }
}

class UnfilledRows {
  readonly #orders: UnfilledOrder[] = [];
  readonly #decided: Decided[] = [];

  push(order: UnfilledOrder, decided: Decided): void {
    this.#orders.push(order);
    this.#decided.push(decided);
  }

  finish(): Unfilled {
    const orders = this.#orders;
    return {
      length: orders.length,
      time: Float64Array.from(orders, ({ at }) => at),
      id: orders.map(({ id }) => id),
      symbol: orders.map(({ symbol }) => symbol),
      side: sidesOf(orders.map(({ side }) => side)),
      end: Uint8Array.from(orders, ({ end }) => UNFILLED_ENDS.indexOf(end)),
      cause: orders.map(({ cause }) => cause),
      quantity: Float64Array.from(orders, ({ quantity }) => quantity),
      ...knownColumns(this.#decided),
      rate: Float64Array.from(this.#decided, ({ rate }) => (rate === undefined ? NaN : Number(String(rate)))),
    };
  }
}

function knownColumns(decided: readonly Decided[]): Pick<Fills, "limit" | "touch" | "fair"> {
  return {
    limit: Float64Array.from(decided, ({ limit }) => limit),
    touch: Float64Array.from(decided, ({ touch }) => touch ?? NaN),
    fair: Float64Array.from(decided, ({ fair }) => fair ?? NaN),
  };
}

function sidesOf(sides: readonly Side[]): Uint8Array {
  return Uint8Array.from(sides, (side) => (side === "buy" ? 0 : 1));
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function byName<K extends string, V>(named: ReadonlyMap<K, V>): Readonly<Record<K, V>> {
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))) as Record<K, V>;
}
