// Which entry of the venue's list is ours: what is new, fits, and is the only one.

import { describe, expect, it } from "vitest";
import type { MintRecord } from "../../src/domain/mint.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Rail, RailIntent } from "../../src/domain/rail.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce, RailRecord, SupplyChange } from "../../src/exchange/port.ts";
import { findIn, MINTS, RAILS } from "../../src/execution/evidence.ts";
import type { MoneyRequest, State } from "../../src/execution/request.ts";
import { aMint, CHF, VCHF } from "./life.ts";

const UNKNOWN: State<never> = {
  kind: "unknown",
  nonce: 1 as Nonce,
  code: "timeout",
  cause: "no answer",
  since: millis(0),
  absences: 0,
};
const SENDING: State<never> = { kind: "sending", at: millis(0), id: "i", nonce: 2 as Nonce, digest: "d", host: "h" };
const REJECTED: State<never> = {
  kind: "rejected",
  code: "refused",
  status: 400,
  venueCode: undefined,
  message: "no",
};
const RELEASED: State<never> = { kind: "released", at: millis(0), by: "ann", reason: "support says so" };
const NOT_SENT: State<never> = { kind: "not-sent", code: "connect", reason: "no connection" };

function mint(state: State<MintRecord>, change: Partial<MoneyRequest<"mint">> = {}): MoneyRequest<"mint"> {
  return { ...aMint, state, ...change };
}

function row(
  requestId: string | undefined,
  quantity: string | undefined,
  change: Partial<SupplyChange> = {},
): SupplyChange {
  return {
    requestId,
    transactionId: undefined,
    asset: VCHF,
    blockchain: "ETH",
    quantity: quantity === undefined ? undefined : Quantity.of(quantity),
    status: "pending",
    reason: undefined,
    at: undefined,
    ...change,
  };
}

const none = (): boolean => false;
const OURS = "120000.37";
const found = (rows: readonly SupplyChange[], mints: readonly MoneyRequest<"mint">[], isForeign = none) =>
  findIn(rows, mints, isForeign, MINTS).map(({ id, finding }) => [
    id,
    finding.kind === "landed" ? (finding.receipt as MintRecord).requestId : finding.kind,
  ]);

describe("a mint of unknown outcome", () => {
  const open = mint(UNKNOWN);

  it.each([
    ["the one new entry with its quantity", [row("r0", OURS), row("r1", OURS)], [[open.id, "r1"]]],
    [
      "a question where the one new entry shows no quantity",
      [row("r0", undefined), row("r1", undefined)],
      [[open.id, "silent"]],
    ],
    [
      "the one with its quantity beside one that shows none",
      [row("r1", OURS), row("r2", undefined)],
      [[open.id, "r1"]],
    ],
    ["an entry that has a transaction only", [row(undefined, OURS, { transactionId: "x1" })], [[open.id, "x1"]]],
    ["none in an empty list", [], []],
    ["none of another quantity", [row("r1", "120000.38")], []],
    ["none on another chain", [row("r1", OURS, { blockchain: "SOL" })], []],
    ["none of another coin", [row("r1", OURS, { asset: CHF })], []],
    ["none that was there before", [row("r0", OURS)], []],
    ["no single one of two that fit", [row("r1", OURS), row("r2", OURS)], [[open.id, "contradiction"]]],
  ] as const)("is %s", (_, rows, expected) => {
    expect(found(rows, [open])).toEqual(expected);
  });

  it("costs what its entry states", () => {
    const stated = { spent: Money.of("120100", CHF), fee: Money.of("100", CHF) };
    expect(findIn([row("r1", OURS, stated)], [open], none, MINTS)).toMatchObject([
      { finding: { kind: "landed", receipt: stated } },
    ]);
    const fee = { fee: Money.of("100", CHF) };
    expect(findIn([row("r1", OURS, fee)], [open], none, MINTS)).toMatchObject([
      { finding: { kind: "landed", receipt: { fee: undefined, spent: undefined } } },
    ]);
  });

  it("that was answered is contradicted by an entry of another quantity or coin", () => {
    const receipt = { requestId: "r1", transactionId: undefined, fee: undefined, spent: undefined };
    const known = mint({ kind: "confirmed", receipt });
    expect(found([row("r1", "5")], [known])).toEqual([[known.id, "contradiction"]]);
    expect(found([row("r1", OURS, { asset: CHF })], [known])).toEqual([[known.id, "contradiction"]]);
    expect(found([row("r1", undefined)], [known])).toEqual([[known.id, "r1"]]);
  });

  it("is not what belongs to another mint of ours, nor what a person adopted, nor what is being sent now", () => {
    const receipt = { requestId: "r1", transactionId: undefined, fee: undefined, spent: undefined };
    const other = mint({ kind: "confirmed", receipt }, { id: "other" });
    expect(found([row("r1", OURS)], [other, open])).toEqual([["other", "r1"]]);
    expect(found([row("r1", OURS)], [open], () => true)).toEqual([]);
    expect(found([row("r1", OURS)], [mint(SENDING, { id: "sending" }), open])).toEqual([]);
  });
});

