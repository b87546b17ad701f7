// The bot in figures, for Prometheus: counters follow what was journaled and sent, gauges are read from the status at a scrape. Nothing
// here can fail or slow the engine: it runs after the records are on disk.

import { Registry } from "prom-client";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Mono } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Shelf } from "./closed.ts";
import { createFillMeter } from "./fill-meter.ts";
import { assetsOf, createEfficiency, type Efficiency, GAUGES, gaugeValues, type Known, type Look } from "./gauges.ts";
import {
  createJournalMeter,
  createNoticeMeter,
  createOrderMeter,
  createRequestMeter,
  type JournalMeter,
  type NoticeMeter,
  type RequestMeter,
} from "./meters.ts";

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

export function createMetrics(known: Known): Metrics {
  const registry = new Registry();
  const shelf = new Shelf(registry);
  const orders = createOrderMeter(shelf);
  const fills = createFillMeter(shelf, known.symbols, assetsOf(known));
  const requests = createRequestMeter(shelf);
  const profitPerRequest = createEfficiency(() => requests.sent);
  const keySlots = shelf.counter(
    ["pegbot_key_slots_total", "requests granted by the ledger of the key, to whatever process, since it was made"],
    {},
  );
  const show = shelf.gauges(GAUGES);
  // A venue that has not answered since the first look is silent as well.
  let lookedAt: Mono | undefined;
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
      const { now, status } = look;
      lookedAt ??= now;
      const silenceMs = Math.max(0, now - (requests.goodAt ?? lookedAt));
      show(gaugeValues(look, known, silenceMs, profitPerRequest));
      if (status.budget !== undefined) {
        // Counted by the ledger, and only ever more.
        keySlots.reset();
        keySlots.inc(status.budget.slots);
      }
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
