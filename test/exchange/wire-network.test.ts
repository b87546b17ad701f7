// The network's faults, on real sockets, each named after its row: what a read and what a request that moves money make
// of it, and that nothing is ever sent twice.

import { describe, expect, test, vi } from "vitest";
import { type Clock, millis, mono, type Timers } from "../../src/domain/time.ts";
import { createTransport, transportDefaults } from "../../src/exchange/transport.ts";
import { always, faultServer, head, type Line, type Script } from "../support/fault-server.ts";
import {
  codeOf,
  filledEnvelope,
  handTimers,
  mint,
  order,
  pause,
  paying,
  playing,
  rail,
  reading,
  realClock,
  realTimers,
  wired,
} from "../support/wire.ts";

const balances = { balances: [{ asset: "CHF", available: "12.50", pending: "0" }] };

/** The same fault for a read and for an order: the read fails by this code, the order is in doubt, neither is resent. */
async function ambiguous(script: Script, code: string, options: { halt?: boolean } = {}): Promise<void> {
  await playing(script, {}, async ({ venue, exchange, budget }) => {
    expect(codeOf(await exchange.balances(reading))).toBe(code);
    const outcome = await exchange.addOrder(order, paying());
    expect(outcome).toMatchObject({ kind: "doubt", failure: { code }, halt: options.halt ?? false });
    expect(venue.lines).toHaveLength(2);
    expect(budget.ends).toHaveLength(2);
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 5_000 && !condition(); i++) await pause(2);
}

const answering = (write: (line: Line) => void): Script => always(write);

describe.concurrent("no connection", () => {
  test("N01 a refused connection is not sent", async () => {
    const gone = await faultServer(() => {});
    await gone.close();
    const { exchange, budget } = wired(gone.baseUrl);
    expect(codeOf(await exchange.balances(reading))).toBe("connect");
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "connect" });
    expect(budget.ends).toEqual([{ kind: "unspent" }, { kind: "unspent" }]);
  });

  test("N02 a name that does not resolve is not sent", async () => {
    const { exchange } = wired(new URL("http://no-such-venue.invalid:8700/api/v1/"), { connectMsMax: 3_000 });
    const outcome = await exchange.addOrder(order, paying());
    expect(outcome.kind).toBe("not-sent");
    expect(["dns", "connect-timeout"]).toContain(codeOf(outcome));
  });

  test("N02 a name that resolves too late is not dialled", async () => {
    const venue = await faultServer(answering((line) => line.json(200, filledEnvelope)));
    const base = new URL(venue.baseUrl);
    base.hostname = "localhost";
    const timers = handTimers();
    const sent = wired(base, { timers }).exchange.addOrder(order, paying());
    // The slot is taken and the name asked for within the next microtasks; the answer needs a thread.
    for (let i = 0; i < 20; i++) await Promise.resolve();
    timers.expire(5_000);
    expect(await sent).toMatchObject({ kind: "not-sent", code: "connect-timeout" });
    await pause(50);
    expect(venue.lines).toHaveLength(0);
    await venue.close();
  });

  test("N02 an address of the wrong family is not sent", async () => {
    const venue = await faultServer(answering((line) => line.json(200, filledEnvelope)));
    const other = new URL(venue.baseUrl);
    other.hostname = "[::1]";
    const outcome = await wired(other).exchange.addOrder(order, paying());
    expect(outcome.kind).toBe("not-sent");
    expect(venue.lines).toHaveLength(0);
    await venue.close();
  });

  test("N03 live mode sends nothing to a loopback or private address", async () => {
    const venue = await faultServer(answering((line) => line.json(200, filledEnvelope)));
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "[::1]", "[fd00::1]", "169.254.1.1"]) {
      const base = new URL(venue.baseUrl);
      base.protocol = "https:";
      base.hostname = host;
      const outcome = await wired(base, { reach: "public" }).exchange.addOrder(order, paying());
      expect(outcome, host).toMatchObject({ kind: "not-sent", code: "address-refused" });
    }
    expect(venue.lines).toHaveLength(0);
    await venue.close();
  });

  test("N03 live mode sends nothing without TLS", async () => {
    const { exchange } = wired(new URL("http://198.51.100.7/api/v1/"), { reach: "public" });
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "address-refused" });
  });

  test("N03 paper mode reaches loopback only", async () => {
    const { exchange } = wired(new URL("http://198.51.100.7/api/v1/"));
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "address-refused" });
    expect(codeOf(await exchange.balances(reading))).toBe("address-refused");
  });
});

