// What a trace hashes is exactly its lines: written as bytes, they must be what the runtime would have written.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HashedText, phraseOf } from "../../../src/bot/trace/hashed-text.ts";
import { createTrace, OrderNumbers } from "../../../src/bot/trace/trace.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom } from "../../../src/domain/random.ts";
import type { Step } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";

const [CHF, VCHF] = ["CHF" as Asset, "VCHF" as Asset];
const SYMBOL = "VCHF/CHF" as PairSymbol;
const ID = "T-k3v9x2qa-17" as ClientOrderId;
const SEED = 20_261_115;

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

  it("keeps no step without a line: whoever made it may use it again", () => {
    const trace = createTrace({ keep: true });
    const quiet = stepOf({});
    trace.take(quiet);
    Object.assign(quiet, steps[0]);
    expect(trace.lines).toEqual([]);
  });
});

describe(`numbers in a trace (seed ${SEED})`, () => {
  const odd = [0, -0, 1, -1, 0.1, 1e-6, 1e-7, 1e15, 1e21, 2 ** 53, 2 ** 53 - 1, 99_999_999, 100_000_000, 5e-324];
  const edges = [999_999_999.999999, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, undefined];

  it("are written as the runtime writes them", () => {
    const random = createRandom(SEED);
    const drawn = Array.from({ length: 4_000 }, (_, i) => {
      const value = random.next() * 10 ** (i % 18);
      return [value, Math.round(value), Math.round(value * 1e6) / 1e6, Math.round(value * 1e3) / 1e3];
    }).flat();
    // Prices: from 0.5 to 4, of any number of decimals, and the floats beside where they get wider.
    const prices = Array.from({ length: 4_000 }, (_, i) => {
      const price = 0.5 + random.next() * 3.5;
      return [price, Number(price.toFixed(7 + (i % 10))), Number(`${price.toFixed(9)}9999999`)];
    }).flat();
    const beside = [0.5, 1, 2, 4].flatMap((edge) =>
      [1, 2, 3, 4].flatMap((step) => [edge - step * edge * 2 ** -53, edge + step * edge * 2 ** -52]),
    );
    // Of seventeen binary places, the sixteenth decimal is just a half away from two numbers.
    const halves = Array.from({ length: 60 }, (_, i) => 0.5 + (2 * i + 1) * 2 ** -(15 + (i % 5)));
    const text = new HashedText();
    for (const value of [...odd, ...edges, ...drawn, ...prices, ...beside, ...halves]) {
      text.number(value);
      text.text(" ");
      expect(text.endLine(true)).toBe(`${value} `);
    }
  });

  it("and texts of any length come out as they went in", () => {
    const text = new HashedText();
    for (const long of ["x".repeat(40_000), "\u00e9\ud83d\ude00".repeat(9_000), ""]) {
      text.number(1);
      text.text(long);
      expect(text.endLine(true)).toBe(`1${long}`);
    }
  });

  it("and so do texts and phrases that just fit where the line is written, or just do not", () => {
    const rest = ` as ${Number.MAX_SAFE_INTEGER}`.repeat(3);
    for (let room = 14_000; room < 20_000; room += 113)
      for (const isPhrase of [true, false]) {
        const text = new HashedText();
        // As wide as it gets.
        const long = "\u0800".repeat(room / 3);
        if (isPhrase) text.phrase(phraseOf(long));
        else text.text(long);
        for (let i = 0; i < 3; i++) {
          text.phrase(phraseOf(" as "));
          text.number(Number.MAX_SAFE_INTEGER);
        }
        expect(text.endLine(true) === long + rest, `${room} bytes`).toBe(true);
        expect(text.digest("")).toBe(createHash("sha256").update(`${long}${rest}\n`).digest("hex"));
      }
  });
});

describe("orders in a trace", () => {
  it("are counted in the order in which they are first named, whatever their names are", () => {
    const numbers = new OrderNumbers();
    const ids = [
      "T-a-5",
      "T-a-6",
      "T-a-9000",
      "T-a-9",
      "T-b-6",
      "T-a-06",
      "T-a-",
      "7",
      "07",
      "T-a-4",
      "T-a-90071992547409931",
    ];
    expect(ids.map((id) => numbers.of(id))).toEqual(ids.map((_, i) => i + 1));
    for (let i = 10; i < 9_100; i++) numbers.of(`T-a-${i}`);
    expect(ids.map((id) => numbers.of(id))).toEqual(ids.map((_, i) => i + 1));
  });
});
