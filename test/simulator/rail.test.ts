import { describe, expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import type { AddressRow } from "../../src/simulator/core/record.ts";
import { payment } from "../../src/simulator/port-rows.ts";
import { at, balance, CHF, createStage, KEY, refusalOf, type Stage, VCHF, value } from "./stage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WALLET = "0x00000000000000000000000000000000000000aa";
const SENDER = { partyname: { name: "Zürich Käse AG" }, address: { country: "CH" }, partytype: "company" };
const INSTRUCTIONS = { asset: "VCHF", currency: "CHF", blockchain: "ETH" };
const ON_RAMP = {
  railtype: "FiatToStablecoin",
  sender: SENDER,
  wallet: { destination: WALLET },
  instructions: INSTRUCTIONS,
};
const OFF_RAMP = {
  railtype: "StablecoinToFiat",
  sender: SENDER,
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: INSTRUCTIONS,
};
const ADDRESS: AddressRow = {
  asset: VCHF,
  blockchain: "ETH",
  address: WALLET,
  label: "cold",
  status: "Confirmed",
  travelRule: { originator: "Stage AG", beneficiary: "Stage AG" },
};

function stageWithWallet(): Stage {
  const stage = createStage();
  value(stage.venue.whitelist(KEY, ADDRESS));
  return stage;
}

describe("a payment rail", () => {
  test("is pending when all is well, in both directions, and no money moves", () => {
    const stage = stageWithWallet();
    const before = stage.venue.ledger().length;
    for (const body of [ON_RAMP, OFF_RAMP]) {
      const rail = value(stage.venue.addPaymentRail(KEY, body, at(0)));
      expect(`${rail.status} ${rail.reason}`).toBe("pending undefined");
      expect(value(stage.venue.rails(KEY, at(0)))[0]?.railId).toBe(rail.railId);
    }
    expect(value(stage.venue.rails(KEY, at(0)))[0]?.sender.name).toBe("Zürich Käse AG");
    expect(stage.venue.ledger().length).toBe(before);
  });
});

/** What a settled payment moved. */
function settledOf(stage: Stage): readonly string[] {
  const moved = stage.venue.ledger().filter(({ what }) => what === "payment settled");
  return moved.map(({ amount, asset, from, to }) => `${amount} ${asset} ${from} -> ${to}`).sort();
}

describe("a payment", () => {
  test("on an on-ramp brings fiat from outside and sends tokens less the network fee to the wallet", () => {
    const stage = stageWithWallet();
    const { railId } = value(stage.venue.addPaymentRail(KEY, ON_RAMP, at(0)));
    expect(refusalOf(stage.venue.pay(railId, Quantity.of("4"), at(0)))).toBe("400 bad_request");
    const payment = value(stage.venue.pay(railId, Quantity.of("5000"), at(0)));
    expect(`${payment.received} ${payment.received.asset} -> ${payment.delivered} ${payment.delivered.asset}`).toBe(
      "5000 CHF -> 4996 VCHF",
    );
    expect(value(stage.venue.payments(KEY, at(HOUR / 2)))[0]?.status).toBe("pending");
    expect(value(stage.venue.payments(KEY, at(DAY)))[0]?.status).toBe("settled");
    expect(balance(stage, VCHF, at(DAY))).toBe("10000 0");
    expect(balance(stage, CHF, at(DAY))).toBe("1000000 0");
    expect(settledOf(stage)).toEqual([
      "4 VCHF issuer -> fees",
      "4996 VCHF issuer -> outside",
      "5000 CHF in-flight -> dealer",
    ]);
  });

  test("towards the own deposit address arrives less the operator's fee, which the list states or does not", () => {
    for (const paymentFeeStated of [true, false]) {
      const stage = createStage({ accountPaymentFee: { fixed: "5", bps: 30 }, paymentFeeStated });
      const destination = value(stage.venue.depositAddress(KEY, { asset: "VCHF", blockchain: "ETH" }));
      const { railId } = value(stage.venue.addPaymentRail(KEY, { ...ON_RAMP, wallet: { destination } }, at(0)));
      expect(refusalOf(stage.venue.pay(railId, Quantity.of("5.01"), at(0)))).toBe("400 bad_request"); // 5.01503
      value(stage.venue.pay(railId, Quantity.of("5000"), at(0)));
      expect(balance(stage, VCHF, at(DAY))).toBe("14980 0"); // 10,000 + 5,000 - 5 - 5,000 x 0.003
      const [row] = value(stage.venue.payments(KEY, at(DAY)));
      expect(row?.fee.toString()).toBe("20");
      expect(row && payment(row).fee?.toString()).toBe(paymentFeeStated ? "20" : undefined);
    }
  });

  test("on an off-ramp takes tokens at once and pays fiat out when it settles", () => {
    const stage = createStage();
    const { railId } = value(stage.venue.addPaymentRail(KEY, OFF_RAMP, at(0)));
    expect(refusalOf(stage.venue.pay(railId, Quantity.of("10000.00001"), at(0)))).toBe("400 bad_request");
    value(stage.venue.pay(railId, Quantity.of("10000"), at(0)));
    expect(balance(stage, VCHF)).toBe("0 0");
    value(stage.venue.payments(KEY, at(DAY)));
    expect(settledOf(stage)).toEqual(["10000 CHF dealer -> outside", "10000 VCHF in-flight -> issuer"]);
  });

  test("waits with its rail while that is held", () => {
    const stage = createStage();
    const { railId } = value(stage.venue.addPaymentRail(KEY, OFF_RAMP, at(0)));
    value(stage.venue.pay(railId, Quantity.of("100"), at(0)));
    value(stage.venue.hold(railId, true, at(0)));
    value(stage.venue.pay(railId, Quantity.of("200"), at(0)));
    const statuses = (ms: number) => value(stage.venue.payments(KEY, at(ms))).map(({ status }) => status);
    expect(statuses(10 * DAY)).toEqual(["held", "held"]);
    expect(value(stage.venue.rails(KEY, at(10 * DAY)))[0]?.status).toBe("held");
    value(stage.venue.hold(railId, false, at(10 * DAY)));
    expect(statuses(10 * DAY)).toEqual(["settled", "settled"]);
  });
});
