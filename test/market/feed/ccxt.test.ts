// ccxt against a server on loopback that speaks the public API of one of its exchanges. It is no dependency: where it is
// not installed the test says so, and with CI=true that is a failure.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import {
  type Ccxt,
  type CcxtExchange,
  type CcxtTicker,
  ccxtFeed,
  type LoadCcxt,
  loadCcxt,
} from "../../../src/market/feed/ccxt.ts";
import { startFeedServer } from "../../support/feed-server.ts";
import { handTime } from "../../support/hand-time.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ASSETS = {
  ZUSD: { aclass: "currency", altname: "USD", decimals: 4, display_decimals: 2, status: "enabled" },
  ZGBP: { aclass: "currency", altname: "GBP", decimals: 4, display_decimals: 2, status: "enabled" },
  USDC: { aclass: "currency", altname: "USDC", decimals: 8, display_decimals: 4, status: "enabled" },
};

const pair = (altname: string, wsname: string, base: string, quote: string) => ({
  altname,
  wsname,
  aclass_base: "currency",
  base,
  aclass_quote: "currency",
  quote,
  lot: "unit",
  cost_decimals: 5,
  pair_decimals: 5,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [],
  leverage_sell: [],
  fees: [[0, 0.2]],
  fees_maker: [[0, 0.2]],
  fee_volume_currency: "ZUSD",
  margin_call: 80,
  margin_stop: 40,
  ordermin: "10",
  costmin: "0.5",
  tick_size: "0.00001",
  status: "online",
});

const PAIRS = {
  ZGBPZUSD: pair("GBPUSD", "GBP/USD", "ZGBP", "ZUSD"),
  USDCUSD: pair("USDCUSD", "USDC/USD", "USDC", "ZUSD"),
};

const sides = (bid: string, ask: string) => ({
  a: [ask, "1", "1.000"],
  b: [bid, "2", "2.000"],
  c: [bid, "1"],
  v: ["1", "1"],
  p: [bid, bid],
  t: [1, 1],
  l: [bid, bid],
  h: [ask, ask],
  o: bid,
});

const OWN_ADDRESSES = { public: { rest: "https://fake.example" }, plain: "https://fake.example" };

type FakeExchange = CcxtExchange & { readonly asked: unknown[]; readonly settings: object };

/** What pegbot uses of ccxt, with one exchange; the real one is tried where it is installed. */
function fakeCcxt(made: FakeExchange[], has: CcxtExchange["has"], isSilent = false): Ccxt {
  const told: Readonly<Record<string, CcxtTicker>> = {
    "GBP/USD": { symbol: "GBP/USD", bid: 1.31, ask: 1.3102, bidVolume: 5, askVolume: 7, timestamp: 1_700_000_000_000 },
    "USDC/USD": { symbol: "USDC/USD", bid: "0.9999", ask: "1.0001", timestamp: "2023-11-14" },
  };
  const others = ["BTC/USD", "GBP/USD:GBP"].map((symbol) => [symbol, { symbol, bid: 1, ask: 2 }]);
  class Fake {
    readonly urls = { api: OWN_ADDRESSES };
    readonly has = has;
    readonly asked: unknown[] = [];
    readonly settings: object;
    constructor(settings: object) {
      this.settings = settings;
      made.push(this as unknown as FakeExchange);
    }
    async fetchTickers(symbols: readonly string[]) {
      this.asked.push(symbols);
      return isSilent ? new Promise(() => undefined) : { ...told, ...Object.fromEntries(others) };
    }
    async fetchTicker(symbol: string) {
      this.asked.push(symbol);
      return told[symbol];
    }
  }
  return { exchanges: ["fake", "version"], version: "4", fake: Fake };
}

