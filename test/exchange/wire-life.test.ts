// The life of a request, seen from both ends: hooks run in their order, the last check really is the last thing before
// the first byte, and the slot ends exactly once whatever happens.

import { createHash, createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { always, faultServer, type Script } from "../support/fault-server.ts";
import {
  filledEnvelope,
  mint,
  mintReceipt,
  openBudget,
  order,
  paying,
  playing,
  rail,
  railReceipt,
  reading,
  testSigner,
  wired,
} from "../support/wire.ts";

const balances = { balances: [] };
const good: Script = always((line, { path }) => {
  const answers: Record<string, unknown> = {
    addOrder: filledEnvelope,
    mintTokens: mintReceipt,
    addPaymentRail: railReceipt,
    assets: { assets: [] },
  };
  line.json(200, answers[path.split("/").at(-1) ?? ""] ?? balances, { date: "Sun, 15 Nov 2026 10:00:00 GMT" });
});

test("hooks run in order: recheck, the record on disk, then the last check on an open connection", async () => {
  await playing(good, {}, async ({ venue, exchange }) => {
    const steps: string[] = [];
    const outcome = await exchange.addOrder(
      order,
      paying({
        recheck: () => void steps.push("recheck"),
        sending: (record) => {
          steps.push(`sending ${record.nonce} ${record.host === venue.baseUrl.host} connections ${venue.lines.length}`);
        },
        lastCheck: () => void steps.push(`last, bytes ${venue.received().length}`),
      }),
    );
    expect(outcome.kind).toBe("accepted");
    expect(steps).toEqual(["recheck", "sending 1001 true connections 0", "last, bytes 0"]);
  });
});

test("the record names the digest of the very bytes that arrive", async () => {
  await playing(good, {}, async ({ venue, exchange }) => {
    for (const [send, want] of [
      [exchange.addOrder.bind(null, order), paying()],
      [exchange.mintTokens.bind(null, mint), paying()],
      [exchange.addPaymentRail.bind(null, rail), paying()],
    ] as const) {
      expect((await send(want)).kind).toBe("accepted");
      const body = venue.requests().at(-1)?.body ?? "";
      expect(want.records[0]?.digest).toBe(createHash("sha256").update(body).digest("hex"));
    }
  });
});

test("a last check that refuses after the connection stands lets no byte out", async () => {
  await playing(good, {}, async ({ venue, exchange, budget }) => {
    for (const send of [
      exchange.addOrder.bind(null, order),
      exchange.mintTokens.bind(null, mint),
      exchange.addPaymentRail.bind(null, rail),
    ] as const)
      expect(await send(paying({ lastCheck: () => "HALTED by a person" }))).toEqual({
        kind: "not-sent",
        code: "refused",
        reason: "HALTED by a person",
      });
    expect(venue.lines).toHaveLength(3);
    for (const line of venue.lines) await line.closed;
    expect(venue.received()).toBe("");
    expect(budget.ends).toEqual(Array(3).fill({ kind: "unspent" }));
  });
});

test("a slot that was lost to another process lets no byte out, for money and for reads", async () => {
  await playing(good, {}, async ({ venue, exchange, budget }) => {
    budget.lost = true;
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "refused" });
    expect(await exchange.balances(reading)).toMatchObject({ kind: "failed", failure: { code: "refused" } });
    for (const line of venue.lines) await line.closed;
    expect(venue.received()).toBe("");
  });
});

test("INV-25 the kill switch is asked after the lease: a kill that falls while that is read still stops the request", async () => {
  const budget = openBudget();
  let killed = false;
  const taken = budget.take;
  budget.take = async (want) => {
    const slot = await taken(want);
    if (!slot.ok) return slot;
    const held = () => {
      killed = true;
      return slot.value.held();
    };
    return { ok: true, value: { ...slot.value, held } };
  };
  await playing(good, { budget }, async ({ venue, exchange }) => {
    const want = paying({ lastCheck: () => (killed ? "HALTED by a person" : undefined) });
    expect(await exchange.addOrder(order, want)).toMatchObject({ kind: "not-sent", reason: "HALTED by a person" });
    expect(venue.received()).toBe("");
  });
});

test("a last check that throws refuses", async () => {
  await playing(good, {}, async ({ venue, exchange }) => {
    const want = paying({
      lastCheck: () => {
        throw new Error("the kill file cannot be read");
      },
    });
    expect(await exchange.addOrder(order, want)).toMatchObject({ kind: "not-sent", code: "refused" });
    expect(venue.received()).toBe("");
  });
});

test("an order past its time is dropped at the slot, before a nonce is drawn", async () => {
  await playing(good, {}, async ({ venue, exchange, budget }) => {
    const outcome = await exchange.addOrder(
      order,
      paying({ recheck: () => "decision is 3,100 ms old, limit is 3,000" }),
    );
    expect(outcome).toMatchObject({ kind: "not-sent", code: "outdated" });
    expect(venue.lines).toHaveLength(0);
    expect(budget.ends).toEqual([{ kind: "unspent" }]);
    const next = await exchange.addOrder(order, paying());
    expect(next).toMatchObject({ kind: "accepted", nonce: 1_001 });
  });
});

