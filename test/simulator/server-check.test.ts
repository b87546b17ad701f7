// What the server checks on every request, in which order, and which switches bend it.

import { generateKeyPairSync, sign } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { createSimulatorServer } from "../../src/simulator/server.ts";
import { refused, rows } from "../contract/answer.ts";
import { type Answer, Client, canonical, newKeyPair, send } from "../contract/client.ts";
import { systemParts } from "./server-parts.ts";
import { openAccount, openSimulator, openStage, order, portal, type Stage } from "./server-stage.ts";

/** Signs and sends querySupplyChanges{asset}, or the empty accountBalance, exactly as a profile says. */
async function callAs(profile: Profile, { server, client }: Stage, empty = false): Promise<Answer> {
  const name = empty ? "accountBalance" : "mintTokens";
  const fields = { asset: "VGBP", blockchain: "ETH", quantity: "5" };
  const body = empty ? (profile.emptyCall === "empty" ? "" : "{}") : signedFields(fields, profile);
  const path = profile.signedPath === "full" ? `/api/v1/private/${name}` : `/private/${name}`;
  const nonce = client.nonce();
  const parts = profile.signingOrder === "path-body-nonce" ? [path, body, nonce] : [body, path, nonce];
  const text = Buffer.from(parts.join(profile.signingSeparator), "utf8");
  const dsaEncoding = profile.signatureBytes === "der" ? "der" : "ieee-p1363";
  const signature = sign("sha256", text, { key: client.key.privateKey, dsaEncoding });
  const asJson = empty ? profile.emptyCall === "braces" : profile.formCalls === "json";
  return send(server.baseUrl, {
    method: "POST",
    path: `private/${name}`,
    headers: {
      "user-agent": "test",
      "content-type": asJson ? "application/json" : "application/x-www-form-urlencoded",
      "x-app-public-key": client.key.publicKey,
      "x-app-nonce": nonce,
      "x-app-signed-data": signature.toString(profile.signatureText),
    },
    body: asJson || empty ? body : new URLSearchParams(fields).toString(),
  });
}

function signedFields(fields: Record<string, string>, profile: Profile): string {
  const text = canonical(fields);
  return profile.formNumbers === "numbers" ? text.replace('"5"', "5") : text;
}

/** The signature held when the mint got as far as its minimum. */
const held = (answer: Answer) => refused(answer, [400, "min_amount_below_threshold"]);

const variants: [string, Partial<Profile>][] = [
  ["body before path", { signingOrder: "body-path-nonce" }],
  ["a separator", { signingSeparator: "\n" }],
  ["a relative path", { signedPath: "relative" }],
  ["raw signature bytes", { signatureBytes: "raw" }],
  ["standard base64", { signatureText: "base64" }],
  ["form calls as JSON", { formCalls: "json" }],
  ["amounts as bare numbers in a form", { formNumbers: "numbers" }],
  ["amounts as bare numbers in JSON", { formNumbers: "numbers", formCalls: "json" }],
];

