// Prices from any JSON document: an address or a file that another program writes anew.

import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { feedOf } from "../../../src/app/feeds/references.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { parseConfig } from "../../../src/config/load.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { startFeedServer } from "../../support/feed-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const settings = (feed: object, folder: string) =>
  parseConfig(JSON.stringify({ market: { references: [feed] } }), join(folder, "pegbot.yaml"), {});

/** The first price of each wanted pair, or the first trouble. */
function first(feed: object, count: number, folder = temporaryFolder()): Promise<readonly QuoteEvent[] | string> {
  const [reference] = unwrap(settings(feed, folder)).config.market.references;
  if (reference === undefined) throw new Error("no feed");
  return new Promise((resolve) => {
    const heard: QuoteEvent[] = [];
    const quotes = feedOf(reference, {
      ...{ clock: systemClock, random: createRandom(1), openRecord: () => Promise.reject(new Error("no record")) },
      onTrouble: (_, reason) => reason !== undefined && resolve(reason),
    }).subscribe((quote) => {
      heard.push(quote);
      if (heard.length === count) resolve(heard);
    });
    closing.push(() => quotes.unsubscribe());
  });
}

const GBP = { name: "bank", kind: "json", symbols: ["GBP/CHF"] };

test("an address has several pairs under names that the pair makes", async () => {
  const server = await startFeedServer();
  closing.push(() => server.close());
  const rates = { GBPCHF: ["1.0501", 1.0503], USDCHF: ["0.80", "0.81"] };
  server.answer = (_, response) => void response.writeHead(200).end(JSON.stringify({ rates }));
  const url = `http://127.0.0.1:${server.port}/rates`;
  const [bid, ask] = ["rates.{base}{quote}.0", "rates.{base}{quote}.1"];
  expect(await first({ ...GBP, url, symbols: ["GBP/CHF", "USD/CHF"], bid, ask }, 2)).toMatchObject([
    { symbol: "GBP/CHF", bid: 1.0501, ask: 1.0503, source: "bank", at: undefined },
    { symbol: "USD/CHF", bid: 0.8, ask: 0.81 },
  ]);
  expect(await first({ ...GBP, url, bid, ask: "rates.{quote}" }, 1)).toContain("it has no rates.CHF");
});

test("a price of a file is as old as the file, so that a writer that has stopped is not believed", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "rate.json");
  writeFileSync(file, '[{ "rate": 1.05 }]');
  utimesSync(file, 1_794_731_400, 1_794_731_400);
  const found = await first({ ...GBP, file: "./rate.json", bid: "0.rate", ask: "0.rate" }, 1, folder);
  expect(found).toMatchObject([{ bid: 1.05, ask: 1.05, at: 1_794_731_400_000 }]);
  writeFileSync(file, "1.05 francs");
  expect(await first({ ...GBP, file, bid: "0.rate", ask: "0.rate" }, 1)).toContain("it is not JSON");
});

test.each([
  ["neither", {}],
  ["both", { url: "https://rates.example/", file: "./a.json" }],
  ["an address without TLS on another machine", { url: "http://rates.example/" }],
])("%s of address and file is a mistake", (_, place) => {
  expect(settings({ ...GBP, ...place, bid: "bid", ask: "ask" }, "/").ok).toBe(false);
});
