// The metrics of the bot for Prometheus: counters follow journaled records and sent requests, gauges are read from the
// status at a scrape. This code runs after the records are on disk and can neither fail nor slow down the engine.

import { Registry } from "prom-client";
import type { Mono } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Shelf } from "./closed.ts";
import { createFillMeter } from "./fill-meter.ts";
import { assetsOf, GAUGES, gaugeValues, type Known, type Look } from "./gauges.ts";
import { createJournalMeter, createNoticeMeter, createOrderMeter, createRequestMeter } from "./meters.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(known: Known) {
  const registry = new Registry();
  const shelf = new Shelf(registry);
  const orders = createOrderMeter(shelf);
  const fills = createFillMeter(shelf, known.symbols, assetsOf(known));
  const requests = createRequestMeter(shelf);
  const show = shelf.gauges(GAUGES);
  // Silence of the venue is counted from the first scrape while no good answer has come.
  let lookedAt: Mono | undefined;
  return {
    record(record: JournalRecord) {
      orders(record);
      fills(record);
    },
    requests,
    journal: createJournalMeter(shelf),
    notices: createNoticeMeter(shelf),
    /** The content of /metrics. */
    async scrape(look: Look) {
      lookedAt ??= look.now;
      const silenceMs = Math.max(0, look.now - (requests.goodAt ?? lookedAt));
      show(gaugeValues(look, known, silenceMs));
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
