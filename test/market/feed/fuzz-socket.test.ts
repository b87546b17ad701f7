// Damaged messages and frames on the WebSocket of a price feed. Whatever arrives: no error escapes, the feed dials again, and no
// price, size or time comes out that was not in what was sent on that line.

import { expect, onTestFinished, test } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import type { Random } from "../../../src/domain/random.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { krakenSocket } from "../../../src/market/feed/kraken-socket.ts";
import { dialWebSocket } from "../../../src/market/web-socket.ts";
import { mutated } from "../../support/answer-mutation.ts";
import { frameOf, startFeedServer } from "../../support/feed-server.ts";
import { damagedBytes, fuzz, oneOf } from "../../support/fuzz.ts";
import { until } from "../../support/program.ts";

const NOW = Date.UTC(2026, 10, 13, 12);
const SYMBOLS = new Set(["GBP/USD", "USD/CHF"] as PairSymbol[]);
const row = {
  symbol: "GBP/USD",
  bid: 1.3101,
  bid_qty: 12_500.5,
  ask: 1.3103,
  ask_qty: 800,
  timestamp: "2026-11-13T11:59:59.9Z",
};
const MESSAGES: readonly object[] = [
  { channel: "ticker", type: "snapshot", data: [row] },
  { channel: "ticker", type: "update", data: [row, { ...row, symbol: "USD/CHF", bid: 0.8, ask: 0.8001 }] },
  { channel: "status", type: "update", data: [{ api_version: "v2", system: "online" }] },
  { channel: "heartbeat" },
  { method: "subscribe", req_id: 1, success: true, result: { channel: "ticker", symbol: "GBP/USD" } },
];

type Sent = { readonly text: string; readonly bytes: Buffer };

function damaged(random: Random): Sent {
  const good = oneOf(MESSAGES, random);
  const text = random.next() < 0.2 ? JSON.stringify(good) : mutated(good, random);
  const payload = Buffer.from(text);
  const whole = frameOf(1, payload);
  const at = random.integer(0, payload.length);
  const begun = frameOf(1, payload.subarray(0, at));
  begun[0] = 0x01;
  const forms: readonly Buffer[] = [
    whole,
    whole,
    whole,
    Buffer.concat([begun, frameOf(0, payload.subarray(at))]),
    Buffer.concat([begun, frameOf(9, Buffer.from("ping")), frameOf(0, payload.subarray(at))]),
    frameOf(random.integer(0, 15), payload),
    frameOf(1, Buffer.concat([payload, Buffer.from([0xff, 0xfe])])),
    frameOf(8, damagedBytes(payload.subarray(0, 100), random)),
    Buffer.concat([Buffer.from([0x81, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), payload]),
    damagedBytes(whole, random),
  ];
  return { text, bytes: oneOf(forms, random) };
}

/** Numbers and texts in what was sent. A quote in the header of a frame turns inside and outside around: each is read both ways. */
function saidIn(sent: readonly string[]): {
  readonly numbers: ReadonlySet<number>;
  readonly times: ReadonlySet<number>;
} {
  const texts = sent
    .flatMap((one) => [one, `"${one}`])
    .flatMap((one) => [...one.matchAll(/"((?:[^"\\]|\\.)*)"|-?[0-9][-+.0-9eE]*/g)])
    .map(([all, inner]) => inner ?? all)
    .filter((one) => one.trim() !== "");
  return { numbers: new Set(texts.map(Number)), times: new Set(texts.map((one) => Date.parse(one))) };
}

test("damaged messages and frames: no error escapes, no price is invented, and the feed dials again", async () => {
  const { seed, count, random } = fuzz("fuzz-socket", 150);
  const server = await startFeedServer();
  onTestFinished(() => server.close());
  let now = NOW;
  let quotes: QuoteEvent[] = [];
  const source = { name: "kraken", url: `ws://127.0.0.1:${server.port}/v2`, symbols: SYMBOLS };
  const parts = {
    clock: { now: () => millis(now), monotonic: () => mono(now - NOW) },
    timers: {
      /** Rests are over at once; no line here is silent for so long. */
      after(ms: number, run: () => void) {
        const timer = setTimeout(run, ms === 10_000 ? ms * 100 : 0);
        return () => clearTimeout(timer);
      },
    },
    random,
    dial: dialWebSocket,
  };
  const subscription = krakenSocket(source, parts).subscribe((quote) => quotes.push(quote));
  onTestFinished(() => subscription.unsubscribe());
  let prices = 0;
  let unread = 0;
  for (let i = 0; i < count; i++) {
    await until(() => (server.lines[i]?.said.length ?? 0) > 0, `line ${i} of seed ${seed}`, undefined, 1);
    const sent = Array.from({ length: random.integer(1, 4) }, () => damaged(random));
    quotes = [];
    now += 2_000;
    for (const { bytes } of sent) server.lines[i]?.raw(bytes);
    server.lines[i]?.close(1000, "next");
    await until(() => server.lines.length > i + 1, `line ${i + 1} of seed ${seed}`, undefined, 1);
    const { numbers, times } = saidIn(sent.flatMap(({ text, bytes }) => [text, bytes.toString("latin1")]));
    for (const quote of quotes) {
      const { symbol, bid, ask, bidSize, askSize, at, source: by } = quote;
      const isKnown = [bid, ask, bidSize ?? Number.NaN, askSize ?? Number.NaN].every(
        (one) => Number.isNaN(one) || numbers.has(one),
      );
      if (!(isKnown && SYMBOLS.has(symbol) && by === "kraken" && (at === undefined || times.has(at))))
        throw new Error(
          `seed ${seed}, line ${i}: ${JSON.stringify(quote)} was not in ${sent.map(({ text }) => text).join("\n")}`,
        );
      if (Number.isNaN(bid) || Number.isNaN(ask)) unread++;
      else prices++;
    }
  }
  process.stdout.write(`fuzz-socket: ${count} lines, ${prices} prices read, ${unread} unreadable\n`);
  // Damage that nothing survives, or that nothing notices, would prove nothing.
  expect(Math.min(prices, unread)).toBeGreaterThan(0);
});
