// Mints, rails, payments and addresses on a real socket: what is sent, and what comes back.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import type { MoneyWant } from "../../src/exchange/port.ts";
import { asked, problemOf } from "../support/asking.ts";
import { always } from "../support/fault-server.ts";
import { CHF, mint, mintReceipt, paying, playing, rail, railReceipt, reading, VCHF } from "../support/wire.ts";

describe.concurrent("mint, rails, payments, addresses", () => {
  test("mintTokens: three fields, and a receipt", async () => {
    const { got, request } = await asked(mintReceipt, (exchange) => exchange.mintTokens(mint, paying()));
    expect(request).toMatchObject({
      path: "/api/v1/private/mintTokens",
      body: "asset=VCHF&blockchain=ETH&quantity=120000",
    });
    expect(got).toMatchObject({
      kind: "accepted",
      value: {
        requestId: "mint-1",
        transactionId: "0xfeed",
        fee: Money.of("12.5", CHF),
        spent: Money.of("120012.5", CHF),
      },
    });
  });

  test("a mint to a wallet is refused while no field is named for it, and goes out under the named one", async () => {
    const toWallet = { ...mint, destination: "0xabc" };
    const script = always((line) => line.json(200, mintReceipt));
    await playing(script, {}, async ({ venue, exchange }) => {
      const refused = { kind: "not-sent", reason: expect.stringContaining("venue.profile.mintDestination") };
      expect(await exchange.mintTokens(toWallet, paying())).toMatchObject(refused);
      expect(venue.lines).toHaveLength(0);
    });
    await playing(script, { profile: { mintDestination: "wallet_to" } }, async ({ venue, exchange }) => {
      expect(await exchange.mintTokens(toWallet, paying())).toMatchObject({ kind: "accepted" });
      expect(venue.requests()[0]?.body).toBe("asset=VCHF&blockchain=ETH&quantity=120000&wallet_to=0xabc");
    });
  });

  test("what says nothing, or would be left out, is not sent: no nonce, no record, no byte", async () => {
    const script = always((line) => line.json(200, mintReceipt));
    await playing(script, {}, async ({ venue, exchange }) => {
      const bank = { ...rail, type: "StablecoinToFiat", memo: "invoice 7" } as const;
      for (const send of [
        (want: MoneyWant) => exchange.mintTokens({ ...mint, blockchain: "" }, want),
        (want: MoneyWant) => exchange.mintTokens({ ...mint, blockchain: "ETH\n" }, want),
        (want: MoneyWant) => exchange.addPaymentRail({ ...rail, destination: " " }, want),
        (want: MoneyWant) => exchange.addPaymentRail({ ...rail, sender: { ...rail.sender, name: "" } }, want),
        (want: MoneyWant) => exchange.addPaymentRail(bank, want),
      ]) {
        const want = paying();
        expect(await send(want)).toMatchObject({ kind: "not-sent", code: "invalid" });
        expect(want.records).toEqual([]);
      }
      expect(venue.lines).toHaveLength(0);
    });
  });

  test("querySupplyChanges: by asset; ids, status and reason", async () => {
    const rows = [
      {
        requestid: "mint-1",
        txid: "0xfeed",
        asset: "VCHF",
        blockchain: "ETH",
        quantity: "120000",
        status: "held",
        reason: "Travel Rule",
        timestamp: "2026-11-15T10:00:00Z",
      },
      { txid: "0xbeef", status: "settled" },
    ];
    for (const name of ["supplychanges", "supply_changes", "supplyChanges", "changes"]) {
      const { got, request } = await asked({ [name]: rows }, (exchange) => exchange.supplyChanges(VCHF, reading));
      expect(request).toMatchObject({ path: "/api/v1/private/querySupplyChanges", body: "asset=VCHF" });
      expect(JSON.parse(JSON.stringify(got))).toMatchObject({
        value: [
          { requestId: "mint-1", transactionId: "0xfeed", quantity: "120000", status: "held", reason: "Travel Rule" },
          { transactionId: "0xbeef", asset: "VCHF", status: "settled" },
        ],
      });
    }
    expect(
      await problemOf({ changes: [{ status: "settled" }] }, (exchange) => exchange.supplyChanges(VCHF, reading)),
    ).toContain("requestid");
  });

  test("addPaymentRail: JSON with wallet on the way in, with bankaccount on the way out", async () => {
    const { got, request } = await asked(railReceipt, (exchange) =>
      exchange.addPaymentRail({ ...rail, memo: "m" }, paying()),
    );
    expect(got).toMatchObject({ kind: "accepted", value: { railId: railReceipt.railid, status: "pending" } });
    expect(request.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request.body)).toEqual({
      railtype: "FiatToStablecoin",
      sender: { partyname: { name: "Zürich AG" }, address: { country: "CH" }, partytype: "company" },
      wallet: { destination: rail.destination, memo: "m" },
      instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
    });
    const off = { ...rail, type: "StablecoinToFiat", destination: "CH9300762011623852957" } as const;
    const { request: second } = await asked(railReceipt, (exchange) => exchange.addPaymentRail(off, paying()));
    expect(JSON.parse(second.body)).toMatchObject({ bankaccount: { destination: "CH9300762011623852957" } });
    expect(JSON.parse(second.body)).not.toHaveProperty("wallet");
  });

  test("queryPaymentRails: an empty body, by railid", async () => {
    const { got, request } = await asked({ rails: [railReceipt] }, (exchange) => exchange.rails(reading));
    expect(request).toMatchObject({ path: "/api/v1/private/queryPaymentRails", body: "" });
    expect(got).toMatchObject({ value: [{ railId: railReceipt.railid, status: "pending", reason: undefined }] });
    expect(await problemOf({ rails: [{ status: "pending" }] }, (exchange) => exchange.rails(reading))).toContain(
      "rails[0].railid",
    );
  });
});