describe("a mint that was given up", () => {
  it.each([
    ["rejected", REJECTED],
    ["closed by a person", RELEASED],
  ])("and is %s happened after all when its very quantity shows up, and not by anything less", (_, state) => {
    const given = mint(state);
    expect(found([row("r1", OURS)], [given])).toEqual([[given.id, "r1"]]);
    expect(found([row("r1", undefined)], [given])).toEqual([]);
    // The same quantity again, on its way: that is another mint.
    expect(found([row("r1", OURS)], [given, mint(SENDING, { id: "again" })])).toEqual([]);
    expect(found([row("r1", OURS)], [given, mint(UNKNOWN, { id: "again" })])).toEqual([["again", "r1"]]);
  });

  it("and never left is nobody's", () => {
    expect(found([row("r1", OURS)], [mint(NOT_SENT)])).toEqual([]);
  });
});

describe("a rail of unknown outcome", () => {
  const request: RailIntent = {
    type: "FiatToStablecoin",
    sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
    destination: "0x1",
    memo: undefined,
    asset: VCHF,
    currency: CHF,
    blockchain: "ETH",
    known: ["a"],
  };
  const rail: MoneyRequest<"rail"> = { kind: "rail", id: "R1", request, assets: [], value: undefined, state: UNKNOWN };
  const OWN = { destination: "0x1", type: "FiatToStablecoin" } as const;
  const listed = (railId: string, shown?: RailRecord["request"]): RailRecord => ({
    railId,
    status: "pending",
    reason: undefined,
    ...(shown && { request: shown }),
  });
  const rails = (rows: readonly RailRecord[]) =>
    findIn(rows, [rail], none, RAILS).map(({ finding }) =>
      finding.kind === "landed" ? (finding.receipt as Rail).railId : finding.kind,
    );

  it.each([
    ["the one that is new, by destination and type", [listed("a", OWN), listed("b", OWN)], ["b"]],
    [
      "the one whose shown fields fit",
      [listed("b", { ...OWN, asset: CHF }), listed("c", { ...OWN, asset: VCHF })],
      ["c"],
    ],
    ["a question without either", [listed("b")], ["silent"]],
    ["a question without a type", [listed("b", { destination: "0x1" })], ["silent"]],
    ["a question without a destination", [listed("b", { type: "FiatToStablecoin" })], ["silent"]],
    ["none whose shown fields do not", [listed("b", { destination: "0x2" }), listed("c", { memo: "7" })], []],
    ["no single one of two", [listed("b", OWN), listed("c", OWN)], ["contradiction"]],
  ] as const)("is %s", (_, rows, expected) => {
    expect(rails(rows)).toEqual(expected);
  });

  it("is not what belongs to another rail of ours, nor what a person adopted, nor what is being sent now", () => {
    const receipt = { railId: "b", status: "pending", reason: undefined };
    const other: MoneyRequest<"rail"> = { ...rail, id: "R0", state: { kind: "confirmed", receipt } };
    const ids = (...all: readonly MoneyRequest<"rail">[]) =>
      findIn([listed("b")], all, none, RAILS).map(({ id }) => id);
    expect([ids(rail), ids(other, rail), ids({ ...rail, id: "R0", state: SENDING }, rail)]).toEqual([
      ["R1"],
      ["R0"],
      [],
    ]);
    expect(findIn([listed("b")], [rail], () => true, RAILS)).toEqual([]);
  });

  it("and then given up is nobody's: a new rail need not be it, for the list may show nothing of its content", () => {
    for (const state of [REJECTED, RELEASED, NOT_SENT])
      expect(findIn([listed("b")], [{ ...rail, state }], none, RAILS), state.kind).toEqual([]);
  });
});

describe("a mint that the list showed by its transaction alone", () => {
  const receipt = { requestId: "0xabc", transactionId: "0xabc", fee: undefined, spent: undefined };
  const adopted = mint({ kind: "confirmed", receipt });
  const both = row("r9", OURS, { transactionId: "0xabc" });

  it("stays ours when its request id is shown, and is nobody else's", () => {
    const other = mint(UNKNOWN, { id: "M-2" });
    expect(found([both], [adopted, other])).toEqual([[adopted.id, "0xabc"]]);
  });

  it("and was there before another was sent does not become that one's when its request id is shown", () => {
    const later = mint(UNKNOWN, { request: { ...aMint.request, known: ["0xabc"] } });
    expect(found([both], [later])).toEqual([]);
    expect(found([{ ...both, transactionId: "0xdef" }], [later])).toEqual([[later.id, "r9"]]);
  });

  it("is known by its transaction where the list has another id, but the row with its very id is first", () => {
    const named = mint({ kind: "confirmed", receipt: { ...receipt, requestId: "r1" } });
    const second = mint({ kind: "confirmed", receipt: { ...receipt, requestId: "r2" } }, { id: "M-2" });
    expect(found([both], [named])).toEqual([[named.id, "r1"]]);
    const rows = [both, row("r1", OURS, { transactionId: "0xabc" })];
    expect(found(rows, [second, named])).toEqual([
      [named.id, "r1"],
      ["M-2", "r2"],
    ]);
  });
});
