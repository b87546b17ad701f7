// Kraken's WebSocket, version 2, spoken by a server on loopback in its documented format: through every way in which a line
// can fail.

import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { krakenSocket } from "../../../src/market/feed/kraken-socket.ts";
import type { Dial, LineEnds } from "../../../src/market/feed/streamed.ts";
import { dialWebSocket } from "../../../src/market/web-socket.ts";
import { selfSigned } from "../../support/certificate.ts";
import { type FeedServer, frameOf, type ServerLine, startFeedServer } from "../../support/feed-server.ts";
import { handTime } from "../../support/hand-time.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";

const NOW = Date.UTC(2026, 10, 13, 12);
const GBP = "GBP/USD" as PairSymbol;
const STATUS = `{"channel":"status","data":[{"api_version":"v2","connection_id":10393516594186046078,"system":"online","version":"2.0.9"}],"type":"update"}`;
const HEARTBEAT = `{"channel":"heartbeat"}`;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function ack(symbol: string): string {
  return `{"method":"subscribe","req_id":1,"result":{"channel":"ticker","event_trigger":"bbo","snapshot":true,"symbol":"${symbol}"},"success":true,"time_in":"2026-11-13T12:00:00.120000Z","time_out":"2026-11-13T12:00:00.120100Z"}`;
}

function ticker(bid: unknown, ask: unknown, { type = "update", symbol = "GBP/USD", more = "" } = {}): string {
  const numbers = `"bid":${JSON.stringify(bid)},"bid_qty":12500.5,"ask":${JSON.stringify(ask)},"ask_qty":800.0`;
  return `{"channel":"ticker","type":"${type}","data":[{"symbol":"${symbol}",${numbers},"last":1.31,"volume":997038.98,"vwap":1.3105,"low":1.3,"high":1.32,"change":-0.0001,"change_pct":-0.01${more}}]}`;
}

async function stage(symbols: readonly string[] = ["GBP/USD", "USD/CHF"], certificate?: ReturnType<typeof selfSigned>) {
  const server = await startFeedServer(certificate);
  closing.push(() => server.close());
  const time = handTime(NOW);
  const quotes: QuoteEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const source = {
    name: "kraken",
    url: `${certificate === undefined ? "ws" : "wss"}://127.0.0.1:${server.port}/v2`,
    symbols: new Set(symbols as PairSymbol[]),
  };
  const subscription = krakenSocket(source, {
    ...time,
    random: createRandom(11),
    dial: dialWebSocket,
    onTrouble: (_, reason) => troubles.push(reason),
  }).subscribe((quote) => quotes.push(quote));
  closing.push(() => subscription.unsubscribe());
  return { server, time, quotes, troubles, subscription };
}

async function lineAt({ lines }: FeedServer, place: number): Promise<ServerLine> {
  await untilItHolds(() => expect(lines.length).toBeGreaterThan(place));
  return lines[place] as ServerLine;
}

async function opened(parts: Awaited<ReturnType<typeof stage>>, place = 0): Promise<ServerLine> {
  const line = await lineAt(parts.server, place);
  await untilItHolds(() => expect(line.said).toHaveLength(1));
  for (const text of [STATUS, ack("GBP/USD"), ack("USD/CHF")]) line.send(text);
  return line;
}

