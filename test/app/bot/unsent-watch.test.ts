// Orders that are approved and never leave are said, once.

import { expect, it } from "vitest";
import { unsentWatch } from "../../../src/app/bot/watches.ts";
import type { OrderReport } from "../../../src/domain/event.ts";
import type { Step } from "../../../src/domain/step.ts";

const UNSENT: OrderReport = { kind: "not-sent", reason: "the decision is 12 ms past its lifetime" };
const REJECTED: OrderReport = { kind: "rejected", code: "unfilled", message: "no counterpart" };

function stage() {
  const said: string[] = [];
  const watch = unsentWatch({
    warn: (text) => void said.push(`warn ${text}`),
    note: (text) => void said.push(`note ${text}`),
  });
  const tell = (times: number, report: OrderReport): readonly string[] => {
    said.length = 0;
    const event = { kind: "report", clientOrderId: "T-1", report, receivedAt: 0 };
    for (let i = 0; i < times; i++) watch({ event } as unknown as Step);
    return [...said];
  };
  return { tell };
}

it("ten orders in a row that were approved and not sent are said once, and that one was sent again", () => {
  const { tell } = stage();
  expect(tell(9, UNSENT)).toEqual([]);
  // It begins, and fails before a byte has left.
  expect(tell(1, { kind: "sending" })).toEqual([]);
  expect(tell(1, UNSENT)).toEqual([
    "warn 10 orders in a row were approved and not sent, the last because the decision is 12 ms past its lifetime: no decision of the strategy reaches the venue; pegbot status and pegbot doctor say more",
  ]);
  expect(tell(20, UNSENT)).toEqual([]);
  expect(tell(2, REJECTED)).toEqual(["note an order was sent again"]);
  expect(tell(9, UNSENT)).toEqual([]);
});