describe.concurrent("forms of a signed request", () => {
  test("contract and observed requests are both taken by default", async () => {
    const stage = await openStage();
    for (const profile of [presets.contract, presets.observed]) {
      held(await callAs(profile, stage));
      rows(await callAs(profile, stage, true));
    }
  });

  test.each(variants)("%s is refused by a strict server and taken by one that is set so", async (_name, change) => {
    const variant = { ...presets.contract, ...change };
    const strict = await openStage({ accept: [presets.contract] });
    const answer = await callAs(variant, strict);
    expect([400, 401]).toContain(answer.status);
    expect(answer.text).not.toContain("min_amount");
    held(await callAs(presets.contract, strict));
    const bent = await openStage({ accept: [variant] });
    held(await callAs(variant, bent));
    expect([400, 401]).toContain((await callAs(presets.contract, bent)).status);
  });

  test("an empty call as {} is refused by a strict server and taken by one that is set so", async () => {
    const braces: Profile = { ...presets.contract, emptyCall: "braces" };
    const strict = await openStage({ accept: [presets.contract] });
    expect([400, 401]).toContain((await callAs(braces, strict, true)).status);
    rows(await callAs(presets.contract, strict, true));
    const bent = await openStage({ accept: [braces] });
    rows(await callAs(braces, bent, true));
    expect([400, 401]).toContain((await callAs(presets.contract, bent, true)).status);
  });

  test("a key on secp256k1 signs by default and is refused where only P-256 is taken", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    const key = { privateKey, publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64") };
    const server = await openSimulator();
    rows(await (await openAccount(server, key)).call("accountBalance"));
    const strict = await openSimulator({ accept: [presets.contract] });
    refused(await (await openAccount(strict, key)).call("accountBalance"), [401, "signature_failure"]);
  });

  test("a number with an exponent is no JSON body", async () => {
    const { client } = await openStage();
    const body = '{"asset":"VGBP","blockchain":"ETH","quantity":5e0}';
    refused(await client.callJson("mintTokens", {}, { body }), [400, "bad_request"]);
  });

  test("a field that comes twice is a bad request", async () => {
    const { client } = await openStage();
    refused(await client.call("querySupplyChanges", { asset: "VCHF" }, { body: "asset=VCHF&asset=VCHF" }), [400]);
  });
});

describe.concurrent("order of checks", () => {
  test("pace comes before body and signature, so a refused request counts and its nonce is not used", async () => {
    const { client } = await openStage({ pace: { spacingMs: 1_000 } });
    rows(await client.call("accountBalance"));
    refused(await client.call("addOrder", {}, { contentType: "text/plain" }), [429, "rate_limited"]);
  });

  test("the body comes before the signature, the signature before the standing of the account", async () => {
    const { server } = await openStage();
    const stranger = new Client(server.baseUrl, newKeyPair(), 0);
    refused(await stranger.call("addOrder", order(), { contentType: "text/plain" }), [400, "bad_request"]);
    refused(await stranger.call("addOrder", order()), [401, "signature_failure"]);
    await portal(server, "keys", { publicKey: stranger.key.publicKey });
    refused(await stranger.call("addOrder", order()), [403, "kyb_required"]);
  });

  test("a nonce is used up by a call that is refused after its signature held", async () => {
    const { client } = await openStage();
    const nonce = client.nonce();
    refused(await client.call("addOrder", order({ symbol: "NO/PAIR" }), { nonce }), [400, "unknown_symbol"]);
    refused(await client.call("accountBalance", {}, { nonce }), [401, "signature_failure"]);
  });

  test("the observed profile says invalid_nonce and invalid_request_limit, nested", async () => {
    const { client } = await openStage({ profile: "observed", pace: { spacingMs: 150 } });
    const nonce = client.nonce();
    rows(await client.call("accountBalance", {}, { nonce }));
    const soon = await client.call("accountBalance");
    expect(soon.body).toMatchObject({ error: { code: "invalid_request_limit", status: 400 } });
    await sleep(160);
    const stale = await client.call("accountBalance", {}, { nonce });
    expect(stale.body).toMatchObject({ error: { code: "invalid_nonce", status: 400 } });
  });
});

describe.concurrent("pace", () => {
  test("by default an arrival that was refused starts the second anew", async () => {
    const { client } = await openStage({ pace: { spacingMs: 300 } });
    expect((await client.call("accountBalance")).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      await sleep(100);
      expect((await client.call("accountBalance")).status).toBe(429);
    }
    await sleep(310);
    expect((await client.call("accountBalance")).status).toBe(200);
  });

  test("with the switch only accepted arrivals count", async () => {
    const { client } = await openStage({ pace: { spacingMs: 300, refusedCount: false } });
    expect((await client.call("accountBalance")).status).toBe(200);
    await sleep(160);
    expect((await client.call("accountBalance")).status).toBe(429);
    await sleep(160);
    expect((await client.call("accountBalance")).status).toBe(200);
  });

  test("public calls with a registered key drain its budget, without a key or by switch they do not", async () => {
    const { client } = await openStage({ pace: { spacingMs: 60_000 } });
    expect((await client.get("client/assets")).status).toBe(200);
    expect((await client.get("client/assets", { "x-app-public-key": undefined })).status).toBe(200);
    expect((await client.get("client/assets")).status).toBe(429);
    expect((await client.call("accountBalance")).status).toBe(429);
    const apart = await openStage({ pace: { spacingMs: 60_000 }, publicCallsCount: false });
    expect((await apart.client.get("client/assets")).status).toBe(200);
    expect((await apart.client.call("accountBalance")).status).toBe(200);
  });

  test("portal and reference feeds are outside the budget", async () => {
    const { server, client } = await openStage({ pace: { spacingMs: 60_000 } });
    rows(await client.call("accountBalance"));
    const headers = { "user-agent": "test", "x-app-public-key": client.key.publicKey };
    for (const path of ["/reference/a", "/reference/b", "/portal/clock"])
      expect((await send(server.url, { method: "GET", path, headers, body: "" })).status).toBe(200);
  });
});

