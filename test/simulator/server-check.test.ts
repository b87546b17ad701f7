// What the server checks on every request, in which order, and which switches bend it.

import { describe, expect, test } from "vitest";
import { createSimulatorServer } from "../../src/simulator/server.ts";
import { refused, rows } from "../contract/answer.ts";
import { send } from "../contract/client.ts";
import { systemParts } from "./server-parts.ts";
import { openStage, openStillStage, order, portal } from "./server-stage.ts";

const OFF_RAMP = {
  railtype: "StablecoinToFiat",
  sender: { partyname: { name: "Zürich Handels AG" }, address: { country: "CH" }, partytype: "company" },
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
};

describe.concurrent("order of checks", () => {
  test("a nonce is used up by a call that is refused after its signature held", async () => {
    const { client } = await openStage();
    const nonce = client.nonce();
    refused(await client.call("addOrder", order({ symbol: "NO/PAIR" }), { nonce }), [400, "unknown_symbol"]);
    refused(await client.call("accountBalance", {}, { nonce }), [401, "signature_failure"]);
  });

  test("the observed profile says invalid_nonce and invalid_request_limit, nested", async () => {
    const { client, pass } = await openStillStage({ profile: "observed", pace: { spacingMs: 1_000 } });
    const nonce = client.nonce();
    rows(await client.call("accountBalance", {}, { nonce }));
    const soon = await client.call("accountBalance");
    expect(soon.body).toMatchObject({ error: { code: "invalid_request_limit", status: 400 } });
    pass(1_000);
    const stale = await client.call("accountBalance", {}, { nonce });
    expect(stale.body).toMatchObject({ error: { code: "invalid_nonce", status: 400 } });
  });
});

test("rows are found by their ids, also beyond the newest page, and an unknown filter is refused", async () => {
  const { server, client } = await openStage({ settings: { historyPageMax: 2 } });
  const first = (await client.call("addOrder", order({ clordid: "first" }))).body as { order: { ordid: string } };
  for (const clordid of ["second", "third"]) await client.call("addOrder", order({ clordid }));
  const found = async (name: string, id: string, filters: Record<string, string>) =>
    rows(await client.call(name, filters)).map((row) => row[id]);
  for (const name of ["queryOrders", "queryTrades"]) {
    expect(await found(name, "clordid", {})).toEqual(["third", "second"]);
    expect(await found(name, "clordid", { clordid: "first" })).toEqual(["first"]);
    expect(await found(name, "clordid", { ordid: first.order.ordid })).toEqual(["first"]);
    refused(await client.call(name, { clordId: "first" }), [400, "bad_request"]);
  }
  const { railid } = (await client.callJson("addPaymentRail", OFF_RAMP)).body as { railid: string };
  const { paymentid } = (await portal(server, "payments", { railid, amount: "5" })).body as { paymentid: string };
  expect(await found("queryPaymentRails", "railid", { railid })).toEqual([railid]);
  expect(await found("queryPayments", "paymentid", { railid })).toEqual([paymentid]);
  expect(await found("queryPayments", "paymentid", { railid: "other" })).toEqual([]);
  // An off-ramp's payment is a redemption.
  const [redeemed] = rows(await client.call("querySupplyChanges", { requestid: paymentid, asset: "VCHF" }));
  expect(redeemed).toMatchObject({ type: "redemption", quantity: "5", status: "pending" });
  refused(await client.call("querySupplyChanges", { asset: "XAU" }), [400, "unknown_asset"]);
});

describe.concurrent("pace", () => {
  test("999 ms are too soon, 1,000 are not, and an arrival that was refused starts the second anew", async () => {
    const { client, pass } = await openStillStage({ pace: { spacingMs: 1_000 } });
    expect((await client.call("accountBalance")).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      pass(999);
      expect((await client.call("accountBalance")).status).toBe(429);
    }
    pass(1_000);
    expect((await client.call("accountBalance")).status).toBe(200);
  });

  test("public calls with a registered key drain its budget, without a key they do not", async () => {
    const { client } = await openStage({ pace: { spacingMs: 60_000 } });
    expect((await client.get("client/assets")).status).toBe(200);
    expect((await client.get("client/assets", { "x-app-public-key": undefined })).status).toBe(200);
    expect((await client.get("client/assets")).status).toBe(429);
    expect((await client.call("accountBalance")).status).toBe(429);
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
});
