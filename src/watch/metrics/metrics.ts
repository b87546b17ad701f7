// The bot in figures, for Prometheus: counters follow what was journaled and sent, gauges are read from the status at a scrape. Nothing
// here can fail or slow the engine: it runs after the records are on disk.

import { Registry } from "prom-client";
import type { Mono } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Shelf } from "./closed.ts";
import { createFillMeter } from "./fill-meter.ts";
import { assetsOf, createEfficiency, GAUGES, gaugeValues, type Known, type Look } from "./gauges.ts";
import { createJournalMeter, createNoticeMeter, createOrderMeter, createRequestMeter } from "./meters.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(known: Known) {
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
    record(record: JournalRecord) {
      orders(record);
      fills.record(record);
    },
    /** A quote of the venue. */
    quote: fills.quote,
    requests,
    /** The same figure for screen, page and scrape. */
    profitPerRequest,
    journal: createJournalMeter(shelf),
    notices: createNoticeMeter(shelf),
    /** What is served at /metrics. */
    async scrape(look: Look) {
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
