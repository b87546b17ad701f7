// Every way in which a connection or an answer can go wrong, on real sockets, each named after its row: a read fails, a
// request that moves money is never definite, nothing is sent twice, and every slot ends once.

import { describe, expect, test } from "vitest";
import type { Outcome, Reading } from "../../src/exchange/port.ts";
import { type JsonLimits, jsonLimits, listLimits } from "../../src/exchange/wire/json.ts";
import { always, faultServer, head, type Line, type Script } from "../support/fault-server.ts";
import {
  codeOf,
  filledEnvelope,
  filledOrder,
  order,
  pause,
  paying,
  playing,
  rail,
  reading,
  type Wired,
  type WireOptions,
} from "../support/wire.ts";

type Call = (exchange: Wired["exchange"]) => Promise<Reading<unknown> | Outcome<unknown>>;

/** All others are one of these with another path and another schema. */
const CALLS: Readonly<Record<string, Call>> = {
  accountBalance: (exchange) => exchange.balances(reading),
  addOrder: (exchange) => exchange.addOrder(order, paying()),
  addPaymentRail: (exchange) => exchange.addPaymentRail(rail, paying()),
};

/** After a whole request has arrived. */
const then =
  (act: (line: Line) => void | Promise<void>): Script =>
  async (line) => {
    await line.request();
    await act(line);
  };

const after =
  (bytes: number): Script =>
  async (line) => {
    await line.bytes(bytes);
    line.reset();
  };

const says = (status: number, body: string | Uint8Array, headers = {}): Script =>
  always((line) => line.answer(status, body, headers));
const raw = (text: string): Script => then((line) => line.raw(text));
const ends = (text: string): Script => then((line) => void line.socket.end(text));