describe.concurrent("a connection that breaks", () => {
  test("N05 a reset at the door is not sent only when no byte arrived", async () => {
    const kinds = new Set<string>();
    await playing(
      (line) => line.reset(),
      {},
      async ({ venue, exchange }) => {
        for (let i = 0; i < 30; i++) {
          const outcome = await exchange.addOrder(order, paying());
          kinds.add(outcome.kind);
          if (outcome.kind === "not-sent") expect(venue.lines.at(-1)?.received).toHaveLength(0);
          else expect(outcome.kind).toBe("doubt");
        }
        expect(venue.lines).toHaveLength(30);
      },
    );
  });

  test("N05 an order never uses the connection of an earlier read", async () => {
    const script = always((line, { path }) => line.json(200, path.endsWith("addOrder") ? filledEnvelope : balances));
    await playing(script, {}, async ({ venue, exchange }) => {
      await exchange.balances(reading);
      await exchange.balances(reading);
      expect(venue.lines).toHaveLength(1);
      await exchange.addOrder(order, paying());
      await exchange.addOrder(order, paying());
      expect(venue.lines.map((line) => line.received.length > 0)).toEqual([true, true, true]);
    });
  });

  test("N05 a read finds its kept connection closed and opens another, with one request each", async () => {
    const script: Script = async (line) => {
      await line.request();
      line.json(200, balances);
      await pause(5);
      line.socket.end();
    };
    await playing(script, {}, async ({ venue, exchange }) => {
      for (let i = 1; i <= 3; i++) {
        expect((await exchange.balances(reading)).kind).toBe("read");
        await venue.lines.at(-1)?.closed;
        expect(venue.requests()).toHaveLength(i);
      }
    });
  });

  test("N17 what a venue says on a quiet connection is never the next answer", async () => {
    const script: Script = async (line, index) => {
      await line.request();
      line.json(200, { balances: [{ asset: `A${index}`, available: "1" }] });
      await pause(5);
      line.json(200, { balances: [{ asset: "STALE", available: "999" }] });
    };
    await playing(script, {}, async ({ venue, exchange }) => {
      for (let i = 0; i < 3; i++) {
        const got = await exchange.balances(reading);
        // On a slow machine both arrive together, and that has a name of its own.
        const said = got.kind === "read" ? got.value.map((row) => row.asset).join() : codeOf(got);
        expect([`A${i}`, "two-answers"]).toContain(said);
        await venue.lines.at(-1)?.closed;
      }
    });
  });

  test("N06 a reset in the middle of the body is doubt and nothing is resent", async () => {
    const script: Script = async (line) => {
      await line.bytes(1);
      line.reset();
    };
    await playing(script, {}, async ({ venue, exchange }) => {
      const long = { ...rail, sender: { ...rail.sender, name: "x".repeat(8_000_000) } };
      const outcome = await exchange.addPaymentRail(long, paying());
      expect(outcome).toMatchObject({ kind: "doubt", failure: { code: "reset" } });
      await pause(50);
      expect(venue.lines).toHaveLength(1);
      expect(venue.requests()).toHaveLength(0);
    });
  });

  test("N07 a reset after the body is doubt and nothing is resent", async () => {
    const script: Script = async (line) => {
      await line.request();
      line.reset();
    };
    await ambiguous(script, "reset");
  });

  test("N07 a quiet close instead of an answer is doubt", async () => {
    const script: Script = async (line) => {
      await line.request();
      line.socket.end();
    };
    await ambiguous(script, "reset");
  });

  test("N08 a late answer is never read as the next one's", async () => {
    const late: Line[] = [];
    const script: Script = async (line, index) => {
      await line.request();
      if (index === 0) late.push(line);
      else line.json(200, { balances: [{ asset: "GBP", available: "7", pending: "0" }] });
    };
    const timers = handTimers();
    await playing(script, { timers }, async ({ venue, exchange, budget }) => {
      const sent = exchange.addOrder(order, paying());
      await until(() => late.length === 1);
      timers.expire(15_000);
      expect(await sent).toMatchObject({ kind: "doubt", failure: { code: "timeout" } });
      await venue.lines[0]?.closed;
      late[0]?.json(200, filledEnvelope);
      const next = await exchange.balances(reading);
      expect(next.kind === "read" && next.value.map((balance) => balance.asset)).toEqual(["GBP"]);
      expect(budget.ends[0]).toEqual({ kind: "abandoned" });
    });
  });

  test("N09 an answer that drips is given up as a whole", async () => {
    let dripped = 0;
    const script: Script = async (line) => {
      await line.request();
      line.raw(head(200, 1_000));
      for (; dripped < 500 && !line.socket.destroyed; dripped++) {
        line.raw(" ");
        await pause(5);
      }
    };
    const timers = handTimers();
    await playing(script, { timers }, async ({ venue, exchange }) => {
      const sent = exchange.addOrder(order, paying());
      await until(() => dripped > 3);
      // The first byte is there, so only the bound on the whole answer is left.
      timers.expire(15_000);
      timers.expire(20_000);
      const outcome = await sent;
      expect(outcome).toMatchObject({ kind: "doubt", failure: { code: "timeout" } });
      expect(outcome.kind === "doubt" && outcome.failure.message).toContain("not complete within 20000 ms");
      await venue.lines[0]?.closed;
    });
  });

  test("N10 an answer that is cut off is not read in part", async () => {
    const script: Script = async (line) => {
      await line.request();
      const text = JSON.stringify(balances);
      line.raw(head(200, text.length + 1) + text);
      line.socket.end();
    };
    await ambiguous(script, "cut-off");
  });

  test("N10 a chunked answer without its end is not read in part", async () => {
    const script: Script = async (line) => {
      await line.request();
      const text = JSON.stringify(balances);
      line.raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n`);
      line.socket.end();
    };
    await ambiguous(script, "cut-off");
  });

  test("N19 a second request beside one that is still out is not sent", async () => {
    const timers = handTimers();
    const venue = await faultServer(() => {});
    const settings = { reach: "loopback", ...transportDefaults } as const;
    const transport = createTransport(venue.baseUrl, { clock: realClock, timers }, settings);
    const request = { method: "GET", path: "/client/assets", headers: {}, body: undefined, fresh: true } as const;
    const first = transport.send({ ...request, gate: () => undefined });
    await until(() => venue.requests().length === 1);
    const second = await transport.send({ ...request, gate: () => expect.fail("the gate must not be asked") });
    expect(second).toMatchObject({ kind: "not-sent", code: "busy" });
    timers.expire(15_000);
    expect(await first).toMatchObject({ kind: "broken", code: "timeout" });
    expect(venue.lines).toHaveLength(1);
    await venue.close();
  });

  test("N19 calls made at the same time go out one after the other", async () => {
    let open = 0;
    const script: Script = async (line) => {
      for (;;) {
        await line.request();
        expect(++open).toBe(1);
        await pause(20);
        open--;
        line.json(200, balances);
      }
    };
    await playing(script, {}, async ({ venue, exchange }) => {
      const readings = await Promise.all([1, 2, 3].map(() => exchange.balances(reading)));
      expect(readings.map((one) => one.kind)).toEqual(["read", "read", "read"]);
      const nonces = venue.requests().map((request) => Number(request.headers["x-app-nonce"]));
      expect(nonces).toEqual(nonces.toSorted((a, b) => a - b));
    });
  });
});

describe.concurrent("an answer that is none", () => {
  test("N11 truncated JSON is not read", async () => {
    await ambiguous(
      answering((line) => line.answer(200, '{"balances":[{"asset":"CHF"')),
      "truncated",
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

  test("N13 an answer over 2 MB is not read to its end", async () => {
    await ambiguous(
      answering((line) => line.raw(head(200, 2_000_001))),
      "too-large",
    );
    const endless: Script = async (line) => {
      await line.request();
      line.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
      for (let i = 0; i < 200 && !line.socket.destroyed; i++) {
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
    await ambiguous(
      answering((line) => line.answer(200, `[${"0,".repeat(50_000)}0]`)),
      "too-many-items",
    );
  });

  test("N14 compressed, foreign, marked or doubled content is refused by name", async () => {
    const json = JSON.stringify(balances);
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

describe.concurrent("the machine and its surroundings", () => {
  /** Timers twenty times as fast, and a clock whose wall can be moved. */
  function sleepy(): { clock: Clock; timers: Timers; sleep(ms: number): void } {
    let slept = 0;
    return {
      clock: { now: () => millis(realClock.now() + slept), monotonic: () => mono(realClock.monotonic()) },
      timers: { after: (delayMs, run) => realTimers.after(delayMs / 20, run) },
      sleep(ms) {
        slept += ms;
      },
    };
  }

  test("N20 a request during which the machine slept is given up, and its socket destroyed", async () => {
    const { clock, timers, sleep } = sleepy();
    const script: Script = async (line) => {
      await line.request();
      sleep(30_000);
    };
    const options = { clock, timers, firstByteMsMax: 60_000, answerMsMax: 60_000 };
    await playing(script, options, async ({ venue, exchange }) => {
      expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "doubt", failure: { code: "suspended" } });
      await venue.lines[0]?.closed;
    });
  });

  test("N20 a connection from before the sleep is not used after it", async () => {
    const { clock, timers, sleep } = sleepy();
    await playing(
      answering((line) => line.json(200, balances)),
      { clock, timers, connectMsMax: 20_000 },
      async (play) => {
        await play.exchange.balances(reading);
        sleep(6_000);
        await play.exchange.balances(reading);
        expect(play.venue.lines).toHaveLength(2);
      },
    );
  });

  test("N22 hours of outage end in failures by name, one request each, and the first good answer is read", async () => {
    let down = true;
    const script = always((line) => (down ? line.answer(503, "") : line.json(200, balances)));
    await playing(script, {}, async ({ venue, exchange }) => {
      for (let i = 0; i < 20; i++) expect(codeOf(await exchange.balances(reading))).toBe("venue-down");
      down = false;
      expect((await exchange.balances(reading)).kind).toBe("read");
      expect(venue.requests()).toHaveLength(21);
    });
  });
});

test("N21 proxy variables do not change the route", async () => {
  const proxy = await faultServer(answering((line) => line.json(200, balances)));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
    vi.stubEnv(name, proxy.baseUrl.origin);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  vi.stubEnv("NO_PROXY", "");
  try {
    await playing(
      answering((line) => line.json(200, balances)),
      {},
      async ({ venue, exchange }) => {
        expect((await exchange.balances(reading)).kind).toBe("read");
        expect(venue.requests()).toHaveLength(1);
      },
    );
    expect(proxy.lines).toHaveLength(0);
  } finally {
    vi.unstubAllEnvs();
    await proxy.close();
  }
});

test("a mint is in doubt where an order is", async () => {
  const script: Script = async (line) => {
    await line.request();
    line.reset();
  };
  await playing(script, {}, async ({ exchange }) => {
    expect((await exchange.mintTokens(mint, paying())).kind).toBe("doubt");
  });
});
