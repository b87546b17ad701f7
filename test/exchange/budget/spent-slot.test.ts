// What each slot was spent on is told once its request is over.

import { expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import type { SpentSlot } from "../../../src/exchange/budget/budget.ts";
import { budgetOn, temporaryFolder } from "./key-folder.ts";
import { createVirtualMachine, noon } from "./virtual-machine.ts";

async function stage() {
  const machine = createVirtualMachine();
  const told: SpentSlot[] = [];
  const budget = await budgetOn(temporaryFolder(), machine, { onSpent: (spent) => told.push(spent) });
  budget.observe(machine.clock.now(), machine.clock.now());
  return { machine, told, budget };
}

test("a slot is told when its request is over, with what it was for, how long it waited and took, and how it ended", async () => {
  const { machine, told, budget } = await stage();
  const slot = unwrap(await budget.take({ class: "order", key: "/private/addOrder" }));
  unwrap(slot.nonce());
  expect(slot.held()).toBe(true);
  await machine.pass(40);
  expect(told).toEqual([]);
  slot.end({ kind: "answered", rateLimited: false });
  const first = { at: noon, class: "order", what: "/private/addOrder" };
  expect(told).toEqual([{ ...first, waitedMs: 0, tookMs: 40, end: "answered" }]);
});

test("a read is told by its path, and one refused for its pace as such", async () => {
  const { machine, told, budget } = await stage();
  const before = unwrap(await budget.take({ class: "other" }));
  const shared = budget.share({ class: "quote", key: "/client/quotes {}" }, async (slot) => {
    slot.end({ kind: "answered", rateLimited: true, retryAfter: { ms: 1_000, status: 429, call: "quotes" } });
    return "sent";
  });
  void budget.share({ class: "treasury", key: "/private/queryPayments {}" }, async () => undefined);
  await machine.pass(100);
  before.end({ kind: "unspent" });
  expect(await shared).toEqual({ ok: true, value: "sent" });
  const read = told.find(({ what }) => what === "/client/quotes {}");
  expect([told.length, read?.end]).toEqual([2, "rate-limited"]);
  expect(read).toMatchObject({ waitedMs: 100 });
});
