// What people are told of mints, rails and payments.

import { describe, expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
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
});
