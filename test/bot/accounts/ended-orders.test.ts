// Orders that ended without a fill.

import { expect, it } from "vitest";
import { EndedOrders } from "../../../src/bot/accounts/accounts.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import { anIntent } from "../../risk/stage.ts";

const MAX = 1_000;
const SOME = anIntent();

function named(count: number): OrderIntent {
  return { ...SOME, clientOrderId: idOf(count) };
}

function idOf(count: number): ClientOrderId {
  return `T-${count}` as ClientOrderId;
}

it("the last thousand are known, until one fills after all; what is saved is oldest first and the same again", () => {
  const ended = new EndedOrders();
  for (let count = 1; count <= MAX + 2; count++) ended.add(named(count));
  expect([1, 2, 3, MAX + 2, MAX + 3].map((count) => ended.get(idOf(count))?.clientOrderId)).toEqual([
    undefined,
    undefined,
    "T-3",
    `T-${MAX + 2}`,
    undefined,
  ]);
  ended.delete(idOf(4));
  ended.delete(idOf(1));
  const saved = ended.values();
  expect([saved.length, saved[0]?.clientOrderId, saved[1]?.clientOrderId, saved.at(-1)?.clientOrderId]).toEqual([
    MAX - 1,
    "T-3",
    "T-5",
    `T-${MAX + 2}`,
  ]);
  const again = new EndedOrders(saved);
  expect(again.values()).toEqual(saved);
  again.add(named(MAX + 3));
  again.add(named(MAX + 4));
  expect([3, 5, MAX + 4].map((count) => again.get(idOf(count))?.clientOrderId)).toEqual([
    undefined,
    "T-5",
    `T-${MAX + 4}`,
  ]);
});