describe("Kraken's WebSocket", () => {
  it("is subscribed to once for all pairs, and its snapshot and updates become quotes with its time and ours", async () => {
    const parts = await stage();
    const line = await opened(parts);
    expect(JSON.parse(line.said[0] as string)).toEqual({
      method: "subscribe",
      params: { channel: "ticker", symbol: ["GBP/USD", "USD/CHF"], event_trigger: "bbo", snapshot: true },
      req_id: 1,
    });
    line.send(ticker(1.3101, 1.3103, { type: "snapshot", more: `,"timestamp":"2026-11-13T11:59:59.900000Z"` }));
    line.send(ticker(0.8, 0.8001, { type: "snapshot", symbol: "USD/CHF" }));
    line.send(ticker(1, 2, { symbol: "EUR/USD" }));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(2));
    const common = { kind: "quote", source: "kraken", bidSize: 12_500.5, askSize: 800, receivedAt: NOW };
    expect(parts.quotes).toEqual([
      { ...common, symbol: "GBP/USD", bid: 1.3101, ask: 1.3103, at: NOW - 100 },
      { ...common, symbol: "USD/CHF", bid: 0.8, ask: 0.8001, at: undefined },
    ]);
    expect(parts.troubles).toEqual([]);
  });

  it("tells standing prices again while the line lives, and no longer when it does not", async () => {
    const parts = await stage();
    const { time, quotes } = parts;
    const line = await opened(parts);
    line.send(ticker(1.31, 1.32, { more: `,"timestamp":"2026-11-13T11:59:59.900000Z"` }));
    await untilItHolds(() => expect(quotes).toHaveLength(1));
    for (let second = 1; second <= 3; second++) {
      await time.pass(1_000);
      // Once a second, however much it says meanwhile.
      line.send(HEARTBEAT);
      line.send(HEARTBEAT);
      await untilItHolds(() => expect(quotes).toHaveLength(1 + second));
    }
    expect(quotes.map(({ at }) => at)).toEqual([NOW - 100, undefined, undefined, undefined]);
    expect(quotes.at(-1)).toMatchObject({ bid: 1.31, receivedAt: NOW + 3_000 });
    line.cut();
    await untilItHolds(() => expect(parts.troubles).toHaveLength(1));
    await time.pass(1_000);
    const again = await opened(parts, 1);
    again.send(HEARTBEAT);
    again.send(ticker(0.8, 0.81, { symbol: "USD/CHF" }));
    await untilItHolds(() => expect(quotes.at(-1)).toMatchObject({ symbol: "USD/CHF" }));
    expect(quotes.filter(({ symbol }) => symbol === GBP)).toHaveLength(4);
  });

  it("R01: does not tell a price again that was old when it came, however alive the line", async () => {
    const parts = await stage();
    const { time, quotes } = parts;
    const line = await opened(parts);
    line.send(ticker(0.8, 0.81, { symbol: "USD/CHF", more: `,"timestamp":"2026-11-13T11:59:59.000000Z"` }));
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(quotes).toHaveLength(2));
    await time.pass(1_000);
    // Old, after one that stood.
    line.send(ticker(1.33, 1.34, { type: "snapshot", more: `,"timestamp":"2026-11-13T11:00:00.000000Z"` }));
    await untilItHolds(() => expect(quotes).toHaveLength(4));
    for (let second = 1; second <= 3; second++) {
      await time.pass(1_000);
      line.send(HEARTBEAT);
      await untilItHolds(() => expect(quotes).toHaveLength(4 + second));
    }
    expect(quotes.filter(({ symbol }) => symbol === GBP).map(({ bid, at }) => [bid, at])).toEqual([
      [1.31, undefined],
      [1.33, NOW - 3_600_000],
    ]);
  });

  it("is dialled again after a growing rest with jitter, and says once what was wrong", async () => {
    const parts = await stage();
    const { server, time, troubles } = parts;
    const rests: number[] = [];
    for (let i = 0; i < 9; i++) {
      const line = await lineAt(server, i);
      line.cut();
      await untilItHolds(() => expect(time.waiting().some((ms) => ms !== 10_000 && ms !== 100)).toBe(true));
      rests.push(time.waiting()[0] as number);
      await time.pass(rests.at(-1) as number);
    }
    for (const [i, rest] of rests.entries()) expect(rest).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** i));
    expect(new Set(rests).size).toBe(9);
    expect(Math.max(...rests)).toBeGreaterThan(8_000);
    expect(troubles).toHaveLength(1);
    const line = await opened(parts, 9);
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(troubles).toHaveLength(2));
    expect(troubles[1]).toBe(undefined);
    for (let i = 0; i < 2; i++) {
      await time.pass(5_000);
      line.send(ticker(1.31, 1.32 + i / 1e3));
      await untilItHolds(() => expect(parts.quotes).toHaveLength(2 + i));
    }
    line.cut();
    await untilItHolds(() => expect(troubles).toHaveLength(3));
    // A line that has stood for ten seconds, and it is as patient as at first.
    expect(time.waiting()).toHaveLength(2);
    expect(Math.max(...time.waiting())).toBeLessThanOrEqual(500);
  });

  it("that says one price and ends, again and again, is dialled ever more slowly", async () => {
    const parts = await stage();
    const { time, troubles } = parts;
    let rested = 0;
    for (let i = 0; i < 9; i++) {
      const line = await opened(parts, i);
      line.send(ticker(1.31, 1.32));
      await untilItHolds(() => expect(troubles).toHaveLength(2 * i));
      line.cut();
      await untilItHolds(() => expect(troubles).toHaveLength(2 * i + 1));
      const rest = Math.max(...time.waiting());
      rested = Math.max(rested, rest);
      await time.pass(rest);
    }
    expect(rested).toBeGreaterThan(8_000);
  });

  it("that lives and tells no price is not well again, and is dialled ever more slowly", async () => {
    const time = handTime(NOW);
    const troubles: (string | undefined)[] = [];
    const lines: LineEnds[] = [];
    const dial: Dial = (_, ends) => {
      lines.push(ends);
      return { send: () => undefined, close: () => undefined };
    };
    const source = { name: "kraken", url: "wss://feed.example/v2", symbols: new Set([GBP]) };
    const onTrouble = (_: string, reason: string | undefined) => void troubles.push(reason);
    const parts = { ...time, random: createRandom(11), dial, onTrouble };
    const subscription = krakenSocket(source, parts).subscribe();
    closing.push(() => subscription.unsubscribe());
    let rested = 0;
    for (let i = 0; i < 9; i++) {
      const line = lines[i] as LineEnds;
      line.opened();
      for (let beat = 0; beat < 3; beat++) {
        line.heard(HEARTBEAT);
        await time.pass(5_000);
      }
      line.ended("gone");
      const [rest = 0] = time.waiting();
      rested = Math.max(rested, rest);
      await time.pass(rest);
    }
    expect(rested).toBeGreaterThan(8_000);
    expect(troubles).toEqual(["gone"]);
  });

  it.each([
    ["before it answers", false],
    ["after prices have come: half-open", true],
  ])("that goes silent %s is given up after 10 s and dialled again", async (_, hasSpoken) => {
    const parts = await stage();
    const { time, troubles } = parts;
    const line = await lineAt(parts.server, 0);
    await untilItHolds(() => expect(line.said).toHaveLength(1));
    if (hasSpoken) {
      line.send(ticker(1.31, 1.32));
      await untilItHolds(() => expect(parts.quotes).toHaveLength(1));
    }
    await time.pass(9_999);
    expect(troubles).toEqual([]);
    await time.pass(1);
    expect(troubles).toEqual(["nothing was heard for 10000 ms"]);
    await untilItHolds(() => expect(line.isCut).toBe(true));
    await time.pass(1_000);
    await opened(parts, 1);
  });

  it.each([
    ["text that is no JSON", "1.31,1.32"],
    ["a list", "[1,2,3]"],
    ["a ticker without data", `{"channel":"ticker","type":"update"}`],
    ["a ticker with another type", `{"channel":"ticker","type":"news","data":[]}`],
    ["nothing", ""],
  ])("that talks nonsense (%s) is heard out twice and given up at the third time", async (_, nonsense) => {
    const parts = await stage();
    const line = await opened(parts);
    line.send(nonsense);
    line.send(nonsense);
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(1));
    // One that makes sense in between, and it is heard out anew.
    line.send(nonsense);
    line.send(nonsense);
    line.send(ticker(0.8, 0.81, { symbol: "USD/CHF" }));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(2));
    for (let i = 0; i < 3; i++) line.send(nonsense);
    await untilItHolds(() => expect(parts.troubles).toEqual(["3 messages in a row were not understood"]));
    await parts.time.pass(1_000);
    // So is the next line.
    const again = await lineAt(parts.server, 1);
    again.send(nonsense);
    again.send(nonsense);
    again.send(ticker(1.32, 1.33));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(3));
    expect(parts.troubles).toHaveLength(2);
  });

  it.each([
    ["a frame that is none", Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ["a message of two megabytes", frameOf(1, Buffer.alloc(2 * 1024 * 1024, "x"))],
  ])("that sends %s is given up", async (_, bytes) => {
    const parts = await stage();
    const line = await opened(parts);
    line.raw(bytes);
    await untilItHolds(() => expect(parts.troubles).toHaveLength(1));
    expect(parts.quotes).toEqual([]);
    await parts.time.pass(1_000);
    await opened(parts, 1);
  });

  it("that is closed with a reason passes it on, made printable", async () => {
    const parts = await stage();
    const line = await opened(parts);
    line.close(1013, "try later\u0007");
    await untilItHolds(() => expect(parts.troubles).toHaveLength(1));
    expect(parts.troubles[0]).toBe("the line was closed: try later\\x07 (1013)");
  });

  it("says what it is refused, and goes on with the other pairs", async () => {
    const parts = await stage();
    const line = await lineAt(parts.server, 0);
    line.send(
      `{"error":"Currency pair not supported USD/CHF","method":"subscribe","req_id":1,"success":false,"symbol":"USD/CHF","time_in":"2026-11-13T12:00:00.1Z","time_out":"2026-11-13T12:00:00.2Z"}`,
    );
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(1));
    expect(parts.troubles).toEqual(["it refuses subscribe: Currency pair not supported USD/CHF"]);
  });

  it("says when its system is not online, tells no price meanwhile, and says when it is again", async () => {
    const parts = await stage();
    const line = await opened(parts);
    line.send(ticker(1.3, 1.32));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(1));
    line.send(STATUS.replace("online", "maintenance"));
    await untilItHolds(() => expect(parts.troubles).toEqual(["its system is maintenance"]));
    await parts.time.pass(2_000);
    line.send(HEARTBEAT);
    line.send(ticker(1.305, 1.32));
    line.send(STATUS);
    line.send(HEARTBEAT);
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(parts.troubles).toEqual(["its system is maintenance", undefined]));
    expect(parts.quotes.map(({ bid }) => bid)).toEqual([1.3, 1.31]);
  });

  it.each([
    [0, 1.32, "zero"],
    [-1.31, 1.32, "negative"],
    [null, 1.32, "not a number"],
    ["1,31", "1,32", "a comma for a point"],
    ["NaN", "NaN", "not a number"],
    [1.33, 1.32, "crossed"],
  ])("names what is wrong with the price %s to %s: %s", async (bid, ask, name) => {
    const parts = await stage();
    const line = await opened(parts);
    line.send(ticker(bid, ask));
    await untilItHolds(() => expect(parts.troubles).toHaveLength(1));
    expect(parts.troubles[0]).toContain(`GBP/USD is ${name}: bid ${bid}`);
  });

  it("R09: of 10,000 prices at once passes on the first and the last", async () => {
    const parts = await stage();
    const { time, quotes } = parts;
    const line = await opened(parts);
    for (let i = 1; i <= 10_000; i++) line.send(ticker(1 + i / 1e5, 1.2));
    line.send(ticker(0.8, 0.81, { symbol: "USD/CHF" }));
    await untilItHolds(() => expect(quotes.map(({ symbol }) => symbol)).toContain("USD/CHF"));
    expect(quotes).toHaveLength(2);
    await time.pass(100);
    expect(quotes).toHaveLength(3);
    expect(quotes.at(-1)).toMatchObject({ symbol: "GBP/USD", bid: 1.1 });
    expect(time.waiting().length).toBeLessThanOrEqual(2);
  });

  it("R09: of 10,000 prices at once that are all wrong says a few, and that it is well again", async () => {
    const parts = await stage();
    const line = await opened(parts);
    for (let i = 1; i <= 10_000; i++) line.send(i % 2 === 0 ? ticker(1.2, 1.3) : ticker(1.3 + i / 1e5, 1.2));
    line.send(ticker(0.8, 0.81, { symbol: "USD/CHF" }));
    await untilItHolds(() => expect(parts.quotes.map(({ symbol }) => symbol)).toContain("USD/CHF"));
    expect(parts.troubles.length).toBeLessThanOrEqual(4);
    await parts.time.pass(1_000);
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(parts.quotes.map(({ bid }) => bid)).toContain(1.31));
    expect(parts.troubles.at(-1)).toBe(undefined);
  });

  it("R10: is not heard from a host whose certificate nobody vouches for, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const day = 86_400_000;
    const certificate = selfSigned({
      names: ["127.0.0.1"],
      from: new Date(Date.now() - day),
      to: new Date(Date.now() + day),
    });
    const parts = await stage(["GBP/USD"], certificate);
    await untilItHolds(() => expect(parts.troubles).toHaveLength(1));
    expect(parts.troubles[0]).toMatch(/self-signed certificate/);
    expect([parts.server.lines, parts.quotes]).toEqual([[], []]);
  });

  it("is not dialled without TLS anywhere but on this machine", () => {
    const ends = { opened: () => undefined, heard: () => undefined, ended: () => undefined };
    expect(() => dialWebSocket("ws://feed.example/v2", ends)).toThrow(
      "must be dialled over wss, was ws://feed.example",
    );
  });

  it("leaves no timer and no line behind when nobody listens any more", async () => {
    const parts = await stage();
    const line = await opened(parts);
    line.send(ticker(1.31, 1.32));
    await untilItHolds(() => expect(parts.quotes).toHaveLength(1));
    parts.subscription.unsubscribe();
    expect(parts.time.waiting()).toEqual([]);
    await untilItHolds(() => expect(line.isCut).toBe(true));
  });
});