const good = JSON.stringify(filledEnvelope);
const page = "<!doctype html><title>100.5 CHF</title>";
const short: WireOptions = { firstByteMsMax: 60, answerMsMax: 90 };
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** What happens, and our code for it. */
const FAULTS: readonly (readonly [name: string, code: string, script: Script, options?: WireOptions])[] = [
  ["N06 reset after the first byte", "reset", after(1)],
  ["N06 reset after the headers", "reset", after(200)],
  ["N07 reset after the request", "reset", then((line) => line.reset())],
  ["N07 close after the request", "reset", ends("")],
  ["N08 silence", "timeout", then(() => {}), short],
  ["N09 half a status line, then silence", "timeout", raw("HTTP/1.1 2"), short],
  ["N10 half a status line, then close", "reset", ends("HTTP/1.1 2")],
  ["N09 headers, then silence", "timeout", raw(head(200, 10)), short],
  ["N10 headers, then close", "cut-off", ends(head(200, 10))],
  ["N09 half a body, then silence", "timeout", raw(head(200, good.length) + good.slice(0, 40)), short],
  ["N10 half a body, then close", "cut-off", ends(head(200, good.length) + good.slice(0, 40))],
  [
    "N09 a drip of bytes",
    "timeout",
    then(async (line) => {
      line.raw(head(200, good.length));
      for (const letter of good) {
        if (line.socket.destroyed) return;
        line.raw(letter);
        await pause(4);
      }
    }),
    short,
  ],
  ["N09 a chunk that never ends", "timeout", raw(`${chunked}ff\r\n{`), short],
  ["a bad chunk size", "not-http", raw(`${chunked}zz\r\n{}\r\n`)],
  ["not HTTP at all", "not-http", raw("SSH-2.0-OpenSSH_9.2\r\n")],
  ["HTTP/0.9", "not-http", ends(good)],
  ["a header without an end", "too-large", raw(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)],
  [
    "two lengths",
    "reset",
    raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: ${good.length}\r\n\r\n${good}`),
  ],
  ["length and chunks", "reset", raw(`HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n`)],
  ["an upgrade", "reset", raw("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")],
  ["N16 a continue", "reset", raw("HTTP/1.1 100 Continue\r\n\r\n")],
  ["N16 early hints", "unexpected-status", raw("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["N16 no content", "unexpected-status", raw("HTTP/1.1 204 No Content\r\n\r\n")],
  ...[201, 202, 206, 418].map((status) => [`N16 status ${status}`, "unexpected-status", says(status, good)] as const),
  ["N17 two answers", "two-answers", raw(`${head(200, good.length)}${good}${head(200, good.length)}${good}`)],
  ["N11 truncated JSON", "not-json", says(200, '{"balances":[{"asset":"CHF"')],
  ["N11 an empty answer", "empty", says(200, "")],
  ["N12 a web page", "html", says(200, page, { "content-type": "text/html" })],
  ["N12 a web page that calls itself JSON", "html", says(200, page)],
  ["N12 a web page of a gateway", "venue-down", says(502, page, { "content-type": "text/html" })],
  ["N13 an answer that is too long by its own word", "too-large", raw(head(200, listLimits.bytes + 1))],
  ["N13 an answer that is too deep", "too-deep", says(200, "[".repeat(33) + "]".repeat(33))],
  ["N14 gzip", "encoded", says(200, good, { "content-encoding": "gzip" })],
  ["N14 another charset", "wrong-charset", says(200, good, { "content-type": "application/json; charset=iso-8859-1" })],
  ["N14 a byte order mark", "byte-order-mark", says(200, `\u{feff}${good}`)],
  ["N14 a zero byte", "nul", says(200, `{"balances":[]}\0`)],
  ["N14 bytes that are no UTF-8", "not-utf8", says(200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))],
  ["N14 a key twice", "duplicate-key", says(200, '{"result":"ok","result":"ok"}')],
  ["N14 half a surrogate pair", "lone-surrogate", says(200, '{"a":"\\ud800"}')],
  ["N18 the 401 of a second copy", "unauthorized", says(401, '{"code":"signature_failure","status":401}')],
];

describe.concurrent.each(FAULTS.map(([name, code, script, options = {}]) => ({ name, code, script, options })))(
  "$name: $code",
  ({ code, script, options }) => {
    test.each(Object.entries(CALLS))("%s", async (_name, call) => {
      await playing(script, options, async ({ venue, exchange, budget }) => {
        const outcome = await call(exchange);
        expect(["failed", "doubt"]).toContain(outcome.kind);
        expect(codeOf(outcome)).toBe(code);
        expect(outcome.kind === "doubt" && outcome.halt).toBe(outcome.kind === "doubt" && code === "two-answers");
        expect(budget.ends).toHaveLength(1);
        expect(venue.requests().length).toBeLessThanOrEqual(1);
        expect(venue.lines.filter((line) => line.received.length > 0).length).toBeLessThanOrEqual(1);
        exchange.close();
        for (const line of venue.lines) await line.closed;
      });
    });
  },
);

test("N13 an endless answer is not read to its end; where money moves the bound is 2 MB", async () => {
  const endless: Script = async (line) => {
    await line.request();
    line.raw(chunked);
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    for (let i = 0; i < 600 && !line.socket.destroyed; i++) {
      line.raw(chunk);
      await pause(1);
    }
  };
  await playing(endless, {}, async ({ exchange }) =>
    expect(codeOf(await exchange.balances(reading))).toBe("too-large"),
  );
  await playing(raw(head(200, jsonLimits.bytes + 1)), {}, async ({ exchange }) =>
    expect(await exchange.addOrder(order, paying())).toMatchObject({
      kind: "doubt",
      failure: { code: "too-large", message: expect.stringContaining("2000000") },
    }),
  );
});

test("N13 an answer with too many items is not read", async () => {
  const items = ({ items: count }: JsonLimits) => says(200, `[${"0,".repeat(count)}0]`);
  await playing(items(listLimits), {}, async ({ exchange }) =>
    expect(codeOf(await exchange.balances(reading))).toBe("too-many-items"),
  );
  await playing(items(jsonLimits), {}, async ({ exchange }) =>
    expect(codeOf(await exchange.addOrder(order, paying()))).toBe("too-many-items"),
  );
});

test("a history of twenty thousand orders in one answer is read: the interface knows no paging", async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ ...filledOrder, clordid: `T-${i}`, ordid: `${i}` }));
  await playing(says(200, JSON.stringify({ orders: rows })), {}, async ({ exchange }) => {
    const read = await exchange.orders(reading);
    expect(read.kind === "read" && read.value).toHaveLength(20_000);
  });
});

test("N15 a redirect is refused and not followed", async () => {
  const elsewhere = await faultServer(says(200, good));
  const location = new URL("private/addOrder", elsewhere.baseUrl).href;
  for (const status of [301, 302, 307, 308])
    await playing(says(status, good, { location }), {}, async ({ exchange }) => {
      expect(codeOf(await exchange.balances(reading))).toBe("redirect");
      expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "doubt", failure: { code: "redirect" } });
    });
  expect(elsewhere.lines).toHaveLength(0);
  await elsewhere.close();
});

test("N17 an answer that was there before the request is never this order's", async () => {
  const stale = { ...filledEnvelope, order: { ...filledOrder, clordid: "T-abcdefgh-0" } };
  await playing(
    (line) => line.json(200, stale),
    {},
    async ({ venue, exchange }) => {
      for (let i = 0; i < 20; i++) {
        const outcome = await exchange.addOrder(order, paying());
        if (outcome.kind === "not-sent") expect(venue.lines.at(-1)?.received).toHaveLength(0);
        else expect(outcome).toMatchObject({ kind: "doubt", halt: true });
      }
    },
  );
});

test("H20 H23 the budget hears of a rate limit, and of Retry-After of 429 and 503, in seconds or as a date", async () => {
  const date = "Sun, 15 Nov 2026 10:00:00 GMT";
  const endOf = async (status: number, retryAfter: string): Promise<unknown> => {
    let end: unknown;
    await playing(says(status, "", { date, "retry-after": retryAfter }), {}, async ({ exchange, budget }) => {
      expect((await exchange.addOrder(order, paying())).kind).toBe("doubt");
      [end] = budget.ends;
    });
    return end;
  };
  for (const [text, ms] of [
    ["3", 3_000],
    ["0", 0],
    ["31536000", 31_536_000_000],
    ["Sun, 15 Nov 2026 10:00:07 GMT", 7_000],
    ["Sun, 15 Nov 2026 09:00:00 GMT", undefined],
    ["soon", undefined],
    ["-5", undefined],
    ["1e9", undefined],
  ] as const) {
    const retryAfter = ms === undefined ? undefined : { ms, status: 503, call: "addOrder" };
    expect(await endOf(503, text), text).toMatchObject({ kind: "answered", rateLimited: false, retryAfter });
  }
  for (const status of [200, 301, 400, 401, 403, 404, 500, 502])
    expect(await endOf(status, "60"), String(status)).not.toMatchObject({ retryAfter: expect.anything() });
  expect(await endOf(429, "60")).toMatchObject({ rateLimited: true, retryAfter: { ms: 60_000 } });
});
