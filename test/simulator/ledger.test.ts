import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { Ledger } from "../../src/simulator/core/ledger.ts";

const CHF = "CHF" as Asset;
const money = (text: string): Money => Money.of(text, CHF);
const cause = (at: number) => ({ what: "test", reference: "r", at: millis(at) });

describe("the ledger", () => {
  test("lets a caller's pocket go to zero and never below", () => {
    const ledger = new Ledger(10);
    const caller = ledger.pocketsOf("caller", true)(CHF);
    const outside = ledger.pocketsOf("outside")(CHF);
    ledger.move(outside, caller, money("1"), cause(0));
    ledger.move(caller, outside, money("1"), cause(0));
    expect(() => ledger.move(caller, outside, money("0.000000000000000001"), cause(0))).toThrow("below zero");
    expect(() => ledger.move(outside, caller, money("-1"), cause(0))).toThrow("positive");
    expect(`${caller.amount} ${outside.amount}`).toBe("0 0");
  });

  test("moves no amount between two assets", () => {
    const ledger = new Ledger(10);
    const francs = ledger.pocketsOf("a")(CHF);
    const pounds = ledger.pocketsOf("b")("GBP" as Asset);
    expect(() => ledger.move(francs, pounds, money("1"), cause(0))).toThrow("cannot combine");
    expect(`${francs.amount} ${pounds.amount}`).toBe("0 0");
  });

  test("keeps totals complete when it forgets old postings", () => {
    const ledger = new Ledger(3);
    const [from, to] = [ledger.pocketsOf("a")(CHF), ledger.pocketsOf("b")(CHF)];
    for (let i = 1; i <= 20; i++) ledger.move(from, to, money("1"), cause(i));
    expect(to.amount.toString()).toBe("20");
    expect(ledger.rows().map(({ seq }) => seq)).toEqual([18, 19, 20]);
    expect(ledger.heldAt(to, millis(18)).toString()).toBe("18");
  });

  test("comes back from plain data as it was", () => {
    const ledger = new Ledger(10);
    ledger.move(ledger.pocketsOf("a")(CHF), ledger.pocketsOf("b", true)(CHF), money("1.5"), cause(1));
    const loaded = new Ledger(10, JSON.parse(JSON.stringify(ledger.save())));
    expect(loaded.save()).toEqual(ledger.save());
    const pocket = loaded.pocketsOf("b", true)(CHF);
    expect(() => loaded.move(pocket, loaded.pocketsOf("a")(CHF), money("1.6"), cause(2))).toThrow("below zero");
  });
});
