// What people are told of plans of the treasury.

import { describe, expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { AT, quietStatus } from "../look.ts";
import { staged } from "./notice-bench.ts";
import { START } from "./stage.ts";

describe("people are told", () => {
  test("of a plan that was approved and not begun in time", async () => {
    const { notices, texts, messages, pass } = staged();
    const progress = {
      kind: "plan-progress",
      at: START,
      id: "R-1",
      text: "it was not begun: the bot is HALTED",
    } as const;
    for (const state of ["begun", "expired"] as const) notices.record({ ...progress, state });
    notices.record({ ...progress, id: "R-2", state: "withdrawn", text: "it is no longer needed" });
    await pass(20_000);
    expect(texts()).toEqual([
      "plan R-1 has expired: it was not begun: the bot is HALTED. Way out: pegbot rebalance shows what is needed now",
      "plan R-2 was withdrawn: it is no longer needed. Way out: pegbot rebalance shows what is needed now",
    ]);
    expect(messages.map(({ urgency, at }) => [urgency, at])).toEqual([
      ["warning", START],
      ["warning", START],
    ]);
  });

  test("of a plan that somebody declined, once, and not of the rest that follows", async () => {
    const { notices, texts, pass } = staged();
    const one = { id: "R-1", at: millis(AT), why: "too dear" };
    const expired = [
      { ...one, declinedBy: "ben" },
      { ...one, id: "R-2" },
      { ...one, id: "R-3", at: millis(AT - 7_200_000), declinedBy: "ben" },
    ];
    const rest = { why: "R-1 declined: too dear", until: millis(AT + 3_600_000) };
    for (const _ of [1, 2]) {
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, rest, expired } }));
      await pass(60_000);
    }
    expect(texts()).toEqual([
      "plan R-1 was declined by ben: too dear. Way out: none is needed; pegbot status says until when the bot makes no plan",
    ]);
  });
});
