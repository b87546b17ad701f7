import { describe, expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { OrderRecord, TradeRecord } from "../../src/exchange/port.ts";
import { judgeOrder, judgeTrades } from "../../src/execution/evidence.ts";
import { parametersOf } from "../../src/execution/parameters.ts";
import { decide } from "../../src/execution/request-state.ts";
import { anOrder, CHF, CONDITIONS, FILL, ID, Life, ORDER, VCHF } from "./life.ts";

const OURS: TradeRecord = { ...FILL, status: "Filled" };
const EARLIER: TradeRecord = { ...OURS, clientOrderId: "T-k3v9x2qa-5", orderId: "o5", tradeId: "t5" };
const EARLIER_ORDER: OrderRecord = {
  clientOrderId: "T-k3v9x2qa-5",
  orderId: "o5",
  status: "Filled",
  symbol: ORDER.symbol,
  side: "buy",
  quantity: ORDER.quantity,
  limit: ORDER.limit,
  at: undefined,
};
const listed = (status: string | undefined): OrderRecord => ({
  ...EARLIER_ORDER,
  clientOrderId: ID,
  orderId: "o7",
  status,
});

type Testimony = Parameters<typeof judgeOrder>[1];

const NOTHING: Testimony = {
  trades: [EARLIER],
  orders: [EARLIER_ORDER],
  anchor: { kind: "record", clientOrderId: "T-k3v9x2qa-5" },
  vote: { kind: "absent" },
};
const judge = (changes: Partial<Testimony>) => judgeOrder(ORDER, { ...NOTHING, ...changes });

describe("an order is found absent", () => {
  test("when trades and orders that reach back before it do not have it, and the balances stand without it", () => {
    expect(judge({})).toEqual({ kind: "absent" });
  });

  test("also when the order history has it as rejected", () => {
    expect(judge({ orders: [listed("Rejected")] })).toEqual({ kind: "absent", listedAs: "Rejected" });
  });

  test("and is on record so, without how it is listed: that is for the words to a person", () => {
    const finding = judge({ orders: [listed("Rejected")] });
    if (finding.kind !== "absent") throw new Error("it must be absent");
    const life = new Life(anOrder).doubt().answered();
    const parameters = parametersOf(CONDITIONS.settings, CONDITIONS.measured, {
      equity: undefined,
      orderMax: undefined,
    });
    const { records } = decide(
      life.submission,
      { kind: "round", finding, round: 1, askedMs: 0 },
      millis(2),
      parameters,
    );
    expect(records).toEqual([{ kind: "evidence", at: 2, id: ID, round: 1, finding: { kind: "absent" } }]);
  });

  test("also on an account that provably has nothing earlier", () => {
    expect(judge({ trades: [], orders: [], anchor: { kind: "none" } })).toEqual({ kind: "absent" });
  });
});

describe("not found proves nothing", () => {
  test("when the last trade of ours before it is missing too: the list is cut off", () => {
    expect(judge({ trades: [] }).kind).toBe("silent");
    expect(judge({ trades: [{ ...EARLIER, clientOrderId: "T-k3v9x2qa-4" }] }).kind).toBe("silent");
    expect(judge({ orders: [] }).kind).toBe("silent");
    // Cut off at the new end, the list has old trades of ours, but not the last one before it.
    expect(judge({ trades: [{ ...EARLIER, clientOrderId: "T-k3v9x2qa-1" }] }).kind).toBe("silent");
  });

  test("when it is unknown whether there is anything earlier", () => {
    expect(judge({ anchor: { kind: "unknown" } }).kind).toBe("silent");
  });

  test("when the balances have no vote", () => {
    expect(judge({ vote: { kind: "none", reason: "pending is unknown" } })).toEqual({
      kind: "silent",
      reason: "pending is unknown",
    });
  });
});

describe("an order has landed", () => {
  test("when the trade history has it with amounts that fit, whatever the others say yet", () => {
    expect(judge({ trades: [OURS] })).toEqual({ kind: "landed", receipt: FILL });
    expect(judge({ trades: [EARLIER, OURS], orders: [], vote: { kind: "none", reason: "" } }).kind).toBe("landed");
    expect(judgeTrades(ORDER, { trades: [{ ...OURS, status: undefined }], anchor: { kind: "unknown" } }).kind).toBe(
      "landed",
    );
  });
});

describe("witnesses disagree", () => {
  test("when the order history has it as anything but rejected and the trades do not have it", () => {
    expect(judge({ orders: [listed("Filled")] })).toEqual({
      kind: "split",
      shows: "untraded",
      reason: "trades do not show it; orders show it as Filled",
      cause: "contradiction",
    });
  });

  test("but not over a word alone: it proves nothing, and next to an answer with an error it is not filled", () => {
    for (const word of ["New", "Expired", undefined]) {
      expect(judge({ orders: [listed(word)] }).kind).toBe("silent");
      expect(judge({ orders: [listed(word)], isRefused: true }).kind).toBe("absent");
    }
    expect(judge({ orders: [listed("Filled")], isRefused: true }).kind).toBe("split");
  });

  test("when the balances moved and the trades do not have it, also in a list that is cut off", () => {
    expect(judge({ vote: { kind: "landed" } }).kind).toBe("split");
    expect(judge({ trades: [], vote: { kind: "landed" } }).kind).toBe("split");
  });

  test("when its trade has a status of unknown meaning", () => {
    expect(judge({ trades: [{ ...OURS, status: "Reversed" }] }).kind).toBe("split");
    expect(judge({ trades: [{ ...OURS, status: "Rejected" }] }).kind).toBe("split");
  });

  test("when a trade without a client order id would fit it", () => {
    expect(judge({ trades: [EARLIER, { ...OURS, clientOrderId: undefined }] }).kind).toBe("split");
    const other = { ...OURS, clientOrderId: undefined, bought: Money.of("7", VCHF) };
    expect(judge({ trades: [EARLIER, other] }).kind).toBe("absent");
  });
});

describe("a contradiction shows both sides", () => {
  test("a trade of an order that the order history has as rejected", () => {
    expect(judge({ trades: [OURS], orders: [listed("Rejected")] })).toEqual({
      kind: "contradiction",
      shows: "rejected",
      reason: "trades show order o7: 100 VCHF for 100.05 CHF, fee 0 CHF; orders show it as Rejected",
      cause: "contradiction",
    });
  });

  test("a trade that does not fit its order: dearer than the limit, of another size, side or pair", () => {
    for (const change of [
      { sold: Money.of("100.12", CHF) },
      { bought: Money.of("101", VCHF) },
      { side: "sell" },
      { symbol: "VGBP/GBP" as PairSymbol },
    ] as const)
      expect(judge({ trades: [{ ...OURS, ...change }] }).kind).toBe("contradiction");
  });

  test("two different trades of one order", () => {
    const twice = judge({ trades: [OURS, { ...OURS, tradeId: "t8" }] });
    expect(twice).toMatchObject({ kind: "contradiction", reason: expect.stringMatching(/trade t7 .* and trade t8/) });
    expect(judge({ trades: [OURS, { ...OURS, sold: Money.of("100.06", CHF) }] }).kind).toBe("contradiction");
  });
});
