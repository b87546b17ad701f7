// What a trace hashes is exactly its lines.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTrace } from "../../../src/bot/trace/trace.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import type { Step } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";

const [CHF, VCHF] = ["CHF" as Asset, "VCHF" as Asset];
const SYMBOL = "VCHF/CHF" as PairSymbol;
const ID = "T-k3v9x2qa-17" as ClientOrderId;

const proposal = {
  symbol: SYMBOL,
  side: "buy",
  limit: 1.0005,
  size: "100",
  reason: "cheap",
  lifetimeMs: undefined,
} as const;
const basis = { bid: 0.1 + 0.2, ask: 1.0005, fair: undefined, ageMs: 3, rate: Price.of("0.93") };

function stepOf(parts: Partial<Step>): Step {
  const event = { kind: "timer", receivedAt: millis(0) } as const;
  return {
    sequence: 1,
    at: millis(1_780_000_000_000.25),
    event,
    decisions: [],
    commands: [],
    mark: undefined,
    ...parts,
  };
}

const BUY = { side: "buy", bought: "100 VCHF", sold: "100.05 CHF", fee: "0.1 CHF" } as const;
type FillText = { readonly side: "buy" | "sell"; readonly bought: string; readonly sold: string; readonly fee: string };

function filled(confirmed: boolean, { side, ...amounts }: FillText = BUY): Step["event"] {
  const [bought, sold, fee] = [amounts.bought, amounts.sold, amounts.fee].map(moneyOf) as [Money, Money, Money];
  const fill = { clientOrderId: ID, orderId: "9", tradeId: "8", symbol: SYMBOL, side, bought, sold, fee };
  return {
    kind: "report",
    clientOrderId: ID,
    report: { kind: "filled", confirmed, fill: { ...fill, at: undefined } },
    receivedAt: millis(0),
  };
}

function moneyOf(text: string): Money {
  const [amount = "", asset = ""] = text.split(" ");
  return Money.of(amount, asset as Asset);
}

describe("a trace", () => {
  const [quantity, limit] = [Quantity.of("99.5"), Price.of("1.0005")];
  const order = { ...proposal, clientOrderId: ID, quantity, limit, decidedAt: millis(0), expiresAt: millis(9) };
  const noRate = { ...basis, bid: 1, ask: 2, fair: 1.5, rate: undefined };
  const soldFinely = filled(false, { side: "sell", bought: "100 CHF", sold: "0.00000001 VCHF", fee: "-0.1 CHF" });
  const refusal = { rule: "RC07", limit: "", value: "", message: "" };
  const steps = [
    stepOf({ decisions: [{ proposal, basis, verdict: { kind: "approved", intent: order, capped: [] } }] }),
    stepOf({ event: filled(false) }),
    stepOf({
      event: filled(true),
      commands: [{ kind: "state", state: "HALTED", cause: "other", reason: "", wayOut: "" }],
    }),
    stepOf({
      decisions: [{ proposal: { ...proposal, size: "\u00e9\ud83d" }, basis, verdict: { kind: "refused", refusal } }],
    }),
    stepOf({ decisions: [{ proposal: undefined, basis, verdict: { kind: "refused", refusal } }] }),
    stepOf({ event: { ...filled(false), report: { kind: "rejected", code: "no", message: "" } } as Step["event"] }),
    stepOf({ event: soldFinely }),
    stepOf({
      decisions: [
        { proposal: { ...proposal, side: "sell", size: 5 }, basis: noRate, verdict: { kind: "refused", refusal } },
        { proposal: { ...proposal, side: "hold" as "buy" }, basis: noRate, verdict: { kind: "refused", refusal } },
      ],
    }),
  ];
  const seen = "bid 0.30000000000000004 ask 1.0005 fair undefined rate 0.93";
  const lines = [
    `approved #1 buy 100 VCHF/CHF at 1.0005 as 99.5 at 1.0005 ${seen}`,
    "answered #1 buy VCHF/CHF 100 VCHF 100.05 CHF 0.1 CHF",
    "confirmed #1 buy VCHF/CHF 100 VCHF 100.05 CHF 0.1 CHF",
    "HALTED",
    `refused buy \u00e9\ufffd VCHF/CHF at 1.0005 RC07 ${seen}`,
    `refused undefined RC07 ${seen}`,
    "rejected #1",
    "answered #1 sell VCHF/CHF 100 CHF 0.00000001 VCHF -0.1 CHF",
    "refused sell 5 VCHF/CHF at 1.0005 RC07 bid 1 ask 2 fair 1.5 rate undefined",
    "refused hold 100 VCHF/CHF at 1.0005 RC07 bid 1 ask 2 fair 1.5 rate undefined",
  ].map((line) => `1780000000000.25 ${line}`);

  it("has a line for each decision, report and change of state", () => {
    const trace = createTrace({ keep: true });
    for (const step of steps) trace.take(step);
    expect(trace.lines).toEqual(lines);
  });

  it("is the hash of its lines and of what is held at the end", () => {
    const trace = createTrace();
    const hash = createHash("sha256");
    // More than is hashed at once.
    for (let i = 0; i < 100; i++) {
      for (const step of steps) trace.take(step);
      for (const line of lines) hash.update(`${line}\n`);
    }
    const held = (asset: Asset) => (asset === CHF ? Money.of("7.5", CHF) : undefined);
    expect(trace.digest({ assets: [VCHF, CHF], held })).toBe(hash.update("CHF 7.5\nVCHF unknown").digest("hex"));
    expect(trace.lines).toEqual([]);
  });
});
