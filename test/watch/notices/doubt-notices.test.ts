// What people are told of an outcome that is unknown, and of its end.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import { UNLISTED } from "../../../src/domain/rail.ts";
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

  test("of a doubt, with what it is, and of its end, once", async () => {
    const titleOf = (id: string) => (id === "M-1" ? "mint 110000 VGBP on ETH" : undefined);
    const { notices, texts, messages, pass } = staged({ titleOf });
    const moved = (report: MovementReport): void =>
      notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    moved({ kind: "told", status: "pending", reason: undefined });
    moved({ kind: "doubt", cause: "reset" });
    notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    await pass(0);
    for (let i = 0; i < 2; i++) moved({ kind: "told", status: "pending", reason: undefined });
    moved({ kind: "released", reason: "refused" });
    notices.record(reported("T-1", { kind: "dead", reason: "no witness shows it" }));
    await pass(0);
    expect(texts()).toEqual([
      expect.stringMatching(/^M-1 may have happened \(mint 110000 VGBP on ETH\): reset\./),
      expect.stringMatching(/^T-1 may have happened: timeout\./),
      "M-1 is in doubt no more (mint 110000 VGBP on ETH): the venue lists it as pending. Way out: none is needed",
      "T-1 is in doubt no more: it did not happen: no witness shows it. Way out: none is needed",
    ]);
    expect(messages.map(({ urgency }) => urgency)).toEqual(["critical", "critical", "warning", "warning"]);
  });

  test("of the end of a doubt that an earlier process told, and of one that the venue had turned away", async () => {
    const { notices, texts, pass } = staged();
    const rejected = { kind: "rejected", code: "rate-limited", message: "too many requests" } as const;
    notices.record(reported("T-1", rejected));
    notices.record(reported("T-2", { kind: "doubt", cause: "429" }));
    notices.look(quietStatus({ open: [{ ...submission("order", "unknown", 60), id: "T-3", isDoubt: true }] }));
    await pass(0);
    for (const id of ["T-2", "T-3"]) notices.record(reported(id, rejected));
    await pass(0);
    expect(texts().slice(1)).toEqual(
      ["T-2", "T-3"].map(
        (id) => `${id} is in doubt no more: it did not happen: too many requests. Way out: none is needed`,
      ),
    );
  });

  test("of the end of a doubt that another process wrote, once it is not shown twice, and of a mint's cost when it is known", async () => {
    const { notices, texts, pass } = staged();
    const doubt = (kind: string, id: string) => ({ ...submission(kind, "escalated", 60), id, isDoubt: true });
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const [order, mint] = [doubt("order", "T-1"), doubt("mint", "M-1")];
    const landed = { ...submission("mint", "confirmed", 60), id: "M-1" };
    look(order, mint);
    // A command's own, which nobody was called for.
    look(mint, doubt("order", "T-2"));
    await pass(0);
    expect(texts()).toEqual([]);
    look(landed);
    // It was only missing for a moment.
    look(mint);
    look(landed);
    look(landed);
    look(landed);
    const [spent, fee, comes] = ["120000.5", "0.5", "120000"].map((amount) => Money.of(amount, "CHF" as Asset)) as [
      Money,
      Money,
      Money,
    ];
    const departed = { kind: "departed", door: "mint", spent, fee, comes } as const;
    for (let i = 0; i < 2; i++)
      notices.record(stepOf({ kind: "movement", id: "M-1", report: departed, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([
      "T-1 is in doubt no more: it is over; pegbot journal list shows how it ended. Way out: none is needed",
      "M-1 is in doubt no more: it happened; what it cost is told when the balances show it. Way out: none is needed",
      "M-1 is booked: 120000.5 CHF are gone for it. Way out: none is needed",
    ]);
  });

  test("of the end of a doubt of its own that no record tells, and of what was asked of a person while it was in doubt", async () => {
    const { notices, texts, messages, pass } = staged();
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const moved = (id: string, report: MovementReport): void =>
      notices.record(stepOf({ kind: "movement", id, report, receivedAt: START }));
    const doubts = ["T-1", "T-2"].map((id) => ({ ...submission("order", "unknown", 60), id }));
    const landed = { ...submission("order", "confirmed", 60), id: "T-1" };
    look();
    for (const id of ["T-1", "T-2"]) notices.record(reported(id, { kind: "doubt", cause: "timeout" }));
    look(...doubts);
    for (let i = 0; i < 3; i++) look(landed);
    await pass(0);
    moved("M-1", { kind: "doubt", cause: "reset" });
    moved("M-1", { kind: "escalated", reason: "two rows could be it", wayOut: "pegbot resolve M-1" });
    moved("M-1", { kind: "told", status: UNLISTED, reason: undefined });
    // Never in doubt: nobody waits for a word of it.
    const money = Money.of("5", "CHF" as Asset);
    moved("M-2", { kind: "reserved", door: "mint", leaves: money, comes: money });
    moved("M-2", { kind: "departed", door: "mint", spent: money, fee: Money.zero(money.asset), comes: money });
    await pass(0);
    expect(texts().slice(2)).toEqual([
      "T-1 is in doubt no more: it happened. Way out: none is needed",
      "T-2 is in doubt no more: it is over; pegbot journal list shows how it ended. Way out: none is needed",
      expect.stringMatching(/^M-1 may have happened: reset/),
      "M-1 waits for a person: two rows could be it. Way out: pegbot resolve M-1",
      "M-1 is in doubt no more: it is there by a person's word. Way out: none is needed",
    ]);
    expect(messages.map(({ at }) => at)).toEqual([START, START, AT, AT, START, START, START]);
  });

  test("of no end of a doubt that one look did not show, and the next one does", async () => {
    const { notices, texts, pass } = staged();
    const look = (...open: readonly ReturnType<typeof submission>[]): void => notices.look(quietStatus({ open }));
    const doubt = { ...submission("order", "unknown", 60), id: "T-1" };
    look();
    notices.record(reported("T-1", { kind: "doubt", cause: "timeout" }));
    look(doubt);
    look();
    look(doubt);
    await pass(0);
    expect(texts()).toEqual([expect.stringMatching(/^T-1 may have happened/)]);
    look();
    look();
    await pass(0);
    expect(texts().slice(1)).toEqual([expect.stringMatching(/^T-1 is in doubt no more/)]);
  });
});
