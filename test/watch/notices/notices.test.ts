// Which messages are sent, how often, and what must never be in one.

import { describe, expect, test } from "vitest";
import { secret } from "../../../src/domain/redact.ts";
import { millis } from "../../../src/domain/time.ts";
import type { ShownFill, ShownStop, Status } from "../../../src/watch/status.ts";
import { AT, HELD_PAYMENT, submission, WAITING } from "../look.ts";
import { staged } from "./notice-bench.ts";

function stop(change: Partial<ShownStop> = {}): ShownStop {
  const common = { state: "HALTED", by: "bot", since: millis(AT), cause: "loss", wayOut: "pegbot resume" } as const;
  return { ...common, reason: "RC05: lost", ...change };
}

const standing = (first: ShownStop, ...also: readonly ShownStop[]): Status["standing"] => ({ ...first, also });
const active = (by = "bot", reason = ""): Status["standing"] =>
  standing({ state: "ACTIVE", reason, by, wayOut: "", since: millis(AT) });

function fill(id: string, value: string | undefined): ShownFill {
  return {
    ...{ at: millis(AT), clientOrderId: id, symbol: "VCHF/CHF", side: "buy", size: "1002", price: 0.999, value },
    ...{ bought: "1002", boughtAsset: "VCHF", sold: "1000.99", soldAsset: "CHF", fee: "0.5", feeAsset: "CHF" },
  };
}

