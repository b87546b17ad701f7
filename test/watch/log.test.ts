import { describe, expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Control, OrderReport } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import { UNLISTED } from "../../src/domain/rail.ts";
import type { Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { createLog } from "../../src/watch/log.ts";
import { logOf } from "../../src/watch/step-log.ts";

const at = millis(Date.UTC(2026, 10, 15, 5, 39, 43));
const clientOrderId = "T-abcdefgh-1" as ClientOrderId;
const symbol = "VCHF/CHF" as PairSymbol;
const fill: Fill = {
  clientOrderId,
  orderId: "O-1",
  tradeId: "X-1",
  symbol,
  side: "buy",
  bought: Money.of("2500", "VCHF" as Asset),
  sold: Money.of("2497.5", "CHF" as Asset),
  fee: Money.of("0", "CHF" as Asset),
  at,
};

function step(parts: Partial<Step>): Step {
  return {
    sequence: 1,
    at,
    event: { kind: "timer", receivedAt: at },
    decisions: [],
    commands: [],
    mark: undefined,
    ...parts,
  };
}

function reported(report: OrderReport): readonly string[] {
  return logOf(step({ event: { kind: "report", clientOrderId, report, receivedAt: at } })).map(({ text }) => text);
}

function controlled(control: Control): readonly string[] {
  return logOf(step({ event: { kind: "control", control, receivedAt: at } })).map(({ text }) => text);
}

describe("a step in the log", () => {
  it("says each decision with its reason, and each refusal with its rule", () => {
    const order = { symbol, side: "buy", limit: 0.999, size: 2500, reason: "cheap", lifetimeMs: undefined } as const;
    const basis = { bid: 0.998, ask: 0.999, fair: 1, ageMs: 5, rate: undefined };
    const exact = { quantity: Quantity.of("2500"), limit: Price.of("0.999"), decidedAt: at, expiresAt: at };
    const intent = { clientOrderId, symbol, side: "buy", reason: "cheap", ...exact } as const;
    const refusal = { rule: "RC17", limit: "1", value: "2", message: "order may spend 2, limit is 1" };
    const lines = logOf(
      step({
        decisions: [
          { proposal: order, basis, verdict: { kind: "approved", intent, capped: [refusal] } },
          { proposal: order, basis, verdict: { kind: "refused", refusal } },
          { proposal: undefined, basis, verdict: { kind: "refused", refusal } },
        ],
      }),
    );
    expect(lines.map(({ text }) => text)).toEqual([
      `${clientOrderId} buy 2500 VCHF/CHF at 0.999: cheap; capped by RC17: order may spend 2, limit is 1`,
      "refused buy 2500 VCHF/CHF: RC17 order may spend 2, limit is 1",
      "refused an answer: RC17 order may spend 2, limit is 1",
    ]);
    expect(lines[0]).toMatchObject({ event: "decision.approved", fields: { clientOrderId, quantity: "2500" } });
  });

  it("says what became of an order, whatever it was", () => {
    expect(reported({ kind: "sending" })).toEqual([]);
    expect(reported({ kind: "filled", fill, confirmed: false })).toEqual([
      "T-abcdefgh-1 filled: bought 2500 VCHF for 2497.5 CHF, fee 0 CHF",
    ]);
    expect(reported({ kind: "filled", fill, confirmed: true })).toEqual([
      "T-abcdefgh-1 confirmed by the history: bought 2500 VCHF for 2497.5 CHF, fee 0 CHF",
    ]);
    expect(reported({ kind: "rejected", code: "rejected", message: "no funds" })).toEqual([
      "T-abcdefgh-1 rejected: rejected: no funds",
    ]);
    expect(reported({ kind: "not-sent", reason: "too old" })).toEqual(["T-abcdefgh-1 not sent: too old"]);
    expect(reported({ kind: "doubt", cause: "timeout" })).toEqual(["T-abcdefgh-1 may have happened: timeout"]);
    expect(reported({ kind: "escalated", reason: "15 min" })).toEqual([
      'T-abcdefgh-1 needs a person: 15 min; pegbot resolve T-abcdefgh-1 --filled|--not-filled --reason "..."',
    ]);
    expect(reported({ kind: "dead", reason: "absent" })).toEqual(["T-abcdefgh-1 did not happen: absent"]);
  });

  it("says that a mint or a rail may have happened, as of an order", () => {
    const event = { kind: "movement", id: "M-1", report: { kind: "doubt", cause: "timeout" }, receivedAt: at } as const;
    expect(logOf(step({ event }))).toMatchObject([{ level: "warn", text: "M-1 may have happened: timeout" }]);
    const told = (status: string) =>
      logOf(step({ event: { ...event, report: { kind: "told", status, reason: undefined } } })).map(({ text }) => text);
    expect([...told("pending"), ...told(UNLISTED)]).toEqual([
      "M-1 is pending by the venue's word",
      "M-1 is there by a person's word; the venue has not listed it yet",
    ]);
  });

  it("says every change of state with the way out, and nothing of heartbeats and bare time", () => {
    expect(controlled({ kind: "kill", reason: "why", by: "api" })).toEqual(["kill by api: why"]);
    expect(controlled({ kind: "halt", cause: "other", reason: "why", wayOut: "pegbot adopt" })).toEqual([
      "halt by bot: why; way out: pegbot adopt",
    ]);
    expect(controlled({ kind: "heartbeat", by: "x" })).toEqual([]);
    expect(logOf(step({}))).toEqual([]);
    const halt = { kind: "state", state: "HALTED", cause: "other", reason: "RC05", wayOut: "pegbot resume" } as const;
    expect(logOf(step({ commands: [halt] }))).toMatchObject([
      { level: "error", text: "HALTED: RC05; way out: pegbot resume" },
    ]);
  });
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

  it("leaves out lines below its level, whatever the form", () => {
    for (const isPretty of [true, false]) {
      const lines: string[] = [];
      const log = createLog((line) => lines.push(line), clock, { level: "warn", isPretty });
      for (const level of ["info", "warn", "error"] as const) log({ level, event: "note", text: level });
      expect(lines.map((line) => /warn|error|info/.exec(line)?.[0])).toEqual(["warn", "error"]);
    }
  });
});
