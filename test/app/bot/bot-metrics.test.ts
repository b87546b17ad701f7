// What a scrape of a running bot looks at beside its status.

import { expect, test } from "vitest";
import { scraper } from "../../../src/app/bot/serve-bot.ts";
import { createMetrics } from "../../../src/watch/metrics/metrics.ts";
import type { Status } from "../../../src/watch/status.ts";
import { handTime } from "../../support/hand-time.ts";
import { KNOWN, quietStatus } from "../../watch/look.ts";

async function scrapedOf(change: Partial<Status>): Promise<string> {
  const lag = { p50Ms: 0, p99Ms: 0, maxMs: 0 };
  const loop = { lag: () => lag, close: () => undefined };
  const { clock } = handTime(0);
  const board = { snapshot: () => quietStatus(change) };
  return (await scraper({ metrics: createMetrics(KNOWN), board, clock, loop })()).text;
}

test("a bot is ready while nothing keeps it from trading", async () => {
  expect(await scrapedOf({ unready: [] })).toContain("\npegbot_ready 1\n");
  expect(await scrapedOf({ unready: ["HALTED: why"] })).toContain("\npegbot_ready 0\n");
});
