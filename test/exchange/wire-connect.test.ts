// No connection, on real sockets, each test named after its row: nothing was sent, and that is known.

import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, onTestFinished, test } from "vitest";
import { always, faultServer } from "../support/fault-server.ts";
import { codeOf, filledEnvelope, handTimers, order, paying, reading, wired } from "../support/wire.ts";

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
    const venue = await faultServer(always((line) => line.json(200, filledEnvelope)));
    const base = new URL(venue.baseUrl);
    base.hostname = "localhost";
    const timers = handTimers();
    const sent = wired(base, { timers }).exchange.addOrder(order, paying());
    // The slot is taken and the name asked for within the next microtasks; the answer needs a thread.
    for (let i = 0; i < 20; i++) await Promise.resolve();
    timers.expire(5_000);
    timers.expire(0);
    expect(await sent).toMatchObject({ kind: "not-sent", code: "connect-timeout" });
    // Whoever comes later is there first: nobody was on the way.
    const { exchange } = wired(base);
    await exchange.balances(reading);
    expect(venue.lines).toHaveLength(1);
    exchange.close();
    await venue.close();
  });

  test("N02 an address of the wrong family is not sent", async () => {
    const venue = await faultServer(always((line) => line.json(200, filledEnvelope)));
    const other = new URL(venue.baseUrl);
    other.hostname = "[::1]";
    const outcome = await wired(other).exchange.addOrder(order, paying());
    expect(outcome.kind).toBe("not-sent");
    expect(venue.lines).toHaveLength(0);
    await venue.close();
  });

  test("N03 live mode sends nothing without TLS", async () => {
    const { exchange } = wired(new URL("http://198.51.100.7/api/v1/"), { reach: "anywhere" });
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "address-refused" });
  });

  test("N03 paper mode reaches loopback only", async () => {
    const { exchange } = wired(new URL("http://198.51.100.7/api/v1/"));
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "address-refused" });
    expect(codeOf(await exchange.balances(reading))).toBe("address-refused");
  });
});

test("N03 a name is refused when one of its addresses is, though another would be dialled, and when it has none", async () => {
  const { lookup } = dns;
  onTestFinished(() => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  });
  for (const [addresses, code] of [
    [["127.0.0.1", "10.0.0.1"], "address-refused"],
    [[], "dns"],
  ] as const) {
    dns.lookup = (async () => addresses.map((address) => ({ address, family: 4 }))) as unknown as typeof lookup;
    syncBuiltinESMExports();
    const { exchange } = wired(new URL("https://venue.example/api/v1/"), { connectMsMax: 200 });
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code });
  }
});
