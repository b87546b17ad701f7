// What people are told of an outcome that is unknown, and of its end.

import { describe, expect, test } from "vitest";
import { AT, quietStatus, submission } from "../look.ts";
import { reported, staged, stepOf } from "./notice-bench.ts";
import { START } from "./stage.ts";

describe("people are told", () => {
  test("of a doubt, and again when it waits for a person", async () => {
    const { notices, texts, pass } = staged();
    for (let i = 0; i < 3; i++) notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    notices.record(reported("T-1", { kind: "escalated", reason: "evidence did not decide" }));
    const report = { kind: "doubt", cause: "reset" } as const;
    for (let i = 0; i < 2; i++) notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    const escalated = { kind: "escalated", reason: "two rows could be it", wayOut: "pegbot resolve M-1" } as const;
    notices.record(stepOf({ kind: "movement", id: "M-1", report: escalated, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^T-1 may have happened: timeout\. Way out: .*pegbot resolve T-1$/),
      expect.stringMatching(/^T-1 waits for a person: evidence did not decide\./),
      expect.stringMatching(/^M-1 may have happened: reset\. Way out: .*pegbot resolve M-1$/),
      "M-1 waits for a person: two rows could be it. Way out: pegbot resolve M-1",
    ]);
  });

  test("of a doubt, with what it is, and of its end, once, as the status shows it", async () => {
    const titleOf = (id: string) => (id === "M-1" ? "mint 110000 VGBP on ETH" : undefined);
    const { notices, texts, messages, pass } = staged({ titleOf });
    const report = { kind: "doubt", cause: "reset" } as const;
    notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    for (const id of ["T-1", "T-2"]) notices.record(reported(id, { kind: "doubt", cause: "timeout" }));
    const doubts = ["T-1", "T-2"].map((id) => ({ ...submission("order", "unknown", 60), id }));
    notices.look(quietStatus({ open: [...doubts, { ...submission("mint", "unknown", 60), id: "M-1" }] }));
    await pass(0);
    const amounts = { spent: "120000.5 CHF", comes: "110000 VGBP", cautious: "110000 VGBP" };
    const flights = [{ id: "M-1", door: "mint", ...amounts, since: START, ageMs: 1 }];
    const order = { at: START, symbol: "VCHF/CHF", side: "buy", size: "1", limit: "1", reason: "", times: 1 };
    const decisions = [
      { ...order, clientOrderId: "T-2", outcome: "dead", note: "no witness shows it" } as const,
      { ...order, clientOrderId: "T-1", outcome: "confirmed", note: "" } as const,
    ];
    for (let i = 0; i < 4; i++) notices.look(quietStatus({ flights, decisions }));
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^M-1 may have happened \(mint 110000 VGBP on ETH\): reset\./),
      expect.stringMatching(/^T-1 may have happened: timeout\./),
      expect.stringMatching(/^T-2 may have happened: timeout\./),
      "M-1 is in doubt no more (mint 110000 VGBP on ETH): it happened, 120000.5 CHF are gone for it. Way out: none is needed",
      "T-1 is in doubt no more: confirmed. Way out: none is needed",
      "T-2 is in doubt no more: dead: no witness shows it. Way out: none is needed",
    ]);
    expect(messages.map(({ urgency }) => urgency)).toEqual([...Array(3).fill("critical"), ...Array(3).fill("warning")]);
    expect(messages.slice(3).map(({ at }) => at)).toEqual([AT, AT, AT]);
  });
});
