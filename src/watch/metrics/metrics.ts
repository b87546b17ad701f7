// The bot in figures, for Prometheus: what is counted is counted from what was journaled and sent, and what is shown is read
// from the status when somebody asks. Nothing here can fail or slow the engine: it runs after the records are on disk.

import { Registry } from "prom-client";
import type { QuoteEvent } from "../../domain/event.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { createBudgetGauges } from "./budget-gauges.ts";
import { Shelf } from "./closed.ts";
import { createEfficiency, type Efficiency } from "./efficiency.ts";
import { createFillMeter } from "./fill-meter.ts";
import { type Build, createHealthGauges } from "./health-gauges.ts";
import { createJournalMeter, type JournalMeter } from "./journal-meter.ts";
import type { Look } from "./look.ts";
import { createMoneyGauges } from "./money-gauges.ts";
import { createNoticeMeter, type NoticeMeter } from "./notice-meter.ts";
import { createOrderMeter } from "./order-meter.ts";
import { createPriceGauges } from "./price-gauges.ts";
import { createRequestMeter, type RequestMeter } from "./request-meter.ts";
import { createRiskGauges } from "./risk-gauges.ts";
import { createTreasuryGauges } from "./treasury-gauges.ts";

/** What the labels may be: all of it is known from the configuration. */
export type Known = {
  readonly build: Build;
  readonly symbols: readonly string[];
  /** Coins against their own fiat. */
  readonly par: ReadonlySet<string>;
  /** Sources of prices, the venue among them. */
  readonly feeds: readonly string[];
  readonly currency: string;
};

export interface Metrics {
  record(record: JournalRecord): void;
  /** A quote of the venue. */
  quote(quote: QuoteEvent): void;
  readonly requests: RequestMeter;
  /** The same figure for screen, page and scrape. */
  readonly profitPerRequest: Efficiency;
  readonly journal: JournalMeter;
  readonly notices: NoticeMeter;
  /** What is served at /metrics. */
  scrape(look: Look): Promise<{ readonly type: string; readonly text: string }>;
}

export function createMetrics({ build, symbols, par, feeds, currency }: Known): Metrics {
  const registry = new Registry();
  const shelf = new Shelf(registry);
  const assets = [...new Set([currency, ...symbols.flatMap((symbol) => symbol.split("/"))])];
  const orders = createOrderMeter(shelf);
  const fills = createFillMeter(shelf, symbols, assets);
  const requests = createRequestMeter(shelf);
  const profitPerRequest = createEfficiency(() => requests.sent);
  const gauges = [
    createHealthGauges(shelf, build, feeds),
    createRiskGauges(shelf),
    createMoneyGauges(shelf, assets, profitPerRequest),
    createPriceGauges(shelf, symbols, par),
    createBudgetGauges(shelf, () => requests.goodAt),
    createTreasuryGauges(shelf),
  ];
  return {
    record(record) {
      orders.record(record);
      fills.record(record);
    },
    quote: (quote) => fills.quote(quote),
    requests,
    profitPerRequest,
    journal: createJournalMeter(shelf),
    notices: createNoticeMeter(shelf),
    async scrape(look) {
      for (const show of gauges) show(look);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