describe("messages report", () => {
  test("of every stop with its reason and way out, of the same one once, and of its end", async () => {
    const { look, messages } = staged();
    const person = stop({ cause: "person", by: "ann", reason: "dinner" });
    await look({ standing: standing(stop()) });
    await look({ standing: standing(person, stop()) });
    await look({ standing: standing(person, stop()) });
    await look({ standing: standing(stop()) });
    await look({ standing: active("bo", "looked at it") });
    await look({ standing: standing(stop()) });
    expect(messages.map(({ kind, urgency, text }) => [kind, urgency, text])).toEqual([
      ["stop", "critical", "HALTED by bot (loss): RC05: lost. Way out: pegbot resume"],
      ["stop", "critical", "HALTED by ann (person): dinner. Way out: pegbot resume"],
      ["resume", "warning", "lifted: HALTED by ann (person): dinner; HALTED stands: RC05: lost"],
      ["resume", "warning", "resumed by bo: looked at it"],
      ["stop", "critical", "HALTED by bot (loss): RC05: lost. Way out: pegbot resume"],
    ]);
  });

  test("of a journal that takes no record, as of a stop", async () => {
    const { look, messages } = staged();
    await look({ phase: { kind: "unwritable", text: "no room on the disk", wayOut: "mend the cause" } });
    expect(messages.map(({ urgency, text }) => [urgency, text])).toEqual([
      ["critical", "HALTED by bot (journal): no room on the disk. Way out: mend the cause"],
    ]);
  });

  test("of an unknown outcome, again with each question to a person, and of its end", async () => {
    const { look, texts, messages } = staged();
    const doubt = { ...submission("order", "unknown", 60), id: "T-1", what: "buy 1 VCHF/CHF at 1", cause: "time-out" };
    const asked = { ...doubt, cause: "evidence did not decide", decide: "pegbot resolve T-1" };
    for (const one of [doubt, doubt, asked, asked, { ...asked, cause: "two rows could be it" }])
      await look({ open: [one] });
    const order = { at: millis(AT), symbol: "VCHF/CHF", side: "buy", size: "1", limit: "1", reason: "", times: 1 };
    const dead = { ...order, clientOrderId: "T-1", outcome: "dead", note: "no witness shows it", trail: [] } as const;
    for (let i = 0; i < 2; i++) await look({ open: [], decisions: [dead] });
    expect(texts()).toEqual([
      expect.stringMatching(/^T-1 may have happened \(buy 1 VCHF\/CHF at 1\): time-out\. .*pegbot resolve T-1$/),
      "T-1 waits for a person (buy 1 VCHF/CHF at 1): evidence did not decide. Way out: pegbot resolve T-1",
      "T-1 waits for a person (buy 1 VCHF/CHF at 1): two rows could be it. Way out: pegbot resolve T-1",
      "T-1 is in doubt no more: dead: no witness shows it",
    ]);
    expect(messages.map(({ urgency }) => urgency)).toEqual([...Array(3).fill("critical"), "warning"]);
  });

  test("of a mint at 4, 8 and 24 hours, and of a payment to make at once and at 4, 24 and 72, once each", async () => {
    const { look, texts, messages } = staged();
    for (const hours of [3, 5, 9, 23, 25, 73, 90]) {
      const open = [{ ...submission("mint", "confirmed", hours * 3_600), venueWord: "pending" }];
      const awaited = WAITING.awaited.map((one) => ({ ...one, since: millis(AT - hours * 3_600_000) }));
      await look({ open, treasury: { plans: [], awaited } });
    }
    const ages = (start: string) =>
      texts()
        .filter((text) => text.startsWith(start))
        .map((text) => / for (\d+ \w+)/.exec(text)?.[1]);
    expect(ages("mint mint is pending")).toEqual(["5 h", "9 h", "25 h"]);
    expect(ages("5,000 VGBP to be paid")).toEqual(["3 h"]);
    expect(ages("5,000 VGBP not paid")).toEqual(["5 h", "25 h", "73 h"]);
    expect(messages.filter(({ urgency }) => urgency === "critical")).toHaveLength(2);
  });

  test("of what the venue holds, with what its support asks for, again when it is held again, and of its end", async () => {
    const { look, texts } = staged();
    const rail = { ...submission("rail", "confirmed", 3_600), venueWord: "held", what: "VCHF to CHF on ETH" };
    const at = (since: number) => ({
      open: [{ ...rail, venueId: "80ce", heldSince: millis(since) }],
      treasury: { plans: [], awaited: [], held: [{ ...HELD_PAYMENT, since: millis(since) }] },
    });
    for (const since of [AT - 120_000, AT - 120_000, AT - 9_000]) await look(at(since));
    await look({ open: [], treasury: { plans: [], awaited: [] } });
    expect(texts().map((text) => text.split(". Way out")[0])).toEqual([
      "rail VCHF to CHF on ETH is held for 2 min: rail-confirmed, rail 80ce at the venue",
      "payment of 5,000 VCHF is held by the venue for 2 min: payment:9334",
      "rail VCHF to CHF on ETH is held for less than a minute: rail-confirmed, rail 80ce at the venue",
      "payment of 5,000 VCHF is held by the venue for less than a minute: payment:9334",
      expect.stringMatching(/^no longer: rail VCHF/),
      expect.stringMatching(/^no longer: payment of 5,000 VCHF/),
    ]);
  });

  test("of a plan to approve, of one that was declined, of frozen rails, and of a strategy that starts fresh", async () => {
    const { look, messages } = staged();
    const expired = [{ id: "R-2", at: millis(AT), why: "too dear", declinedBy: "ben" }];
    const change = {
      treasury: { ...WAITING, awaited: [], expired },
      freshStart: { at: millis(AT), text: "starts fresh" },
    };
    for (let i = 0; i < 2; i++) await look(change);
    expect(messages.map(({ kind, urgency, text }) => `${kind} ${urgency}: ${text.split(":")[0]}`)).toEqual([
      "rail critical: rails are frozen",
      "plan warning: plan R-1 wants 1 more to approve it until 2026-11-15T08",
      "plan warning: plan R-2 was declined by ben",
      "strategy warning: starts fresh. Way out",
    ]);
  });

  test("of a fill from its value on, once, and of none of an earlier process", async () => {
    const { look, texts } = staged();
    await look({}, [fill("old", "5000")]);
    const fills = [fill("old", "5000"), fill("A", "999.99"), fill("B", "1000.998")];
    await look({}, fills);
    // Without a rate its value is unknown, so it is reported.
    await look({}, [...fills, fill("C", undefined)]);
    expect(texts()).toEqual([
      "buy 1002 VCHF/CHF at 0.999000, worth 1,000.99 CHF, fee 0.5 CHF",
      "buy 1002 VCHF/CHF at 0.999000, worth 1,000.99, fee 0.5 CHF",
    ]);
  });
});

describe("a message", () => {
  test("shows what others wrote as text: no control, no line break, no turned writing", async () => {
    const { look, texts } = staged();
    await look({ standing: standing(stop({ cause: "other", reason: "a\r\nb\u202Ec\u0007", wayOut: "w" })) });
    expect(texts()).toEqual(["HALTED by bot (other): a\\r\\nb\\u202ec\\x07. Way out: w"]);
  });

  test("never holds a secret, whatever text it got into", async () => {
    const key = "-----BEGIN PRIVATE KEY-----MIGHAgEAMBMGByqGSM49AgEGCCqG-----END PRIVATE KEY-----";
    for (const text of ["", "123:TOKEN", "https://hook.test/s3cret"]) secret(text);
    const { look, messages } = staged({ name: "bot of 123:TOKEN" });
    await look({
      standing: standing(stop({ cause: "other", reason: `123:TOKEN at https://hook.test/s3cret ${key}`, wayOut: "w" })),
    });
    expect(messages[0]?.text).toBe("HALTED by bot (other): *** at *** <private key>. Way out: w");
    expect(messages[0]?.title).toBe("bot of ***: stop");
    for (const part of ["TOKEN", "s3cret", "MIGHAgEA"])
      expect(`${messages[0]?.title}${messages[0]?.text}`).not.toContain(part);
  });
});
