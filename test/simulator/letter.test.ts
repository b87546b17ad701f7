// The simulator by the letter of the interface, over HTTP with the bare client of the contract suite: each test is a
// sentence that a client written by others relies on.

import { describe, expect, test } from "vitest";
import type { SimulatorServer } from "../../src/simulator/server.ts";
import { availableOf, field, refused, rows, units } from "../contract/answer.ts";
import { Client, newKeyPair } from "../contract/client.ts";
import { openSimulator, openStage, order, portal } from "./server-stage.ts";

const PARTY = { partyname: { name: "Zürich Handels AG" }, address: { country: "CH" }, partytype: "company" };
const OFF_RAMP = {
  railtype: "StablecoinToFiat",
  sender: PARTY,
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
};
const GBP = { asset: "VGBP", currency: "GBP", blockchain: "ETH" };

const READS = [
  ["accountBalance", undefined],
  ["withdrawAddresses", undefined],
  ["depositAddress", undefined],
  ["queryOrders", "conversion"],
  ["queryTrades", "conversion"],
  ["querySupplyChanges", "issuance"],
  ["queryPaymentRails", "issuance"],
  ["queryPayments", "issuance"],
] as const;

async function stranger(server: SimulatorServer): Promise<Client> {
  const client = new Client(server.baseUrl, newKeyPair(), 0);
  await portal(server, "keys", { publicKey: client.key.publicKey });
  return client;
}

