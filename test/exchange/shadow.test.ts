// Shadow at the socket: what leaves when an order, a mint or a rail is asked for, and what the last check refuses.

import { expect, onTestFinished, test } from "vitest";
import { createReads } from "../../src/exchange/client.ts";
import { presets } from "../../src/exchange/profile.ts";
import { createShadow, type LocalBook, readsOnly } from "../../src/exchange/shadow.ts";
import { createTransport, transportDefaults } from "../../src/exchange/wire/transport.ts";
import { always, faultServer } from "../support/fault-server.ts";
import { mint, openBudget, order, paying, rail, reading, realClock, realTimers, testSigner } from "../support/wire.ts";

const quotes = { quotes: [{ symbol: "VCHF/CHF", bid: ["0.999", "500"], ask: ["1.001", "400"] }] };
const refused = { kind: "rejected", failure: { code: "x", status: 200, venueCode: "x", message: "x" } } as const;

async function shadow(status = 200) {
  const venue = await faultServer(
    always((line, { path }) => line.json(status, path.endsWith("quotes") ? quotes : { balances: [] })),
  );
  onTestFinished(() => venue.close());
  const transport = createTransport(
    venue.baseUrl,
    { clock: realClock, timers: realTimers },
    { ...transportDefaults, reach: "loopback" },
  );
  onTestFinished(() => transport.close());
  const parts = {
    ...{ clock: realClock, budget: openBudget(), transport, signer: testSigner(), userAgent: "pegbot/0" },
    ...{ profile: presets.contract, priceDecimals: 6 },
  };
  const met: unknown[] = [];
  const book = {
    show: (shown: unknown) => void met.push(shown),
    order: () => refused,
    mint: () => refused,
    rail: () => refused,
    synced: async () => undefined,
  } as unknown as LocalBook;
  return { venue, transport, parts, met, exchange: createShadow(parts, () => book) };
}

test("an order, a mint and a rail ask for the venue's quotes in their slot, unsigned, and nothing else leaves", async () => {
  const { venue, exchange, met } = await shadow();
  const outcomes = [
    await exchange.addOrder(order, paying()),
    await exchange.mintTokens(mint, paying()),
    await exchange.addPaymentRail(rail, paying()),
  ];
  expect(outcomes.map(({ kind }) => kind)).toEqual(["rejected", "rejected", "rejected"]);
  const sent = venue.requests().map(({ method, path, headers }) => [method, path, headers["x-app-signed-data"]]);
  expect(sent).toEqual(Array(3).fill(["GET", expect.stringMatching(/\/client\/quotes$/), undefined]));
  expect(met).toHaveLength(3);
});

test("what would leave unknown at the venue is unknown here, and has not arrived", async () => {
  const { exchange, met } = await shadow(503);
  expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "doubt" });
  expect(met).toEqual([]);
});

test("the kill switch and the record come before the look, as before an order", async () => {
  const { venue, exchange } = await shadow();
  expect(await exchange.addOrder(order, paying({ lastCheck: () => "killed" }))).toMatchObject({ kind: "not-sent" });
  expect(await exchange.addOrder(order, paying({ recheck: () => "old" }))).toMatchObject({ code: "outdated" });
  expect(venue.requests()).toEqual([]);
});

test.each(["addOrder", "mintTokens", "addPaymentRail", "transfer", "ADDORDER", "accountBalance/../addOrder"])(
  "the last check before the socket refuses a POST to %s from every caller",
  async (call) => {
    const { venue, transport } = await shadow();
    const request = { method: "POST", path: `/private/${call}`, headers: {}, body: "{}", fresh: true } as const;
    expect(await readsOnly(transport).send({ ...request, gate: () => undefined })).toMatchObject({ kind: "not-sent" });
    expect(venue.received()).toBe("");
  },
);

test("without a book it reads, and has no method that sends", async () => {
  const { parts, venue } = await shadow();
  const reads = createReads(parts);
  expect(["addOrder", "mintTokens", "addPaymentRail"].filter((call) => call in reads)).toEqual([]);
  const only = createShadow(parts, undefined);
  expect((await only.balances(reading)).kind).toBe("read");
  expect(await only.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "shadow" });
  expect(venue.requests()).toHaveLength(1);
});
