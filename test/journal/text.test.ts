import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { chainedHash, entryText, GENESIS, readEntry } from "../../src/journal/text/entry-text.ts";
import { float, text } from "../../src/journal/text/value.ts";
import { at, doubt, everyKind, opening } from "./samples.ts";

describe("the text of a record", () => {
  it.each(everyKind.map((record, index) => [index, record.kind, record] as const))(
    "%i, a record of kind %s, comes back as it was",
    (_index, _kind, record) => {
      const entry = entryText(5, "writer01", record);
      expect(readEntry(5, entry, "h")).toEqual({
        ok: true,
        value: { sequence: 5, hash: "h", writer: "writer01", record },
      });
    },
  );

  it("is the same whatever the order in which the fields were set", () => {
    const turned = Object.fromEntries(Object.entries(doubt).reverse()) as typeof doubt;
    expect(entryText(1, "w", turned)).toBe(entryText(1, "w", doubt));
  });

  it("is fixed for all time: this literal was written by version 1", () => {
    const entry = entryText(1, "writer01", opening);
    expect(entry).toBe(
      '{"sequence":1,"writer":"writer01","record":{"kind":"opening","at":1794731400000,"environment":"test",' +
        '"account":"0123456789abcdef","chainId":"chain-of-the-tests","schemaVersion":1,"codeVersion":"0.1.0"}}',
    );
    // printf '%064d\n%s' 0 "$entry" | sha256sum
    expect(chainedHash(GENESIS, entry)).toBe("58d9ca04b441b1afa24fb778f95abb40bbe150d42ee37ee839c4b497fb95ab1a");
  });

  it.each([
    ["an unknown field", { ...doubt, more: 1 }, "record must not have the field more"],
    ["a missing field", { kind: "doubt", at, id: "x" }, "record must have the field nonce"],
    ["an unknown kind", { ...doubt, kind: "rumour" }, 'record kind must be known, was "rumour"'],
    ["a number for a text", { ...doubt, cause: 5 }, "record.cause must be a string, was 5"],
    [
      "null for an absent field",
      { ...everyKind.at(-1), control: null },
      "record.control kind must be known, was absent",
    ],
    [
      "an amount as a number",
      { kind: "adoption", at, amounts: [{ asset: "CHF", amount: 1.5 }], history: { ids: [] }, reason: "r", by: "b" },
      "record.amounts[0].amount must be a string, was 1.5",
    ],
    [
      "an amount outside its grammar",
      { kind: "adoption", at, amounts: [{ asset: "CHF", amount: "1e5" }], history: { ids: [] }, reason: "r", by: "b" },
      /^record\.amounts\[0\] .*"1e5"/,
    ],
    [
      "an asset outside its grammar",
      { kind: "adoption", at, amounts: [{ asset: "chf", amount: "1" }], history: { ids: [] }, reason: "r", by: "b" },
      /^record\.amounts\[0\]\.asset asset must be/,
    ],
    [
      "a fraction for a nonce",
      { kind: "fenced", at, id: "x", nonce: 1.5 },
      "record.nonce must be a whole number, was 1.5",
    ],
  ])("with %s is refused by its path", (_what, record, message) => {
    const read = readEntry(1, JSON.stringify({ sequence: 1, writer: "w", record }), "h");
    expect(read).toEqual({ ok: false, error: typeof message === "string" ? message : expect.stringMatching(message) });
  });

  it("is refused in another place than its own, and when it is no JSON", () => {
    expect(readEntry(2, entryText(1, "w", doubt), "h")).toEqual({ ok: false, error: "must say sequence 2, was 1" });
    expect(readEntry(1, entryText(1, "w", doubt).slice(0, -1), "h")).toEqual({ ok: false, error: "must be JSON" });
  });

  property.prop([fc.double()])("keeps every float to the last bit", (value) => {
    expect(float.decode(JSON.parse(float.encode(value)))).toBe(value);
  });

  property.prop([fc.string({ unit: "binary" })])("keeps every text", (value) => {
    expect(text.encode(value)).toBe(JSON.stringify(value));
    expect(text.decode(JSON.parse(text.encode(value)))).toBe(value);
  });
});
