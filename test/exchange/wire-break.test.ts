// Connections that break, stall or speak out of turn, on real sockets, each test named after its row: what a read and an
// order make of it, and that nothing is ever sent twice.

import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HttpAttempt } from "../../src/exchange/wire/http-attempt.ts";
import { attemptLimits, createTransport, transportDefaults } from "../../src/exchange/wire/transport.ts";
import { always, faultServer, type Line, type Script } from "../support/fault-server.ts";
import { untilItHolds } from "../support/until-it-holds.ts";
import {
  codeOf,
  filledEnvelope,
  handTimers,
  order,
  pause,
  paying,
  playing,
  rail,
  reading,
  realClock,
} from "../support/wire.ts";

const someBalances = { balances: [{ asset: "CHF", available: "12.50", pending: "0" }] };

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
    const script = always((line, { path }) =>
      line.json(200, path.endsWith("addOrder") ? filledEnvelope : someBalances),
    );
    await playing(script, {}, async ({ venue, exchange }) => {
      await exchange.balances(reading);
      await exchange.balances(reading);
      expect(venue.lines).toHaveLength(1);
      await exchange.addOrder(order, paying());
      await exchange.addOrder(order, paying());
      expect(venue.lines.map((line) => line.received.length > 0)).toEqual([true, true, true]);
      await exchange.balances(reading);
      // Nor does a read use the connection of an order.
      expect(venue.lines).toHaveLength(4);
    });
  });

  test("N05 a read that begins just as its kept connection closes is sent once, on another", async () => {
    await playing(
      always((line) => line.json(200, someBalances)),
      {},
      async ({ venue, exchange }) => {
        for (let i = 1; i <= 5; i++) {
          await exchange.balances(reading);
          expect(venue.requests()).toHaveLength(2 * i - 1);
          // The end is on its way when the read begins, and is heard before the next turn.
          await turn();
          venue.lines.at(-1)?.socket.end();
          expect(await exchange.balances(reading)).toMatchObject({ kind: "read" });
          expect([venue.lines.length, venue.requests().length]).toEqual([i + 1, 2 * i]);
        }
      },
    );
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
      await untilItHolds(() => expect(late).toHaveLength(1));
      timers.expire(15_000);
      expect(await sent).toMatchObject({ kind: "doubt", failure: { code: "timeout" } });
      await venue.lines[0]?.closed;
      late[0]?.json(200, filledEnvelope);
      const next = await exchange.balances(reading);
      expect(next.kind === "read" && next.value.map((balance) => balance.asset)).toEqual(["GBP"]);
      expect(budget.ends[0]).toEqual({ kind: "abandoned" });
    });
  });

  test("N19 a second request beside one that is still out is not sent", async () => {
    const timers = handTimers();
    const venue = await faultServer(() => {});
    const settings = { reach: "loopback", ...transportDefaults } as const;
    const transport = createTransport(venue.baseUrl, { clock: realClock, timers }, settings);
    const request = { method: "GET", path: "/client/assets", headers: {}, body: undefined, fresh: true } as const;
    const first = transport.send({ ...request, gate: () => undefined });
    await untilItHolds(() => expect(venue.requests()).toHaveLength(1));
    const second = await transport.send({ ...request, gate: () => expect.fail("the gate must not be asked") });
    expect(second).toMatchObject({ kind: "not-sent", code: "busy" });
    timers.expire(15_000);
    expect(await first).toMatchObject({ kind: "broken", code: "timeout" });
    expect(venue.lines).toHaveLength(1);
    await venue.close();
  });
});

test("INV-02 an attempt lets one write pass: it is held until the last check, and a library that begins again is stopped", () => {
  const steps: string[] = [];
  const outlet = {
    gate: () => void steps.push("gate"),
    hold: () => void steps.push("hold"),
    release: () => void steps.push("release"),
  };
  const ended: string[] = [];
  const time = { clock: realClock, timers: handTimers() };
  const attempt = new HttpAttempt(outlet, time, attemptLimits(transportDefaults, true), ({ kind }) => ended.push(kind));
  const controller = { abort: ({ message }: Error) => void steps.push(message) };
  attempt.onRequestStart(controller);
  expect(steps).toEqual(["hold"]);
  attempt.onRequestSent();
  expect(steps).toEqual(["hold", "gate", "release"]);
  attempt.onRequestSent();
  attempt.onRequestStart(controller);
  attempt.onRequestSent();
  expect(steps).toEqual(["hold", "gate", "release", "a request is written once"]);
  attempt.onResponseError(controller, new Error("aborted"));
  expect(ended).toEqual(["broken"]);
});
