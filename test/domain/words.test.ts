// The small words of the domain: assets, symbols, ids, virtual time, orders and results.

import { describe, expect, test } from "vitest";
import { type Asset, assetsOf, type PairSymbol, parseAsset, parseSymbol } from "../../src/domain/asset.ts";
import { createIds } from "../../src/domain/ids.ts";
import { unreachable } from "../../src/domain/invariant.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { keepsLimit, legs, type Side } from "../../src/domain/order.ts";
import { err, unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { createVirtualClock } from "../../src/domain/virtual-clock.ts";

describe("assets and symbols", () => {
  test("an asset is 2 to 12 capitals and digits", () => {
    expect(parseAsset("VCHF").ok).toBe(true);
    expect(parseAsset("1INCH").ok).toBe(true);
    for (const text of ["", "A", "vchf", "VCHF ", "VCHF\n", "ABCDEFGHIJKLM", "V/C", "VĊHF", "__proto__"])
      expect(parseAsset(text).ok, text).toBe(false);
  });

  test("a symbol is two different assets", () => {
    expect(parseSymbol("VCHF/CHF").ok).toBe(true);
    for (const text of ["CHF/CHF", "VCHFCHF", "VCHF/", "/CHF", "VCHF/CHF/USD", "vchf/chf", "VCHF/CHF\n"])
      expect(parseSymbol(text).ok, text).toBe(false);
    expect(assetsOf("VCHF/CHF" as PairSymbol)).toEqual({ base: "VCHF", quote: "CHF" });
  });

  test("what is no text is refused, not thrown at", () => {
    for (const value of [null, undefined, 5, ["CHF"]]) {
      expect(parseAsset(value).ok).toBe(false);
      expect(parseSymbol(value).ok).toBe(false);
    }
  });

  test("a refusal shows a long text cut", () => {
    const result = parseAsset("X".repeat(5_000));
    expect(result).toEqual(err(`asset must be 2 to 12 of A-Z and 0-9, was "${"X".repeat(40)}..."`));
  });
});

describe("ids", () => {
  test("they count on from the last one and name their instance", () => {
    const ids = createIds("T", "k3v9x2qa", 16);
    expect([ids.next(), ids.next()]).toEqual(["T-k3v9x2qa-17", "T-k3v9x2qa-18"]);
  });

  test("bad parts are refused", () => {
    expect(() => createIds("", "k3v9x2qa")).toThrow("id prefix must be letters and digits");
    expect(() => createIds("T", "short")).toThrow("id instance must be 8 to 32 of a-z and 0-9");
    for (const last of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(() => createIds("T", "k3v9x2qa", last)).toThrow(`last id must be a whole number from 0, was ${last}`);
  });
});

describe("a virtual clock", () => {
  test("stands still until time passes, on both readings", () => {
    const clock = createVirtualClock(millis(1_000));
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    clock.advance(250.5);
    clock.advanceTo(millis(2_000));
    expect([clock.now(), clock.monotonic()]).toEqual([2_000, 1_000]);
  });

  test("a step moves the wall clock alone, back too", () => {
    const clock = createVirtualClock(millis(1_000));
    clock.step(-300);
    expect([clock.now(), clock.monotonic()]).toEqual([700, 0]);
  });

  test("time does not run backward or to no end", () => {
    const clock = createVirtualClock(millis(1_000));
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => clock.advance(ms)).toThrow(`a clock must advance by 0 ms or more, was ${ms}`);
    expect(() => clock.advanceTo(millis(999))).toThrow("was -1");
    expect(() => clock.step(Number.NaN)).toThrow("a clock must step by a finite time");
    expect(() => createVirtualClock(millis(Number.NaN))).toThrow("a clock must start at a finite time");
  });
});

describe("orders", () => {
  const CHF = "CHF" as Asset;
  const VCHF = "VCHF" as Asset;

  test("a buy takes base for quote, a sell quote for base", () => {
    expect(legs("buy", VCHF, CHF)).toEqual({ bought: VCHF, sold: CHF });
    expect(legs("sell", VCHF, CHF)).toEqual({ bought: CHF, sold: VCHF });
  });

  // 333.33 * 0.9987 = 332.896671
  const keeps = (side: Side, quoteLeg: string): boolean =>
    keepsLimit(
      { symbol: "VCHF/CHF" as PairSymbol, side, quantity: Quantity.of("333.33"), limit: Price.of("0.9987") },
      Money.of(quoteLeg, CHF),
      2,
    );

  test("a buy keeps its limit up to one unit of the last digit above it", () => {
    expect(keeps("buy", "300")).toBe(true);
    expect(keeps("buy", "332.89")).toBe(true);
    expect(keeps("buy", "332.9")).toBe(true);
    expect(keeps("buy", "332.906671")).toBe(true);
    expect(keeps("buy", "332.906671000000000001")).toBe(false);
    expect(keeps("buy", "332.91")).toBe(false);
  });

  test("a sell keeps its limit down to one unit of the last digit below it", () => {
    expect(keeps("sell", "400")).toBe(true);
    expect(keeps("sell", "332.89")).toBe(true);
    expect(keeps("sell", "332.886671")).toBe(true);
    expect(keeps("sell", "332.886670999999999999")).toBe(false);
    expect(keeps("sell", "332.88")).toBe(false);
  });
});

test("unwrapping an error throws its reason, and an unreachable case names itself", () => {
  expect(() => unwrap(err("no such pair"))).toThrow("no such pair");
  expect(() => unreachable({ kind: "new", size: 5n } as never)).toThrow("unreachable: ");
});
