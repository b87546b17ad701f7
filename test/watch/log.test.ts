import { describe, expect, it, test } from "vitest";
import type { Control, OrderReport } from "../../src/domain/event.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import type { Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { createLog } from "../../src/watch/log.ts";
import { logOf } from "../../src/watch/step-log.ts";

const at = millis(Date.UTC(2026, 10, 15, 5, 39, 43));
const clientOrderId = "T-abcdefgh-1" as ClientOrderId;

function linesOf(parts: Partial<Step>): readonly string[] {
  const event = { kind: "timer", receivedAt: at } as const;
  const step: Step = { sequence: 1, at, event, decisions: [], commands: [], mark: undefined, ...parts };
  return logOf(step).map(({ level, event: name }) => `${level} ${name}`);
}

test("a doubt warns, a halt is an error, and bare time, heartbeats and requests on their way are no lines", () => {
  const reported = (report: OrderReport) =>
    linesOf({ event: { kind: "report", clientOrderId, report, receivedAt: at } });
  const controlled = (control: Control) => linesOf({ event: { kind: "control", control, receivedAt: at } });
  expect([linesOf({}), reported({ kind: "sending" }), controlled({ kind: "heartbeat", by: "x" })]).toEqual([
    [],
    [],
    [],
  ]);
  expect(reported({ kind: "doubt", cause: "timeout" })).toEqual(["warn order.doubt"]);
  expect(reported({ kind: "not-sent", reason: "too old" })).toEqual(["info order.not-sent"]);
  const event = { kind: "movement", id: "M-1", report: { kind: "doubt", cause: "timeout" }, receivedAt: at } as const;
  expect(linesOf({ event })).toEqual([expect.stringMatching(/^warn /)]);
  const halt = { kind: "state", state: "HALTED", cause: "other", reason: "RC05", wayOut: "pegbot resume" } as const;
  expect(linesOf({ commands: [halt] })).toEqual([expect.stringMatching(/^error /)]);
});

describe("the log", () => {
  const clock = { now: () => at };

  it("in plain text is one harmless line with the time", () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), clock, { level: "info", isPretty: true });
    log({ level: "info", event: "note", text: "all \u001b[31mwell\n" });
    log({ level: "warn", event: "note", text: "less so" });
    expect(lines).toEqual(["05:39:43  all \\x1b[31mwell\\n", "05:39:43  warn: less so"]);
  });

  it("as JSON has level, time, event, fields and message, and no host name or process id", () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), clock, { level: "info", isPretty: false });
    log({ level: "error", event: "state", text: "HALTED", fields: { reason: "RC05" } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: "error", time: "2026-11-15T05:39:43.000Z", event: "state", reason: "RC05", msg: "HALTED" },
    ]);
  });

  it("as JSON shows nothing of a strategy's or a venue's that could turn a line around, and changes no value", () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), clock, { level: "info", isPretty: false });
    log({ level: "info", event: "note", text: "said", fields: { reason: "\u202eevil\u0085\u200b" } });
    expect(lines[0]).toContain('"reason":"\\u202eevil\\u0085\\u200b"');
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ reason: "\u202eevil\u0085\u200b" });
  });
});
