// The row of an own order, read under the switches that its answer proves; and where several would do, all are named.

import { expect, test } from "vitest";
import { findTrade } from "../../src/cli/contact/own-order.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";
import type { WireExchange } from "../../src/exchange/client.ts";
import { listEndpoints } from "../../src/exchange/lists.ts";
import type { Unread } from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { read } from "../../src/exchange/wire/decoder.ts";
import { parseJson } from "../../src/exchange/wire/json.ts";

const NOW = millis(Date.UTC(2026, 10, 18));
const [VCHF, CHF] = ["VCHF", "CHF"] as [Asset, Asset];
const request = {
  ...{ clientOrderId: "T-abcdefgh-1" as ClientOrderId, symbol: "VCHF/CHF" as PairSymbol, side: "buy" as const },
  ...{ quantity: Quantity.of("30"), limit: Price.of("1.2"), reason: "test", decidedAt: NOW, expiresAt: NOW },
};

/** A venue whose list of trades has this row. */
function lineOf(row: object) {
  const json = parseJson(
    Buffer.from(JSON.stringify({ trades: [{ clordid: "T-abcdefgh-1", symbol: "VCHF/CHF", side: "Buy", ...row }] })),
  );
  if (!json.ok) throw new Error(json.error);
  const speaking = (profile: Profile) => ({
    async trades() {
      const { trades } = listEndpoints({ profile, priceDecimals: 6 });
      const problems: Unread[] = [];
      const rows = read(trades.answer, json.value, problems);
      if (!rows.ok) return { kind: "failed", failure: { code: "unreadable", message: rows.error } };
      return { kind: "read", value: rows.value, receivedAt: NOW, problems };
    },
  });
  return { speaking: speaking as unknown as (profile: Profile) => WireExchange };
}

const paid = (sold: string, fee: string) => ({
  ...{ ...request, orderId: "7", tradeId: undefined, at: NOW },
  ...{ bought: Money.of("30", VCHF), sold: Money.of(sold, CHF), fee: Money.of(fee, CHF) },
});
const own = (receipt: ReturnType<typeof paid> | undefined) => ({
  request,
  receipt,
  isFilled: receipt !== undefined,
  at: NOW,
});

test("a fee without a currency has the one that the answer names", async () => {
  const row = { quantity: "30", price: "1.001", fee: "0.03" };
  const found = await findTrade(lineOf(row), presets.contract, own(paid("30.03", "0.03")));
  expect(found).toMatchObject({ kind: "fits", profile: { feeCurrencyMissing: "quote" } });
  expect(found.others).toMatchObject([{ feeCurrencyMissing: "sold" }]);
});

test("no switch makes a row of another amount fit", async () => {
  const row = { quantity: "31", price: "1", fee: "0", fee_currency: "CHF" };
  const found = await findTrade(lineOf(row), presets.contract, own(paid("30", "0")));
  expect(found).toMatchObject({ kind: "odd", cause: expect.stringContaining("31") });
});

test("without an answer, and without the balances' word, a strange status is not explained", async () => {
  const row = {
    bought: "30",
    bought_currency: "VCHF",
    sold: "30",
    sold_currency: "CHF",
    fee: "0",
    fee_currency: "CHF",
    status: "Done",
  };
  expect(await findTrade(lineOf(row), presets.contract, own(undefined))).toMatchObject({ kind: "odd" });
  const voted = await findTrade(lineOf(row), presets.contract, { ...own(undefined), isFilled: true });
  expect(voted).toMatchObject({ kind: "fits", profile: { statuses: { Done: "Filled" } } });
});
