// Every call against every way a connection can go wrong: a read never reads, a request that moves money is never
// definite, nothing is sent twice, and every slot ends once.

import { describe, expect, test } from "vitest";
import type { Outcome, Reading } from "../../src/exchange/port.ts";
import { head, type Line, type Script } from "../support/fault-server.ts";
import {
  filledEnvelope,
  mint,
  order,
  pause,
  paying,
  playing,
  rail,
  reading,
  VCHF,
  type Wired,
  type WireOptions,
} from "../support/wire.ts";

type Call = (exchange: Wired["exchange"]) => Promise<Reading<unknown> | Outcome<unknown>>;

const calls: Readonly<Record<string, Call>> = {
  assets: (exchange) => exchange.assets(reading),
  tradingPairs: (exchange) => exchange.pairs(reading),
  quotes: (exchange) => exchange.quotes(reading),
  accountBalance: (exchange) => exchange.balances(reading),
  queryOrders: (exchange) => exchange.orders(reading),
  queryTrades: (exchange) => exchange.trades(reading),
  queryPaymentRails: (exchange) => exchange.rails(reading),
  queryPayments: (exchange) => exchange.payments(reading),
  querySupplyChanges: (exchange) => exchange.supplyChanges(VCHF, reading),
  withdrawAddresses: (exchange) => exchange.withdrawAddresses(reading),
  depositAddress: (exchange) => exchange.depositAddress(VCHF, "ETH", reading),
  addOrder: (exchange) => exchange.addOrder(order, paying()),
  mintTokens: (exchange) => exchange.mintTokens(mint, paying()),
  addPaymentRail: (exchange) => exchange.addPaymentRail(rail, paying()),
};

/** After a whole request has arrived. */
const then =
  (act: (line: Line) => void | Promise<void>): Script =>
  async (line) => {
    await line.request();
    await act(line);
  };

const good = JSON.stringify(filledEnvelope);
const short: WireOptions = { firstByteMsMax: 60, answerMsMax: 90 };

const scripts: Readonly<Record<string, readonly [Script, WireOptions?]>> = {
  "reset after the first byte": [
    async (line) => {
      await line.bytes(1);
      line.reset();
    },
  ],
  "reset after the headers": [
    async (line) => {
      await line.bytes(200);
      line.reset();
    },
  ],
  "reset after the request": [then((line) => line.reset())],
  "close after the request": [then((line) => void line.socket.end())],
  "close without reading": [(line) => void line.socket.end()],
  silence: [then(() => {}), short],
  "half a status line, then silence": [then((line) => line.raw("HTTP/1.1 2")), short],
  "half a status line, then close": [then((line) => void line.socket.end("HTTP/1.1 2"))],
  "headers, then silence": [then((line) => line.raw(head(200, 10))), short],
  "headers, then close": [then((line) => void line.socket.end(head(200, 10)))],
  "headers, then reset": [
    then(async (line) => {
      line.raw(head(200, 10));
      await pause(5);
      line.reset();
    }),
  ],
  "half a body, then silence": [then((line) => line.raw(head(200, good.length) + good.slice(0, 40))), short],
  "half a body, then close": [then((line) => void line.socket.end(head(200, good.length) + good.slice(0, 40)))],
  "a drip of bytes": [
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
  "a chunk that never ends": [
    then((line) => line.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{")),
    short,
  ],
  "a bad chunk size": [then((line) => line.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n"))],
  "not HTTP at all": [then((line) => line.raw("SSH-2.0-OpenSSH_9.2\r\n"))],
  "HTTP/0.9": [then((line) => void line.socket.end(good))],
  "a header without an end": [then((line) => line.raw(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)), short],
  "two lengths": [
    then((line) => line.raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: ${good.length}\r\n\r\n${good}`)),
  ],
  "length and chunks": [
    then((line) =>
      line.raw(`HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    ),
  ],
  "an upgrade": [
    then((line) => line.raw("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")),
  ],
  "a continue": [then((line) => line.raw("HTTP/1.1 100 Continue\r\n\r\n"))],
  "two answers": [then((line) => line.raw(`${head(200, good.length)}${good}${head(200, good.length)}${good}`))],
};

test("there are 24 scripts and every call of the interface", () => {
  expect(Object.keys(scripts)).toHaveLength(24);
  expect(Object.keys(calls)).toHaveLength(14);
});

describe.concurrent.each(Object.entries(scripts))("%s", (_, [script, options]) => {
  test.each(Object.entries(calls))("%s", async (_name, call) => {
    await playing(script, options ?? {}, async ({ venue, exchange, budget }) => {
      const outcome = await call(exchange);
      expect(["failed", "doubt", "not-sent"]).toContain(outcome.kind);
      if (outcome.kind === "not-sent") expect(venue.received()).toBe("");
      expect(budget.ends).toHaveLength(1);
      expect(venue.requests().length).toBeLessThanOrEqual(1);
      expect(venue.lines.filter((line) => line.received.length > 0).length).toBeLessThanOrEqual(1);
      for (const line of venue.lines) await line.closed;
    });
  });
});
