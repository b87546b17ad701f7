// Hosts a strategy: its view, and the one place that calls it. No exception escapes: an error, a promise or a kept view
// becomes a failure with a reason.

import type { PairPrices } from "../../market/pair-prices.ts";
import { textOf } from "../../strategy/error-text.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { BarView, ReportView, View, Wake } from "../../strategy/view.ts";
import { nameCaller } from "../../strategy/watchdog.ts";
import { isPromised } from "./answer.ts";
import { FreshView, type LiveView, type QuoteLens, ReusedView, ViewControl, type ViewSource } from "./view.ts";

export class Failed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Its parts are accessible to the engine, which calls the strategy on quotes directly (ADR 0005 explains why). */
export class StrategyHost {
  readonly strategy: Strategy;
  readonly definition: Strategy["definition"];
  /** The venue shows no quotes, and the strategy has a decision for that. */
  isBlind = false;
  private readonly sight: ViewSource;
  private readonly isFresh: boolean;
  cursor: ViewControl;
  view: LiveView & View;
  /** The pair whose quote the view shows; undefined in fresh mode, so that every call aims again. */
  aimedAt: PairPrices | undefined = undefined;
  /** The views, keyed by the lens that each shows as `quote`. */
  private readonly views = new Map<QuoteLens | undefined, LiveView & View>();

  constructor(strategy: Strategy, sight: ViewSource, isFresh: boolean) {
    this.strategy = strategy;
    this.definition = strategy.definition;
    nameCaller(strategy.name);
    this.sight = sight;
    this.isFresh = isFresh;
    this.cursor = new ViewControl(sight, strategy, isFresh);
    this.view = new ReusedView(this.cursor);
  }

  ask(wake: Wake, prices: PairPrices | undefined, bar?: BarView, report?: ReportView): unknown {
    if (prices === undefined || this.aimedAt !== prices || prices.venue.seen !== "good") this.aim(prices);
    this.cursor.wake = wake;
    if (bar !== undefined) this.cursor.showBar(bar);
    this.cursor.report = report;
    const answer = this.checked(this.call());
    this.cursor.report = undefined;
    this.cursor.wake = "quote";
    return answer;
  }

  aim(prices: PairPrices | undefined): void {
    if (this.isFresh) {
      this.cursor = new ViewControl(this.sight, this.strategy, true);
      this.cursor.aim(prices);
      this.view = new FreshView();
      return;
    }
    this.cursor.aim(prices);
    this.view = this.views.get(this.cursor.quote) ?? this.added();
    // Without a quote there is no lens that the pair's next event could reuse.
    this.aimedAt = this.cursor.quote === undefined ? undefined : prices;
  }

  private added(): LiveView & View {
    const view = new ReusedView(this.cursor);
    this.views.set(this.cursor.quote, view);
    return view;
  }

  /** The result of `decide`; an exception becomes a failure. */
  call(): unknown {
    const { cursor, view } = this;
    cursor.open(view);
    try {
      const { definition } = this;
      const answer = this.isBlind ? definition.blind?.(view) : definition.decide(view);
      cursor.close(view);
      return answer;
    } catch (error) {
      // Closed first: the error may be the strategy's own, with code that runs when it is read.
      cursor.close(view);
      return this.failed(error);
    }
  }

  failed(error: unknown): Failed {
    return new Failed(`decide of ${this.strategy.name} threw: ${textOf(error)}`);
  }

  checked(answer: unknown): unknown {
    try {
      if (!isPromised(answer)) return answer;
      // The failure is returned now, so a later rejection of the promise must not end the process.
      answer.then(undefined, () => {});
      return new Failed(`decide of ${this.strategy.name} must answer at once, was a promise`);
    } catch (error) {
      return new Failed(unread(this.strategy.name, error));
    }
  }
}

/** The returned value may have the strategy's own code in it too. */
export function unread(strategy: string, error: unknown): string {
  return `what decide of ${strategy} returned threw when it was read: ${textOf(error)}`;
}
