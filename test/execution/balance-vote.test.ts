import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { balanceVote, type OpenDoubt, orderMovements } from "../../src/execution/balance-vote.ts";
import { CHF, ID, ORDER, VCHF } from "./life.ts";

/** The books: 1,000 CHF and 50 VCHF. */
const held = (asset: Asset) =>
  asset === CHF ? Money.of("1000", CHF) : asset === VCHF ? Money.of("50", VCHF) : undefined;
const doubtOf = (id: string, side: "buy" | "sell" = "buy"): OpenDoubt => ({
  id,
  movements: orderMovements({ ...ORDER, side }, 500),
});
const BUY = doubtOf(ID);
const told = (chf: string, vchf: string): Balance[] => [
  { asset: CHF, available: Money.of(chf, CHF), pending: Money.zero(CHF) },
  { asset: VCHF, available: Money.of("0", VCHF), pending: Money.of(vchf, VCHF) },
];
const vote = (chf: string, vchf: string, doubts: readonly OpenDoubt[] = [BUY]) =>
  balanceVote(ID, doubts, told(chf, vchf), held);

describe("the balances", () => {
  test("say that it did not happen when they equal the ledger to the last digit, pending included", () => {
    expect(vote("1000", "50")).toEqual({ kind: "absent" });
  });

  test("say that it happened when both legs moved, at the limit or better and with a fee on either side", () => {
    // 100 at 1.001 is 100.10; 5 % better is 95.095; a fee of 5 % makes it 105.105, or leaves 95 VCHF.
    expect(vote("899.90", "150")).toEqual({ kind: "landed" });
    expect(vote("904.905", "150")).toEqual({ kind: "landed" });
    expect(vote("894.895", "145")).toEqual({ kind: "landed" });
  });

  test("explain nothing when one leg moved alone, or by an amount that no price gives", () => {
    for (const [chf, vchf] of [
      ["899.90", "50"],
      ["1000", "150"],
      ["999.99", "50"],
      ["904.906", "150"],
      ["894.894", "150"],
      ["899.90", "150.01"],
    ] as const)
      expect(vote(chf, vchf).kind).toBe("unexplained");
    expect(vote("999.99", "50")).toMatchObject({ reason: expect.stringContaining("ledger by -0.01 CHF") });
  });

  test("have no vote when two doubts explain them equally well", () => {
    expect(vote("899.90", "150", [BUY, doubtOf("other")])).toEqual({
      kind: "none",
      reason: "the balances are explained in more than one way",
    });
    expect(vote("1000", "50", [BUY, doubtOf("other")])).toEqual({ kind: "absent" });
    expect(vote("799.80", "250", [BUY, doubtOf("other")])).toEqual({ kind: "landed" });
  });

  test("tell a buy from a sell that is in doubt beside it", () => {
    const doubts = [BUY, doubtOf("sale", "sell")];
    expect(vote("899.90", "150", doubts)).toEqual({ kind: "landed" });
    expect(balanceVote("sale", doubts, told("899.90", "150"), held)).toEqual({ kind: "absent" });
    // A buy and a sale of the same size may also cancel out: then nobody knows.
    expect(vote("1000", "50", doubts).kind).toBe("none");
  });

  test("have no vote where an amount is unknown: an asset that is not listed, or a pending part that is not told", () => {
    const [chf, vchf] = told("1000", "50") as [Balance, Balance];
    expect(balanceVote(ID, [BUY], [chf], held)).toEqual({
      kind: "none",
      reason: "the venue's total of VCHF is unknown",
    });
    expect(balanceVote(ID, [BUY], [{ ...chf, pending: undefined }, vchf], held).kind).toBe("none");
    expect(balanceVote(ID, [BUY], [chf, vchf], () => undefined)).toEqual({
      kind: "none",
      reason: "the ledger of VCHF is unknown",
    });
  });

  test("have no vote over more than eight doubts", () => {
    const many = Array.from({ length: 9 }, (_, index) => doubtOf(`d${index}`));
    expect(balanceVote("d0", many, told("1000", "50"), held).kind).toBe("none");
  });

  test("cannot be asked about a request that is not among the doubts", () => {
    expect(() => balanceVote("other", [BUY], told("1000", "50"), held)).toThrow("other must be among the doubts");
  });
});
