// The path of a quote without an effect, which is nearly every quote: it is folded and shown to the strategy without
// allocating. Rare cases (a bad quote, an equity check, an answer) are left to the engine. ADR 0005 explains the form
// of the loop over columns: a backtest's speed depends on its compiled code.

import type { QuoteEvent } from "../../domain/event.ts";
import { millis } from "../../domain/time.ts";
import type { QuoteColumns } from "../../market/column.ts";
import type { Moment } from "../../market/moment.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import { isGood, type SourcePrice } from "../../market/source-price.ts";
import { callFollows } from "../../strategy/watchdog.ts";
import type { StrategyHost } from "../strategy-host/strategy-host.ts";
import { type Look, NOTHING_SEEN, type RiskMonitor } from "./risk-monitor.ts";

export class QuietPath {
  /** Whether a good venue quote calls the strategy at once: it wakes on quotes and is not stopped. */
  isOpen = false;
  /** The strategy's last answer, unless empty. */
  answer: unknown = undefined;
  /** The result of the equity check at the row where the loop ended. */
  found: Look | undefined = undefined;
  // A float from the start, like the times it is subtracted from.
  /** How long before its time each row of the columns was received. */
  lagMs = 0.5;
  /** The loop ends at this time, because an equity check may be due. */
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

  /** False if the quote does not qualify for this path; then only its time was applied. */
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

  /** Processes quiet rows; returns the first row that is answered or does not qualify, otherwise `to`. */
  rows(prices: PairPrices, quotes: QuoteColumns, from: number, to: number): number {
    const { host } = this;
    const { venue } = prices;
    this.answer = undefined;
    this.found = undefined;
    if (!this.isOpen || venue.seen !== "good") return from;
    if (host.aimedAt !== prices) host.aim(prices);
    this.venue = venue;
    venue.sizes = quotes;
    // Open for all rows, because no strategy code runs between them.
    host.cursor.open(host.view);
    let row = this.taken(quotes, from, to);
    while (row < to && this.answer === undefined && this.isOnlyPaused(prices, quotes, row))
      row = this.taken(quotes, row, to);
    host.cursor.close(host.view);
    // After the last row the owner of the columns may overwrite them.
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

  // The first row is processed separately on purpose: the compiler need not repeat its checks of each object inside the
  // loop.
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
        callFollows();
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

  /**
   * True if the quote is good and an equity check was not due or found nothing: the loop may continue with this row.
   */
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

/** Holds the error that `decide` threw until the view is closed, because reading an error may run strategy code. */
class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The quote of a row, as an object that may be retained. */
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

/** In a column, NaN stands for a value that the source does not report. */
export function knownOf(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
