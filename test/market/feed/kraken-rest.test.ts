// Kraken's ticker over HTTP, served from loopback in its documented format, good and bad.

import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { withDerived } from "../../../src/market/feed/derived.ts";
import { krakenRest } from "../../../src/market/feed/kraken-rest.ts";
import { createHttpText } from "../../../src/market/http-text.ts";
import { selfSigned } from "../../support/certificate.ts";
import { type FeedAnswer, startFeedServer } from "../../support/feed-server.ts";
import { handTime } from "../../support/hand-time.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";

const NOW = Date.UTC(2026, 10, 13, 12);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Sides = readonly [bid: unknown, ask: unknown];

function body(rows: Readonly<Record<string, Sides>>, error: readonly string[] = []): string {
  const result = Object.entries(rows).map(([name, [bid, ask]]) => [
    name,
    {
      a: [ask, "1", "1.250"],
      b: [bid, "3000", "3000.500"],
      c: ["1.31", "0.00067643"],
      v: ["4083.67001100", "4412.73601799"],
      p: ["1.31", "1.31"],
      t: [34_619, 38_907],
      l: ["1.30", "1.30"],
      h: ["1.32", "1.32"],
      o: "1.31",
    },
  ]);
  return JSON.stringify({ error, result: Object.fromEntries(result) });
}

const json =
  (text: string, status = 200): FeedAnswer =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(text);

async function stage(
  answer: FeedAnswer,
  symbols: readonly string[] = ["GBP/USD"],
  certificate?: ReturnType<typeof selfSigned>,
) {
  const server = await startFeedServer(certificate);
  closing.push(() => server.close());
  server.answer = answer;
  const time = handTime(NOW);
  const http = createHttpText();
  closing.push(http.close);
  const quotes: QuoteEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const wanted = new Set(symbols as PairSymbol[]);
  const scheme = certificate === undefined ? "http" : "https";
  const source = { name: "kraken", url: `${scheme}://127.0.0.1:${server.port}/0/public/Ticker`, symbols: wanted };
  const feed$ = krakenRest(source, {
    ...time,
    random: createRandom(5),
    read: http.read,
    onTrouble: (_, reason) => troubles.push(reason),
  });
  const subscription = withDerived(feed$, wanted, ["GBP/CHF" as PairSymbol]).subscribe((quote) => quotes.push(quote));
  closing.push(() => subscription.unsubscribe());
  return { server, time, quotes, troubles };
}

const GOOD = body({ ZGBPZUSD: ["1.31000", "1.31020"] });

describe("Kraken's ticker", () => {
  it("is asked by its own names, and answers under names of its own", async () => {
    const symbols = ["GBP/USD", "USD/CHF", "USDC/USD", "BTC/USD", "ETH/USD", "EUR/GBP", "BTC/CHF"];
    const answer = body({
      ZGBPZUSD: ["1.31000", "1.31020"],
      USDCHF: ["0.80000", "0.80010"],
      USDCUSD: ["0.9999", "1.0001"],
      XXBTZUSD: ["30300.00000", "30300.10000"],
      XETHZUSD: ["1800.5", "1800.6"],
      EURGBP: ["0.86", "0.8601"],
      XBTCHF: ["24240.0", "24290.0"],
      SOMEUSD: ["1", "2"],
    });
    const { server, quotes, troubles } = await stage(json(answer), symbols);
    await untilItHolds(() => expect(quotes.filter(({ symbol }) => symbol !== "GBP/CHF")).toHaveLength(7));
    expect(decodeURIComponent(server.asked[0] as string)).toBe(
      "/0/public/Ticker?pair=GBPUSD,USDCHF,USDCUSD,XBTUSD,ETHUSD,EURGBP,XBTCHF",
    );
    const bids = Object.fromEntries(quotes.map(({ symbol, bid }) => [symbol, bid]));
    expect(bids).toMatchObject({
      "GBP/USD": 1.31,
      "USD/CHF": 0.8,
      "USDC/USD": 0.9999,
      "BTC/USD": 30_300,
      "BTC/CHF": 24_240,
    });
    expect(quotes[0]).toEqual({
      kind: "quote",
      symbol: "GBP/USD",
      bid: 1.31,
      ask: 1.3102,
      bidSize: 3_000.5,
      askSize: 1.25,
      source: "kraken",
      at: undefined,
      receivedAt: NOW,
    });
    // 1.31 * 0.8 and 1.3102 * 0.8001
    const cross = quotes.findLast(({ symbol }) => symbol === "GBP/CHF");
    expect(cross?.bid).toBeCloseTo(1.048, 12);
    expect(cross?.ask).toBeCloseTo(1.04829102, 12);
    expect(troubles).toEqual([]);
  });

  it.each<[string, FeedAnswer, string]>([
    ["an error of its own", json(`{"error":["EGeneral:Too many requests"]}`), "it answered EGeneral:Too many requests"],
    ["status 429", json(GOOD, 429), "status 429"],
    ["a page", json("<html></html>"), "not JSON"],
    ["another shape", json(`{"error":[],"result":{"ZGBPZUSD":{"a":"1.31"}}}`), "no ticker"],
    ["an answer without the pair", json(body({ XXBTZUSD: ["1", "2"] })), "it has no GBP/USD"],
    [
      "a redirect",
      (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      "status 302",
    ],
    ["a cut answer", cut, ""],
  ])("that answers with %s gives no price and a reason", async (_, answer, reason) => {
    const { quotes, troubles } = await stage(answer);
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain(reason);
    expect(quotes).toEqual([]);
  });

  it.each([
    ["0", "1.32", "zero"],
    ["-1.31", "1.32", "negative"],
    ["1,31", "1,32", "a comma for a point"],
    ["NaN", "1.32", "not a number"],
    ["1.33", "1.32", "crossed"],
  ])("names what is wrong with the price %s to %s: %s", async (bid, ask, name) => {
    const { troubles } = await stage(json(body({ ZGBPZUSD: [bid, ask] })));
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain(`GBP/USD is ${name}: bid ${bid}, ask ${ask}`);
  });

  it("R10: is not believed from a host whose certificate nobody vouches for, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const day = 86_400_000;
    const [from, to] = [new Date(Date.now() - day), new Date(Date.now() + day)];
    const { quotes, troubles, server } = await stage(
      json(GOOD),
      ["GBP/USD"],
      selfSigned({ names: ["127.0.0.1"], from, to }),
    );
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toMatch(/self-signed certificate/);
    expect([server.asked, quotes]).toEqual([[], []]);
  });

  it("is not asked without TLS anywhere but on this machine", async () => {
    const http = createHttpText();
    closing.push(http.close);
    const never = new AbortController().signal;
    await expect(http.read("http://feed.example/0/public/Ticker", never)).rejects.toThrow("over https");
  });
});

function cut(_: unknown, response: ServerResponse): void {
  response.writeHead(200, { "content-length": "1000" });
  response.write(GOOD.slice(0, 20));
  response.socket?.destroy();
}