test("without a record on disk there is not even a connection", async () => {
  await playing(good, {}, async ({ venue, exchange, budget }) => {
    const want = paying({
      sending: () => {
        throw new Error("disk is full");
      },
    });
    expect(await exchange.addOrder(order, want)).toMatchObject({ kind: "not-sent", code: "not-recorded" });
    expect(venue.lines).toHaveLength(0);
    expect(budget.ends).toEqual([{ kind: "unspent" }]);
  });
});

test("a refused nonce sends nothing", async () => {
  await playing(good, {}, async ({ venue, exchange, budget }) => {
    budget.nonceError = "nonce would run ahead of the venue's clock";
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "no-nonce" });
    expect(await exchange.balances(reading)).toMatchObject({ kind: "failed", failure: { code: "no-nonce" } });
    expect(venue.lines).toHaveLength(0);
  });
});

test("C05 the first call of a key is an unsigned one that reads the venue's Date", async () => {
  const budget = openBudget();
  budget.needsTime = true;
  await playing(good, { budget }, async ({ venue, exchange }) => {
    expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    await exchange.balances(reading);
    const [first, second, third] = venue.requests();
    expect(first).toMatchObject({ method: "GET", path: "/api/v1/client/assets" });
    expect(first?.headers).not.toHaveProperty("x-app-signed-data");
    expect(second?.path).toBe("/api/v1/private/addOrder");
    expect(third?.path).toBe("/api/v1/private/accountBalance");
    expect(budget.observed[0]).toBe(Date.UTC(2026, 10, 15, 10));
  });
});

test("C05 without a Date of the venue nothing is signed", async () => {
  const budget = openBudget();
  budget.needsTime = true;
  const dateless = always((line) => line.json(200, { assets: [] }));
  await playing(dateless, { budget }, async ({ venue, exchange }) => {
    expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "no-venue-time" });
    expect(await exchange.balances(reading)).toMatchObject({ kind: "failed", failure: { code: "no-venue-time" } });
    expect(venue.requests().map((request) => request.path)).toEqual(Array(2).fill("/api/v1/client/assets"));
  });
});

test("every request carries User-Agent and public key; a signature verifies over path, canonical body and nonce", async () => {
  await playing(good, {}, async ({ venue, exchange }) => {
    await exchange.assets(reading);
    await exchange.addPaymentRail(rail, paying());
    const signer = testSigner();
    for (const { headers } of venue.requests()) {
      expect(headers["user-agent"]).toBe("pegbot/test");
      expect(headers["x-app-public-key"]).toBe(signer.publicKey);
      expect(headers["accept-encoding"]).toBe("identity");
    }
    const { path, body, headers } = venue.requests()[1] ?? expect.fail("no second request");
    expect(headers["content-type"]).toBe("application/json");
    expect(body).toContain("Zürich AG");
    const key = createPublicKey({ key: Buffer.from(signer.publicKey, "base64"), format: "der", type: "spki" });
    const text = Buffer.from(path + body + headers["x-app-nonce"]);
    expect(verify("sha256", text, key, Buffer.from(headers["x-app-signed-data"] ?? "", "base64url"))).toBe(true);
  });
});

test("an order's timestamp is the time of its nonce, which its slot draws by the venue's clock", async () => {
  await playing(good, { budget: openBudget(1_794_731_400_000) }, async ({ venue, exchange }) => {
    await exchange.addOrder(order, paying());
    const { body, headers } = venue.requests()[0] ?? expect.fail("no request");
    const stamp = new URLSearchParams(body).get("timestamp") ?? "";
    expect(Date.parse(stamp)).toBe(Number(headers["x-app-nonce"]));
  });
});

test("no header, signature or body shows in what a failure says, not even when the venue quotes them back", async () => {
  const echo = always((line, { headers, body }) =>
    line.json(403, { code: "forbidden_thing", status: 403, message: `${headers["x-app-signed-data"]} ${body}` }),
  );
  const venue = await faultServer(echo);
  const { exchange } = wired(venue.baseUrl);
  const secret = { ...rail, destination: "CANARY".repeat(10) };
  const outcomes = [await exchange.balances(reading), await exchange.addPaymentRail(secret, paying())];
  for (const request of venue.requests())
    expect(JSON.stringify(outcomes)).not.toContain(request.headers["x-app-signed-data"]);
  expect(JSON.stringify(outcomes)).not.toContain("CANARYCANARY");
  await venue.close();
  const gone = [await exchange.balances(reading), await exchange.addPaymentRail(secret, paying())];
  expect(JSON.stringify(gone)).not.toContain("CANARY");
  expect(JSON.stringify(gone)).not.toContain(testSigner().publicKey);
});
