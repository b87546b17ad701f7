// The client against the simulator's server, both through real HTTP and signatures: each was written from the interface
// alone, so that they check each other. Every call once, in the contract's and in the observed profile.

import { afterAll, describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { fillInconsistency } from "../../src/domain/fill-consistency.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import type { OutgoingOrder, Reading } from "../../src/exchange/port.ts";
import { type PresetName, type Profile, presets } from "../../src/exchange/profile.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { createSimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import type { VenueWriter } from "../../src/simulator/venue-writer.ts";
import {
  openBudget,
  paying,
  rail,
  reading,
  realClock,
  realTimers,
  testSigner,
  type Wired,
  wired,
} from "../support/wire.ts";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

type Change = {
  readonly words?: Record<string, string>;
  readonly statuses?: Profile["statuses"];
  readonly settings?: Partial<VenueSettings>;
};

async function stage(
  preset: PresetName,
  simulated = preset,
  { words, statuses = {}, settings = {} }: Change = {},
): Promise<Wired & { readonly writer: VenueWriter }> {
  const server = await createSimulatorServer({
    clock: realClock,
    timers: realTimers,
    seed: 7,
    pace: { spacingMs: 0 },
    profile: simulated,
    settings,
    ...(words === undefined ? {} : { faults: { rules: [{ fault: "other-words", words }] } }),
  });
  closing.push(() => server.close());
  const funds = new Map(Object.entries({ CHF: "1000000", GBP: "500000", VCHF: "10000", USDC: "10000" }));
  await setUpAccount(server.writer, testSigner().publicKey, funds);
  const both = wired(new URL(server.baseUrl), {
    profile: { ...presets[preset], statuses },
    budget: openBudget(realClock.now()),
  });
  closing.push(async () => both.exchange.close());
  return { ...both, writer: server.writer };
}

function readFrom<T>(got: Reading<T>): T {
  if (got.kind !== "read") throw new Error(JSON.stringify(got));
  expect(got.problems).toBeUndefined();
  return got.value;
}

/** Far above the market, but inside its band. */
async function order(exchange: Wired["exchange"], id: string): Promise<OutgoingOrder> {
  const symbol = "VCHF/CHF" as PairSymbol;
  const quote = readFrom(await exchange.quotes(reading)).find((one) => one.symbol === symbol);
  const limit = Price.of((quote?.ask ?? 1).toFixed(4))
    .shifted(50, "up")
    .rounded(4, "up");
  return { clientOrderId: id as ClientOrderId, symbol, side: "buy", quantity: Quantity.of("50"), limit };
}

describe.concurrent.each(["contract", "observed"] as const)("in the %s profile", (preset) => {
  test("public calls, balances and addresses are read without a problem", async () => {
    const { exchange } = await stage(preset);
    expect(readFrom(await exchange.assets(reading)).map((row) => row.asset)).toContain("VCHF");
    expect(readFrom(await exchange.pairs(reading)).map((row) => row.symbol)).toContain("VCHF/CHF");
    expect(readFrom(await exchange.quotes(reading)).length).toBeGreaterThan(0);
    const chf = readFrom(await exchange.balances(reading)).find((row) => row.asset === "CHF");
    expect(`${chf?.available} ${chf?.pending}`).toBe(preset === "contract" ? "1000000 0" : "1000000 undefined");
    readFrom(await exchange.withdrawAddresses(reading));
    for (const empty of [
      await exchange.orders(reading),
      await exchange.trades(reading),
      await exchange.payments(reading),
    ])
      expect(readFrom<readonly unknown[]>(empty)).toEqual([]);
  });

  test("an order fills, and history shows it with the same amounts", async () => {
    const { exchange } = await stage(preset);
    const sent = await order(exchange, "T-abcdefgh-1");
    const outcome = await exchange.addOrder(sent, paying());
    if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
    const [trade] = readFrom(await exchange.trades(reading));
    expect(trade).toMatchObject({ clientOrderId: "T-abcdefgh-1", orderId: outcome.value.orderId, symbol: "VCHF/CHF" });
    expect(trade?.tradeId).toBeDefined();
    expect([trade?.bought, trade?.sold, trade?.fee].map(String)).toEqual(
      [outcome.value.bought, outcome.value.sold, outcome.value.fee].map(String),
    );
    expect(trade && fillInconsistency(sent, trade)).toBeUndefined();
    expect(readFrom(await exchange.orders(reading))).toMatchObject([
      { clientOrderId: "T-abcdefgh-1", status: "Filled" },
    ]);
  });

  test("an order below the market is killed with a code, and nothing is left in doubt", async () => {
    const { exchange } = await stage(preset);
    const far = { ...(await order(exchange, "T-abcdefgh-2")), limit: Price.of("0.995") };
    const outcome = await exchange.addOrder(far, paying());
    expect(outcome.kind).toBe("rejected");
    expect(outcome.kind === "rejected" && ["unfilled", "price-out-of-band"]).toContain(
      outcome.kind === "rejected" ? outcome.failure.code : "",
    );
  });

  test("a mint and a rail are accepted, and their histories show them", async () => {
    const { exchange } = await stage(preset);
    const asset = "VCHF" as Asset;
    const minted = await exchange.mintTokens(
      { asset, blockchain: "ETH", quantity: Quantity.of("150000.37") },
      paying(),
    );
    if (minted.kind !== "accepted") throw new Error(JSON.stringify(minted));
    const changes = readFrom(await exchange.supplyChanges(asset, reading));
    expect(changes.map((row) => `${row.requestId} ${row.quantity}`)).toEqual([`${minted.value.requestId} 150000.37`]);
    const registered = await exchange.addPaymentRail(rail, paying());
    // Whether a made-up wallet is taken is the venue's business; a definite answer is ours.
    expect(["accepted", "rejected"]).toContain(registered.kind);
    const rails = readFrom(await exchange.rails(reading));
    if (registered.kind === "accepted") expect(rails.map((row) => row.railId)).toContain(registered.value.railId);
    const small = await exchange.mintTokens({ asset, blockchain: "ETH", quantity: Quantity.of("5") }, paying());
    expect(small).toMatchObject({ kind: "rejected", failure: { code: "below-minimum" } });
  });
});

test.each(["Settled", "FILLED", "filled", "completed"])(
  "an order that is answered and listed as %s is accepted, and listed as Filled",
  async (spoken) => {
    const { exchange } = await stage("contract", "contract", { words: { Filled: spoken, Rejected: "REJECTED" } });
    const sent = await order(exchange, "T-abcdefgh-1");
    expect((await exchange.addOrder(sent, paying())).kind).toBe("accepted");
    const far = { ...sent, clientOrderId: "T-abcdefgh-2" as ClientOrderId, limit: Price.of("0.995") };
    expect((await exchange.addOrder(far, paying())).kind).toBe("rejected");
    expect(readFrom(await exchange.trades(reading)).map(({ status }) => status)).toEqual(["Filled"]);
    expect(readFrom(await exchange.orders(reading)).map(({ status }) => status)).toEqual(["Rejected", "Filled"]);
  },
);

test.each([true, false])(
  "a payment onto the account is read with its fee if the list states it (%s)",
  async (stated) => {
    const settings = { accountPaymentFee: { fixed: "5", bps: 30 }, paymentFeeStated: stated };
    const { exchange, writer } = await stage("contract", "contract", { settings });
    const asset = "VCHF" as Asset;
    const destination = readFrom(await exchange.depositAddress(asset, "ETH", reading));
    const registered = await exchange.addPaymentRail({ ...rail, destination }, paying());
    if (registered.kind !== "accepted") throw new Error(JSON.stringify(registered));
    const { railId } = registered.value;
    await writer.perform((venue, at) => venue.pay(railId, Quantity.of("5000"), at));
    const [payment] = readFrom(await exchange.payments(reading));
    expect(`${payment?.amount} ${payment?.amount?.asset}`).toBe("5000 CHF");
    expect(payment?.fee && `${payment.fee} ${payment.fee.asset}`).toBe(stated ? "20 VCHF" : undefined); // 5 + 5,000 x 0.003
  },
);
