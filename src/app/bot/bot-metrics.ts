// The metrics of a run: which labels its configuration knows, and what a scrape looks at.

import { statSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../domain/time.ts";
import { createMetrics, type Metrics } from "../../watch/metrics/metrics.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { referenceNames } from "../feeds/reference-names.ts";
import type { EventLoopWatch } from "../system/event-loop.ts";
import { limitsOf, parOf } from "./core-of.ts";
import { environmentName } from "./identity.ts";

export function metricsOf(config: Config, codeVersion: string): Metrics {
  const { symbols, currency } = limitsOf(config);
  return createMetrics({
    build: { version: codeVersion, mode: config.mode, environment: environmentName(config) },
    symbols,
    currency,
    par: new Set<string>(parOf(config).keys()),
    feeds: [VENUE, ...referenceNames(config)],
  });
}

export type Scraped = {
  readonly metrics: Metrics;
  readonly board: Pick<StatusBoard, "snapshot">;
  readonly clock: Clock;
  readonly loop: EventLoopWatch;
};

export function scraper({ metrics, board, clock, loop }: Scraped): () => ReturnType<Metrics["scrape"]> {
  return () => {
    const status = board.snapshot();
    const isReady = status.unready.length === 0;
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const memory = { residentBytes, heapBytes };
    const vitals = { memory, lag: loop.lag(), journalBytes: journalBytes(status.journal.path) };
    return metrics.scrape({ status, isReady, vitals, now: clock.monotonic() });
  };
}

/** The file and what waits beside it to be merged into it. */
function journalBytes(path: string): number | undefined {
  const main = sizeOf(path);
  return main === undefined ? undefined : main + (sizeOf(`${path}-wal`) ?? 0);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
