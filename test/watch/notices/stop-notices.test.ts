// What people are told of stops, and how often.

import { describe, expect, test } from "vitest";
import type { Command } from "../../../src/domain/step.ts";
import { control, reported, staged, stepOf } from "./notice-bench.ts";
import { START } from "./stage.ts";

describe("people are told", () => {
  test("of every stop with its reason and way out, and of its end", async () => {
    const { notices, messages, pass } = staged();
    const halt: Command = {
      kind: "state",
      state: "HALTED",
      cause: "loss",
      reason: "RC05: lost",
      wayOut: "pegbot resume",
    };
    notices.record(stepOf({ kind: "timer", receivedAt: START }, { commands: [halt] }));
    notices.record(control({ kind: "kill", reason: "dinner", by: "ann" }));
    await pass(0);
    notices.record(control({ kind: "resume", reason: "looked at it", by: "bo" }));
    notices.trouble("journal-full", "no room on the disk");
    notices.trouble("journal-moved", "its -wal is gone", "restart the bot; then pegbot resume");
    // As another process writes it.
    notices.record({ kind: "control", at: START, control: { kind: "kill", reason: "supper", by: "cy" } });
    notices.record(control({ kind: "reduce", cause: "heartbeat", reason: "a price is old", wayOut: "by itself" }));
    notices.record(control({ kind: "kill", reason: "the file cannot be read", by: "di" }));
    notices.record(control({ kind: "heartbeat", by: "di" }));
    await pass(0);
    expect(messages.map(({ urgency, text }) => [urgency, text])).toEqual([
      ["critical", "HALTED by bot (loss): RC05: lost. Way out: pegbot resume"],
      ["critical", 'HALTED by ann (person): dinner. Way out: pegbot resume --reason "..."'],
      ["warning", "resumed by bo: looked at it"],
      [
        "critical",
        "HALTED by bot (journal): journal-full: no room on the disk. Way out: mend the cause; pegbot status says more",
      ],
      [
        "critical",
        "HALTED by bot (journal): journal-moved: its -wal is gone. Way out: mend the cause; restart the bot; then pegbot resume",
      ],
      ["critical", expect.stringContaining("HALTED by cy (person): supper")],
      ["warning", "REDUCED by bot (heartbeat): a price is old. Way out: by itself"],
      ["critical", expect.stringContaining("HALTED by di (person): the file cannot be read")],
    ]);
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set([START]));
  });

  test("of a stop for the same reason after a person has resumed, and not of the same stop again", async () => {
    const { notices, texts, pass } = staged();
    const kill = control({ kind: "kill", reason: "dinner", by: "ann" });
    const doubt = reported("T-1", { kind: "doubt", cause: "timeout" });
    notices.record(kill);
    notices.record(kill);
    notices.record(doubt);
    await pass(0);
    notices.record(control({ kind: "resume", reason: "looked at it", by: "bo" }));
    notices.record(kill);
    notices.record(doubt);
    await pass(0);
    expect(texts().map((text) => text.split(" ")[0])).toEqual(["HALTED", "T-1", "resumed", "HALTED"]);
  });
});
