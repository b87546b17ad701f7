// What a trace hashes is exactly its lines: written as bytes, they must be what the runtime would have written.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HashedText } from "../../src/bot/hashed-text.ts";
import { OrderNumbers } from "../../src/bot/order-numbers.ts";
import { createTrace } from "../../src/bot/trace.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { createRandom } from "../../src/domain/random.ts";
import type { Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";

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

function filled(confirmed: boolean): Step["event"] {
  const [bought, sold, fee] = [Money.of("100", VCHF), Money.of("100.05", CHF), Money.of("0.1", CHF)];
  const fill = {
    clientOrderId: ID,
    orderId: "9",
    tradeId: "8",
    symbol: SYMBOL,
    side: "buy",
    bought,
    sold,
    fee,
  } as const;
  return {
    kind: "report",
    clientOrderId: ID,
    report: { kind: "filled", confirmed, fill: { ...fill, at: undefined } },
    receivedAt: millis(0),
  };
}

describe("a trace", () => {
  const [quantity, limit] = [Quantity.of("99.5"), Price.of("1.0005")];
  const order = { ...proposal, clientOrderId: ID, quantity, limit, decidedAt: millis(0), expiresAt: millis(9) };
  const refusal = { rule: "RC07", limit: "", value: "", message: "" };
  const steps = [
    stepOf({ decisions: [{ proposal, basis, verdict: { kind: "approved", intent: order, capped: [] } }] }),
    stepOf({ event: filled(false) }),
    stepOf({ event: filled(true), commands: [{ kind: "state", state: "HALTED", reason: "", wayOut: "" }] }),
    stepOf({
      decisions: [{ proposal: { ...proposal, size: "\u00e9\ud83d" }, basis, verdict: { kind: "refused", refusal } }],
    }),
    stepOf({ decisions: [{ proposal: undefined, basis, verdict: { kind: "refused", refusal } }] }),
  ];
  const seen = "bid 0.30000000000000004 ask 1.0005 fair undefined rate 0.93";
  const lines = [
    `approved #1 buy 100 VCHF/CHF at 1.0005 as 99.5 at 1.0005 ${seen}`,
    "answered #1 buy VCHF/CHF 100 VCHF 100.05 CHF 0.1 CHF",
    "confirmed #1 buy VCHF/CHF 100 VCHF 100.05 CHF 0.1 CHF",
    "HALTED",
    `refused buy \u00e9\ufffd VCHF/CHF at 1.0005 RC07 ${seen}`,
    `refused undefined RC07 ${seen}`,
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
    expect(trace.lines).toEqual([]);
    expect(trace.digest({ assets: [VCHF, CHF], held })).toBe(hash.update("CHF 7.5\nVCHF unknown").digest("hex"));
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
    const text = new HashedText();
    for (const value of [...odd, ...edges, ...drawn, ...prices, ...beside]) {
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