describe.concurrent("the simulator by the letter", () => {
  test.each(READS)("%s needs KYB and the agreement %s", async (name, product) => {
    const server = await openSimulator();
    const client = await stranger(server);
    const { publicKey } = client.key;
    const fields = name === "depositAddress" ? { asset: "VCHF", blockchain: "ETH" } : {};
    refused(await client.call(name, fields), [403, "kyb_required"]);
    await portal(server, "kyb", { publicKey, cleared: true });
    if (product !== undefined) {
      refused(await client.call(name, fields), [403, "agreement_missing"]);
      await portal(server, "agreements", { publicKey, product, signed: true });
    }
    expect((await client.call(name, fields)).status).toBe(200);
  });

  test("a form call sent as JSON, and a rail sent as a form, are 400; profile observed takes both for form calls", async () => {
    const { client } = await openStage();
    refused(await client.callJson("addOrder", order()), [400, "bad_request"]);
    refused(await client.callJson("accountBalance", {}), [400, "bad_request"]);
    refused(await client.call("addPaymentRail", { railtype: "StablecoinToFiat" }), [400, "bad_request"]);
    const observed = (await openStage({ profile: "observed" })).client;
    expect((await observed.callJson("addOrder", order())).status).toBe(200);
    expect((await observed.call("addOrder", order())).status).toBe(200);
  });

  test("a rail with wallet and bank account is refused in both directions", async () => {
    const { client } = await openStage();
    const both = { ...OFF_RAMP, wallet: { destination: "0x52908400098527886E0F7030069857D2E4169EE7" } };
    refused(await client.callJson("addPaymentRail", both), [400, "bad_request"]);
    refused(await client.callJson("addPaymentRail", { ...both, railtype: "FiatToStablecoin" }), [400, "bad_request"]);
  });

  test.each([
    ["pending", { ...OFF_RAMP, sender: { ...PARTY, partytype: "person" } }],
    ["rejected", { ...OFF_RAMP, sender: { ...PARTY, partytype: "robot" } }],
    ["pending", { ...OFF_RAMP, instructions: GBP, bankaccount: { destination: "20-00-00 55779911" } }],
    ["pending", { ...OFF_RAMP, instructions: GBP, bankaccount: { destination: "GB29NWBK60161331926819" } }],
    ["rejected", { ...OFF_RAMP, bankaccount: { destination: "20-00-00 55779911" } }],
    ["rejected", { ...OFF_RAMP, instructions: GBP, bankaccount: { destination: "20-00-00 5577991" } }],
  ])("a rail is %s: %j", async (status, body) => {
    const { client } = await openStage();
    expect((await client.callJson("addPaymentRail", body)).body).toMatchObject({ status });
  });

  test("a hold states a reason of the interface, and none of another kind", async () => {
    const { server, client } = await openStage();
    const { requestid } = (await client.call("mintTokens", { asset: "VGBP", blockchain: "ETH", quantity: "100000" }))
      .body as { requestid: string };
    const { railid } = (await client.callJson("addPaymentRail", OFF_RAMP)).body as { railid: string };
    const shown = async (call: string) => {
      const [row] = rows(await client.call(call));
      return `${field(row, "status")} ${field(row, "reason")}`;
    };
    for (const reason of ["Travel Rule timeout", "sanctions hit", "EDD required"]) {
      await portal(server, "holds", { requestid, held: true, reason });
      expect(await shown("querySupplyChanges")).toBe(`held ${reason}`);
      refused(await portal(server, "holds", { railid, held: true, reason }), [400, "bad_request"]);
    }
    for (const reason of ["AML review", "sanctions review", "Travel Rule review"]) {
      await portal(server, "holds", { railid, held: true, reason });
      expect(await shown("queryPaymentRails")).toBe(`held ${reason}`);
    }
    await portal(server, "holds", { railid, held: false });
    expect(await shown("queryPaymentRails")).toBe("pending null");
  });

  test("orders and trades are found by clordid, ordid, symbol and time, also beyond the newest page", async () => {
    const { client } = await openStage({ settings: { historyPageMax: 2 } });
    const first = (await client.call("addOrder", order({ clordid: "first" }))).body as { order: { ordid: string } };
    const between = new Date(Date.now() + 1).toISOString();
    while (new Date().toISOString() <= between);
    for (const clordid of ["second", "third"]) await client.call("addOrder", order({ clordid, symbol: "VGBP/GBP" }));
    const found = async (name: string, filters: Record<string, string>) =>
      rows(await client.call(name, filters)).map((row) => field(row, "clordid"));
    for (const name of ["queryOrders", "queryTrades"]) {
      expect(await found(name, {})).toEqual(["third", "second"]);
      expect(await found(name, { clordid: "first" })).toEqual(["first"]);
      expect(await found(name, { ordid: first.order.ordid })).toEqual(["first"]);
      expect(await found(name, { symbol: "VCHF/CHF" })).toEqual(["first"]);
      expect(await found(name, { symbol: "VCHF/CHF", clordid: "second" })).toEqual([]);
      expect(await found(name, { from: between })).toEqual(["third", "second"]);
      expect(await found(name, { to: between })).toEqual(["first"]);
      refused(await client.call(name, { clordId: "first" }), [400, "bad_request"]);
      refused(await client.call(name, { symbol: "VCHF/XAU" }), [400, "unknown_symbol"]);
      refused(await client.call(name, { from: "yesterday" }), [400, "bad_request"]);
    }
  });

  test("rails, payments, supply changes and addresses are found by their ids and assets", async () => {
    const { server, client } = await openStage();
    const rail = async (body: unknown) =>
      ((await client.callJson("addPaymentRail", body)).body as { railid: string }).railid;
    const one = await rail(OFF_RAMP);
    const other = await rail({ ...OFF_RAMP, instructions: GBP });
    const { paymentid } = (await portal(server, "payments", { railid: one, amount: "5" })).body as {
      paymentid: string;
    };
    const mint = { asset: "VGBP", blockchain: "ETH", quantity: "100000" };
    const { requestid, txid } = (await client.call("mintTokens", mint)).body as { requestid: string; txid: string };
    const address = { label: "cold", confirmed: true, address: "0x1", asset: "VCHF", blockchain: "ETH" };
    await portal(server, "addresses", { publicKey: client.key.publicKey, ...address });
    const found = async (name: string, id: string, filters: Record<string, string>) =>
      rows(await client.call(name, filters)).map((row) => field(row, id));
    expect(await found("queryPaymentRails", "railid", { railid: one })).toEqual([one]);
    expect(await found("queryPaymentRails", "railid", { asset: "VGBP" })).toEqual([other]);
    expect(await found("queryPayments", "paymentid", { railid: one })).toEqual([paymentid]);
    expect(await found("queryPayments", "paymentid", { railid: other })).toEqual([]);
    expect(await found("querySupplyChanges", "requestid", { requestid })).toEqual([requestid]);
    expect(await found("querySupplyChanges", "requestid", { txid })).toEqual([requestid]);
    expect(await found("querySupplyChanges", "requestid", { asset: "VCHF" })).toEqual([paymentid]);
    expect(await found("withdrawAddresses", "address", { asset: "VGBP" })).toEqual([]);
    expect(await found("withdrawAddresses", "address", { asset: "VCHF" })).toEqual(["0x1"]);
    refused(await client.call("querySupplyChanges", { asset: "XAU" }), [400, "unknown_asset"]);
  });

  test("a redemption takes coins, pays fiat to the bank and is a supply change", async () => {
    const { server, client } = await openStage();
    const { railid } = (await client.callJson("addPaymentRail", OFF_RAMP)).body as { railid: string };
    const before = availableOf(await client.call("accountBalance"), "VCHF");
    const { paymentid } = (await portal(server, "payments", { railid, amount: "4000" })).body as { paymentid: string };
    expect(before - availableOf(await client.call("accountBalance"), "VCHF")).toBe(units("4000"));
    const change = async () => rows(await client.call("querySupplyChanges", { requestid: paymentid }))[0];
    const row = { type: "redemption", asset: "VCHF", blockchain: "ETH", quantity: "4000", reason: null };
    expect(await change()).toMatchObject({
      ...row,
      status: "pending",
      txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    await portal(server, "clock", { advanceMs: 86_400_000 });
    expect(await change()).toMatchObject({ ...row, status: "settled" });
    const paid = rows(await client.call("queryPayments", { railid }))[0];
    expect(paid).toMatchObject({ status: "settled", delivered: "4000", delivered_currency: "CHF" });
    const { postings } = (await portal(server, "ledger")).body as { postings: object[] };
    expect(postings).toContainEqual(
      expect.objectContaining({ from: "dealer", to: "outside", asset: "CHF", amount: "4000" }),
    );
  });

  test("a mint that crypto funds is converted first, needs that agreement too, and takes about three hours", async () => {
    const server = await openSimulator();
    const client = await stranger(server);
    const { publicKey } = client.key;
    await portal(server, "kyb", { publicKey, cleared: true });
    await portal(server, "agreements", { publicKey, product: "issuance", signed: true });
    await portal(server, "credits", { publicKey, asset: "ETH", amount: "100" });
    const mint = { asset: "VGBP", blockchain: "ETH", quantity: "100000" };
    refused(await client.call("mintTokens", mint), [403, "agreement_missing"]);
    await portal(server, "agreements", { publicKey, product: "conversion", signed: true });
    const { body } = await client.call("mintTokens", mint);
    expect(body).toMatchObject({ spent_currency: "ETH" });
    const status = async () => field(rows(await client.call("querySupplyChanges"))[0], "status");
    await portal(server, "clock", { advanceMs: 3_600_000 });
    expect(await status()).toBe("pending");
    await portal(server, "clock", { advanceMs: 11 * 3_600_000 });
    expect(await status()).toBe("settled");
  });
});
