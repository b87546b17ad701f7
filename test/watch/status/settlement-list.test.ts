// Mints and rails as the page shows them: from records, and from what the executor knows of those that commands began.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import { millis } from "../../../src/domain/time.ts";
import type { MoneyRequest } from "../../../src/execution/request.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { createSettlementList } from "../../../src/watch/status/settlement-list.ts";

const T0 = 1_794_700_000_000;
const GBP = "GBP" as Asset;
const VGBP = "VGBP" as Asset;
const mint = {
  asset: VGBP,
  blockchain: "ETH",
  quantity: Quantity.of("100000.37"),
  spentMax: Money.of("100100", GBP),
  feeMax: Money.of("50", GBP),
  known: [],
};
const intent: JournalRecord = {
  kind: "intent",
  at: millis(T0),
  id: "m1",
  request: { kind: "mint", mint, assets: [VGBP, GBP] },
  reserved: [],
  value: undefined,
  by: "anna",
};

test("a mint goes from its intent to the moment at which it settled", () => {
  const list = createSettlementList();
  list.take(intent);
  const begun = { id: "m1", kind: "mint", asset: "VGBP", what: "100000.37 VGBP on ETH", from: T0 };
  expect(list.list).toEqual([{ ...begun, state: "intended", to: undefined }]);
  list.take({ kind: "settled", at: millis(T0 + 99), id: "m1" });
  expect(list.list).toEqual([{ ...begun, state: "settled", to: T0 + 99 }]);
});

test("one that another process began is found in the executor and followed there to its end", () => {
  const list = createSettlementList();
  const submission = (state: MoneyRequest<"mint">["state"]): MoneyRequest<"mint"> => ({
    kind: "mint",
    id: "m2",
    request: mint,
    assets: [VGBP, GBP],
    value: undefined,
    state,
  });
  let known = submission({ kind: "intended" });
  let isOpen = true;
  const executor = { open: () => (isOpen ? [known] : []), get: () => known };
  list.follow(executor, millis(T0));
  const before = list.list;
  expect(before).toMatchObject([{ id: "m2", state: "intended", from: T0, to: undefined }]);
  list.follow(executor, millis(T0 + 1));
  expect(list.list).toBe(before);
  const failure = { code: "refused", status: 400, venueCode: undefined, message: "no" };
  known = submission({ kind: "rejected", ...failure });
  isOpen = false;
  list.follow(executor, millis(T0 + 2));
  expect(list.list).toMatchObject([{ id: "m2", state: "rejected", to: T0 + 2 }]);
});

test("a payment on a rail is shown from the account to its arrival", () => {
  const list = createSettlementList();
  const moved = (report: MovementReport, at: number): void =>
    list.take({
      kind: "step",
      at: millis(at),
      step: {
        sequence: 1,
        at: millis(at),
        event: { kind: "movement", id: "payment:p1", report, receivedAt: millis(at) },
        decisions: [],
        commands: [],
        mark: undefined,
      },
    });
  const spent = Money.of("1234.56", VGBP);
  const fee = Money.of("0", VGBP);
  const departed = { kind: "departed", door: "payment", spent, fee, comes: Money.of("1234.56", GBP) } as const;
  moved(departed, T0);
  // Whoever tells it again, of what another process wrote, tells the same one.
  moved(departed, T0 + 1);
  const shown = { id: "payment:p1", kind: "payment", asset: "GBP", what: "of 1234.56 VGBP", from: T0 };
  expect(list.list).toEqual([{ ...shown, state: "on its way", to: undefined }]);
  moved({ kind: "told", status: "held", reason: undefined }, T0 + 3);
  expect(list.list).toEqual([{ ...shown, state: "held", to: undefined }]);
  moved({ kind: "told", status: "pending", reason: undefined }, T0 + 4);
  expect(list.list).toEqual([{ ...shown, state: "on its way", to: undefined }]);
  moved({ kind: "arrived", at: "outside" }, T0 + 9);
  moved({ kind: "told", status: "held", reason: undefined }, T0 + 10);
  expect(list.list).toEqual([{ ...shown, state: "arrived", to: T0 + 9 }]);
});
