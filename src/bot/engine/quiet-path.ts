// The way of a quote that leads to nothing, which is nearly every quote: folded and shown to the strategy without an object
// made for it. Whatever is rare (a bad quote, a look at equity, an answer) is left to the engine. ADR 0005 says why the
// loop over columns is written the way it is: its compiled form is what a backtest's speed comes from.

import type { QuoteEvent } from "../../domain/event.ts";
import { millis } from "../../domain/time.ts";
import type { QuoteColumns } from "../../market/column.ts";
import type { Moment } from "../../market/moment.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import { isGood, type SourcePrice } from "../../market/source-price.ts";
import type { StrategyHost } from "../strategy-host/strategy-host.ts";
import { type Look, NOTHING_SEEN, type RiskMonitor } from "./risk-monitor.ts";

export class QuietPath {
  /** Whether a good quote of the venue calls the strategy at once: it wants them, and is not stopped. */
  isOpen = false;
  /** What the strategy said last, if not nothing. */
  answer: unknown = undefined;
  /** What a look at equity found at the row where the loop ended. */
  found: Look | undefined = undefined;
  // A float from the start, as the times are that it is taken from.
  /** How long before its time a row of the columns was received. */
  lagMs = 0.5;
  /** From this time on the loop is left: a look at equity may be worth it. */
  private pauseAt = 0.5;
  private readonly host: StrategyHost;
  private readonly moment: Moment;
  private readonly riskMonitor: RiskMonitor;
  private venue: SourcePrice | undefined = undefined;

  constructor(host: StrategyHost, moment: Moment, riskMonitor: RiskMonitor) {
    this.host = host;
    this.moment = moment;
    this.riskMonitor = riskMonitor;
  }

  /** False when the quote is none for this path: then nothing but the time was taken from it. */
  event(prices: PairPrices, event: QuoteEvent): boolean {
    const { bid, ask, receivedAt, at, source } = event;
    const { moment, host } = this;
    const { venue } = prices;
    moment.reach(receivedAt);
    if (!this.isOpen || source !== "venue" || venue.seen !== "good" || !isGood(bid, ask)) return false;
    if (!(moment.now < this.riskMonitor.dueAt)) return false;
    moment.sequence++;
    prices.heard();
    venue.bid = bid;
    venue.ask = ask;
    venue.since = at !== undefined && at < receivedAt ? at : receivedAt;
    venue.setSizes(event);
    if (host.aimedAt !== prices) host.aim(prices);
    this.answer = host.call();
    return true;
  }

  /** The rows that lead to nothing: gives the first that is answered, or that is not for this path, else `to`. */
  rows(prices: PairPrices, quotes: QuoteColumns, from: number, to: number): number {
    const { host } = this;
    const { venue } = prices;
    this.answer = undefined;
    this.found = undefined;
    if (!this.isOpen || venue.seen !== "good") return from;
    if (host.aimedAt !== prices) host.aim(prices);
    this.venue = venue;
    venue.sizes = quotes;
    // Open for all rows: between them nothing of the strategy runs.
    host.cursor.open(host.view);
    let row = this.taken(quotes, from, to);
    while (row < to && this.answer === undefined && this.isOnlyPaused(prices, quotes, row))
      row = this.taken(quotes, row, to);
    host.cursor.close(host.view);
    // After the last row whoever owns the columns may write others into them.
    if (venue.row + 1 >= quotes.length) venue.keepSizes();
    if (this.answer instanceof Thrown) this.answer = host.failed(this.answer.error);
    this.moment.sequence += row - from + (this.answer === undefined ? 0 : 1);
    prices.heard();
    return row;
  }

  private taken(quotes: QuoteColumns, from: number, to: number): number {
    this.pauseAt = this.riskMonitor.dueAt;
    return this.loop(quotes, from, to);
  }

  // The first row is taken by itself, by intent: what the compiler has checked of every object there, it need not check
  // again in the loop.
  private loop(quotes: QuoteColumns, from: number, to: number): number {
    const { moment } = this;
    const venue = this.venue as SourcePrice;
    const { lagMs, pauseAt } = this;
    const end = to | 0;
    const { view, definition } = this.host;
    const { time: times, bid: bids, ask: asks } = quotes;
    try {
      let time = (times[from] as number) - lagMs;
      let bid = bids[from] as number;
      let ask = asks[from] as number;
      let now = time > moment.now ? time : moment.now;
      if (!(bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY && now < pauseAt)) return from;
      moment.now = now;
      venue.bid = bid;
      venue.ask = ask;
      venue.since = time;
      venue.row = from;
      this.answer = definition.decide(view);
      if (this.answer !== undefined) return from;
      for (let row = from + 1; row < end; row++) {
        time = (times[row] as number) - lagMs;
        bid = bids[row] as number;
        ask = asks[row] as number;
        now = Math.max(now, time);
        if (!(bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY && now < pauseAt)) return row;
        moment.now = now;
        venue.bid = bid;
        venue.ask = ask;
        venue.since = time;
        venue.row = row;
        const answer = definition.decide(view);
        if (answer !== undefined) {
          this.answer = answer;
          return row;
        }
      }
      return to;
    } catch (error) {
      this.answer = new Thrown(error);
      return venue.row;
    }
  }

  /** At a good quote a look at equity was not due, or found nothing: the loop may go on with this row. */
  private isOnlyPaused(prices: PairPrices, { time, bid, ask }: QuoteColumns, row: number): boolean {
    const { moment, riskMonitor } = this;
    const { venue } = prices;
    this.found = undefined;
    if (!isGood(bid[row] as number, ask[row] as number)) return false;
    venue.bid = bid[row] as number;
    venue.ask = ask[row] as number;
    const received = (time[row] as number) - this.lagMs;
    venue.since = received;
    moment.reach(received);
    prices.heard();
    this.found = riskMonitor.glance();
    return this.found === NOTHING_SEEN && moment.now < riskMonitor.dueAt;
  }
}

/** What `decide` threw, until its view is closed: to read an error may run code of the strategy. */
class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The quote of a row, to be kept. */
export function quoteAt(quotes: QuoteColumns, row: number, lagMs: number): QuoteEvent {
  const { symbol, time, bid, ask, bidSize, askSize } = quotes;
  return {
    kind: "quote",
    symbol,
    bid: bid[row] as number,
    ask: ask[row] as number,
    bidSize: knownOf(bidSize[row]),
    askSize: knownOf(askSize[row]),
    source: "venue",
    at: undefined,
    receivedAt: millis((time[row] as number) - lagMs),
  };
}

/** Of a column: NaN where the source does not say. */
export function knownOf(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
