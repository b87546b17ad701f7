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

  test("of a plan that a person proposed and that is over, without a word of targets: none asks for it again", async () => {
    const { notices, texts, pass } = staged({ isWish: (id) => id === "R-1" });
    const progress = { kind: "plan-progress", at: START, id: "R-1", text: "its words" } as const;
    for (const state of ["expired", "stopped"] as const) notices.record({ ...progress, state });
    await pass(20_000);
    const anew = "pegbot mint or pegbot rail with --propose proposes it anew";
    expect(texts()).toEqual([
      `plan R-1 has expired: its words. Way out: ${anew}`,
      `plan R-1 was stopped: its words. Way out: pegbot status shows what is open; ${anew}`,
    ]);
  });

  test("of a holding that no plan is made for, once", async () => {
    const { notices, texts, pass } = staged();
    const left = [{ holding: "VCHFF", why: "there is no rate of VCHFF in CHF" }];
    for (let look = 0; look < 2; look++) {
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, left } }));
      await pass(3_600_000);
    }
    expect(texts()).toEqual([
      "plan for VCHFF is not made now: there is no rate of VCHFF in CHF. Way out: pegbot rebalance shows every holding; treasury.targets names them",
    ]);
  });

  test("of a rest after a mint or a rail was refused, once, and not of one after an order", async () => {
    const { notices, texts, pass } = staged();
    const why = "R-1 stopped: RM05: the day is used up";
    for (const minutes of [5, 60, 60]) {
      const rest = { why, until: millis(AT + minutes * 60_000) };
      notices.look(quietStatus({ treasury: { plans: [], awaited: [], railsFrozen: undefined, rest } }));
      await pass(1_000);
    }
    expect(texts()).toEqual([expect.stringContaining(why)]);
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

  test("of a plan that was stopped midway, and not of one that nobody knew of and that moved nothing", async () => {
    const { notices, texts, messages, pass } = staged();
    const plan = { kind: "plan", at: START, digest: "d", content: "c", expiresAt: START, by: "bot" } as const;
    const told = (id: string, state: "step" | "stopped", unmoved?: number): void => {
      const refusal = unmoved === undefined ? undefined : { unmoved, why: "RC05" };
      notices.record({ kind: "plan-progress", at: START, id, state, text: "its words", refusal });
    };
    for (const id of ["R-1", "R-2", "R-3"]) notices.record({ ...plan, id, persons: 0 });
    notices.record({ ...plan, id: "R-4", persons: 1 });
    told("R-1", "stopped", 2);
    told("R-2", "step");
    told("R-2", "stopped", 1);
    told("R-3", "stopped");
    told("R-4", "stopped", 2);
    told("R-5", "stopped", 1);
    await pass(20_000);
    expect(texts()).toEqual(
      ["R-2", "R-3", "R-4", "R-5"].map(
        (id) =>
          `plan ${id} was stopped: its words. Way out: pegbot status shows what is open; pegbot rebalance shows what is still needed`,
      ),
    );
    expect(new Set(messages.map(({ urgency, at }) => `${urgency} ${at}`))).toEqual(new Set([`warning ${START}`]));
  });
});
