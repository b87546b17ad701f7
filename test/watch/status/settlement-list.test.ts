// Mints, rails and payments as the page shows them, from records.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import { millis } from "../../../src/domain/time.ts";
import { createSettlementList } from "../../../src/watch/status/settlement-list.ts";

const T0 = millis(1_794_700_000_000);
const [GBP, VGBP] = ["GBP" as Asset, "VGBP" as Asset];

test("a mint goes from its intent to the moment at which it settled, and a payment from the account to its arrival", () => {
  const list = createSettlementList();
  const mint = {
    ...{ asset: VGBP, blockchain: "ETH", quantity: Quantity.of("100000.37"), known: [] },
    ...{ spentMax: Money.of("100100", GBP), feeMax: Money.of("50", GBP) },
  };
  const request = { kind: "mint", mint, assets: [VGBP, GBP] } as const;
  list.take({ kind: "intent", at: T0, id: "m1", request, reserved: [], value: undefined, by: "anna" });
  const moved = (report: MovementReport, at: number): void => {
    const event = { kind: "movement", id: "payment:p1", report, receivedAt: millis(at) } as const;
    const step = { sequence: 1, at: millis(at), event, decisions: [], commands: [], mark: undefined };
    list.take({ kind: "step", at: millis(at), step });
  };
  const [spent, comes, fee] = [Money.of("1234.56", VGBP), Money.of("1234.56", GBP), Money.of("0", VGBP)];
  // The venue's list tells of it again and again.
  for (const at of [T0, T0 + 1]) moved({ kind: "departed", door: "payment", spent, fee, comes }, at);
  const [begun, paid] = [
    { id: "m1", kind: "mint", what: "100000.37 VGBP on ETH", from: T0 },
    { id: "payment:p1", kind: "payment", what: "of 1234.56 VGBP", from: T0 },
  ];
  const state = "on its way";
  expect(list.list).toEqual([begun, paid].map((one) => ({ ...one, state, to: undefined })));
  list.take({ kind: "settled", at: millis(T0 + 99), id: "m1" });
  moved({ kind: "arrived", at: "outside" }, T0 + 9);
  expect(list.list).toEqual([
    { ...begun, state: "settled", to: T0 + 99 },
    { ...paid, state: "arrived", to: T0 + 9 },
  ]);
});
