// What else is worth a message, how often it is sent, and what must never be in one.

import { describe, expect, test } from "vitest";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { secret } from "../../../src/domain/redact.ts";
import type { Decision, OrderIntent, Refusal, Step } from "../../../src/domain/step.ts";
import { control, staged, stepOf } from "./notice-bench.ts";
import { START } from "./stage.ts";

describe("people are told", () => {
  test("of what is wrong on the machine of the bot, once", async () => {
    const { notices, messages, pass } = staged();
    for (let count = 0; count < 2; count++) notices.warn("a program that does not have this key holds its name");
    await pass(0);
    expect(messages.map(({ kind, urgency, text }) => [kind, urgency, text])).toEqual([
      ["machine", "warning", "a program that does not have this key holds its name"],
    ]);
  });

  test("of nothing where an order leaves, is refused or ends, and money arrives", async () => {
    const { notices, texts, pass } = staged();
    const intent = { clientOrderId: "A" as ClientOrderId } as OrderIntent;
    const basis = { bid: 1, ask: 1, fair: 1, ageMs: 1, rate: undefined };
    const refused: Decision = { proposal: undefined, basis, verdict: { kind: "refused", refusal: {} as Refusal } };
    const step: Partial<Step> = { decisions: [refused], commands: [{ kind: "submit", intent }] };
    notices.record(stepOf({ kind: "timer", receivedAt: START }, step));
    const report = { kind: "arrived", at: "account" } as const;
    notices.record(stepOf({ kind: "movement", id: "M-1", report, receivedAt: START }));
    await pass(0);
    expect(texts()).toEqual([]);
  });

  test("of a strategy that starts fresh", async () => {
    const { notices, texts, messages, pass } = staged();
    for (const strategy of ["x", "x", "y"])
      notices.record({ kind: "fresh-start", at: START, strategy, text: `strategy ${strategy} starts fresh` });
    await pass(20_000);
    expect(messages.map(({ urgency, at }) => [urgency, at])).toEqual([
      ["warning", START],
      ["warning", START],
    ]);
    expect(texts().slice(0, 1)).toEqual([
      'strategy x starts fresh. Way out: pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more',
    ]);
  });
});

describe("a message", () => {
  test("about the same thing is not sent again within the time that was set, and then once more", async () => {
    const { notices, messages, pass } = staged();
    const again = control({
      kind: "halt",
      cause: "venue",
      reason: "the venue refuses our key",
      wayOut: "pegbot doctor",
    });
    for (let minute = 0; minute < 20; minute++) {
      notices.record(again);
      await pass(60_000);
    }
    expect(messages).toHaveLength(2);
  });

  test("shows what others wrote as text: no control, no line break, no turned writing", async () => {
    const { notices, texts, pass } = staged();
    notices.record(control({ kind: "halt", cause: "other", reason: "a\r\nb\u202Ec\u0007{by}", wayOut: "w" }));
    await pass(0);
    expect(texts()).toEqual(["HALTED by bot (other): a\\r\\nb\\u202ec\\x07{by}. Way out: w"]);
  });

  test("never holds a secret, whatever text it got into", async () => {
    const key = "-----BEGIN PRIVATE KEY-----MIGHAgEAMBMGByqGSM49AgEGCCqG-----END PRIVATE KEY-----";
    for (const text of ["", "123:TOKEN", "https://hook.test/s3cret"]) secret(text);
    const { notices, messages, pass } = staged({ name: "bot of 123:TOKEN" });
    for (let i = 0; i < 51; i++)
      notices.record(
        control({
          kind: "halt",
          cause: "other",
          reason: `T-${i} 123:TOKEN at https://hook.test/s3cret ${key}`,
          wayOut: "w",
        }),
      );
    await pass(0);
    expect(messages[0]?.text).toBe("HALTED by bot (other): T-0 *** at *** <private key>. Way out: w");
    expect(messages[0]?.title).toBe("bot of ***: stop");
    for (const part of ["TOKEN", "s3cret", "MIGHAgEA"]) expect(JSON.stringify(messages)).not.toContain(part);
  });
});