describe.concurrent("the server", () => {
  test("refuses to listen on anything but loopback", async () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.org"])
      await expect(createSimulatorServer({ ...systemParts, host })).rejects.toThrow("loopback only");
  });

  test("refuses a portal call that reached it under another host name", async () => {
    const { server } = await openStage();
    const headers = { "user-agent": "test", host: "rebound.example.org" };
    const answer = await send(server.url, { method: "GET", path: "/portal/ledger", headers, body: "" });
    refused(answer, [403, "forbidden_host"]);
  });

  test("reads a body of exactly the limit and refuses one byte more", async () => {
    const { client } = await openStage();
    const fits = `note=${"x".repeat(65_536 - 5)}`;
    refused(await client.call("queryOrders", { note: "y" }, { body: fits }), [401, "signature_failure"]);
    refused(await client.call("queryOrders", { note: "y" }, { body: `${fits}x` }), [413, "body_too_large"]);
  });

  test("remembers arrival, path, nonce and outcome of each request of a key", async () => {
    const { server, client } = await openStage();
    await client.call("accountBalance");
    await client.call("addOrder", order({ side: "Hold" }));
    await client.get("client/assets");
    const { body } = await portal(server, `requests?publicKey=${encodeURIComponent(client.key.publicKey)}`);
    const { requests } = body as { requests: { nonce?: string; monotonicMs: number; arrivedAt: string }[] };
    expect(requests).toMatchObject([
      { path: "/api/v1/private/accountBalance", method: "POST", status: 200, outcome: "ok" },
      { path: "/api/v1/private/addOrder", method: "POST", status: 400, outcome: "invalid_order" },
      { path: "/api/v1/client/assets", method: "GET", status: 200, outcome: "ok" },
    ]);
    expect(BigInt(requests[1]?.nonce ?? 0)).toBeGreaterThan(BigInt(requests[0]?.nonce ?? 0));
    expect(requests[1]?.monotonicMs).toBeGreaterThan(requests[0]?.monotonicMs ?? 0);
    expect(Date.parse(requests[0]?.arrivedAt ?? "")).toBeGreaterThan(Date.now() - 60_000);
  });

  test("survives garbage on the socket and half a request", async () => {
    const { server, client } = await openStage();
    const port = Number(new URL(server.url).port);
    for (const bytes of [
      "\x16\x03\x01garbage\r\n\r\n",
      "POST /api/v1/private/addOrder HTTP/1.1\r\nContent-Length: 50\r\n\r\nab",
    ]) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(bytes);
      await sleep(30);
      socket.destroy();
    }
    rows(await client.call("accountBalance"));
  });

  test("answers paths outside the API with 404", async () => {
    const { server } = await openStage();
    for (const path of ["/", "/api/v2/client/assets", "/portal/nothing", "/portal/__proto__", "/reference/z"]) {
      const answer = await send(server.url, { method: "GET", path, headers: { "user-agent": "test" }, body: "" });
      refused(answer, [404, "not_found"]);
    }
  });

  test("serves two reference feeds that agree within a percent", async () => {
    const { server } = await openStage();
    const [a, b] = await Promise.all(
      ["a", "b"].map(async (name) => {
        const call = { method: "GET" as const, path: `/reference/${name}`, headers: {}, body: "" };
        return (await send(server.url, call)).body as { feed: string; rates: { symbol: string; bid: number }[] };
      }),
    );
    expect(a?.feed).not.toBe(b?.feed);
    for (const { symbol, bid } of a?.rates ?? []) {
      const other = b?.rates.find((rate) => rate.symbol === symbol);
      expect(Math.abs((other?.bid ?? bid) / bid - 1)).toBeLessThan(0.01);
    }
    expect(a?.rates.length).toBeGreaterThan(2);
  });
});

