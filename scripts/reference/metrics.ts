// The metrics, from the registry that a scrape reads.

import { Registry } from "prom-client";
import { Shelf } from "../../src/watch/metrics/closed.ts";
import { createFillMeter } from "../../src/watch/metrics/fill-meter.ts";
import { GAUGES } from "../../src/watch/metrics/gauges.ts";
import {
  createJournalMeter,
  createNoticeMeter,
  createOrderMeter,
  createRequestMeter,
} from "../../src/watch/metrics/meters.ts";
import { code, table } from "./table.ts";

export function metricsPage(): string {
  const registry = new Registry();
  const shelf = new Shelf(registry);
  createOrderMeter(shelf);
  createFillMeter(shelf, [], []);
  createRequestMeter(shelf);
  createJournalMeter(shelf);
  createNoticeMeter(shelf);
  shelf.gauges(GAUGES);
  // The types of the library leave out what it has.
  const all = registry.getMetricsAsArray() as unknown as readonly {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly string[];
    readonly constructor: { readonly name: string };
  }[];
  const rows = all
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => [code(one.name), one.constructor.name.toLowerCase(), one.labelNames.map(code).join(", "), one.help]);
  return [
    "# Metrics",
    "Every metric at `/metrics`, from the program's own registry. [Monitor a bot](../guides/monitoring.md) says how to scrape them and [what the labels mean](../guides/monitoring.md#labels); [every alert](../operate/alerts.md) has its page.",
    table(["metric", "type", "labels", ""], rows),
  ].join("\n\n");
}
