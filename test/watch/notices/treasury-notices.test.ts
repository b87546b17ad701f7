// What people are told of mints, rails and payments.

import { describe, expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import type { Status } from "../../../src/watch/status.ts";
import { AT, HELD_PAYMENT, quietStatus, submission, WAITING } from "../look.ts";
import { HELD_MINT, staged, stepOf } from "./notice-bench.ts";
import { START } from "./stage.ts";

describe("people are told", () => {
  test("of each question about one mint, and of the same one once", async () => {
    const { notices, texts, pass } = staged();
    for (const reason of ["one side says so", "it is not listed any more", "one side says so"]) {
      const report = { kind: "escalated", reason, wayOut: "ask support" } as const;
      notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    }
    await pass(0);
    expect(texts()).toEqual([
      expect.stringContaining("one side says so"),
      expect.stringContaining("it is not listed any more"),
    ]);
  });

  test("of each thing of the treasury by itself, at its time", async () => {
    const { notices, messages, pass } = staged();
    const names = ["a", "b"] as const;
    const since = millis(AT - 60_000);
    const open = names.flatMap((id) => [
      { ...submission("mint", "confirmed", 60), id: `held ${id}`, what: id, since: undefined, venueWord: "held" },
      { ...submission("mint", "accepted", 18_000), id: `slow ${id}`, what: id },
    ]);
    const treasury = {
      plans: names.flatMap((id) => WAITING.plans.map((plan) => ({ ...plan, id, steps: ["a step"] }))),
      awaited: names.map((id) => ({ id, rail: id, pays: "1 CHF", since })),
      railsFrozen: undefined,
      rest: { why: "R-1 stopped: used up", until: millis(AT + 3_600_000) },
      left: names.map((holding) => ({ holding, why: "no rate" })),
      expired: names.map((id) => ({ id, at: since, why: "too dear", declinedBy: "ben" })),
    };
    notices.look(quietStatus({ at: millis(AT - 60_000) }));
    notices.look(quietStatus({ open, treasury }));
    await pass(0);
    const twice = (text: (name: string) => string): readonly string[] => names.map(text);
    const shown = messages.map(({ urgency, text }) => `${urgency}: ${text.split(/[:;.]|, awaited/)[0]}`);
    // Those that wait for a person go first.
    expect(shown.sort()).toEqual(
      [
        ...twice((id) => `warning: mint ${id} is held for an unknown time`),
        ...twice((id) => `warning: mint ${id} is accepted for 5 h`),
        ...twice((id) => `warning: 1 CHF to be paid on rail ${id}`),
        "warning: plan of its own are not made for 60 min",
        ...twice((id) => `warning: plan ${id} was declined by ben`),
        ...twice((id) => `warning: plan ${id} wants 1 more to approve it until 2026-11-15T08`),
        ...twice((id) => `warning: plan for ${id} is not made now`),
      ].sort(),
    );
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set([AT]));
  });

  test("of what is asked of a person without being in doubt, once, and of no end that nobody waits for", async () => {
    const { notices, texts, pass } = staged();
    const open = [{ ...submission("mint", "confirmed", 60), id: "M-1" }];
    const report = { kind: "escalated", reason: "one side says so for a day", wayOut: "ask support" } as const;
    for (const id of ["M-1", "payment:p1", "M-1", "payment:p1"])
      notices.record(stepOf({ kind: "movement", id, report, receivedAt: START }));
    for (let i = 0; i < 3; i++) notices.look(quietStatus({ open }));
    await pass(0);
    expect(texts()).toEqual([
      "M-1 waits for a person: one side says so for a day. Way out: ask support",
      "payment:p1 waits for a person: one side says so for a day. Way out: ask support",
    ]);
  });

  test("of a held mint with the venue's reason and id, and of a payment with the rail by its names", async () => {
    const { notices, texts, pass } = staged();
    const held = { ...submission("mint", "confirmed", 3_600), venueWord: "held", what: "100000 VCHF on ETH" };
    const mint = { ...held, venueReason: "compliance review", venueId: "6a42", heldSince: millis(AT - 120_000) };
    const awaited = WAITING.awaited.map((one) => ({
      ...one,
      over: "to-bank (VGBP to GBP on ETH, to GB33, rail 80ce at the venue)",
    }));
    const treasury = { plans: [], awaited, railsFrozen: undefined };
    notices.look(quietStatus({ open: [mint], treasury }));
    await pass(0);
    expect(texts()).toEqual([
      `mint 100000 VCHF on ETH is held (compliance review) for 2 min: mint-confirmed, request 6a42 at the venue. ${HELD_MINT}`,
      expect.stringContaining(
        "not paid on rail to-bank (VGBP to GBP on ETH, to GB33, rail 80ce at the venue), awaited",
      ),
    ]);
  });

  test("of a held rail and of a held payment with what the venue's support asks for, once, and again when it is held again", async () => {
    const { notices, texts, messages, pass } = staged();
    const rail = { ...submission("rail", "confirmed", 3_600), venueWord: "held", what: "VCHF to CHF on ETH" };
    const look = async (heldSince: number): Promise<void> => {
      const open = [{ ...rail, venueId: "80ce", heldSince: millis(heldSince) }];
      const held = [{ ...HELD_PAYMENT, since: millis(heldSince) }];
      notices.look(quietStatus({ open, treasury: { plans: [], awaited: [], railsFrozen: undefined, held } }));
      await pass(3_600_000);
    };
    await look(AT - 120_000);
    await look(AT - 120_000);
    const ofRail = (age: string): string =>
      `rail VCHF to CHF on ETH, held for ${age}: rail-confirmed, rail 80ce at the venue. Way out: write to the venue's support with the id of the rail; nothing of the bot is needed, and payments on it wait until then`;
    const ofPayment = (age: string): string =>
      `payment of 5,000 VCHF, held for ${age}: payment:9334. Way out: write to the venue's support with the id of the payment, 9334; nothing of the bot is needed, and its money is in flight until then`;
    expect(texts()).toEqual([ofRail("2 min"), ofPayment("2 min")]);
    await look(AT - 9_000);
    expect(texts().slice(2)).toEqual([ofRail("less than a minute"), ofPayment("less than a minute")]);
    expect(new Set(messages.map(({ kind, urgency }) => `${kind} ${urgency}`))).toEqual(new Set(["rail warning"]));
  });

  test("that the venue holds a rail, a mint or a payment no longer, once, and not while nobody can tell", async () => {
    const { notices, texts, messages, pass } = staged();
    const heldSince = millis(AT - 120_000);
    const rail = {
      ...submission("rail", "confirmed", 3_600),
      venueWord: "held",
      what: "VCHF to CHF on ETH",
      heldSince,
    };
    const mint = {
      ...submission("mint", "confirmed", 3_600),
      venueWord: "held",
      what: "100000 VCHF on ETH",
      heldSince,
    };
    const payments = { plans: [], awaited: [], railsFrozen: undefined, held: [{ ...HELD_PAYMENT, since: heldSince }] };
    const look = async (change: Partial<Status>): Promise<readonly string[]> => {
      const before = texts().length;
      notices.look(quietStatus(change));
      await pass(3_600_000);
      return texts().slice(before);
    };
    expect(await look({ open: [rail, mint], treasury: payments })).toHaveLength(3);
    // Not read.
    expect(await look({ open: [], treasury: undefined })).toEqual([]);
    const after = {
      open: [{ ...rail, venueWord: "pending", heldSince: undefined }],
      treasury: { ...payments, held: [] },
    };
    const over = "Way out: none is needed; the bot goes on with it";
    expect(await look(after)).toEqual([
      `rail VCHF to CHF on ETH, held no longer, listed as pending: it was for 2 min: rail-confirmed. ${over}`,
      `mint 100000 VCHF on ETH is held no longer: it was for 2 min: mint-confirmed. ${over}`,
      `payment of 5,000 VCHF, held no longer: it was for 2 min: payment:9334. ${over}`,
    ]);
    expect(await look(after)).toEqual([]);
    expect(new Set(messages.map(({ urgency }) => urgency))).toEqual(new Set(["warning"]));
  });

  test("of a held mint, whoever sent it, and not of one that is on its way", async () => {
    const { notices, texts, pass } = staged();
    const asked = { ...submission("mint", "confirmed", 7_200), venueWord: "Held", what: "100000 VCHF on ethereum" };
    const held = { ...asked, heldSince: millis(AT - 3_600_000) };
    const open = [
      held,
      { ...held, id: "other", venueWord: "pending" },
      { ...held, id: "doubt", isDoubt: true },
      { ...held, id: "rail", kind: "rail", venueWord: "pending" },
    ];
    for (let look = 0; look < 3; look++) {
      notices.look(quietStatus({ open }));
      // Also long after: the ages below remind of it.
      await pass(3_600_000);
    }
    expect(texts()).toEqual([`mint 100000 VCHF on ethereum is Held for 60 min: mint-confirmed. ${HELD_MINT}`]);
  });

  test("of a mint when it is 4, 8 and 24 hours old, once each", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const hours of [3, 4, 7, 8, 23, 24, 30]) {
      const open = [{ ...submission("mint", "confirmed", hours * 3_600), venueWord: "pending" }];
      for (let look = 0; look < 2; look++) notices.look(quietStatus({ open }));
      await pass(3_600_000);
    }
    const wayOut =
      "some take that long, and nothing of the bot is needed; after a day write to the venue's support with the request id";
    expect(texts()).toEqual(
      ["4 h", "8 h", "24 h"].map((age) => `mint mint is pending for ${age}: mint-confirmed. Way out: ${wayOut}`),
    );
    expect(messages.map(({ urgency }) => urgency)).toEqual(["warning", "warning", "critical"]);
  });

  test("of a payment that is to be made, at once and when it does not come for 4, 24 and 72 hours, of a plan to approve and of frozen rails, once each", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const hours of [3, 5, 23, 25, 73, 90]) {
      const awaited = WAITING.awaited.map((one) => ({ ...one, since: millis(AT - hours * 3_600_000) }));
      notices.look(quietStatus({ treasury: { ...WAITING, awaited } }));
      await pass(3_600_000);
    }
    const unpaid = (age: string): string =>
      `5,000 VGBP not paid on rail L-1, awaited for ${age}: expected:L-1:1. Way out: pay it, or pegbot resolve expected:L-1:1 --not-landed --reason "..."`;
    const asked = `5,000 VGBP to be paid on rail L-1, awaited for 3 h: expected:L-1:1. Way out: pay it, or pegbot resolve expected:L-1:1 --not-landed --reason "..."`;
    expect([...texts()].sort()).toEqual(
      [
        asked,
        `the venue's whitelist has changed, frozen for 0 min, until a person acknowledges it: rails. Way out: was it you? pegbot rails --acknowledge --reason "..."; if not: pegbot halt REASON, and call the venue`,
        'plan R-1 wants 1 more to approve it until 2026-11-15T08:10Z: mint VCHF on ETH, 120000 CHF for 120000 VCHF. Way out: pegbot approve R-1, or pegbot decline R-1 --reason "..."',
        ...["5 h", "25 h", "73 h"].map(unpaid),
      ].sort(),
    );
    const urgent = messages.filter(({ urgency }) => urgency === "critical").map(({ text }) => text.slice(0, 9));
    expect(urgent).toEqual(["the venue", "5,000 VGB"]);
  });

  test("of a payment of which nobody said how much it is only when it does not come", async () => {
    const { notices, texts, pass } = staged();
    for (const hours of [3, 4]) {
      const awaited = [{ id: "L-1", rail: "L-1", pays: undefined, since: millis(AT - hours * 3_600_000) }];
      notices.look(quietStatus({ treasury: { plans: [], awaited, railsFrozen: undefined } }));
      await pass(0);
    }
    expect(texts()).toEqual([
      "no payment on rail L-1, awaited for 4 h: L-1. Way out: pay, or leave it; pegbot payments shows what the venue lists",
    ]);
  });

  test("of rails that are frozen a second time for the same reason", async () => {
    const { notices, texts, pass } = staged();
    for (const minutes of [90, 90, 60]) {
      const railsFrozenAt = millis(AT - minutes * 60_000);
      const treasury = { ...WAITING, plans: [], awaited: [], railsFrozenAt };
      for (const one of [treasury, { ...treasury, railsFrozen: undefined }])
        notices.look(quietStatus({ treasury: one }));
      await pass(20_000);
    }
    expect(texts().map((text) => text.split(":")[0])).toEqual(
      [90, 60].map(
        (minutes) => `the venue's whitelist has changed, frozen for ${minutes} min, until a person acknowledges it`,
      ),
    );
  });
});
