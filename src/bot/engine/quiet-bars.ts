// The way of a bar that leads to nothing: its close is the venue's price, then it is shown to the strategy, and no object is
// made for either. Only for strategies that want bars and no quotes; whatever is rare is left to the engine, as on the way
// of quotes.

import type { PairSymbol } from "../../domain/asset.ts";
import type { BarEvent } from "../../domain/event.ts";
import { millis } from "../../domain/time.ts";
import type { BarColumns } from "../../market/column.ts";
import type { Moment } from "../../market/moment.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { BarView } from "../../strategy/view.ts";
import type { StrategyHost } from "../strategy-host/strategy-host.ts";
import { knownOf, Thrown } from "./quiet-path.ts";
import type { RiskMonitor } from "./risk-monitor.ts";

const NO_SIZES = Object.freeze({ bidSize: undefined, askSize: undefined });
const NONE = new Float64Array(0);
const NO_BARS: BarColumns = Object.freeze({
  symbol: "" as PairSymbol,
  length: 0,
  intervalMs: 0,
  time: NONE,
  open: NONE,
  high: NONE,
  low: NONE,
  close: NONE,
  volume: NONE,
});

/** How bars become prices. */
export type BarTerms = {
  /** From the close to either side, as a part of it. */
  readonly away: number;
  /** How long before its close a bar was received. */
  readonly lagMs: number;
};

export class QuietBars {
  /** Whether bars call the strategy, and nothing else of them does: it wants no quotes, and is not stopped. */
  isOpen = false;
  /** What the strategy said last, if not nothing. */
  answer: unknown = undefined;
  private readonly host: StrategyHost;
  private readonly moment: Moment;
  private readonly riskMonitor: RiskMonitor;
  private readonly shown = new BarRow();

  constructor(host: StrategyHost, moment: Moment, riskMonitor: RiskMonitor) {
    this.host = host;
    this.moment = moment;
    this.riskMonitor = riskMonitor;
  }

  /** The rows that lead to nothing: gives the first that is answered, or that is not for this path, else `to`. */
  rows(prices: PairPrices, bars: BarColumns, from: number, to: number, terms: BarTerms): number {
    const { host, shown, moment } = this;
    const { venue } = prices;
    this.answer = undefined;
    if (!this.isOpen || venue.seen !== "good") return from;
    // The close has no size.
    venue.setSizes(NO_SIZES);
    if (host.aimedAt !== prices) host.aim(prices);
    shown.columns = bars;
    host.cursor.wake = "bar";
    host.cursor.showBar(shown);
    host.cursor.open(host.view);
    const row = this.loop(prices, bars, from, to, terms);
    host.cursor.close(host.view);
    if (this.answer instanceof Thrown) this.answer = host.failed(this.answer.error);
    host.cursor.wake = "quote";
    shown.columns = NO_BARS;
    // A price and a bar each.
    moment.sequence += 2 * (row - from + (this.answer === undefined ? 0 : 1));
    prices.heard();
    return row;
  }

  private loop(prices: PairPrices, bars: BarColumns, from: number, to: number, terms: BarTerms): number {
    const { moment, shown, riskMonitor } = this;
    const { venue } = prices;
    const { view, definition } = this.host;
    const { time, open, high, low, close } = bars;
    const lateMs = bars.intervalMs - terms.lagMs;
    const [under, over] = [1 - terms.away, 1 + terms.away];
    let { dueAt } = riskMonitor;
    let now = moment.now;
    let row = from;
    try {
      for (; row < to; row++) {
        const price = close[row] as number;
        const bid = price * under;
        const ask = price * over;
        const receivedAt = (time[row] as number) + lateMs;
        // One of them not finite makes the sum so.
        const first = open[row] as number;
        const most = high[row] as number;
        const least = low[row] as number;
        const sum = first + most + least + price;
        now = Math.max(now, receivedAt);
        if (!(bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY && sum - sum === 0)) break;
        moment.now = now;
        venue.bid = bid;
        venue.ask = ask;
        venue.since = receivedAt;
        if (now >= dueAt) {
          prices.heard();
          // What a look may find something at is looked at by itself.
          if (!riskMonitor.isSteady()) break;
          riskMonitor.passed();
          dueAt = riskMonitor.dueAt;
        }
        shown.open = first;
        shown.high = most;
        shown.low = least;
        shown.close = price;
        shown.row = row;
        const answer = definition.decide(view);
        if (answer === undefined) continue;
        this.answer = answer;
        break;
      }
    } catch (error) {
      this.answer = new Thrown(error);
    }
    return row;
  }
}

/** A row of the columns as the bar that a strategy sees. */
class BarRow implements BarView {
  columns: BarColumns = NO_BARS;
  row = 0;
  // Floats from the start, as all prices are that come here.
  open = 0.5;
  high = 0.5;
  low = 0.5;
  close = 0.5;

  get symbol(): string {
    return this.columns.symbol;
  }

  get volume(): number | undefined {
    return knownOf(this.columns.volume[this.row]);
  }
}

/** The bar of a row, to be kept. */
export function barAt(bars: BarColumns, row: number, lagMs: number): BarEvent {
  const { symbol, time, intervalMs, open, high, low, close, volume } = bars;
  return {
    kind: "bar",
    symbol,
    open: open[row] as number,
    high: high[row] as number,
    low: low[row] as number,
    close: close[row] as number,
    volume: knownOf(volume[row]),
    receivedAt: millis((time[row] as number) + intervalMs - lagMs),
  };
}
