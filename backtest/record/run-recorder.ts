// Fills a run record during the run. It stores its inputs and computes only equity and benchmark of a sample; the
// caller decides how often to sample. It reads no clock.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { InvariantViolation, invariant } from "../../src/domain/invariant.ts";
import type { Money, Price } from "../../src/domain/money/money.ts";
import type { Fill, Side } from "../../src/domain/order.ts";
import type { Refusal } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { WantClass } from "../../src/exchange/port.ts";
import {
  type AssetSamples,
  type Books,
  type Capped,
  type Fills,
  type FirstRefusal,
  MARKOUT_SECONDS,
  type Prices,
  type RunRecord,
  type RunSettings,
  type Settlement,
  SLOT_CLASSES,
  type Slots,
  UNFILLED_ENDS,
  type Unfilled,
  type UnfilledEnd,
} from "./run-record.ts";

/** The prices known for the pair when the order was decided. */
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

type UnfilledRow = { readonly order: UnfilledOrder; readonly decided: Decided };

/** The amounts and rate of each asset at the moment of a sample. */
export type Sampled = {
  held(asset: Asset): number;
  inFlight(asset: Asset): number;
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
  readonly #samples = { time: [] as number[], equity: [] as number[], benchmark: [] as number[] };
  readonly #fills: FillRow[] = [];
  readonly #unfilled: UnfilledRow[] = [];
  readonly #refusals = new Map<string, number>();
  readonly #caps = new Map<string, Capped>();
  readonly #refusedPairs = new Map<PairSymbol, number>();
  readonly #firstRefusals = new Map<string, FirstRefusal>();

  constructor(assets: readonly Asset[]) {
    this.#assets = assets.map((asset) => new AssetColumns(asset));
  }

  get sampled(): number {
    return this.#samples.time.length;
  }

  /** Called at the opening and when a person adopts: it moves the benchmark, which holds all of it untraded. */
  adopt(asset: Asset, amount: number): void {
    const columns = this.#assets.find((one) => one.asset === asset);
    invariant(columns !== undefined, `assets of a run must be named at its start, ${asset} was not`);
    columns.untraded += amount;
  }

  /**
   * An unknown rate is NaN, and so is then the value of the holding; the rate of an asset that is neither held nor was
   * at the opening is not requested. `own` is equity as the bot states it; at the opening holdings count at their rates.
   */
  sample(at: Millis, of: Sampled, own?: number): void {
    const { time, equity, benchmark } = this.#samples;
    if (at < (time.at(-1) ?? at)) throw new InvariantViolation(`samples must not go back in time, was ${at}`);
    let worth = 0;
    let untraded = 0;
    for (const columns of this.#assets) {
      const { asset } = columns;
      const held = of.held(asset);
      const inFlight = of.inFlight(asset);
      const rate = held !== 0 || inFlight !== 0 || columns.untraded !== 0 ? of.rate(asset) : NaN;
      columns.held.push(held);
      columns.inFlight.push(inFlight);
      columns.rate.push(rate);
      if (held !== 0) worth += held * rate;
      if (columns.untraded !== 0) untraded += columns.untraded * rate;
    }
    time.push(at);
    equity.push(own ?? worth);
    benchmark.push(untraded);
  }

  fill(at: Millis, fill: Fill, decided: Decided, realised: Money | string | undefined): void {
    this.#fills.push(fillRow(at, fill, decided, realised));
  }

  unfilled(order: UnfilledOrder, decided: Decided): void {
    this.#unfilled.push({ order, decided });
  }

  /** `symbol` is undefined when the refused proposal named no pair. */
  refused({ rule, message }: Pick<Refusal, "rule" | "message">, symbol: PairSymbol | undefined, at: Millis): void {
    count(this.#refusals, rule);
    if (!this.#firstRefusals.has(rule)) this.#firstRefusals.set(rule, { at, symbol, message });
    if (rule === "RC19" && symbol !== undefined) count(this.#refusedPairs, symbol);
  }

  capped({ rule, message }: Pick<Refusal, "rule" | "message">, symbol: PairSymbol, at: Millis): void {
    const known = this.#caps.get(rule) ?? { at, symbol, message, orders: 0 };
    this.#caps.set(rule, { ...known, orders: known.orders + 1 });
  }

  /** Prices, and the mids after fills, come from the market: the caller adds them. */
  finish({ settings, books, slots, settlements }: Ends): RunRecord {
    const { time, equity, benchmark } = this.#samples;
    return {
      settings,
      books,
      samples: {
        length: time.length,
        time: Float64Array.from(time),
        equity: Float64Array.from(equity),
        benchmark: Float64Array.from(benchmark),
        assets: this.#assets.map((columns) => columns.finish()),
      },
      prices: [],
      fills: fillColumns(this.#fills),
      unfilled: unfilledColumns(this.#unfilled),
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
  readonly held: number[] = [];
  readonly inFlight: number[] = [];
  readonly rate: number[] = [];
  untraded = 0;

  constructor(asset: Asset) {
    this.asset = asset;
  }

  finish(): AssetSamples {
    const { asset, held, inFlight, rate } = this;
    return {
      asset,
      held: Float64Array.from(held),
      inFlight: Float64Array.from(inFlight),
      rate: Float64Array.from(rate),
    };
  }
}

/** A long run has many fills: each keeps a few floats and texts, and no amount objects. */
type FillRow = ReturnType<typeof fillRow>;

function fillRow(at: Millis, fill: Fill, decided: Decided, realised: Money | string | undefined) {
  return {
    at,
    decided: { ...decided, rate: decided.rate?.toString() },
    side: fill.side,
    symbol: fill.symbol,
    id: fill.clientOrderId,
    bought: fill.bought.toString(),
    sold: fill.sold.toString(),
    fee: fill.fee.toString(),
    feeAsset: fill.fee.asset,
    realised: realised?.toString(),
  };
}

function fillColumns(rows: readonly FillRow[]): Fills {
  const time = Float64Array.from(rows, ({ at }) => at);
  const symbol = rows.map((row) => row.symbol);
  const decided = rows.map((row) => row.decided);
  return {
    length: rows.length,
    time,
    decidedAt: Float64Array.from(decided, ({ decidedAt }) => decidedAt),
    id: rows.map(({ id }) => id),
    symbol,
    side: sidesOf(rows.map(({ side }) => side)),
    bought: rows.map(({ bought }) => bought),
    sold: rows.map(({ sold }) => sold),
    fee: rows.map(({ fee }) => fee),
    feeAsset: rows.map(({ feeAsset }) => feeAsset),
    rate: decided.map(({ rate }) => rate),
    realised: rows.map(({ realised }) => realised),
    reason: decided.map(({ reason }) => reason),
    ...knownColumns(decided),
    mids: [],
  };
}

function unfilledColumns(rows: readonly UnfilledRow[]): Unfilled {
  const orders = rows.map(({ order }) => order);
  const decided = rows.map((row) => row.decided);
  return {
    length: rows.length,
    time: Float64Array.from(orders, ({ at }) => at),
    id: orders.map(({ id }) => id),
    symbol: orders.map(({ symbol }) => symbol),
    side: sidesOf(orders.map(({ side }) => side)),
    end: Uint8Array.from(orders, ({ end }) => UNFILLED_ENDS.indexOf(end)),
    cause: orders.map(({ cause }) => cause),
    quantity: Float64Array.from(orders, ({ quantity }) => quantity),
    ...knownColumns(decided),
    rate: Float64Array.from(decided, ({ rate }) => (rate === undefined ? NaN : Number(String(rate)))),
  };
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

// Counts requests by class in equal time buckets.

const INDEX = new Map<WantClass, number>(SLOT_CLASSES.map((name, index) => [name, index]));
const WIDTH = SLOT_CLASSES.length;

export class SlotCounter {
  readonly #from: Millis;
  readonly #bucketMs: number;
  readonly #paceMs: number;
  readonly #counts: number[] = [];

  constructor(from: Millis, { bucketMs = 60_000, paceMs }: { bucketMs?: number; paceMs: number }) {
    this.#from = from;
    this.#bucketMs = bucketMs;
    this.#paceMs = paceMs;
  }

  add(at: Millis, name: WantClass, count = 1): void {
    const bucket = Math.floor((at - this.#from) / this.#bucketMs);
    if (bucket < 0) throw new InvariantViolation(`a slot must not lie before the run, was at ${at}`);
    while (this.#counts.length < (bucket + 1) * WIDTH) this.#counts.push(0);
    const cell = bucket * WIDTH + (INDEX.get(name) as number);
    this.#counts[cell] = (this.#counts[cell] as number) + count;
  }

  finish(): Slots {
    const counts = Uint32Array.from(this.#counts);
    return { from: this.#from, bucketMs: this.#bucketMs, paceMs: this.#paceMs, buckets: counts.length / WIDTH, counts };
  }
}

// The venue's mid some time after each fill. A price counts only if it is from the later two thirds of that time: an
// older one does not show where the price went.

const EARLY = 1 / 3;

/**
 * One column for each of MARKOUT_SECONDS; NaN where no price was known in time, or the moment is after the end of the
 * data.
 */
export function markoutMids(
  time: Float64Array,
  symbol: readonly string[],
  prices: readonly Prices[],
  end = Number.POSITIVE_INFINITY,
): readonly Float64Array[] {
  const bySymbol = new Map(prices.map((one) => [one.symbol as string, one]));
  return MARKOUT_SECONDS.map((seconds) =>
    time.map((at, row) => {
      const columns = bySymbol.get(symbol[row] as string);
      const ms = seconds * 1_000;
      return columns === undefined || at + ms > end ? NaN : midBetween(columns, at + EARLY * ms, at + ms);
    }),
  );
}

/** The last of these times that is not later; -1 before the first. */
export function rowUntil(time: ArrayLike<number>, until: number): number {
  let low = -1;
  let high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((time[middle] as number) <= until) low = middle;
    else high = middle - 1;
  }
  return low;
}

function midBetween({ time, bid, ask }: Prices, after: number, until: number): number {
  const low = rowUntil(time, until);
  if (low < 0 || (time[low] as number) <= after) return NaN;
  return ((bid[low] as number) + (ask[low] as number)) / 2;
}
