// The fee of a payment onto the account, as the template of its rail states it.

import { expect, test } from "vitest";
import { configSchema } from "../../../src/config/schema.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { RailIntent } from "../../../src/domain/rail.ts";
import { railFeeOf } from "../../../src/operation/terms/movement-terms.ts";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const sender = { name: "Zürich Handels AG", country: "CH", type: "company" };
const template = { direction: "on", asset: "VCHF", chain: "ETH", to: "home", sender };
const VCHF = "VCHF" as Asset;

const rail: RailIntent = {
  type: "FiatToStablecoin",
  sender,
  destination: ADDRESS,
  memo: undefined,
  asset: VCHF,
  currency: "CHF" as Asset,
  blockchain: "ETH",
  known: [],
  toAccount: true,
};

function railFee(...fees: readonly (object | undefined)[]) {
  const rails = fees.map((fee, i) => [`rail-${i}`, { ...template, ...(fee === undefined ? {} : { fee }) }]);
  return railFeeOf(
    configSchema.parse({
      strategy: { use: "peg-arbitrage" },
      treasury: {
        destinations: {
          home: { kind: "wallet", chain: "ETH", address: ADDRESS },
          bank: { kind: "bank", account: "CH9300762011623852957" },
        },
        rails: {
          ...Object.fromEntries(rails),
          out: { ...template, direction: "off", to: "bank", fee: { fixed: "7" } },
        },
      },
    }),
  );
}

const text = (fee: Money | undefined) => fee && `${fee} ${fee.asset}`;

test("is the fixed part and the share together, rounded up to 8 decimals", () => {
  const amount = Money.of("1234.5", VCHF);
  expect(text(railFee({ fixed: "5", bps: 30 })(rail, amount))).toBe("8.7035 VCHF"); // 5 + 1234.5 x 0.003
  expect(text(railFee({ bps: 30 })(rail, Money.of("0.00001", VCHF)))).toBe("0.00000003 VCHF"); // 0.00000003
  expect(text(railFee({ bps: 31 })(rail, Money.of("0.00001", VCHF)))).toBe("0.00000004 VCHF"); // 0.000000031
  expect(text(railFee({ fixed: "5" })(rail, amount))).toBe("5 VCHF");
  expect(text(railFee({})(rail, amount))).toBe("0 VCHF");
});

test("is never more than the payment", () => {
  expect(text(railFee({ fixed: "5" })(rail, Money.of("4", VCHF)))).toBe("4 VCHF");
});

test("is not known where no template of this content states one", () => {
  const amount = Money.of("100", VCHF);
  expect(railFee(undefined)(rail, amount)).toBeUndefined();
  const fee = railFee(undefined, { fixed: "5" });
  expect(text(fee(rail, amount))).toBe("5 VCHF");
  for (const change of [
    { destination: "0x0000000000000000000000000000000000000001" },
    { asset: "VGBP" as Asset },
    { currency: "GBP" as Asset },
    { blockchain: "BASE" },
    { type: "StablecoinToFiat" as const },
  ])
    expect(fee({ ...rail, ...change }, amount), JSON.stringify(change)).toBeUndefined();
  const bank = { ...rail, type: "StablecoinToFiat", destination: "CH9300762011623852957" } as const;
  expect(text(fee(bank, amount))).toBe("7 VCHF");
});
