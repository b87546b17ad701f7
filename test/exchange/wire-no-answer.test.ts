// Answers that are none, on real sockets, each test named after its row: refused by name, and doubt where money moves.

import { describe, expect, test } from "vitest";
import { type JsonLimits, jsonLimits, listLimits } from "../../src/exchange/wire/json.ts";
import { ambiguous, answering, someBalances } from "../support/ambiguity.ts";
import { faultServer, head, type Script } from "../support/fault-server.ts";
import { codeOf, filledEnvelope, filledOrder, order, pause, paying, playing, reading } from "../support/wire.ts";

describe.concurrent("an answer that is none", () => {
  test("N11 truncated JSON is not read", async () => {
    await ambiguous(
      answering((line) => line.answer(200, '{"balances":[{"asset":"CHF"')),
      "not-json",
    );
  });

  test("N11 an empty answer is not an empty list", async () => {
    await ambiguous(
      answering((line) => line.answer(200, "")),
      "empty",
    );
    await playing(
      answering((line) => line.answer(200, "{}")),
      {},
      async ({ exchange }) => {
        expect(codeOf(await exchange.balances(reading))).toBe("unreadable");
        expect(codeOf(await exchange.trades(reading))).toBe("unreadable");
        expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "doubt", failure: { code: "unclear" } });
      },
    );
  });

  test("N12 a web page is named, whatever its status says", async () => {
    const page = "<!doctype html><title>100.5 CHF</title>";
    await ambiguous(
      answering((line) => line.answer(200, page, { "content-type": "text/html" })),
      "html",
    );
    await ambiguous(
      answering((line) => line.answer(200, page)),
      "html",
    );
    await ambiguous(
      answering((line) => line.answer(502, page, { "content-type": "text/html" })),
      "venue-down",
    );
  });

  test("N13 an answer over 2 MB where money moves, and a list over 32 MB, is not read to its end", async () => {
    await ambiguous(
      answering((line) => line.raw(head(200, listLimits.bytes + 1))),
      "too-large",
    );
    await playing(
      answering((line) => line.raw(head(200, jsonLimits.bytes + 1))),
      {},
      async ({ exchange }) =>
        expect(await exchange.addOrder(order, paying())).toMatchObject({
          kind: "doubt",
          failure: { code: "too-large", message: expect.stringContaining("2000000") },
        }),
    );
    const endless: Script = async (line) => {
      await line.request();
      line.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
      for (let i = 0; i < 600 && !line.socket.destroyed; i++) {
        line.raw(chunk);
        await pause(1);
      }
    };
    await ambiguous(endless, "too-large");
  });

  test("N13 an answer that is too deep or has too many items is not read", async () => {
    await ambiguous(
      answering((line) => line.answer(200, "[".repeat(33) + "]".repeat(33))),
      "too-deep",
    );
    const items = ({ items: count }: JsonLimits) => answering((line) => line.answer(200, `[${"0,".repeat(count)}0]`));
    await playing(items(listLimits), {}, async ({ exchange }) =>
      expect(codeOf(await exchange.balances(reading))).toBe("too-many-items"),
    );
    await playing(items(jsonLimits), {}, async ({ exchange }) =>
      expect(await exchange.addOrder(order, paying())).toMatchObject({
        kind: "doubt",
        failure: { code: "too-many-items" },
      }),
    );
  });

  test("a history of twenty thousand orders in one answer is read: the interface knows no paging", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ ...filledOrder, clordid: `T-${i}`, ordid: `${i}` }));
    await playing(
      answering((line) => line.answer(200, JSON.stringify({ orders: rows }))),
      {},
      async ({ exchange }) => {
        const read = await exchange.orders(reading);
        expect(read.kind === "read" && read.value).toHaveLength(20_000);
      },
    );
  });

  test("N14 compressed, foreign, marked or doubled content is refused by name", async () => {
    const json = JSON.stringify(someBalances);
    const cases: readonly [string, string | Uint8Array, Record<string, string>][] = [
      ["encoded", json, { "content-encoding": "gzip" }],
      ["encoded", json, { "content-encoding": "br" }],
      ["wrong-charset", json, { "content-type": "application/json; charset=iso-8859-1" }],
      ["byte-order-mark", `\u{feff}${json}`, {}],
      ["nul", `{"balances":[]}\0`, {}],
      ["not-utf8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}],
      ["duplicate-key", '{"result":"ok","result":"ok"}', {}],
      ["lone-surrogate", '{"a":"\\ud800"}', {}],
    ];
    await Promise.all(
      cases.map(([code, body, headers]) =>
        ambiguous(
          answering((line) => line.answer(200, body, headers)),
          code,
        ),
      ),
    );
  });

  test("N15 a redirect is refused and nobody follows it", async () => {
    const elsewhere = await faultServer(answering((line) => line.json(200, filledEnvelope)));
    for (const status of [301, 302, 307, 308]) {
      const location = new URL("private/addOrder", elsewhere.baseUrl).href;
      await ambiguous(
        answering((line) => line.json(status, filledEnvelope, { location })),
        "redirect",
      );
    }
    expect(elsewhere.lines).toHaveLength(0);
    await elsewhere.close();
  });

  test("N16 unexpected statuses are refused, also with a good body", async () => {
    for (const status of [201, 202, 206, 418])
      await ambiguous(
        answering((line) => line.json(status, filledEnvelope)),
        "unexpected-status",
      );
    await ambiguous(
      answering((line) => line.raw("HTTP/1.1 204 No Content\r\n\r\n")),
      "unexpected-status",
    );
    await ambiguous(
      answering((line) => line.raw("HTTP/1.1 103 Early Hints\r\n\r\n")),
      "unexpected-status",
    );
    await ambiguous(
      answering((line) => line.raw("HTTP/1.1 100 Continue\r\n\r\n")),
      "reset",
    );
  });

  test("N17 two answers to one request are doubt, and new orders stop", async () => {
    const twice = JSON.stringify(filledEnvelope);
    const script: Script = async (line) => {
      await line.request();
      line.raw(head(200, twice.length) + twice + head(200, twice.length) + twice);
    };
    await ambiguous(script, "two-answers", { halt: true });
  });

  test("N17 an answer that was there before the request is never this order's", async () => {
    const stale = { ...filledEnvelope, order: { ...filledEnvelope.order, clordid: "T-abcdefgh-0" } };
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

  test("N17 the answer of another order is doubt, and new orders stop", async () => {
    const other = { ...filledEnvelope, order: { ...filledEnvelope.order, clordid: "T-abcdefgh-2" } };
    await playing(
      answering((line) => line.json(200, other)),
      {},
      async ({ exchange }) => {
        const outcome = await exchange.addOrder(order, paying());
        expect(outcome).toMatchObject({ kind: "doubt", failure: { code: "contradiction" }, halt: true });
      },
    );
  });

  test("N18 the 401 of a second copy is not a rejection", async () => {
    await ambiguous(
      answering((line) => line.json(401, { code: "signature_failure", status: 401, message: "nonce not higher" })),
      "unauthorized",
    );
  });
});