async function stage(load: LoadCcxt, exchange = "kraken", url?: string) {
  const server = await startFeedServer();
  closing.push(() => server.close());
  let isDown = false;
  server.answer = (request, response) => {
    const path = request.url ?? "";
    const result = path.includes("/Assets")
      ? ASSETS
      : path.includes("/AssetPairs")
        ? PAIRS
        : { ZGBPZUSD: sides("1.31000", "1.31020"), USDCUSD: sides("0.99990", "1.00010") };
    response.writeHead(isDown ? 503 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: [], result }));
  };
  const time = handTime(Date.UTC(2026, 10, 13, 12));
  const quotes: QuoteEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const symbols = new Set(["GBP/USD", "USDC/USD"] as PairSymbol[]);
  const source = { name: "other", url: url ?? `http://127.0.0.1:${server.port}`, symbols, exchange };
  const subscription = ccxtFeed(source, {
    ...time,
    random: createRandom(5),
    load,
    onTrouble: (_, reason) => troubles.push(reason),
  }).subscribe((quote) => quotes.push(quote));
  closing.push(() => subscription.unsubscribe());
  const fall = (): void => {
    isDown = true;
  };
  return { server, time, quotes, troubles, fall };
}

/** Where .ci/run puts it: beside pegbot it would be gone with the next `npm ci`. */
const ASIDE = resolve(".ci", "optional", "node_modules", "ccxt", "js", "ccxt.js");

async function found(): Promise<Ccxt | undefined> {
  // The test runner puts a module of its own in the place of an optional peer that is not there, which throws otherwise.
  const beside = await loadCcxt().catch(() => undefined);
  if (beside !== undefined || !existsSync(ASIDE)) return beside;
  return ((await import(pathToFileURL(ASIDE).href)) as { readonly default: Ccxt }).default;
}

async function needsCcxt({ skip }: TestContext): Promise<void> {
  if ((await found()) !== undefined) return;
  const reason = "needs the package ccxt, not installed here: npm install --prefix .ci/optional --no-save ccxt@4";
  if (process.env.CI === "true") throw new Error(`${reason}: with CI=true that is a failure`);
  process.stderr.write(`skipped: ${reason}\n`);
  skip(reason);
}

describe("a feed over ccxt", () => {
  it("gives the tickers of an exchange, and says when it no longer answers", async (context) => {
    await needsCcxt(context);
    const { server, time, quotes, troubles, fall } = await stage(found);
    await untilItHolds(() => expect(quotes).toHaveLength(2));
    expect(quotes.find(({ symbol }) => symbol === "GBP/USD")).toMatchObject({
      source: "other",
      bid: 1.31,
      ask: 1.3102,
    });
    expect(quotes.find(({ symbol }) => symbol === "USDC/USD")).toMatchObject({ bid: 0.9999, ask: 1.0001 });
    expect(server.asked.some((path) => path.includes("Ticker"))).toBe(true);
    expect(troubles).toEqual([]);
    fall();
    await time.pass(2_000);
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain("503");
    expect(quotes).toHaveLength(2);
  });

  it("of an exchange that ccxt does not know says so", async (context) => {
    await needsCcxt(context);
    const { troubles } = await stage(found, "nosuchexchange");
    await untilItHolds(() => expect(troubles).toEqual(["ccxt knows no exchange nosuchexchange"]));
  });

  it("hears of an exchange what is wanted, with its own time and sizes, wherever its addresses lie", async () => {
    const made: FakeExchange[] = [];
    const { quotes, troubles } = await stage(async () => fakeCcxt(made, { fetchTickers: true }), "fake");
    await untilItHolds(() => expect(quotes).toHaveLength(2));
    const none = { at: undefined, bidSize: undefined };
    expect(quotes).toMatchObject([
      { source: "other", symbol: "GBP/USD", bid: 1.31, ask: 1.3102, at: 1_700_000_000_000, bidSize: 5, askSize: 7 },
      { source: "other", symbol: "USDC/USD", bid: 0.9999, ask: 1.0001, ...none },
    ]);
    expect([made.length, made[0]?.asked, made[0]?.settings, troubles]).toEqual([
      1,
      [["GBP/USD", "USDC/USD"]],
      { enableRateLimit: true },
      [],
    ]);
    const host = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
    expect(made[0]?.urls.api).toEqual({ public: { rest: host }, plain: host });
  });

  it("says what to install where ccxt is not, and goes on trying", async () => {
    const { quotes, troubles, time } = await stage(async () => undefined);
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles).toEqual(["the package ccxt is not installed beside pegbot: npm install --no-save ccxt@4.5.84"]);
    await time.pass(60_000);
    expect([quotes, troubles.length]).toEqual([[], 1]);
  });
});
