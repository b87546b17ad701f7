// The machine that sleeps, the proxy in its environment and the venue that is away for hours, on real sockets.

import { describe, expect, test, vi } from "vitest";
import { ok, unwrap } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import { selfSigned } from "../support/certificate.ts";
import { always, faultServer, type Script } from "../support/fault-server.ts";
import {
  codeOf,
  filledEnvelope,
  handTimers,
  order,
  paying,
  playing,
  reading,
  realClock,
  realTimers,
  type WireOptions,
  wired,
} from "../support/wire.ts";

const someBalances = { balances: [{ asset: "CHF", available: "12.50", pending: "0" }] };
const day = 86_400_000;
const now = Date.now();
const certificate = selfSigned({ names: ["127.0.0.1"], from: new Date(now - day), to: new Date(now + day) });

describe.concurrent("the machine and its surroundings", () => {
  /** Timers twenty times as fast, time-outs that even then no busy machine meets, and a clock whose wall can be moved. */
  function sleepy(): { options: WireOptions; sleep(ms: number): void } {
    let slept = 0;
    return {
      options: {
        clock: { now: () => millis(realClock.now() + slept), monotonic: () => mono(realClock.monotonic()) },
        timers: { after: (delayMs, run) => realTimers.after(delayMs / 20, run) },
        connectMsMax: 600_000,
        firstByteMsMax: 600_000,
        answerMsMax: 600_000,
      },
      sleep(ms) {
        slept += ms;
      },
    };
  }

  test("N20 a request during which the machine slept is given up, and its socket destroyed", async () => {
    const { options, sleep } = sleepy();
    const script: Script = async (line) => {
      await line.request();
      sleep(30_000);
    };
    await playing(script, options, async ({ venue, exchange }) => {
      expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "doubt", failure: { code: "suspended" } });
      await venue.lines[0]?.closed;
    });
  });

  test("N20 a connection from before the sleep is not used after it", async () => {
    const { options, sleep } = sleepy();
    await playing(
      always((line) => line.json(200, someBalances)),
      options,
      async (play) => {
        await play.exchange.balances(reading);
        sleep(6_000);
        await play.exchange.balances(reading);
        expect(play.venue.lines).toHaveLength(2);
      },
    );
  });

  test("N20 what was prepared before a sleep is not sent after it, also where the monotonic clock slept too", async () => {
    const { options, sleep } = sleepy();
    const script = always((line) => line.json(200, filledEnvelope));
    await playing(script, options, async ({ venue, exchange, budget }) => {
      expect(await exchange.addOrder(order, paying({ sending: () => sleep(9_000) }))).toMatchObject({
        kind: "not-sent",
        code: "refused",
        reason: expect.stringMatching(/^the machine stood still for \d+ ms between slot and socket$/),
      });
      expect(venue.received()).toBe("");
      expect(budget.ends).toEqual([{ kind: "unspent" }]);
      expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    });
  });

  test.each(
    [false, true].flatMap((isSecure) =>
      (["wall", "monotonic"] as const).map((clock) => ({ isSecure, clock, over: isSecure ? "TLS" : "TCP" })),
    ),
  )(
    "N20 a process that stood still between the last check and the write does not send when it wakes: $over, by the $clock clock",
    async ({ isSecure, clock }) => {
      const passed = { wall: 0, monotonic: 0 };
      const venue = await faultServer(
        always((line) => line.json(200, filledEnvelope)),
        isSecure ? certificate : undefined,
      );
      const { exchange, budget } = wired(venue.baseUrl, {
        authority: certificate.cert,
        clock: {
          now: () => millis(realClock.now() + passed.wall),
          monotonic: () => mono(realClock.monotonic() + passed.monotonic),
        },
        // Nothing runs out, and the watch for gaps is not asked.
        timers: handTimers(),
        writeMsMax: 600_000,
      });
      const stopped = (): true => {
        passed[clock] += 700_000;
        return true;
      };
      const late = {
        code: "late",
        reason: expect.stringMatching(/^the write must follow the last check within 600000 ms, .* after 70\d{4}: /),
      };
      const refused = await exchange.addOrder(order, paying({ lastCheck: () => void stopped() }));
      expect(refused).toMatchObject({ kind: "not-sent", ...late });
      const take = budget.take;
      budget.take = async (want) => ok({ ...unwrap(await take(want)), held: stopped });
      expect(codeOf(await exchange.assets(reading))).toBe("late");
      await Promise.all(venue.lines.map((line) => line.closed));
      expect(venue.received()).toBe("");
      expect(venue.lines).toHaveLength(2);
      expect(budget.ends).toEqual([{ kind: "unspent" }, { kind: "unspent" }]);
      budget.take = take;
      // As long as it may take is in time.
      const slow = paying({
        lastCheck: () => {
          passed[clock] += 500_000;
        },
      });
      expect((await exchange.addOrder(order, slow)).kind).toBe("accepted");
      exchange.close();
      await venue.close();
    },
  );
});

test("N21 proxy variables do not change the route", async () => {
  const proxy = await faultServer(always((line) => line.json(200, someBalances)));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
    vi.stubEnv(name, proxy.baseUrl.origin);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  vi.stubEnv("NO_PROXY", "");
  try {
    await playing(
      always((line) => line.json(200, someBalances)),
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
