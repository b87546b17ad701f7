import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { BareNumber, canonicalJson } from "../../src/exchange/wire/canonical-json.ts";

function canonical(value: unknown): string {
  return unwrap(canonicalJson(value));
}

describe("canonical JSON", () => {
  it("sorts keys at every depth and keeps the order of arrays", () => {
    expect(canonical({ b: [3, 1, { z: 1, a: 2 }], a: { d: null, c: true } })).toBe(
      '{"a":{"c":true,"d":null},"b":[3,1,{"a":2,"z":1}]}',
    );
  });

  it("sorts by UTF-16 code unit: upper case first, digits as text, a surrogate pair before U+FF5E", () => {
    expect(canonical({ b: 1, B: 1, "10": 1, "9": 1, "\uff5e": 1, "🪙": 1, é: 1 })).toBe(
      '{"10":1,"9":1,"B":1,"b":1,"é":1,"🪙":1,"\uff5e":1}',
    );
  });

  it("leaves non-ASCII as it is and escapes only what JSON requires", () => {
    expect(canonical("Zürich AG")).toBe('"Zürich AG"');
    expect(canonical('a"b\\c\n\u0001\u2028\u007f/漢🪙')).toBe('"a\\"b\\\\c\\n\\u0001\u2028\u007f/漢🪙"');
  });

  it("writes amounts as exact decimal texts, whatever a double would make of them", () => {
    const value = {
      price: Price.of("0.0000001"),
      quantity: Quantity.of("30.0"),
      money: Money.of("-123456789012345678.000000000000000001", "CHF" as Asset),
    };
    expect(canonical(value)).toBe(
      '{"money":"-123456789012345678.000000000000000001","price":"0.0000001","quantity":"30"}',
    );
  });

  it("writes bare numbers digit by digit, never with an exponent or a needless zero", () => {
    const bare = (text: string) => unwrap(BareNumber.parse(text));
    expect(canonical([bare("30.0"), bare("0.0000001"), bare("9007199254740993"), bare("-0.50")])).toBe(
      "[30,0.0000001,9007199254740993,-0.5]",
    );
    expect(canonical(BareNumber.of(Quantity.of("100000000000000000.1")))).toBe("100000000000000000.1");
  });

  it.each(["1e3", "NaN", "Infinity", "+1", " 1", "01", "1.", ""])("has no bare number for %j", (text) => {
    expect(BareNumber.parse(text).ok).toBe(false);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle];
  it.each([
    ["undefined in an object", { a: undefined }, "$.a must be a JSON value, was undefined"],
    ["undefined at the top", undefined, "$ must be a JSON value, was undefined"],
    ["a hole in an array", new Array(1), "$[0] must be a JSON value, was undefined"],
    ["NaN", [Number.NaN], "$[0] must be a whole number below 2^53 or an exact amount"],
    ["half of a surrogate pair", ["a\ud800"], "$[0] must be well-formed text, had half of a surrogate pair"],
    ["a date", new Date(0), "$ must be a plain object"],
    ["a cycle", cycle, "$.self[0] must not contain itself"],
  ])("refuses %s", (_, value, message) => {
    expect(canonicalJson(value)).toEqual({ ok: false, error: message });
  });

  it("refuses nesting that would end the stack instead of running into it", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(canonicalJson(deep)).toMatchObject({ ok: false });
  });

  it("reads back as the same value and does not change when written again", () => {
    const json = fc.jsonValue({ noUnicodeString: false }).filter((value) => canonicalJson(value).ok);
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(value);
        expect(canonical(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 100 },
    );
  });
});
