// The reader of JSON answers: what JSON.parse reads it reads alike, and what JSON.parse lets through it names.

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, JsonNumber, JsonObject, type JsonProblem, parseJson } from "../../src/exchange/wire/json.ts";

const parse = (text: string) => parseJson(Buffer.from(text));

/** As JSON.parse would give it, numbers by their text. */
function plain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.text);
  if (Array.isArray(json)) return json.map(plain);
  if (!(json instanceof JsonObject)) return json;
  return Object.fromEntries(json.keys.map((key, i) => [key, plain(json.values[i] as Json)]));
}

test("reads whatever JSON.stringify writes, as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(0, 2), (text, indent) => {
      const value = JSON.parse(text);
      const read = parse(JSON.stringify(value, null, indent));
      if (!read.ok) {
        // Only what is refused on purpose may differ.
        expect(["nul", "lone-surrogate", "too-deep"]).toContain(read.error);
        return;
      }
      expect(JSON.stringify(plain(read.value))).toBe(JSON.stringify(value));
    }),
    { numRuns: 2_000 },
  );
});

test("refuses whatever JSON.parse refuses", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0123.eE+-tfn\\u ax\n'), maxLength: 24 }), (text) => {
      const read = parse(text);
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      if (read.ok || !["duplicate-key", "nul", "lone-surrogate"].includes(read.error)) expect(read.ok).toBe(valid);
    }),
    { numRuns: 20_000 },
  );
});

test.each<[string, JsonProblem]>([
  ["", "empty"],
  [" \n ", "empty"],
  ["[1]]", "not-json"],
  ["[1,]", "not-json"],
  ['{"a":1,"a":1}', "duplicate-key"],
  ['{"a":1,"\\u0061":2}', "duplicate-key"],
  ['{"__proto__":1,"__proto__":2}', "duplicate-key"],
  ["\u{feff}{}", "byte-order-mark"],
  ["{}\0", "nul"],
  ['"\\u0000"', "nul"],
  ['"\\ud800"', "lone-surrogate"],
  ['"\\udc00\\ud800"', "lone-surrogate"],
  ["[".repeat(33) + "]".repeat(33), "too-deep"],
  [`[${"0,".repeat(50_000)}0]`, "too-many-items"],
  [`"${"x".repeat(2_000_000)}"`, "too-large"],
])("%s is refused as %s", (text, problem) => {
  expect(parse(text)).toEqual({ ok: false, error: problem });
});

test("a number keeps its digits", () => {
  const read = parse("[9007199254740993, 1e400, -0, 0.10]");
  expect(read.ok && (read.value as readonly JsonNumber[]).map((number) => number.text)).toEqual([
    "9007199254740993",
    "1e400",
    "-0",
    "0.10",
  ]);
});

test("V16 a key can reach no prototype, whatever it is called", () => {
  const read = parse('{"__proto__":{"polluted":true},"constructor":1,"keys":2}');
  expect(read.ok && read.value instanceof JsonObject && read.value.keys).toEqual(["__proto__", "constructor", "keys"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("a repeated key is found in a small object and in a large one", () => {
  for (const size of [2, 23, 24, 25, 26, 5_000]) {
    const keys = Array.from({ length: size }, (_, i) => `"k${i}":0`).join(",");
    expect(parse(`{${keys}}`).ok).toBe(true);
    expect(parse(`{${keys},"k${size - 1}":0}`)).toEqual({ ok: false, error: "duplicate-key" });
    expect(parse(`{${keys},"k0":0}`)).toEqual({ ok: false, error: "duplicate-key" });
  }
});