describe.concurrent("the portal", () => {
  const key = newKeyPair().publicKey;
  const refusedInputs: [string, string, unknown][] = [
    ["an unknown field", "keys", { publicKey: key, label: "mine" }],
    ["a key that is no key", "keys", { publicKey: "AAAA" }],
    ["a key in PEM", "keys", { publicKey: "-----BEGIN PUBLIC KEY-----" }],
    ["a missing field", "kyb", { publicKey: key }],
    ["a flag as text", "kyb", { publicKey: key, cleared: "yes" }],
    ["an unknown product", "agreements", { publicKey: key, product: "lending", signed: true }],
    ["an amount as a number", "credits", { publicKey: key, asset: "CHF", amount: 5 }],
    ["a negative amount", "credits", { publicKey: key, asset: "CHF", amount: "-5" }],
    ["both ids", "holds", { requestid: "a", railid: "b", held: true }],
    ["time that goes back", "clock", { advanceMs: -1 }],
    ["a fault with a typing error", "faults", { rules: [{ fault: "lost-anser" }] }],
    ["a list where an object belongs", "clock", []],
  ];
  test.each(refusedInputs)("refuses %s", async (_what, route, body) => {
    refused(await portal(await openSimulator(), route, body), [400, "bad_request"]);
  });

  test("says 404 for a key that nobody registered, and credits nothing", async () => {
    const server = await openSimulator();
    refused(await portal(server, "credits", { publicKey: key, asset: "CHF", amount: "5" }), [404, "not_found"]);
    expect((await portal(server, "ledger")).body).toEqual({ postings: [] });
  });

  test("shows every movement of an account in its ledger", async () => {
    const { server, client } = await openStage();
    await client.call("addOrder", order());
    const { body } = await portal(server, `ledger?publicKey=${encodeURIComponent(client.key.publicKey)}`);
    const { postings } = body as { postings: { what: string; asset: string; amount: string }[] };
    expect(postings.filter(({ what }) => what === "credit")).toHaveLength(4);
    expect(postings.filter(({ what }) => what !== "credit").map(({ asset }) => asset)).toContain("VCHF");
  });

  test("refuses a body of another content type", async () => {
    const server = await openSimulator();
    const call = { method: "POST" as const, path: "clock", headers: { "content-type": "text/plain" }, body: "{}" };
    refused(await send(server.portalUrl, call), [400, "bad_request"]);
  });

  test("moves settlement time and nothing else", async () => {
    const { server, client } = await openStage();
    const before = (await portal(server, "clock")).body as { now: string; settlement: string };
    await portal(server, "clock", { advanceMs: 86_400_000 });
    const after = (await portal(server, "clock")).body as { now: string; settlement: string };
    expect(Date.parse(after.settlement) - Date.parse(before.settlement)).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(60_000);
    const { headers } = await client.get("client/assets");
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(60_000);
  });
});

test("speed makes a mint settle in seconds", async () => {
  // The longest settlement takes 12 hours: less than 2 s at this speed.
  const { client } = await openStage({ speed: 43_200 });
  await client.call("mintTokens", { asset: "VGBP", blockchain: "ETH", quantity: "100000" });
  const status = async () => rows(await client.call("querySupplyChanges", { asset: "VGBP" }))[0]?.status;
  expect(await status()).toBe("pending");
  for (let i = 0; i < 40 && (await status()) === "pending"; i++) await sleep(50);
  expect(await status()).toBe("settled");
});
